package analyze_test

import (
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/runs"
)

// One rule says whether seconds over the limits were frozen, in the answer as in the
// figures: most of the seconds, and it was slow; few of them beside a slow median, and
// nobody can tell; too few requests in a second, and nobody could look.
func TestAnswerOfSecondsOverTheLimits(t *testing.T) {
	late := func(w *runs.Writer, m *runs.Manifest) {
		s := runs.NewSample()
		s.Start, s.Scenario, s.Outcome, s.Service, s.Events = start.Add(30*time.Second).UnixMicro()+1, "default", runs.OK, int64(2*time.Second), 1
		if err := w.Sample(&s); err != nil {
			t.Fatal(err)
		}
		m.Sources[0].Samples++
	}
	for name, c := range map[string]struct {
		r    recording
		lead string
	}{
		"quick":        {recording{every: 20 * time.Millisecond, service: 4 * time.Millisecond}, "no freeze"},
		"slow":         {recording{every: 20 * time.Millisecond, service: 400 * time.Millisecond}, "slow throughout"},
		"slow median":  {recording{every: 20 * time.Millisecond, service: 60 * time.Millisecond, edit: late}, "1 second over the limits"},
		"quick median": {recording{every: 20 * time.Millisecond, service: 4 * time.Millisecond, edit: late}, "no freeze"},
		"too few":      {recording{every: 100 * time.Millisecond, service: 4 * time.Millisecond}, "freezes not looked for"},
	} {
		c.r.id = strings.ReplaceAll(name, " ", "-")
		p := analyze.Protocol{}
		var leads []string
		for _, s := range combined(t, p, c.r.measured(t, p)).Answer {
			if s.Role == "freeze" {
				leads = append(leads, s.Lead)
			}
		}
		if strings.Join(leads, "; ") != c.lead {
			t.Errorf("%s: %q, want %q", name, leads, c.lead)
		}
	}
}
