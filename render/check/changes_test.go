package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
)

// TestOneChangeOnePlace says a stretch of words that is another once, and each
// number by itself.
func TestOneChangeOnePlace(t *testing.T) {
	for _, x := range []struct {
		have, want string
		places     []string // column: what stands there → what must
	}{
		{"passed every gate", "not judged: the run was withdrawn", []string{"1: passed every gate → not judged: the run was withdrawn"}},
		{"10 20 30", "11 20 31", []string{"1: 10 → 11", "7: 30 → 31"}},
		{"10, 20", "11, 21", []string{"1: 10 → 11", "5: 20 → 21"}},
		{"1 run failed", "0 runs failed", []string{"1: 1 run → 0 runs"}},
		{"**pass** every gate that it asks for", "**fail** one gate that it asks for", []string{"3: pass** every → fail** one"}},
		{"slow here and slow there", "fast here and fast there", []string{"1: slow → fast", "15: slow → fast"}},
		{"a", "a: b", []string{"2:  → : b"}},
	} {
		var got []string
		for _, d := range compareLine(x.have, x.want) {
			got = append(got, fmt.Sprintf("%d: %s → %s", d.Column, d.Got, d.Want))
		}
		if !slices.Equal(got, x.places) {
			t.Errorf("%q, %q: %q, want %q", x.have, x.want, got, x.places)
		}
	}
}

// TestReasons says what became of the evidence, withdrawals first, and nothing of a
// document that is as it was.
func TestReasons(t *testing.T) {
	document := func(outcome analyze.Outcome, limit float64, runs ...string) *analyze.Capacity {
		c := &analyze.Capacity{Outcome: outcome, Rules: map[string]any{"p99_limit_ns": limit, "min_samples": 0.0}}
		for _, id := range runs {
			c.Results = append(c.Results, analyze.Result{Run: analyze.RunInfo{ID: id, Digest: "digest of " + id}})
		}
		return c
	}
	was := document(analyze.Pass, 0, "a", "b")
	if got := Reasons(was, document(analyze.Pass, 0, "a", "b")); len(got) > 0 {
		t.Errorf("nothing changed: %q", got)
	}
	now := document(analyze.Unknown, 1e9, "b", "c")
	now.Results[0].Run.Withdrawn = "2026-04-01T00:00:00Z: a wrong build."
	got := Reasons(was, now)
	want := []string{
		"run b was withdrawn: 2026-04-01T00:00:00Z: a wrong build",
		"run a, of which the document was made, is not among",
		"run c is none of those",
		"the document was made with p99 limit as by default, and is held against p99 limit 1s",
		"the verdict is unknown, and was pass",
	}
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("got %q, want %q", got, want)
	}
	was.Results[1].Run.Withdrawn = now.Results[0].Run.Withdrawn
	if got := Reasons(was, now); strings.Contains(got[0], "withdrawn") {
		t.Errorf("the document says already that it was withdrawn: %q", got)
	}
}
