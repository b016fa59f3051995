package stat_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

func TestCheckOccupancy(t *testing.T) {
	for _, c := range []struct {
		name           string
		mean, p50, p99 *float64
		want           stat.OccupancyVerdict
	}{ // 8 workers, 400 requests/s: 20 ms each
		{"nothing known", nil, nil, nil, stat.Consistent},
		{"busy", load(0.0199), nil, nil, stat.Busy}, {"least", load(0.019), nil, nil, stat.Busy}, {"most", load(0.0204), nil, nil, stat.Busy},
		{"idle", load(0.0189), nil, nil, stat.IdleWorkers}, {"too many", load(0.0205), nil, nil, stat.Impossible},
		{"not a number", load(math.NaN()), nil, nil, stat.IdleWorkers},
		{"median", nil, load(0.040), nil, stat.Consistent}, {"median too high", nil, load(0.0401), nil, stat.MeanTooLow},
		{"tail", nil, load(0.001), load(0.02), stat.Consistent}, {"tail too low", nil, nil, load(0.019), stat.MeanTooHigh},
	} {
		got, err := stat.CheckOccupancy(stat.ClosedLoop{Workers: 8, RequestsPerS: 400, Mean: c.mean, P50: c.p50, P99: c.p99})
		if err != nil || got.Verdict != c.want || got.ImpliedMean != 0.02 || (got.BusyRatio != nil) != (c.mean != nil) {
			t.Errorf("%s: %+v, %v; want %s", c.name, got, err, c.want)
		}
	}
	for _, c := range []stat.ClosedLoop{{}, {Workers: 1}, {RequestsPerS: 1}, {Workers: -1, RequestsPerS: 1}, {Workers: 1, RequestsPerS: math.NaN()}} {
		if got, err := stat.CheckOccupancy(c); err == nil {
			t.Errorf("%+v: %+v, want an error", c, got)
		}
	}
}

// Little's law holds exactly where the window cuts nothing, and moving the clock
// changes nothing.
func TestMeanInFlight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		shift := rapid.Int64Range(-1<<61, 1<<61).Draw(t, "shift")
		var start, end, area = []int64{}, []int64{}, int64(0)
		for range n {
			s, d := rapid.Int64Range(0, 900).Draw(t, "start"), rapid.Int64Range(0, 100).Draw(t, "length")
			start, end, area = append(start, s+shift), append(end, s+d+shift), area+d
		}
		got, err := stat.MeanInFlight(start, end, shift, shift+1000)
		if err != nil || !near(got, float64(area)/1000) {
			t.Fatalf("%v, %v; want %v", got, err, float64(area)/1000)
		}
	})
	if got, err := stat.MeanInFlight([]int64{0, 90}, []int64{20, 200}, 10, 100); err != nil || !near(got, 20.0/90) {
		t.Errorf("clipped: %v, %v", got, err)
	}
	huge := []int64{math.MinInt64, math.MinInt64, math.MinInt64}
	if got, err := stat.MeanInFlight(huge, []int64{math.MaxInt64, math.MaxInt64, math.MaxInt64}, math.MinInt64, math.MaxInt64); err != nil || !near(got, 3) {
		t.Errorf("all of time: %v, %v", got, err)
	}
	for name, f := range map[string]func() (float64, error){
		"unequal":   func() (float64, error) { return stat.MeanInFlight([]int64{1}, nil, 0, 9) },
		"no window": func() (float64, error) { return stat.MeanInFlight(nil, nil, 9, 9) },
		"backwards": func() (float64, error) { return stat.MeanInFlight([]int64{5}, []int64{4}, 0, 9) },
	} {
		if got, err := f(); err == nil {
			t.Errorf("%s: %v, want an error", name, got)
		}
	}
}

func TestWithExpectedInterval(t *testing.T) {
	got, err := stat.WithExpectedInterval([]int64{3, 10, 19, 20, 35}, 10)
	if want := []int64{3, 10, 19, 20, 10, 35, 25, 15}; err != nil || !equalSlices(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	for name, f := range map[string]func() ([]int64, error){
		"no interval":  func() ([]int64, error) { return stat.WithExpectedInterval([]int64{1}, 0) },
		"negative":     func() ([]int64, error) { return stat.WithExpectedInterval([]int64{-1}, 1) },
		"without end":  func() ([]int64, error) { return stat.WithExpectedInterval([]int64{math.MaxInt64}, 1) },
		"twice as far": func() ([]int64, error) { return stat.WithExpectedInterval([]int64{math.MaxInt64, math.MaxInt64}, 1) },
	} {
		if got, err := f(); err == nil {
			t.Errorf("%s: %d values, want an error", name, len(got))
		}
	}
}

func equalSlices(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// A dropped request never makes a bound better, and a hundredth of them leaves
// no finite p99.
func TestQuantileWithDropped(t *testing.T) {
	var sorted []int64
	for i := range int64(990) {
		sorted = append(sorted, i)
	}
	last := int64(-1)
	for dropped := range int64(12) {
		got, ok, err := stat.QuantileWithDropped(sorted, dropped, stat.P99)
		if err != nil || ok != (dropped <= 10) || ok && got < last {
			t.Fatalf("%d dropped: %v, %v, %v after %v", dropped, got, ok, err, last)
		}
		last = got
	}
	if _, _, err := stat.QuantileWithDropped(sorted, -1, stat.P99); err == nil {
		t.Error("fewer than none dropped: want an error")
	}
	if _, _, err := stat.QuantileWithDropped([]int64{}, 3, stat.P99); err == nil {
		t.Error("nothing recorded: want an error")
	}
}

func TestAgainstSchedule(t *testing.T) {
	s, err := stat.AgainstSchedule([]int64{0, 10}, []int64{0, 25}, []int64{4, 4})
	if err != nil || !equalSlices(s.Lag, []int64{0, 15}) || !equalSlices(s.Response, []int64{4, 19}) || !equalSlices(s.Service, []int64{4, 4}) {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := stat.AgainstSchedule([]int64{0}, []int64{0, 1}, []int64{1}); err == nil {
		t.Error("unequal: want an error")
	}
	if share, ok := stat.ShareAbove([]int64{1, 2, 3, 4}, 3); share != 0.25 || !ok {
		t.Errorf("%v, %v", share, ok)
	}
	if _, ok := stat.ShareAbove([]int64{}, 3); ok {
		t.Error("of none there is no share")
	}
}

// Every positive value lies in its bucket, within the relative error.
func TestLogBuckets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alpha := rapid.Float64Range(0.001, 0.2).Draw(t, "alpha")
		b, err := stat.NewLogBuckets(alpha)
		v := rapid.Float64Range(1e-6, 1e12).Draw(t, "v")
		if i := b.Index(v); err != nil || math.Abs(b.Value(i)-v) > v*alpha*(1+1e-9) {
			t.Fatalf("%v stands for %v (%v)", b.Value(i), v, err)
		}
	})
	for _, alpha := range []float64{0, 1, -1, math.NaN()} {
		if _, err := stat.NewLogBuckets(alpha); err == nil {
			t.Errorf("relative error %v: want an error", alpha)
		}
	}
}
