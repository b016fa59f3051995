package calibrate

import (
	"math"
	"slices"
	"testing"

	"headroom/analyze"
	"headroom/detect"
	"headroom/internal/golden"
)

func TestSixCases(t *testing.T) {
	c, err := SixCases()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range c.Failed {
		t.Error(f)
	}
	if !c.Calibrated || c.Cases != Cases || len(c.Digest) != 64 {
		t.Errorf("certificate %+v", c)
	}
}

// In integers, "at or over a limit" is "over one less": each limit moved by its
// smallest step, which is what flipping the comparison does, must fail a case.
func TestMovedLimitsFail(t *testing.T) {
	for name, p := range map[string]analyze.Protocol{
		"worst at":    {Params: map[string]float64{"freeze.worst": 0.149999999}},
		"worst above": {Params: map[string]float64{"freeze.worst": 0.150000001}},
		"slow at":     {Params: map[string]float64{"freeze.slow": 0.049999999}},
		"slow above":  {Params: map[string]float64{"freeze.slow": 0.050000001}},
		"share at":    {Params: map[string]float64{"freeze.share": 0.099999999}},
		"share above": {Params: map[string]float64{"freeze.share": 0.15}},
		"thin":        {Params: map[string]float64{"freeze.thin": 21}},
		"windows":     {Params: map[string]float64{"slow-window.consecutive": 1}},
		"factor":      {Params: map[string]float64{"slow-window.factor": 4}},
		"gap at":      {Params: map[string]float64{"completion-gap.least": 0.099999999}},
		"gap above":   {Params: map[string]float64{"completion-gap.least": 0.1025}},
		"pause at":    {Params: map[string]float64{"generator-stall.least": 0.099999999}},
		"pause above": {Params: map[string]float64{"generator-stall.least": 0.1025}},
		"missing at":  {Params: map[string]float64{"generator-stall.expected": 8.0000001}},
		"missing low": {Params: map[string]float64{"generator-stall.expected": 7}},
		"drift at":    {DriftLimit: math.Nextafter(1.25, 0)},
		"drift above": {DriftLimit: 1.2500002},
	} {
		c, err := sixCases(p)
		if err != nil {
			t.Fatal(err)
		}
		if c.Calibrated {
			t.Errorf("%s: moved by one step, and every case came out as before", name)
		}
	}
}

func BenchmarkSixCases(b *testing.B) {
	for b.Loop() {
		if _, err := SixCases(); err != nil {
			b.Fatal(err)
		}
	}
}

// The scorecard of the small corpus is a golden file: a change of a detector
// that moves it is seen in the diff.
func TestScorecard(t *testing.T) {
	card, err := Score(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, "testdata/scorecard.txt", []byte(card.String()))
	for _, r := range card.Rows {
		if !r.Met {
			t.Errorf("%s, %s, %s: %v, must be %s", r.Rule, r.What, r.Of, r.Value, r.Must)
		}
	}
}

// The corpus has every cause that freezes are compared with.
func TestEveryCauseIsPlanted(t *testing.T) {
	for _, c := range detect.Causes {
		if !slices.ContainsFunc(scripts, func(s script) bool { return s.cause == c.Name && !s.coarse }) {
			t.Errorf("no run of the corpus has freezes whose cause is %s", c.Name)
		}
	}
	for _, s := range scripts {
		if !slices.ContainsFunc(detect.Causes, func(c *detect.Cause) bool { return c.Name == s.cause }) {
			t.Errorf("%s is planted, and nothing is compared with it", s.cause)
		}
	}
}
