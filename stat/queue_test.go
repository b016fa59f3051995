package stat_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

// Buckets let everything pass until they run dry, and what they refill after.
func TestTokenBucket(t *testing.T) {
	for _, c := range []struct {
		name          string
		b             stat.TokenBucket
		rate, seconds float64
		want          stat.Limited
		emptyAt       float64 // 0 for never
	}{
		{"limited", stat.TokenBucket{Burst: 300, Refill: 5}, 15, 60, stat.Limited{Passed: 600, Refused: 300, Before: 15, After: 5}, 30},
		{"below the refill", stat.TokenBucket{Burst: 1, Refill: 5}, 5, 60, stat.Limited{Passed: 300, Before: 5, After: 5}, 0},
		{"over before dry", stat.TokenBucket{Burst: 300, Refill: 5}, 15, 29, stat.Limited{Passed: 435, Before: 15, After: 15}, 0},
		{"dry at the very end", stat.TokenBucket{Burst: 300, Refill: 5}, 15, 30, stat.Limited{Passed: 450, Before: 15, After: 15}, 0},
		{"nothing allowed", stat.TokenBucket{}, 2, 10, stat.Limited{Refused: 20, Before: 2, After: 0}, 1e-300},
		{"nothing offered", stat.TokenBucket{Burst: 3}, 0, 10, stat.Limited{}, 0},
	} {
		got, err := c.b.Limit(1, c.rate, c.seconds)
		if (got.EmptyAt != nil) != (c.emptyAt > 0) || got.EmptyAt != nil && math.Abs(*got.EmptyAt-c.emptyAt) > 1e-12 {
			t.Errorf("%s: dry at %v, want %v", c.name, got.EmptyAt, c.emptyAt)
		}
		got.EmptyAt = nil
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, err, c.want)
		}
	}
	if _, err := (stat.TokenBucket{Burst: -1}).Limit(1, 1, 1); err == nil {
		t.Error("a negative burst: want an error")
	}
	if _, err := (stat.TokenBucket{}).Limit(0, 1, 1); err == nil {
		t.Error("no source: want an error")
	}
}

func TestFluid(t *testing.T) {
	q, err := stat.Fluid([]stat.Phase{{Rate: 300, Seconds: 30}, {Rate: 0, Seconds: 10}, {Rate: 100, Seconds: 30}}, 110)
	if err != nil || q.Peak != 5700 || q.End != 4300 || !near(q.Drain, 4300.0/110) || q.KeepsUp {
		t.Errorf("%+v, %v", q, err)
	}
	if q, err := stat.Fluid([]stat.Phase{{Rate: 200, Seconds: 1}, {Rate: 0, Seconds: 9}}, 100); err != nil || q.Peak != 100 || q.End != 0 || !q.KeepsUp {
		t.Errorf("a burst that is worked off: %+v, %v", q, err)
	}
	for name, f := range map[string]func() error{
		"no phase":     func() error { _, err := stat.Fluid(nil, 1); return err },
		"no service":   func() error { _, err := stat.Fluid([]stat.Phase{{Rate: 1, Seconds: 1}}, 0); return err },
		"negative":     func() error { _, err := stat.Fluid([]stat.Phase{{Rate: -1, Seconds: 1}}, 1); return err },
		"not a number": func() error { _, err := stat.Fluid([]stat.Phase{{Rate: math.NaN(), Seconds: 1}}, 1); return err },
	} {
		if f() == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

// What a fluid queue holds is what arrived less what could be served, if it
// never runs empty.
func TestFluidConserves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "phases")
		var phases []stat.Phase
		arrived, seconds := 0.0, 0.0
		for range n {
			p := stat.Phase{Rate: float64(rapid.IntRange(100, 200).Draw(t, "rate")), Seconds: float64(rapid.IntRange(1, 60).Draw(t, "s"))}
			phases = append(phases, p)
			arrived, seconds = arrived+p.Rate*p.Seconds, seconds+p.Seconds
		}
		q, err := stat.Fluid(phases, 100)
		if err != nil || q.End != arrived-100*seconds || q.Peak < q.End {
			t.Fatalf("%+v, %v: want %v at the end", q, err, arrived-100*seconds)
		}
	})
}

func TestPeakWaitingAndDrain(t *testing.T) {
	enqueued, started := []int64{0, 10, 20, 30, 30}, []int64{0, 30, 40, 50, 60}
	if got := stat.PeakWaiting(enqueued, started); got != 3 { // at 30 one starts as two arrive
		t.Errorf("peak %d, want 3", got)
	}
	if drain, ok := stat.DrainTime(enqueued, started); drain != 30 || !ok {
		t.Errorf("drain %d, %v", drain, ok)
	}
	if got := stat.PeakWaiting(enqueued, enqueued); got != 0 {
		t.Errorf("nothing waits: %d", got)
	}
	if _, ok := stat.DrainTime(nil, nil); ok {
		t.Error("no jobs have no drain")
	}
}

