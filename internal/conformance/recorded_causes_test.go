package conformance

import (
	"slices"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
)

// toldApart checks what is said of each injection: a lock is a lock, a stop of
// the generator is the generator's, a stopped server is neither, and a
// checkpoint is blamed for nothing.
func toldApart(t *testing.T, r analyze.Result, injected []injection) (answered int) {
	load := mainScenario(r)
	at := func(i injection, detectors ...string) []detect.Finding {
		var out []detect.Finding
		for _, f := range r.Findings {
			start, end := times(f)
			if f.Scope.Scenario == load && slices.Contains(detectors, f.Detector) && start.Before(i.end) && end.After(i.start) {
				out = append(out, f)
			}
		}
		return out
	}
	for _, i := range injected {
		place := i.kind + " at " + i.start.UTC().Format(time.RFC3339Nano)
		freezes, gaps, pauses := at(i, "freeze"), at(i, "completion-gap"), at(i, "generator-stall")
		for _, f := range freezes {
			t.Logf("%s: %s: %v", place, f.Message, *f.Attribution)
		}
		before := t.Failed()
		switch i.kind {
		case "server_stop":
			if len(freezes) == 0 || len(pauses) > 0 {
				t.Errorf("%s: %d freezes and %d pauses of the generator, want a freeze only", place, len(freezes), len(pauses))
			}
			for _, f := range freezes {
				if f.Attribution.Cause != "" {
					t.Errorf("%s: put down to %s: nothing of it was recorded", place, f.Attribution.Cause)
				}
			}
			for _, f := range gaps {
				if f.Measures["sent"] == 0 {
					t.Errorf("%s: requests went on being sent, the gap says none was", place)
				}
			}
		case "table_lock":
			if len(freezes) == 0 || len(pauses) > 0 || !slices.ContainsFunc(freezes, func(f detect.Finding) bool {
				return f.Attribution.Cause == "lock" && (f.Attribution.Status == detect.MostLikely || f.Attribution.Status == detect.Attributed)
			}) {
				t.Errorf("%s: not put down to the lock", place)
			}
		case "generator_stop":
			if len(pauses) == 0 || slices.ContainsFunc(freezes, func(f detect.Finding) bool { return f.Attribution.Cause != "generator" }) {
				t.Errorf("%s: %d pauses of the generator; a freeze there is the generator's", place, len(pauses))
			}
		case "checkpoint":
			if slices.ContainsFunc(r.Findings, func(f detect.Finding) bool { return f.Attribution != nil && f.Attribution.Cause == "checkpoint" }) {
				t.Errorf("%s: it is blamed for a freeze", place)
			}
		default:
			t.Errorf("%s: nobody looked for it", place)
		}
		if t.Failed() == before {
			answered++
		}
	}
	return answered
}
