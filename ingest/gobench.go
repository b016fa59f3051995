package ingest

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"headroom/internal/pattern"
	"headroom/runs"
)

// GoBench reads what go test -bench prints
// (https://go.dev/design/14313-benchmark-format).
var GoBench = &Importer{
	Name: "go-bench",
	Doc: `go test -bench output

Recognised by lines "goos: …", "pkg: …" or a result, "BenchmarkName-8  1000  1589
ns/op". Lines "key: value" hold for the results after them. A number at the end of
a name, behind a dash, is GOMAXPROCS, unless it is 1 or begins with 0, which go
test never writes; other names that end so by themselves are told apart by the
analysis. ns and MB become s and B, other units stay as they are. A result whose
line was split by what the benchmark printed is put together again. Repeats
(-count) are rows of their own.`,
	Gives: []string{"benchmarks: name, package, configuration, procs, iterations, unit, value, repeat"},
	Lacks: []string{"when they ran", "the spread within one result"},
	Sniff: func(head []byte) bool {
		return !bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) && inHead(head, goBenchMark, "goos: ", "pkg: ", "Benchmark")
	},
	Read: func(in *Input, sink Sink) error {
		g := newGoBench(in, sink)
		p := g.of("")
		lines := in.Lines()
		for lines.Next() {
			read, err := p.quick(lines.Bytes(), lines.Cut())
			if !read {
				err = p.line(string(lines.Bytes()), lines.Cut())
			}
			if err != nil {
				return err
			}
		}
		g.describe()
		return lines.Finish()
	},
}

// GoBenchJSON reads what go test -bench -json prints
// (https://pkg.go.dev/cmd/test2json).
var GoBenchJSON = &Importer{
	Name: "go-bench-json",
	Doc: `go test -bench -json output

Recognised by JSON lines with Action and Package (or ImportPath). The output events
of each package are put together to lines, for a result comes in several, and are
read as go-bench reads them; packages may take turns.`,
	Gives: []string{"benchmarks: name, package, configuration, procs, iterations, unit, value, repeat"},
	Lacks: []string{"the spread within one result"},
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		seen := jsonMembers(line)
		return seen["Action"] && (seen["Package"] || seen["ImportPath"])
	},
	Read: readGoBenchJSON,
}

var (
	goBenchMark   = pattern.New(`(?m)^(?:goos: \S|pkg: \S|Benchmark\S*[ \t]+\d+[ \t]+[\d.eE+-]+ \S+(?:[ \t]|\r?$))`)
	goBenchConfig = pattern.New(`^([a-z][^\s:A-Z]*):[ \t]+(.*)$`)
	goBenchName   = pattern.New(`^(Benchmark\S*)(?:[ \t]+(.*))?$`)
	goBenchResult = pattern.New(`^[ \t]*(\d+)[ \t]+([\d.eE+-]+ \S+/op.*|[\d.eE+-]+ \S+([ \t]+[\d.eE+-]+ \S+)*)$`)
	goBenchFailed = pattern.New(`^\s*--- (FAIL|SKIP): Benchmark`)
)

// goBenchReader reads the lines of all packages of one file.
type goBenchReader struct {
	in      *Input
	sink    Sink
	pkgs    map[string]*goBenchPackage
	series  map[goBenchKey]*goBenchSeries
	units   map[string]goBenchMeasure // as go test writes them
	results int64
	failed  int64
	skipped int64
}

// goBenchKey is what repeats of one benchmark have in common.
type goBenchKey struct {
	pkg, config, name string
	procs             int64
}

// goBenchSeries are the repeats of one benchmark.
type goBenchSeries struct {
	name    string
	procs   int64
	repeats int64 // that were read
}

// goBenchMeasure is one measure of a result, in SI units.
type goBenchMeasure struct {
	unit  string
	power int // of ten, from the unit as written
	value float64
}

// goBenchPackage is the state of the lines of one package.
type goBenchPackage struct {
	g       *goBenchReader
	pkg     string
	config  map[string]string
	json    string // of config
	pending string // a name whose numbers have not come yet
	part    []byte // of a line, from events

	named    map[string]*goBenchSeries // of the labels that hold now, by name as written
	measures []goBenchMeasure          // of the line, and
	row      runs.Benchmark            // made anew for each
}

func newGoBench(in *Input, sink Sink) *goBenchReader {
	in.Meta.Tool = "go test -bench"
	return &goBenchReader{in: in, sink: sink, pkgs: map[string]*goBenchPackage{}, series: map[goBenchKey]*goBenchSeries{}, units: map[string]goBenchMeasure{}}
}

// of returns the state of a package; nil if there are too many.
func (g *goBenchReader) of(pkg string) *goBenchPackage {
	p := g.pkgs[pkg]
	if p == nil && len(g.pkgs) < maxMetrics {
		p = &goBenchPackage{g: g, pkg: pkg, config: map[string]string{}}
		g.pkgs[pkg] = p
	}
	return p
}

// line takes one line; cut says that it may lack its end.
func (p *goBenchPackage) line(line string, cut bool) error {
	line = strings.TrimRight(line, "\r\n")
	if m := goBenchFailed.FindStringSubmatch(line); m != nil {
		if m[1] == "FAIL" {
			p.g.failed++
		} else {
			p.g.skipped++
		}
		p.pending = ""
		return nil
	}
	if m := goBenchName.FindStringSubmatch(line); m != nil {
		if r := goBenchResult.FindStringSubmatch(m[2]); r != nil {
			p.pending = ""
			return p.result(m[1], r, cut)
		}
		p.pending = m[1]
		if cut && m[2] != "" {
			p.g.in.Meta.Cut = true
			p.g.in.Note("the last line is cut and was left out")
		}
		return nil
	}
	if p.pending != "" {
		if r := goBenchResult.FindStringSubmatch(line); r != nil {
			name := p.pending
			p.pending = ""
			return p.result(name, r, cut)
		}
		return nil // printed by the benchmark
	}
	if m := goBenchConfig.FindStringSubmatch(line); m != nil {
		p.configure(m[1], m[2])
	}
	return nil
}

