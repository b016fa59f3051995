package analyze

import (
	"math"
	"strings"
	"testing"

	"headroom/detect"
)

func TestLeastRankP(t *testing.T) {
	for _, c := range []struct {
		n, m int
		want float64
	}{{5, 5, 2.0 / 252}, {4, 4, 2.0 / 70}, {3, 3, 0.1}, {1, 1, 1}} {
		if got := leastRankP(c.n, c.m); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%d against %d: %g, want %g", c.n, c.m, got, c.want)
		}
	}
}

// Five against five, all of one side above the other: p is the least there is,
// 2/252. Three against three cannot reach 5 %.
func TestCompareArms(t *testing.T) {
	x := &armMeasure{margin: 0.05}
	for _, c := range []struct {
		name          string
		before, after []float64
		want          string
	}{
		{"apart", []float64{10, 11, 12, 13, 14}, []float64{1, 2, 3, 4, 5}, "differs, p 0.00794"},
		{"alike", []float64{100, 101, 99, 100, 100}, []float64{100, 100, 101, 99, 100}, "equal within 5 %"},
		{"scattered", []float64{1, 5, 9, 13, 20}, []float64{2, 6, 8, 14, 19}, "not shown to differ (p 1), not shown equal"},
		{"few", []float64{1, 2, 3}, []float64{7, 8, 9}, "too few repeats to tell (least p 0.100)"},
		{"none", nil, []float64{1}, "not compared"},
	} {
		if got := compareArms(x, c.before, c.after).words(x.margin); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestReplicate(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after []float64
		want          string
	}{
		{"fewer, beyond chance", []float64{9, 8, 7, 6, 5}, []float64{0, 1, 0, 1, 0}, detect.Attributed},
		{"fewer, by chance", []float64{0, 0, 2, 2, 11}, []float64{0, 1, 0, 1, 1}, ""},
		{"as many", []float64{3, 3}, []float64{3, 3}, detect.DidNotReplicate},
		{"more a run, of fewer runs", []float64{2, 2, 2, 2}, []float64{3}, detect.DidNotReplicate},
		{"none to take away", []float64{0, 0}, []float64{0, 4}, ""},
	} {
		if got := replicate(c.before, c.after); got.status != c.want {
			t.Errorf("%s: %q, want %q", c.name, got.status, c.want)
		}
	}
}

// An arm marks the freezes of its own cause, and makes no candidate certain.
func TestMark(t *testing.T) {
	freeze := func(cause, status string) detect.Finding {
		return detect.Finding{Detector: "freeze", Attribution: &detect.Attribution{Status: status, Cause: cause}}
	}
	for _, c := range []struct{ shown, cause, status, want string }{
		{detect.DidNotReplicate, "vacuum", detect.MostLikely, detect.DidNotReplicate},
		{detect.DidNotReplicate, "storage", detect.Candidate, detect.Candidate},
		{detect.Attributed, "vacuum", detect.MostLikely, detect.Attributed},
		{detect.Attributed, "vacuum", detect.Candidate, detect.Candidate},
		{"", "vacuum", detect.Candidate, detect.Candidate},
	} {
		list := []detect.Finding{freeze(c.cause, c.status)}
		before := list[0].Attribution
		replication{status: c.shown}.mark(list, "vacuum", "treatment")
		if got := list[0].Attribution.Status; got != c.want || before.Status != c.status {
			t.Errorf("%s shown of vacuum, a freeze of %s %s: %s (and the run's own %s), want %s", c.shown, c.cause, c.status, got, before.Status, c.want)
		}
	}
}

func TestShareBound(t *testing.T) {
	for _, c := range []struct{ part, whole, want Bound }{
		{CapacityBound, CapacityBound, NoBound}, {Floor, CapacityBound, AtLeast}, {AtLeast, NoBound, AtLeast},
		{CapacityBound, Floor, AtMost}, {Floor, Floor, ComparisonOnly}, {Ceiling, CapacityBound, Ceiling}, {Ceiling, Floor, Ceiling},
	} {
		if got := shareBound(c.part, c.whole); got != c.want {
			t.Errorf("%q over %q: %q, want %q", c.part, c.whole, got, c.want)
		}
	}
}