func TestJudgePrune(t *testing.T) {
	arrivals := 50_700.0
	for _, c := range []struct {
		removed []int64
		want    stat.PruneVerdict
		growth  float64
	}{
		{nil, stat.PruneNoPasses, 0}, {[]int64{0}, stat.PruneKeepsUp, 0}, {[]int64{9999, 3}, stat.PruneKeepsUp, 0},
		{[]int64{10_000}, stat.PruneFallsBack, 40_700}, {[]int64{10_000, 10_000, 4}, stat.PruneCleared, 0}, {[]int64{4, 10_000}, stat.PruneAtCap, 0},
	} {
		got, err := stat.JudgePrune(c.removed, 10_000, &arrivals)
		if err != nil || got.Verdict != c.want || (got.Growth != nil) != (c.growth > 0) || got.Growth != nil && *got.Growth != c.growth {
			t.Errorf("%v: %+v, %v; want %s", c.removed, got, err, c.want)
		}
	}
	if got, err := stat.JudgePrune([]int64{5}, 5, nil); err != nil || got.Growth != nil {
		t.Errorf("arrivals not known: %+v, %v", got, err)
	}
	for _, c := range [][]int64{{-1}, {6}} {
		if got, err := stat.JudgePrune(c, 5, nil); err == nil {
			t.Errorf("%v of at most 5: %+v, want an error", c, got)
		}
	}
	if _, err := stat.JudgePrune(nil, 0, nil); err == nil {
		t.Error("no cap: want an error")
	}
}

func TestCounterGrowth(t *testing.T) {
	for _, c := range []struct {
		name     string
		readings []float64
		modulus  float64
		want     stat.Growth
		ok       bool
	}{
		{"none", nil, 0, stat.Growth{}, false}, {"one", []float64{5}, 0, stat.Growth{}, false},
		{"still", []float64{5, 5}, 0, stat.Growth{}, true}, {"rising", []float64{5, 7, 12}, 0, stat.Growth{Amount: 7}, true},
		{"two restarts", []float64{9, 1, 3, 0, 2}, 0, stat.Growth{Amount: 5, Resets: 2, LowerBound: true}, true},
		{"wraps", []float64{250, 4, 9}, 256, stat.Growth{Amount: 15, Resets: 1}, true},
	} {
		got, ok, err := stat.CounterGrowth(c.readings, c.modulus)
		if err != nil || ok != c.ok || ok && got != c.want || (got.Note() != "") != got.LowerBound {
			t.Errorf("%s: %+v, %v, %v; want %+v", c.name, got, ok, err, c.want)
		}
	}
	for name, c := range map[string][]float64{"negative": {-1, 2}, "NaN": {math.NaN()}, "at the modulus": {256}, "infinite": {1, math.Inf(1)}} {
		if got, _, err := stat.CounterGrowth(c, 256); err == nil {
			t.Errorf("%s: %+v, want an error", name, got)
		}
	}
}

// Reading a counter more often changes no total, and one that restarts is never
// said to have added more than it did.
func TestCounterGrowthProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value, truth := 0.0, 0.0
		readings, fewer := []float64{0}, []float64{0}
		restarts := rapid.Bool().Draw(t, "restarts")
		n := rapid.IntRange(1, 30).Draw(t, "n")
		for i := range n {
			if restarts && rapid.IntRange(0, 5).Draw(t, "restart") == 0 {
				value = 0
			}
			step := float64(rapid.IntRange(0, 100).Draw(t, "step"))
			value, truth = value+step, truth+step
			readings = append(readings, value)
			if i == n-1 {
				fewer = append(fewer, value)
			}
		}
		a, _, errA := stat.CounterGrowth(readings, 0)
		b, _, errB := stat.CounterGrowth(fewer, 0)
		if errA != nil || errB != nil || a.Amount > truth || b.Amount > a.Amount {
			t.Fatalf("%+v, read twice %+v, truth %v (%v, %v)", a, b, truth, errA, errB)
		}
		if !restarts && (a.Amount != truth || b.Amount != truth || a.LowerBound) {
			t.Fatalf("%+v, read twice %+v, truth %v", a, b, truth)
		}
	})
}

func TestTrendOfDepth(t *testing.T) {
	for _, c := range []struct {
		name                  string
		depth                 []float64
		rising, deep, keepsUp bool
	}{
		{"empty", make([]float64, 20), false, false, true},
		{"level", small20(), false, false, true},
		{"growing", rising(40), true, false, false},
		{"draining", []float64{9, 8, 7, 6, 5, 4, 3, 2, 1}, false, false, true},
		{"full at the end", []float64{1, 2, 1, 2, 1, 2, 1, 9}, false, true, false},
	} {
		got, err := stat.TrendOfDepth(c.depth)
		if err != nil || got.Rising != c.rising || got.Deep != c.deep || got.KeepsUp != c.keepsUp {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
	if _, err := stat.TrendOfDepth([]float64{1, 2}); err == nil {
		t.Error("two readings: want an error")
	}
}
