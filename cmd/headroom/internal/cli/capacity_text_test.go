package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"headroom/analyze"
	"headroom/detect"
	"headroom/internal/golden"
)

// sweepOfTwo is a judged sweep with two steps, a warning and a label that tries
// to move the cursor.
func sweepOfTwo() *analyze.Capacity {
	quantity := func(id, step, display string, n int64, bound analyze.Bound) analyze.Quantity {
		return analyze.Quantity{ID: id, Scope: detect.Scope{Scenario: "ingest", Step: step}, Display: display, N: &n, Bound: bound, Status: "ok"}
	}
	return &analyze.Capacity{
		Title: "Capacity by concurrency of x\x1b[2J", Outcome: analyze.Fail,
		Answer: []analyze.Sentence{
			{Role: "sustained", Lead: "3,385 events/s", Text: "carried with 64 workers; a floor, the host was contended"},
			{Role: "verdict", Lead: "failed", Text: "dropped fail (8, want = 0)"},
		},
		Verdicts: []analyze.Verdict{{Gate: "held", Outcome: analyze.Unknown, Want: "every repeat passes", Required: true}},
		Warnings: []string{"window not declared: figures cover the time from the first start to the last end"},
		Results: []analyze.Result{{
			Run: analyze.RunInfo{
				ID: "20260817T120000Z01234567", State: "partial", Labels: map[string]string{"system": "x"},
				Start: "2026-08-17T12:00:00.000000Z", End: "2026-08-17T12:10:00.000000Z", Declared: true,
				Load: analyze.LoadInfo{Tool: "k6", Model: "closed"},
			},
			Steps: []analyze.StepInfo{{Name: "concurrency=32"}, {Name: "concurrency=64"}},
			Quantities: []analyze.Quantity{
				quantity("latency.p99", "", "630 ms", 3385, analyze.NoBound),
				quantity("requests", "", "3,385", 3385, analyze.NoBound),
				{ID: "contention.load", Display: "withheld", Status: "withheld", Why: "no load average was recorded"},
				quantity("service.p50", "", "8.10 ms", 3385, analyze.NoBound),
				quantity("requests", "concurrency=32", "1,600", 1600, analyze.NoBound),
				quantity("throughput", "concurrency=32", "160 events/s", 1600, analyze.Floor),
				quantity("latency.p99", "concurrency=32", "200 ms", 1600, analyze.NoBound),
				quantity("requests", "concurrency=64", "1,785", 1785, analyze.NoBound),
				quantity("throughput", "concurrency=64", "178 events/s", 1785, analyze.Floor),
				quantity("latency.p99", "concurrency=64", "1.02 s", 1785, analyze.NoBound),
			},
			Verdicts: []analyze.Verdict{
				{Gate: "drift", Scope: detect.Scope{Scenario: "ingest"}, Outcome: analyze.Pass, Got: 1.1, Want: "≤ 1.25"},
				{Gate: "dropped", Scope: detect.Scope{Scenario: "ingest"}, Outcome: analyze.Fail, Got: 8, Display: "8", Want: "= 0", Required: true, Why: "eight requests were due and never sent"},
			},
			Findings: []detect.Finding{{Detector: "freeze"}},
		}},
	}
}

// oneStep is a run whose only step is the whole of it, so that what is known
// stands in its result twice.
func oneStep() *analyze.Capacity {
	r := analyze.Result{
		Run: analyze.RunInfo{
			ID: "one", State: "sealed", Load: analyze.LoadInfo{Model: "closed"}, Declared: true,
			Start: "2026-08-17T12:00:00.000000Z", End: "2026-08-17T12:00:20.000000Z",
		},
		Steps: []analyze.StepInfo{{
			Name: "concurrency=64", Start: "2026-08-17T12:00:00.000000Z", End: "2026-08-17T12:00:20.000000Z",
		}},
	}
	for _, scope := range []detect.Scope{{Scenario: "default"}, {Scenario: "default", Step: "concurrency=64"}} {
		step := scope.Step != ""
		r.Quantities = append(r.Quantities,
			analyze.Quantity{ID: "requests", Scope: scope, Display: "3,449"},
			analyze.Quantity{ID: "samples", Scope: scope, Display: "3,449"})
		r.Verdicts = append(r.Verdicts,
			analyze.Verdict{Gate: "failed", Scope: scope, Outcome: analyze.Pass, Display: "0", Want: "= 0", Required: step},
			analyze.Verdict{Gate: "drift", Scope: scope, Outcome: analyze.Pass, Display: "1.03", Want: "≤ 1.25"})
	}
	r.Quantities = append(r.Quantities, analyze.Quantity{ID: "drift.ratio", Scope: detect.Scope{Scenario: "default"}, Display: "1.03"})
	r.Verdicts = append(r.Verdicts, analyze.Verdict{Gate: "contention-recorded", Outcome: analyze.Unknown, Want: "≥ 90 % of the window"})
	return &analyze.Capacity{Title: "Load run", Outcome: analyze.Pass, Results: []analyze.Result{r}}
}

