package analyze

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestDisplay(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{
		{0.630, "s", "630 ms"}, {0.0226, "s", "22.6 ms"}, {0.0082, "s", "8.20 ms"}, {1.1467, "s", "1.15 s"},
		{4.001, "s", "4.00 s"}, {0.00074, "s", "740 µs"}, {0.99996, "s", "1.00 s"}, {0, "s", "0 s"}, {12, "s", "12 s"},
		{3385, "events/s", "3,385 events/s"}, {3385.26, "events/s", "3,385 events/s"}, {61.8, "1/s", "61.8 requests/s"},
		{203100, "endpoints", "203,100 endpoints"}, {1.0605693, "1", "1.06"}, {1234567, "B", "1.23 MB"}, {-2.5, "1", "−2.50"},
		{14.7769, "cores", "14.8 cores"}, {999.6, "B", "1.00 kB"},
	} {
		if got := Display(c.v, c.unit); got != c.want {
			t.Errorf("Display(%v, %q) = %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

func TestDisplayBesideNeverCrosses(t *testing.T) {
	for _, c := range []struct {
		v, limit   float64
		unit, want string
	}{
		{0.9996, 1, "s", "999.6 ms"}, {1.0004, 1, "s", "1.0004 s"}, {1, 1, "s", "1 s"}, {1.25, 1.25, "1", "1.25"}, {1.2504, 1.25, "1", "1.2504"},
	} {
		if got := DisplayBeside(c.v, c.limit, c.unit); got != c.want {
			t.Errorf("DisplayBeside(%v, %v) = %q, want %q", c.v, c.limit, got, c.want)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		limit := []float64{1, 1.25, 0.15, 0.5}[rnd.IntN(4)]
		v := limit * (1 + (rnd.Float64()-0.5)*math.Pow(10, -float64(rnd.IntN(12))))
		got := parseDisplay(DisplayBeside(v, limit, "s"), "s")
		if sign(got-limit) != new(big.Float).SetFloat64(v).Cmp(big.NewFloat(limit)) {
			t.Fatalf("%v beside %v is printed as %v, on the other side", v, limit, got)
		}
	}
}

func TestDisplayRounded(t *testing.T) {
	if got := DisplayRounded(22.54062, "1", Down); got != "22.5" {
		t.Errorf("down: %q", got)
	}
	if got := DisplayRounded(13577.14, "endpoints", Down); got != "13,577 endpoints" {
		t.Errorf("down: %q", got)
	}
	if got := DisplayRounded(13577.14, "endpoints", Up); got != "13,578 endpoints" {
		t.Errorf("up: %q", got)
	}
}

func TestCountOf(t *testing.T) {
	for n, want := range map[int64]string{0: "0 requests", 1: "1 request", 2: "2 requests", 13798: "13,798 requests"} {
		if got := CountOf(n, "request"); got != want {
			t.Errorf("CountOf(%d) = %q, want %q", n, got, want)
		}
	}
}
