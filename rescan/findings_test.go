package rescan

import (
	"testing"

	"headroom/analyze"
	"headroom/detect"
)

// What a detector found in a scenario is not gone if it could look at nothing of the
// run now: that it says of the run, which has no scenario.
func TestBlindToTheRunIsBlindToItsScenarios(t *testing.T) {
	scenario := detect.Scope{Scenario: "default"}
	old := &analyze.Result{
		Looked:   []analyze.Look{{Detector: "own", Scope: scenario, Could: true}},
		Findings: []detect.Finding{{Detector: "own", Scope: scenario, Start: "2026-01-01T00:00:01Z", End: "2026-01-01T00:00:02Z"}},
	}
	for _, c := range []struct {
		now         analyze.Look
		gone, blind int
	}{
		{analyze.Look{Detector: "own", Why: "no number"}, 0, 1},
		{analyze.Look{Detector: "own", Scope: scenario, Why: "no number"}, 0, 1},
		{analyze.Look{Detector: "own", Scope: scenario, Could: true}, 1, 0},
		{analyze.Look{Detector: "own", Could: true}, 1, 0},
	} {
		var f Findings
		compareFindings(&f, old, &analyze.Result{Looked: []analyze.Look{c.now}}, []Detector{{Name: "own"}}, nil)
		if len(f.Gone) != c.gone || len(f.Blind) != c.blind {
			t.Errorf("looked %+v: %d gone, %d that could not be looked at, want %d and %d", c.now, len(f.Gone), len(f.Blind), c.gone, c.blind)
		}
	}
}
