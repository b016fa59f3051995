package analyze

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"headroom/runs"
)

// BenchRules says which benchmarks a document expects, and how they make up a
// whole. Names are as `go test` prints them, without "Benchmark"; one that
// several packages have bears its import path in front: "PKG.Name".
type BenchRules struct {
	// Expect are the benchmarks that must be there (default: none is missed).
	Expect []string `json:"expect,omitempty"`
	// Repeats is the -count that was asked for (default: that of the benchmark
	// with the most).
	Repeats int `json:"repeats,omitempty"`
	// EventsPerOp is how many events one operation carries, for benchmarks that
	// do not report events/op themselves.
	EventsPerOp float64 `json:"events_per_op,omitempty"`
	// Stages are the benchmarks of the parts of one path, in its order; Total is
	// the benchmark of the path itself (default: shares are of the sum).
	Stages []string `json:"stages,omitempty"`
	Total  string   `json:"total,omitempty"`
	// AllocsMax is the highest number of allocations per event, or per operation
	// where no events are known, of Total or, without one, of any (default: no limit).
	AllocsMax float64 `json:"allocs_max,omitempty"`
}

// unitEvents is the measure by which a benchmark says how many events one of
// its operations carries.
const unitEvents = "events/op"

// benchmark is what was measured of one benchmark.
type benchmark struct {
	pkg, name string // name without "Benchmark"
	procs     int64
	config    map[string]string
	label     string               // how the document calls it
	units     []string             // in order of appearance
	values    map[string][]float64 // by unit, a value for each repeat
}

// mostBenchRows bounds the room that is made for rows before they are read.
const mostBenchRows = 1 << 18

// readBenchmarks reads the benchmarks of a run.
func readBenchmarks(ctx context.Context, run *runs.Run) ([]*benchmark, error) {
	var rows []runs.Benchmark
	for _, t := range run.Manifest().Tables {
		if t.Table == "benchmarks" {
			rows = slices.Grow(rows, int(max(min(t.Rows, mostBenchRows), 0)))
		}
	}
	err := run.ScanBenchmarks(ctx, func(b *runs.Benchmark) error {
		rows = append(rows, *b)
		return nil
	})
	return groupBenchmarks(rows), err
}

// groupBenchmarks puts the repeats of each benchmark together. Repeats have one
// name and GOMAXPROCS, and no label or package in which they differ.
func groupBenchmarks(rows []runs.Benchmark) []*benchmark {
	ownDigits(rows)
	type key struct {
		name  string
		procs int64
	}
	var out []*benchmark
	by := map[key][]*benchmark{}
	// What joined once joins again: what a benchmark says only grows.
	type full struct {
		key
		pkg, config string
	}
	joined := map[full]*benchmark{}
	var config map[string]string
	last := "" // of which it is
	for i := range rows {
		r := &rows[i]
		k := key{strings.TrimPrefix(r.Name, "Benchmark"), r.Procs}
		f := full{k, r.Package, r.Config}
		if b := joined[f]; b != nil {
			b.value(r)
			continue
		}
		if config == nil || r.Config != last { // most rows have the labels of the row before
			config, last = map[string]string{}, r.Config
			_ = json.Unmarshal([]byte(r.Config), &config) // "" and what is no object give no labels
		}
		j := slices.IndexFunc(by[k], func(b *benchmark) bool { return b.joins(r.Package, config) })
		if j < 0 {
			j = len(by[k])
			b := &benchmark{name: k.name, procs: k.procs, config: map[string]string{}, values: map[string][]float64{}}
			by[k] = append(by[k], b)
			out = append(out, b)
		}
		by[k][j].add(r, config)
		joined[f] = by[k][j]
	}
	labelBenchmarks(out)
	return out
}

// ownDigits gives names their own digits back. A number at the end of a name,
// behind a dash, tells GOMAXPROCS, and go test leaves it away where that is 1:
// where another benchmark of the file bears none, the number is the name's own,
// unless the name without it is there as well (-cpu 1,4).
func ownDigits(rows []runs.Benchmark) {
	type named struct{ source, name string }
	bare, sources := map[named]bool{}, map[string]bool{}
	for i := range rows {
		if r := &rows[i]; r.Procs == 1 {
			bare[named{r.Source, r.Name}], sources[r.Source] = true, true
		}
	}
	for i := range rows {
		r := &rows[i]
		if r.Procs == 1 || !sources[r.Source] || bare[named{r.Source, r.Name}] {
			continue
		}
		r.Name, r.Procs = fmt.Sprintf("%s-%d", r.Name, r.Procs), 1
		bare[named{r.Source, r.Name}] = true
	}
}

// joins reports whether a row may be a repeat of b: what both say agrees.
func (b *benchmark) joins(pkg string, config map[string]string) bool {
	if b.pkg != "" && pkg != "" && b.pkg != pkg {
		return false
	}
	for k, v := range config {
		if have, ok := b.config[k]; ok && have != v {
			return false
		}
	}
	return true
}

func (b *benchmark) add(r *runs.Benchmark, config map[string]string) {
	b.pkg = cmp.Or(b.pkg, r.Package)
	for k, v := range config {
		b.config[k] = v
	}
	b.value(r)
}

// value adds what a row measured.
func (b *benchmark) value(r *runs.Benchmark) {
	if _, ok := b.values[r.Unit]; !ok {
		b.units = append(b.units, r.Unit)
	}
	b.values[r.Unit] = append(b.values[r.Unit], r.Value)
}

// labelBenchmarks names them so that no two are called the same: by package,
// GOMAXPROCS or number where the name does not tell them apart.
func labelBenchmarks(bs []*benchmark) {
	for _, name := range []func(*benchmark) string{
		func(b *benchmark) string { return b.name },
		func(b *benchmark) string {
			if b.procs == 1 {
				return b.name
			}
			return fmt.Sprintf("%s-%d", b.name, b.procs)
		},
		func(b *benchmark) string {
			if b.pkg == "" {
				return b.label
			}
			return b.pkg + "." + b.label
		},
	} {
		seen := map[string]int{}
		for _, b := range bs {
			seen[b.label]++
		}
		for _, b := range bs {
			if b.label == "" || seen[b.label] > 1 {
				b.label = name(b)
			}
		}
	}
	used := map[string]int{}
	for _, b := range bs {
		if used[b.label]++; used[b.label] > 1 {
			b.label = fmt.Sprintf("%s (%d)", b.label, used[b.label])
		}
	}
}

// is reports whether a name in the rules means b.
func (b *benchmark) is(name string) bool {
	name = strings.TrimPrefix(name, "Benchmark")
	return name == b.label || name == b.name || b.pkg != "" && name == b.pkg+"."+b.name
}

// benchNamed returns the benchmark that a name means, nil if there is none or are
// several.
func benchNamed(bs []*benchmark, name string) *benchmark {
	var found *benchmark
	for _, b := range bs {
		if b.label == strings.TrimPrefix(name, "Benchmark") {
			return b
		}
		if b.is(name) {
			if found != nil {
				return nil
			}
			found = b
		}
	}
	return found
}

// repeats is how many results there are; short names a unit that not all have.
func (b *benchmark) repeats() (n int, short string) {
	for _, vs := range b.values {
		n = max(n, len(vs))
	}
	for _, u := range b.units {
		if len(b.values[u]) < n {
			return n, u
		}
	}
	return n, ""
}

// benchOnly reports whether the run holds benchmarks and no load.
func (m *Measured) benchOnly() bool { return len(m.benchmarks) > 0 && len(m.units) == 0 }
