package analyze_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/runs"
)

// workers is a closed loop of 2,000 requests by so many workers, one after the other
// each, whose label says another number of them.
func workers(t *testing.T, n, label int) *analyze.Measured {
	t.Helper()
	return load(t, 0, func(w *runs.Writer, m *runs.Manifest) {
		for i := range 2000 {
			s := runs.NewSample()
			s.Start, s.Scenario, s.Outcome, s.Service, s.Events = start.UnixMicro()+int64(i/n)*10000, "default", runs.OK, 10e6-int64(i%n+10*label), 1
			s.Worker = fmt.Sprint(i % n)
			if err := w.Sample(&s); err != nil {
				t.Fatal(err)
			}
		}
		m.Load.Model, m.Labels = runs.ClosedLoop, map[string]string{"concurrency": fmt.Sprint(label)}
		m.Sources[0].SHA256, m.Sources[0].Samples = fmt.Sprint(n, label), 2000
	})
}

func TestKnobThatDidNotReachTheLoad(t *testing.T) {
	for name, c := range map[string]struct {
		runs [][2]int // workers, and the label
		want analyze.Outcome
		why  string
	}{
		"as labelled":         {[][2]int{{1, 1}, {2, 2}, {4, 4}}, analyze.Pass, ""},
		"more than labelled":  {[][2]int{{4, 1}, {4, 2}, {4, 4}}, analyze.Unknown, "4.00 requests were in flight on average at every concurrency"},
		"as many throughout":  {[][2]int{{1, 1}, {1, 2}, {1, 4}}, analyze.Unknown, "1.00 requests were in flight on average at every concurrency"},
		"fewer than labelled": {[][2]int{{1, 2}, {2, 4}, {4, 8}}, analyze.Pass, ""}, // they think between requests
	} {
		var ms []*analyze.Measured
		for _, r := range c.runs {
			ms = append(ms, workers(t, r[0], r[1]))
		}
		got := document(t, ms...)
		for _, q := range got.Quantities {
			rests := strings.HasPrefix(q.ID, "fleet.") || strings.HasPrefix(q.ID, "sweep.")
			if c.want == analyze.Unknown && rests && (q.Value != nil || !strings.Contains(q.Why, c.why)) {
				t.Errorf("%s: %s is %s %q, want it withheld: %s", name, q.ID, q.Display, q.Why, c.why)
			}
		}
		if all := said(got); c.want == analyze.Unknown && (!strings.Contains(all, "no sustained figure") || strings.Contains(all, "sustained at")) {
			t.Errorf("%s: answers %q, want no sustained figure", name, all)
		}
		for i, v := range got.Verdicts {
			if v.Gate == "sustained" && (v.Outcome != c.want || !strings.Contains(v.Why, c.why)) {
				t.Errorf("%s: verdict %d is %s %q, want %s %q", name, i, v.Outcome, v.Why, c.want, c.why)
			}
		}
	}
}

func TestMoreInFlightThanWorkersIsSaid(t *testing.T) {
	says := func(m *analyze.Measured) bool {
		return slices.ContainsFunc(m.Result.Warnings, func(w string) bool { return strings.Contains(w, "of 1 worker by its label") })
	}
	if !says(workers(t, 4, 1)) || says(workers(t, 1, 1)) {
		t.Errorf("%v, %v: want said of four by one label, and not of one", workers(t, 4, 1).Result.Warnings, workers(t, 1, 1).Result.Warnings)
	}
}

func TestArmsInTurnsWithoutPairs(t *testing.T) {
	run := func(second int, labels string) *analyze.Measured {
		return load(t, 200, func(w *runs.Writer, m *runs.Manifest) {
			s := runs.NewSample()
			s.Start, s.Scenario, s.Outcome, s.Service, s.Events = start.UnixMicro()+int64(second)*1e5-1, "default", runs.OK, 10e6, 1
			if err := w.Sample(&s); err != nil {
				t.Fatal(err)
			}
			m.Labels, m.Sources[0].SHA256 = map[string]string{}, fmt.Sprint(second)
			for _, l := range strings.Fields(labels) {
				k, v, _ := strings.Cut(l, "=")
				m.Labels[k] = v
			}
		})
	}
	for _, c := range []struct {
		labels string
		want   bool
	}{
		{"arm=before,arm=after,arm=before,arm=after", true},
		{"arm=before,arm=after,arm=after,arm=before", true}, // ABBA
		{"arm=before,arm=before,arm=after,arm=after", false},
		{"arm=before pair=1,arm=after pair=1,arm=before pair=2,arm=after pair=2", false},
		{"arm=a,arm=b,arm=c,arm=a", false},
		{"build=x,build=y,build=x,build=y", false},
	} {
		var ms []*analyze.Measured
		for i, l := range strings.Split(c.labels, ",") {
			ms = append(ms, run(-40+i*10, l)) // each begins a second after the one before
		}
		got := slices.ContainsFunc(document(t, ms...).Warnings, func(w string) bool { return strings.Contains(w, "--label pair=1") })
		if got != c.want {
			t.Errorf("%s: said %v, want %v", c.labels, got, c.want)
		}
	}
}
