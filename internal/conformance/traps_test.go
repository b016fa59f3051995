package conformance

import (
	"fmt"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/stat"
)

// trap is one of the reference documents (DETECTION 12): what was printed there, and
// what headroom says instead.
type trap struct {
	trap, want string
	answer     func(t *testing.T) string
}

// traps are those of arithmetic and of words.
var traps = []trap{
	{"a lower bound is rounded to nearest: at least 23 %", "at least 22 %", func(*testing.T) string {
		foreign := 1.0
		return analyze.Gap{Slower: 2622, Faster: 3385, ForeignSlower: &foreign, ForeignFaster: &foreign}.Claim()
	}},
	{"foreign CPU of 4,832 % on 16 cores is shown as a utilisation", "foreign CPU of 48.3 cores is more than the 16 cores can deliver: not a utilisation", func(*testing.T) string {
		foreign := 48.32
		_, reasons := analyze.Contention{Cores: 16, Foreign: &foreign}.Label()
		return reasons[0]
	}},
	{"an average cost passes for the slope: about 2.7 µs an event", "average 2.68, marginal 2.30, through the origin 2.78", func(t *testing.T) string {
		l := usage(t)
		return fmt.Sprintf("average %s, marginal %s, through the origin %s", analyze.Display(per(t, 523_000, 195_000), "1"), analyze.Display(l.Slope, "1"), analyze.Display(l.ThroughOrigin, "1"))
	}},
	{"41 MB over 48,960 events is 880 B only where MB is 2^20", "837 B and 878 B", func(t *testing.T) string {
		return analyze.Display(per(t, 41e6, 48_960), "B") + " and " + analyze.Display(per(t, 41<<20, 48_960), "B")
	}},
	{"one share is floored among others that are rounded: decode 45 %", "45.5 %", func(t *testing.T) string { return analyze.Percent(per(t, 1589, 3491)) }},
	{"ten times the plateau is twelve times", "12", func(t *testing.T) string { return analyze.Display(ratio(t, 570, 6840), "1") }},
	{"a figure's knee is told by two rows", "follows 0.812, then retrograde −0.503", func(*testing.T) string {
		x, p := []float64{735, 1290, 910}, 0.1
		var steps []analyze.SweepStep
		for i := range x {
			steps = append(steps, analyze.SweepStep{N: float64(int(8) << i), Throughput: &x[i], P99: &p})
		}
		e := analyze.FindKnee(steps, 1).Elasticity
		return fmt.Sprintf("%s %s, then %s %s", analyze.ElasticityWord(e[0]), analyze.Display(e[0], "1"), analyze.ElasticityWord(e[1]), analyze.Display(e[1], "1"))
	}},
	{"two pairs are called significant", "0.500", func(*testing.T) string { return analyze.Display(analyze.LeastAttainableP(2), "1") }},
	{"4 of 5 is printed as held", "4/5 fail", func(*testing.T) string {
		var rs []analyze.Repeat
		for i := range 5 {
			rs = append(rs, analyze.Repeat{Outcome: map[bool]analyze.Outcome{true: analyze.Fail, false: analyze.Pass}[i == 2]})
		}
		s := analyze.Summarize(rs, nil)
		return s.String() + " " + string(s.Outcome)
	}},
	{"a percentile of nothing is 0", "an error", func(*testing.T) string {
		if _, err := stat.Quantile([]int64{}, stat.P99); err != nil {
			return "an error"
		}
		return "a number"
	}},
}

// TestTraps names each trap and shows the answer; those of detection have a test of
// their own.
func TestTraps(t *testing.T) { sprung(t, traps) }

func sprung(t *testing.T, list []trap) {
	t.Helper()
	for _, x := range list {
		if got := x.answer(t); !strings.EqualFold(got, x.want) {
			t.Errorf("%s: %q, want %q", x.trap, got, x.want)
		}
	}
	t.Logf("answered %d traps", len(list))
}