// goBenchKeys bounds how many labels hold at once.
const goBenchKeys = 64

func (p *goBenchPackage) configure(key, value string) {
	clear(p.named)
	if key == "pkg" {
		p.pkg = cutTag(value)
		return
	}
	if value == "" {
		delete(p.config, key)
	} else if _, ok := p.config[key]; ok || len(p.config) < goBenchKeys {
		p.config[cutTag(key)] = cutTag(value)
	}
	p.json = canonicalObject(p.config)
}

// result writes the measures of one result line.
func (p *goBenchPackage) result(name string, m []string, cut bool) error {
	if cut {
		p.g.in.Meta.Cut = true
		p.g.in.Note("the last line is cut and was left out")
		return nil
	}
	iterations, ok := scaled([]byte(m[1]), 0)
	if !ok {
		return nil
	}
	p.measures = p.measures[:0]
	fields := strings.Fields(m[2])
	for i := 0; i+1 < len(fields); i += 2 {
		m := goBenchUnit(fields[i+1])
		if m.value = jsonNumber(fields[i]).scaled(m.power); m.value != m.value {
			p.g.in.Note("%s: %q is no number", clip(name), clip(fields[i]))
			continue
		}
		p.measures = append(p.measures, m)
	}
	return p.put(p.seriesOf(name), iterations)
}

// seriesOf returns the repeats of the benchmark of that name, as written, under the
// labels that hold now. Of too many benchmarks each result is the first.
func (p *goBenchPackage) seriesOf(name string) *goBenchSeries {
	s := &goBenchSeries{name: cutTag(name), procs: 1}
	if i := strings.LastIndexByte(s.name, '-'); i > 0 && isDigits([]byte(s.name[i+1:])) && s.name[i+1] != '0' {
		if procs, err := strconv.ParseInt(s.name[i+1:], 10, 64); err == nil && procs > 1 {
			s.name, s.procs = s.name[:i], procs
		}
	}
	key := goBenchKey{p.pkg, p.json, s.name, s.procs}
	if known := p.g.series[key]; known != nil {
		s = known
	} else if len(p.g.series) < maxWords {
		p.g.series[key] = s
	} else {
		return s
	}
	if p.named == nil {
		p.named = map[string]*goBenchSeries{}
	}
	if len(name) <= maxTag && len(p.named) < maxWords {
		p.named[name] = s
	}
	return s
}

// put writes the measures of one result.
func (p *goBenchPackage) put(s *goBenchSeries, iterations int64) error {
	p.g.results++
	p.row = runs.Benchmark{Package: p.pkg, Config: p.json, Name: s.name, Procs: s.procs, Iterations: iterations, Repeat: s.repeats}
	s.repeats++
	for _, m := range p.measures {
		p.row.Unit, p.row.Value = m.unit, m.value
		if err := p.g.sink.Benchmark(&p.row); err != nil {
			return err
		}
	}
	return nil
}

// goBenchUnit turns ns and MB into s and B, and says the power of ten for it.
func goBenchUnit(unit string) goBenchMeasure {
	si, power := unit, 0
	switch {
	case strings.HasPrefix(unit, "ns/"):
		si, power = unit[1:], -9
	case strings.HasSuffix(unit, "-ns"):
		si, power = strings.TrimSuffix(unit, "ns")+"s", -9
	case unit == "MB/s":
		si, power = "B/s", 6
	}
	return goBenchMeasure{unit: cutTag(si), power: power}
}

// goBenchEvent is one line of test2json.
type goBenchEvent struct{ Action, Package, ImportPath, Output string }

func readGoBenchJSON(in *Input, sink Sink) error {
	g := newGoBench(in, sink)
	lines := in.Lines()
	for lines.Next() {
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		var e goBenchEvent
		if err := json.Unmarshal(text, &e); err != nil {
			if err := in.BadAt(lines, "not an event of go test -json: %v", err); err != nil {
				return err
			}
			continue
		}
		if p := g.of(firstSet(e.Package, e.ImportPath)); p != nil && e.Action == "output" {
			if err := p.output(e.Output); err != nil {
				return err
			}
		}
	}
	g.describe()
	return lines.Finish()
}

// goBenchPart is the longest line that is put together from events.
const goBenchPart = 64 << 10

// output adds what a package printed, and reads the lines that are whole.
func (p *goBenchPackage) output(text string) error {
	for {
		line, rest, whole := strings.Cut(text, "\n")
		if len(p.part)+len(line) > goBenchPart {
			p.part, line = p.part[:0], "" // no result
		}
		p.part = append(p.part, line...)
		if !whole {
			return nil
		}
		if err := p.line(string(p.part), false); err != nil {
			return err
		}
		p.part, text = p.part[:0], rest
	}
}

// describe says what did not become a result.
func (g *goBenchReader) describe() {
	if g.failed > 0 {
		g.in.Note("%d benchmarks failed", g.failed)
	}
	if g.skipped > 0 {
		g.in.Note("%d benchmarks were skipped", g.skipped)
	}
	if g.results == 0 {
		g.in.Note("it holds no result of a benchmark")
	}
}
