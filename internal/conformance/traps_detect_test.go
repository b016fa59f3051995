package conformance

import (
	"fmt"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

// stall is a time in which nothing is answered: what came in it is answered at its
// end.
type stall struct{ at, length time.Duration }

// stalled measures an open loop of 100 requests a second of 8 to 12 ms with stalls.
func stalled(t *testing.T, length time.Duration, stalls ...stall) func(id string) *analyze.Quantity {
	t.Helper()
	start := time.Date(2026, 5, 4, 3, 0, 0, 0, time.UTC)
	var samples []runs.Sample
	for i := range int(length / (10 * time.Millisecond)) {
		at := time.Duration(i) * 10 * time.Millisecond
		s := runs.NewSample()
		s.Scenario, s.Outcome, s.Start, s.Events = "load", runs.OK, start.Add(at).UnixMicro(), 1
		latency := 8*time.Millisecond + time.Duration(i*7919%4000)*time.Microsecond
		for _, x := range stalls {
			if at >= x.at && at < x.at+x.length {
				latency += x.at + x.length - at
			}
		}
		s.Service = latency.Nanoseconds()
		samples = append(samples, s)
	}
	end := start.Add(length)
	m := &runs.Manifest{
		State: runs.Sealed, Load: runs.Load{Model: runs.OpenLoop, Rate: 100, DropsKnown: true},
		Window: &runs.Window{Start: start.Format(time.RFC3339), End: end.Format(time.RFC3339), Declared: true},
	}
	none := detect.NewEvidence(detect.Span{Start: start.UnixNano(), End: end.UnixNano()}, nil, nil, nil)
	r, err := analyze.MeasureMemory(m, detect.Collect(samples, false), none, analyze.Protocol{})
	noError(t, "measure", err)
	return func(id string) *analyze.Quantity {
		q := r.Quantity(id, detect.Scope{Scenario: "load"})
		if q == nil || q.Value == nil {
			t.Fatalf("%s: nothing measured", id)
		}
		return q
	}
}

// every are stalls of 260 ms with one beginning so often.
func every(period, first, length time.Duration) (out []stall) {
	for at := first; at < length; at += period {
		out = append(out, stall{at, 260 * time.Millisecond})
	}
	return out
}

// trapsOfDetection are those that a rule of detection falls into by itself, and what
// stands beside its count.
var trapsOfDetection = []trap{
	{"the 10-second rule is blind to a rhythm that fills the run", "0 windows, void 1; freeze-seconds 59", func(t *testing.T) string {
		q := stalled(t, 300*time.Second, every(5*time.Second, 5200*time.Millisecond, 300*time.Second)...)
		return fmt.Sprintf("%g windows, void %g; freeze-seconds %g", *q("windows.bad").Value, *q("windows.void").Value, *q("freeze.seconds").Value)
	}},
	{"and to two freezes 5 s apart, by where its grid lies", "5 of 10 phases", func(t *testing.T) string {
		q := stalled(t, 300*time.Second, stall{150200 * time.Millisecond, 250 * time.Millisecond}, stall{155200 * time.Millisecond, 250 * time.Millisecond})
		return fmt.Sprintf("%g of 10 phases", *q("windows.phases").Value)
	}},
	{"the count of freeze-seconds depends on where seconds begin", "59 and 118, episodes 59 and 59", func(t *testing.T) string {
		within := stalled(t, 300*time.Second, every(5*time.Second, 5200*time.Millisecond, 300*time.Second)...)
		across := stalled(t, 300*time.Second, every(5*time.Second, 4885*time.Millisecond, 295*time.Second)...)
		return fmt.Sprintf("%g and %g, episodes %g and %g", *within("freeze.seconds").Value, *across("freeze.seconds").Value,
			*within("freeze.episodes").Value, *across("freeze.episodes").Value)
	}},
	{"and on whether a request counts where it begins or ends", "by start 3, by end 1", func(t *testing.T) string {
		q := stalled(t, 120*time.Second, stall{60500 * time.Millisecond, 2 * time.Second})
		return fmt.Sprintf("by start %g, by end %g", *q("freeze.seconds").Value, *q("freeze.seconds_by_end").Value)
	}},
	{"the thirds ratio takes a stall in the last third for drift", "over 1.25: true; without frozen seconds 1; by medians 1", func(t *testing.T) string {
		q := stalled(t, 300*time.Second, stall{250200 * time.Millisecond, 3 * time.Second})
		return fmt.Sprintf("over 1.25: %v; without frozen seconds %.2g; by medians %.2g", *q("drift.ratio").Value > 1.25, *q("drift.freeze_free").Value, *q("drift.medians").Value)
	}},
}

// TestTrapsOfDetection names each trap of the rules of detection and shows what
// headroom says beside them.
func TestTrapsOfDetection(t *testing.T) { sprung(t, trapsOfDetection) }