// TestOneStep tells what is known of the only step, and only once.
func TestOneStep(t *testing.T) {
	for all, file := range map[bool]string{false: "testdata/one-step.txt", true: "testdata/one-step-all.txt"} {
		var b bytes.Buffer
		must(t, printCapacity(&b, 80, oneStep(), all))
		golden.Equal(t, file, b.Bytes())
	}
}

// TestPartStep keeps a run and its only step apart where the step is a part of it.
func TestPartStep(t *testing.T) {
	r := oneStep().Results[0]
	r.Steps[0].End = "2026-08-17T12:00:10.000000Z"
	if whole, steps := runFigures(r); len(whole) != 2 || len(steps) != 2 || wholeStep(r) != "" {
		t.Errorf("figures of the run: %v, of the step: %v", whole, steps)
	}
}

// TestComparison sets the runs of a document side by side, names a run by its
// step where only one has it, and keeps the bound beside the rate.
func TestComparison(t *testing.T) {
	c := oneStep()
	second, third := oneStep().Results[0], oneStep().Results[0]
	second.Run.ID, third.Run.ID = "two", "three"
	third.Steps = []analyze.StepInfo{{Name: "concurrency=128", Start: third.Run.Start, End: third.Run.End}}
	for i, v := range third.Verdicts {
		if v.Scope.Step != "" {
			third.Verdicts[i].Scope.Step = "concurrency=128"
		}
	}
	third.Quantities = nil
	c.Results = append(c.Results, second, third)
	c.Verdicts = []analyze.Verdict{{Gate: "accepted", Outcome: analyze.Fail, Want: "10,000 endpoints"}}
	row := func(texts ...string) (r analyze.Row) {
		for _, s := range texts {
			r.Cells = append(r.Cells, analyze.Cell{Text: s})
		}
		return r
	}
	c.Tables = []analyze.Table{
		{ID: "glance", Columns: []analyze.Column{{Name: "not shown"}}, Rows: []analyze.Row{row("not shown")}},
		{ID: "steps-2", Columns: []analyze.Column{
			{Name: "concurrency", Align: "right"}, {Name: "throughput", Align: "right"}, {Name: "p99"}, {Name: "foreign CPU"}, {Name: "steal"}, {Name: "bound"},
		}, Rows: []analyze.Row{row("64", "3,347 events/s", "632 ms", "14.8 cores", "0.01", "floor"), row("128", "1,791 events/s", "4.19 s", "14.8 cores", "0.02", "floor")}},
	}
	var b bytes.Buffer
	must(t, printCapacity(&b, 60, c, false))
	golden.Equal(t, "testdata/comparison.txt", b.Bytes())
}

// TestCapacityText fits the answer to the terminal that it is for.
func TestCapacityText(t *testing.T) {
	for _, width := range []int{0, 80, 40} {
		var b bytes.Buffer
		must(t, printCapacity(&b, width, sweepOfTwo(), false))
		golden.Equal(t, fmt.Sprintf("testdata/capacity-%d.txt", width), b.Bytes())
		if strings.ContainsRune(b.String(), '\x1b') {
			t.Errorf("width %d: an escape of a title reached the terminal", width)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if width > 0 && utf8.RuneCountInString(line) > width {
				t.Errorf("width %d: %q is longer", width, line)
			}
		}
	}
}

// TestCapacityTextAll prints what the short form leaves out.
func TestCapacityTextAll(t *testing.T) {
	var short, all bytes.Buffer
	must(t, printCapacity(&short, 0, sweepOfTwo(), false))
	must(t, printCapacity(&all, 0, sweepOfTwo(), true))
	if strings.Contains(short.String(), "service.p50") || !strings.Contains(short.String(), "more: --all") {
		t.Errorf("short form:\n%s", short.String())
	}
	if !strings.Contains(all.String(), "service.p50") || strings.Contains(all.String(), "more: --all") {
		t.Errorf("--all:\n%s", all.String())
	}
}
