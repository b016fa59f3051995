package analyze_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/runs"
)

// paced is 2,000 requests under a declared load model: at constant intervals, each
// latency another; or one worker that pauses for as long after every reply.
func paced(t *testing.T, declared runs.LoadModel, pauseAfterReply, ownReply bool, dropped int) *analyze.Measured {
	t.Helper()
	return load(t, 0, func(w *runs.Writer, m *runs.Manifest) {
		at := start.UnixMicro()
		for i := range 2000 {
			s := runs.NewSample()
			s.Start, s.Scenario, s.Outcome, s.Service, s.Events = at, "default", runs.OK, int64(1+i*7%5)*1e6, 1
			switch {
			case ownReply:
				s.Worker = "1"
				at += s.Service / 1000
			case pauseAfterReply:
				at += 100_000 + s.Service/1000
			default:
				at += 10_000
			}
			if i < dropped {
				s.Outcome = runs.Dropped
			}
			if err := w.Sample(&s); err != nil {
				t.Fatal(err)
			}
		}
		m.Load.Model = declared
		m.Sources[0].SHA256, m.Sources[0].Samples = fmt.Sprint(declared, pauseAfterReply, ownReply, dropped), 2000
	})
}

func TestDeclaredLoadModelAgainstTheSamples(t *testing.T) {
	for name, c := range map[string]struct {
		m    *analyze.Measured
		want string // "" for no word of it
	}{
		"closed, at constant intervals":        {paced(t, runs.ClosedLoop, false, false, 0), "requests start at constant intervals"},
		"closed, with drops":                   {paced(t, runs.ClosedLoop, true, false, 3), "3 requests due and not sent"},
		"closed, with a pause after the reply": {paced(t, runs.ClosedLoop, true, false, 0), ""},
		"closed, after each reply":             {paced(t, runs.ClosedLoop, false, true, 0), ""},
		"open, after each reply":               {paced(t, runs.OpenLoop, false, true, 0), "each worker starts when its last request ends"},
		"open, at constant intervals":          {paced(t, runs.OpenLoop, false, false, 0), ""},
		"open, with drops":                     {paced(t, runs.OpenLoop, false, false, 3), ""},
	} {
		i := slices.IndexFunc(c.m.Result.Warnings, func(w string) bool { return strings.Contains(w, "taken as declared") })
		switch {
		case i < 0 && c.want != "":
			t.Errorf("%s: nothing said in %q, want %q", name, c.m.Result.Warnings, c.want)
		case i >= 0 && (c.want == "" || !strings.Contains(c.m.Result.Warnings[i], c.want)):
			t.Errorf("%s: said %q, want %q", name, c.m.Result.Warnings[i], c.want)
		}
	}
}
