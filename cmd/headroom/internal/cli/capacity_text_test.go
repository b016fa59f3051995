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
