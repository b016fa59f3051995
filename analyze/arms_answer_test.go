package analyze_test

import (
	"fmt"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/runs"
)

// A page of two arms names both in its title, begins with both, and says of each
// statement of which it is. One of equal runs names none.
func TestArmsAreNamed(t *testing.T) {
	window := &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:00:20Z", Declared: true}
	run := func(n int, labels map[string]string) *analyze.Measured {
		return load(t, 2000+n, func(_ *runs.Writer, m *runs.Manifest) {
			m.Window, m.Labels, m.Sources[0].SHA256 = window, labels, fmt.Sprint("s", n)
		})
	}
	arm := func(n int, name string) *analyze.Measured { return run(n, map[string]string{"arm": name}) }
	c, err := analyze.Combine([]*analyze.Measured{arm(0, "control"), arm(-200, "treatment")}, analyze.Protocol{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Title != "Load run of control and treatment" || !c.Untitled {
		t.Errorf("the title is %q (made of the protocol alone: %v)", c.Title, c.Untitled)
	}
	if s := c.Answer[0]; s.Role != "arms" || s.Lead != "100 requests/s and 90 requests/s" || !strings.HasPrefix(s.Text, "control and treatment, in this order; p99 ") {
		t.Errorf("the answer begins with %+v", s)
	}
	for _, s := range c.Answer[1:] {
		if s.Of != "control" && s.Of != "treatment" {
			t.Errorf("of which arm is %+v", s)
		}
	}
	c, err = analyze.Combine([]*analyze.Measured{run(0, nil), run(1, nil)}, analyze.Protocol{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Title != "Sustained load" || c.Answer[0].Role == "arms" {
		t.Errorf("two equal runs: %q, %+v", c.Title, c.Answer[0])
	}
}

// What is given again outranks what a document was made by, rule by rule.
func TestAskedWith(t *testing.T) {
	c := &analyze.Capacity{Rules: map[string]any{"p99_limit_ns": 2e9, "title": "Mine", "params": map[string]any{"freeze.worst": 0.3, "freeze.affected": 0.2}}}
	p, err := c.AskedWith(analyze.Protocol{MinSamples: 7, Params: map[string]float64{"freeze.worst": 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	if p.P99Limit != 2e9 || p.Title != "Mine" || p.MinSamples != 7 || p.Params["freeze.worst"] != 0.5 || p.Params["freeze.affected"] != 0.2 {
		t.Errorf("got %+v", p)
	}
	if c.Rules["params"].(map[string]any)["freeze.worst"] != 0.3 || c.Rules["min_samples"] != nil {
		t.Errorf("the document's own rules were changed: %v", c.Rules)
	}
}
