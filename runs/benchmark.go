package runs

import (
	"context"
	"fmt"

	"headroom/runs/internal/table"
)

// Benchmark is one measure of one repetition of a benchmark: a result line of
// `go test -bench` has one for each of its units. Such results carry no time.
type Benchmark struct {
	Source     string  // base name of the file it came from
	Package    string  // import path; "" if the file does not say
	Name       string  // as printed, without the "-P" that tells GOMAXPROCS: "BenchmarkSort/size=64"
	Procs      int64   // GOMAXPROCS; 1 where the name has no suffix
	Repeat     int64   // 0 for the first line of this name, package, configuration and procs, 1 for the second …
	Iterations int64   // how often the body ran
	Unit       string  // "s/op", "B/op", "allocs/op", "B/s", or the benchmark's own; ns and MB are turned into s and B
	Value      float64 // in Unit; finite
	Config     string  // further labels that held (goos, goarch, cpu, …) as one canonical JSON object; "" if none
}

// Benchmark appends a row; b may be reused after the call. It is an error if it
// has no name or unit, a count below zero, or a value that is not finite.
func (w *Writer) Benchmark(b *Benchmark) error {
	if w.tmp == "" {
		return ErrClosed
	}
	if b.Name == "" || b.Unit == "" || b.Procs < 1 || b.Repeat < 0 || b.Iterations < 0 {
		return fmt.Errorf("benchmarks: row %d: name %q, unit %q, procs %d, repeat %d, iterations %d: want a name, a unit, procs of 1 or more and no count below 0",
			w.benchmarks.Rows()+1, b.Name, b.Unit, b.Procs, b.Repeat, b.Iterations)
	}
	return w.benchmarks.Append(b)
}

// ScanBenchmarks calls fn for every benchmark result, in the order they were
// recorded. The Benchmark is valid until fn returns; its strings stay valid.
func (r *Run) ScanBenchmarks(ctx context.Context, fn func(*Benchmark) error) error {
	return table.Scan(ctx, tableParts(r, benchmarksTable), benchmarksTable, table.Range{}, nil, new(Benchmark), fn)
}
