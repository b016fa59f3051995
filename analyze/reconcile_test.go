package analyze_test

import (
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/runs"
)

// A count that was taken while the load was on, by its own stamp, can neither show
// nor refute what the load did.
func TestCountsTakenDuringTheLoad(t *testing.T) {
	const length = 20 * time.Second // of the load
	for name, c := range map[string]struct {
		before, after time.Duration // from the first request
		gained        string
		want          analyze.Outcome
		why           string
	}{
		"around the load":       {-time.Second, length + time.Second, "2000", analyze.Pass, ""},
		"within the slack":      {900 * time.Millisecond, length - 900*time.Millisecond, "2000", analyze.Pass, ""},
		"before, too late":      {5 * time.Second, length + time.Second, "2000", analyze.Unknown, "stamped 5 s after its first request"},
		"after, too early":      {-time.Second, length - 5*time.Second, "2000", analyze.Unknown, "began after the counts after the load were stamped"},
		"too late, and others":  {5 * time.Second, length + time.Second, "1500", analyze.Unknown, "stamped 5 s after its first request"},
		"around it, and others": {-time.Second, length + time.Second, "1500", analyze.Fail, ""},
	} {
		m := load(t, 2000, func(_ *runs.Writer, m *runs.Manifest) {
			stamp := func(d time.Duration) string { return start.Add(d).Format(time.RFC3339Nano) }
			m.Before = &runs.Counts{At: stamp(c.before), Values: map[string]string{"rows": "0"}}
			m.After = &runs.Counts{At: stamp(c.after), Values: map[string]string{"rows": c.gained}}
			m.Reconcile = map[string]string{"rows": "requests"}
		})
		var got *analyze.Verdict
		for i := range m.Result.Verdicts {
			if m.Result.Verdicts[i].Gate == "reconciled" {
				got = &m.Result.Verdicts[i]
			}
		}
		if got == nil || got.Outcome != c.want || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s: %+v, want %s: %s", name, got, c.want, c.why)
		}
	}
}
