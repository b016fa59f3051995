package detect

import "testing"

func TestFigure(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{
		{0.03297, "s", "32.97 ms"}, {0, "s", "0 s"}, {1.5, "s", "1.5 s"}, {101, "1/s", "101/s"}, {3.968, "1", "3.968"}, {3.968, "", "3.968"},
		{123456789, "B", "123.5 MB"}, {5e9, "B/s", "5 GB/s"}, {900, "B", "900 B"}, {1234567, "", "1,234,567"}, {-0.25, "s", "-250 ms"},
	} {
		if got := figure(c.v, c.unit); got != c.want {
			t.Errorf("%v in %q: %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}
