package analyze

import (
	"math"
	"strings"
	"testing"
)

func TestReading(t *testing.T) {
	cpu := func(share float64) *busy { return &busy{what: "CPU", share: share} }
	for _, c := range []struct {
		e      float64
		errors int64
		busy   *busy
		want   string
	}{
		{0.9, 0, cpu(0.95), ""},
		{0.1, 0, cpu(0.95), "it got slower: saturation of CPU"},
		{0.1, 0, cpu(0.3), "it got slower: serialisation on something that is no utilisation"},
		{-0.2, 0, cpu(0.69), "it fell over: serialisation"},
		{-0.3, 0, cpu(0.8), "it fell over; CPU is neither idle nor at its limit"},
		{-0.3, 0, nil, "it fell over; the cause cannot be told"},
		{0.5, 3, cpu(0.3), "it fell over; CPU is neither"},
	} {
		got := reading(c.e, SweepStep{Errors: c.errors}, c.busy)
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("elasticity %g, %d errors, %+v: %q, want %q", c.e, c.errors, c.busy, got, c.want)
		}
	}
}

// A step past the knee whose throughput grew did not get slower.
func TestBend(t *testing.T) {
	for _, c := range []struct {
		e      float64
		errors int64
		want   string
	}{
		{1, 0, "the p99 passed its limit while throughput still grew"},
		{0.2, 0, "the p99 passed its limit while throughput still grew"},
		{0.1, 0, "it got slower"}, {math.NaN(), 0, "it got slower"},
		{-0.2, 0, "it fell over"}, {1, 3, "it fell over"},
	} {
		if got := bend(c.e, c.errors); got != c.want {
			t.Errorf("elasticity %g, %d errors: %q, want %q", c.e, c.errors, got, c.want)
		}
	}
}

// A law is fitted to four steps and more; its peak is given only where the sweep
// passed it.
func TestLaw(t *testing.T) {
	sweep := func(rates ...float64) (s Sweep) {
		for i, x := range rates {
			s.Steps = append(s.Steps, SweepStep{N: float64(int(1) << i), Throughput: &x})
		}
		return s
	}
	for _, c := range []struct {
		name  string
		rates []float64
		want  string
		peak  bool
	}{
		{"three steps", []float64{100, 190, 350}, "it takes 4 steps without errors, there are 3", false},
		{"rising", []float64{100, 190, 350, 600, 950}, "R²", false},
		// 100·N/(1 + 0.03·(N-1) + 0.001·N·(N-1)), rounded: highest at sqrt(0.97/0.001) = 31.1
		{"past its peak", []float64{100, 194, 363, 632, 947, 1095, 925, 608}, "peak of the model at concurrency 31", true},
	} {
		d := &document{Capacity: &Capacity{}}
		g := &group{key: "concurrency"}
		if got := strings.Join(d.law(g, sweep(c.rates...), nil), " "); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for _, q := range d.Quantities {
			if q.ID == "sweep.usl.peak" && (q.Value != nil) != c.peak {
				t.Errorf("%s: peak %v, want one: %v", c.name, q.Display, c.peak)
			}
		}
	}
}
