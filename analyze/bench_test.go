package analyze_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

// benchRow is one result line: its name, GOMAXPROCS, and time, bytes, allocations
// and events by operation; -1 leaves a measure out.
type benchRow struct {
	name                      string
	procs                     int64
	ns, bytes, allocs, events float64
}

// benchRun is a run that holds benchmarks and nothing else.
func benchRun(t *testing.T, id string, p analyze.Protocol, rows ...benchRow) *analyze.Measured {
	t.Helper()
	return measured(t, id, p, func(w *runs.Writer) {
		w.Manifest().Sources = []runs.Source{{File: "bench.txt", Format: "go-bench", SHA256: id}}
		w.Manifest().Labels = map[string]string{"arm": id}
		for i, r := range rows {
			for _, v := range []struct {
				unit  string
				value float64
			}{{"s/op", r.ns / 1e9}, {"B/op", r.bytes}, {"allocs/op", r.allocs}, {"events/op", r.events}} {
				if v.value < 0 {
					continue
				}
				b := runs.Benchmark{Source: "bench.txt", Name: "Benchmark" + r.name, Procs: max(r.procs, 1), Repeat: int64(i), Iterations: 100, Unit: v.unit, Value: v.value}
				if err := w.Benchmark(&b); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// want checks quantities by hand-computed values: "id[@op]" → value, NaN withheld.
func want(t *testing.T, m *analyze.Measured, values map[string]float64) {
	t.Helper()
	for key, v := range values {
		id, op, _ := strings.Cut(key, "@")
		q := m.Result.Quantity(id, detect.Scope{Op: op})
		switch {
		case q == nil:
			t.Errorf("%s: no such quantity, want %v", key, v)
		case math.IsNaN(v) && q.Value != nil:
			t.Errorf("%s: %v, want it withheld", key, *q.Value)
		case math.IsNaN(v):
		case q.Value == nil:
			t.Errorf("%s: withheld (%s), want %v", key, q.Why, v)
		case math.Abs(*q.Value-v) > 1e-9*math.Abs(v):
			t.Errorf("%s: %v, want %v", key, *q.Value, v)
		}
	}
}

// three are three repeats of each stage and of the path: medians 400, 100 and 250
// ns by operation of ten events, of which the path itself takes 800.
func three(events float64) []benchRow {
	return []benchRow{
		{"Decode", 1, 390, 1000, 20, events}, {"Decode", 1, 400, 1000, 20, events}, {"Decode", 1, 500, 1000, 20, events},
		{"Admit", 1, 100, 0, 0, events}, {"Admit", 1, 90, 0, 0, events}, {"Admit", 1, 110, 0, 0, events},
		{"Encode", 1, 250, 500, 10, events}, {"Encode", 1, 251, 500, 10, events}, {"Encode", 1, 249, 500, 10, events},
		{"Path", 1, 800, 1600, 40, events}, {"Path", 1, 799, 1600, 40, events}, {"Path", 1, 801, 1600, 40, events},
	}
}

var stages = analyze.BenchRules{Stages: []string{"Decode", "Admit", "Encode"}, Total: "Path"}

func TestBenchmarksByEvent(t *testing.T) {
	m := benchRun(t, "a", analyze.Protocol{Bench: stages}, three(10)...)
	want(t, m, map[string]float64{
		"bench.repeats@Decode": 3, "bench.time@Decode": 400e-9, "bench.time_per_event@Decode": 40e-9, "bench.bytes_per_event@Decode": 100,
		"bench.allocs_per_event@Decode": 2, "bench.events_per_s@Decode": 25e6, "bench.measure.events/op@Decode": 10,
		"stage.time_share@Decode": 0.5, "stage.time_share@Admit": 0.125, "stage.allocs_share@Encode": 0.25, "stage.allocs_share@Admit": 0,
		"stages.time": 75e-9, "stages.allocs": 3, "bench.geomean.time": math.Pow(40*10*25*80, 0.25) * 1e-9,
		"bench.geomean.bytes": math.NaN(), // Admit allocates nothing
	})
	q := m.Result.Quantity("bench.time_per_event", detect.Scope{Op: "Decode"})
	if q.Interval[0] != nil || q.Interval[1] != nil || len(q.Warnings) == 0 {
		t.Errorf("three repeats give the interval %v, want none and a warning", q.Interval)
	}
}

func TestBenchmarksOfTheSumWithoutATotal(t *testing.T) {
	rules := stages
	rules.Total = ""
	m := benchRun(t, "a", analyze.Protocol{Bench: rules}, three(-1)...)
	want(t, m, map[string]float64{"stage.time_share@Decode": 400.0 / 750, "bench.time@Path": 800e-9, "stages.time": 750e-9})
	if q := m.Result.Quantity("bench.time_per_event", detect.Scope{Op: "Path"}); q != nil {
		t.Error("a cost by event is given although nobody said how many events there are")
	}
}

func TestBenchmarkDeclaredEvents(t *testing.T) {
	for _, c := range []struct {
		name               string
		reported, declared float64
		want               float64
		warned             bool
	}{
		{"reported", 10, 0, 40e-9, false},
		{"both agree", 10, 10, 40e-9, false},
		{"declared only", -1, 20, 20e-9, true},
		{"they differ: the benchmark's own", 10, 20, 40e-9, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := analyze.Protocol{Bench: analyze.BenchRules{EventsPerOp: c.declared}}
			m := benchRun(t, "a", p, benchRow{"Decode", 1, 400, 1, 1, c.reported})
			want(t, m, map[string]float64{"bench.time_per_event@Decode": c.want})
			q := m.Result.Quantity("bench.time_per_event", detect.Scope{Op: "Decode"})
			if warned := strings.Contains(strings.Join(q.Warnings, "\n"), "declared"); warned != c.warned {
				t.Errorf("warnings %q, want one of the declared events: %v", q.Warnings, c.warned)
			}
			v := verdictOf(m, "bench-repeats")
			if unknown := v.Outcome == analyze.Unknown; unknown != c.warned {
				t.Errorf("bench-repeats is %s, want unknown: %v", v.Outcome, c.warned)
			}
		})
	}
}

// TestBenchmarkNames: a number at the end is GOMAXPROCS unless the file says
// otherwise.
func TestBenchmarkNames(t *testing.T) {
	for _, c := range []struct {
		name string
		rows []benchRow
		want []string
	}{
		{"all at 8", []benchRow{{"A", 8, 1, -1, -1, -1}, {"B/n=10", 8, 1, -1, -1, -1}}, []string{"A", "B/n=10"}},
		{"one bears none: the digits are the name's", []benchRow{{"A", 1, 1, -1, -1, -1}, {"B/id", 12, 1, -1, -1, -1}}, []string{"A", "B/id-12"}},
		{"-cpu 1,4", []benchRow{{"A", 1, 1, -1, -1, -1}, {"A", 4, 1, -1, -1, -1}}, []string{"A", "A-4"}},
		{"both", []benchRow{{"A", 1, 1, -1, -1, -1}, {"B/id", 12, 1, -1, -1, -1}, {"B/id-12", 4, 1, -1, -1, -1}}, []string{"A", "B/id-12", "B/id-12-4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := benchRun(t, "a", analyze.Protocol{}, c.rows...)
			var got []string
			for _, q := range m.Result.Quantities {
				if q.ID == "bench.repeats" {
					got = append(got, q.Scope.Op)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("benchmarks %v, want %v", got, c.want)
			}
		})
	}
}

func TestBenchmarksComplete(t *testing.T) {
	all := analyze.BenchRules{Expect: []string{"Decode", "Admit", "Encode", "Path"}}
	declared := all
	declared.Repeats = 5
	for _, c := range []struct {
		name  string
		rules analyze.BenchRules
		rows  []benchRow
		want  analyze.Outcome
		why   string
	}{
		{"all there", all, three(10), analyze.Pass, ""},
		{"one repeat gone", all, three(10)[1:], analyze.Unknown, "Decode has 2 of 3 repeats"},
		{"one benchmark gone", all, three(10)[3:], analyze.Unknown, "no benchmark Decode"},
		{"fewer than declared", declared, three(10), analyze.Unknown, "3 of 5 repeats"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := analyze.Protocol{Bench: c.rules}
			d, err := analyze.Combine([]*analyze.Measured{benchRun(t, "a", p, c.rows...)}, p)
			if err != nil {
				t.Fatal(err)
			}
			if d.Outcome != c.want || d.Protocol != "bench" {
				t.Errorf("%s by protocol %s, want %s by bench", d.Outcome, d.Protocol, c.want)
			}
			v := d.Verdicts[len(d.Verdicts)-1]
			if v.Gate != "bench-complete" || !strings.Contains(v.Why, c.why) {
				t.Errorf("%s says %q, want %q", v.Gate, v.Why, c.why)
			}
		})
	}
}

// TestShortBenchmarkWarns: a figure that rests on fewer repeats than the others says so.
func TestShortBenchmarkWarns(t *testing.T) {
	m := benchRun(t, "a", analyze.Protocol{Bench: stages}, three(10)[1:]...)
	for id, op := range map[string]string{"bench.time": "Decode", "stage.time_share": "Decode", "stages.time": ""} {
		if q := m.Result.Quantity(id, detect.Scope{Op: op}); !strings.Contains(strings.Join(q.Warnings, "; "), "Decode has 2 of 3 repeats") {
			t.Errorf("%s of %q warns %q", id, op, q.Warnings)
		}
	}
	if q := m.Result.Quantity("bench.time", detect.Scope{Op: "Path"}); strings.Contains(strings.Join(q.Warnings, "; "), "Decode") {
		t.Errorf("the time of Path warns of Decode: %q", q.Warnings)
	}
}

func TestAllocationLimitOfBenchmarks(t *testing.T) {
	for _, c := range []struct {
		name   string
		limit  float64
		allocs float64
		want   analyze.Outcome
	}{
		{"at the limit", 4, 40, analyze.Pass}, {"one over", 4, 41, analyze.Fail}, {"not reported", 4, -1, analyze.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := analyze.Protocol{Bench: analyze.BenchRules{AllocsMax: c.limit, Total: "Path"}}
			m := benchRun(t, "a", p, benchRow{"Path", 1, 1, 1, c.allocs, 10}, benchRow{"Other", 1, 1, 1, 1000, 10})
			if v := verdictOf(m, "bench-allocs"); v.Outcome != c.want {
				t.Errorf("%s (%s), want %s", v.Outcome, v.Why, c.want)
			}
		})
	}
}

// TestBenchDocument: a page has the tables and the figure.
func TestBenchDocument(t *testing.T) {
	p := analyze.Protocol{Bench: stages, Derived: []analyze.Derived{
		{Name: "decode_over_encode", Over: analyze.Operand{Op: "Decode", ID: "bench.time_per_event"}, Under: analyze.Operand{Op: "Encode", ID: "bench.time_per_event"}},
		{Name: "both", Sum: []analyze.Operand{{Op: "Decode", ID: "bench.allocs_per_event"}, {Op: "Encode", ID: "bench.allocs_per_event"}}},
		{Name: "mixed", Over: analyze.Operand{Op: "Decode", ID: "bench.time"}, Under: analyze.Operand{Op: "Decode", ID: "bench.bytes"}},
		{Name: "absent", Over: analyze.Operand{Op: "Nobody", ID: "bench.time"}, Under: analyze.Operand{Op: "Decode", ID: "bench.time"}},
		{Name: "zero", Over: analyze.Operand{Op: "Decode", ID: "bench.bytes"}, Under: analyze.Operand{Op: "Admit", ID: "bench.bytes"}},
	}}
	d, err := analyze.Combine([]*analyze.Measured{benchRun(t, "a", p, three(10)...)}, p)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, q := range d.Quantities {
		got[q.ID] = q.Display + q.Why
	}
	for id, want := range map[string]string{
		"derived.decode_over_encode": "1.60", "derived.both": "3", "derived.mixed": "withheld" + "bench.time is in s and bench.bytes in B",
		"derived.absent": "withheld" + "there is no bench.time of Nobody", "derived.zero": "withheld" + "bench.bytes of Admit is zero",
	} {
		if got[id] != want {
			t.Errorf("%s: %q, want %q", id, got[id], want)
		}
	}
	tables := map[string]int{}
	for _, tb := range d.Tables {
		tables[tb.ID] = len(tb.Rows)
		for _, r := range tb.Rows {
			if len(r.Cells) != len(tb.Columns) {
				t.Errorf("table %s: a row of %d cells in %d columns", tb.ID, len(r.Cells), len(tb.Columns))
			}
		}
	}
	if tables["benchmarks"] != 5 || tables["stages"] != 5 || tables["derived"] != 5 {
		t.Errorf("tables %v, want 4 benchmarks and a mean, 3 stages with sum and total, 5 derived", tables)
	}
	if len(d.Figures) != 1 || d.Figures[0].ID != "stage-shares" || len(d.Figures[0].Panels[0].Series[0].X) != 6 {
		t.Errorf("figures %+v, want the shares of three stages in time and allocations", d.Figures)
	}
	if len(d.Caveats) == 0 || len(d.Answer) == 0 {
		t.Error("the document has no answer, or does not say what it does not show")
	}
}

func TestBenchRatioBounds(t *testing.T) {
	changes := []analyze.BenchChange{{Base: 10, New: 20}, {Base: 20, New: 10}}
	if r, ok := analyze.GeoMeanOfChanges(changes); !ok || math.Abs(r-1) > 1e-12 {
		t.Errorf("twice and half give %v, want 1", r)
	}
	if _, ok := analyze.GeoMeanOfChanges([]analyze.BenchChange{{Base: 0, New: 1}}); ok {
		t.Error("a base of zero has a mean change")
	}
	if r, ok := analyze.GeoMeanOfChanges([]analyze.BenchChange{{}}); !ok || r != 1 {
		t.Errorf("zero against zero is %v, want 1", r)
	}
	for _, c := range []struct {
		base, repeats []float64
		change, test  string
	}{
		{[]float64{1, 2, 3, 4}, []float64{11, 12, 13, 14}, "+400.00%", "p=0.029 n=4"}, // 2/C(8,4)
		{[]float64{1, 2, 3}, []float64{11, 12, 13}, "~", "p=0.100 n=3"},               // 2/C(6,3)
		{[]float64{5, 5}, []float64{5, 5, 5}, "~", "p=1.000 n=2+3"},
	} {
		got, err := analyze.CompareRepeats(c.base, c.repeats)
		if err != nil || got.Change() != c.change || got.Test() != c.test {
			t.Errorf("%v against %v: %s (%s) %v, want %s (%s)", c.repeats, c.base, got.Change(), got.Test(), err, c.change, c.test)
		}
	}
}
