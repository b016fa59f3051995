package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"headroom/analyze"
)

func TestTimeTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		n         int
		want      string
	}{
		{0, 2, 8, "0.0 s 0.5 s 1.0 s 1.5 s 2.0 s"},
		{0, 9, 10, "0:00 0:01 0:02 0:03 0:04 0:05 0:06 0:07 0:08 0:09"},
		{0, 140, 10, "0:00 0:15 0:30 0:45 1:00 1:15 1:30 1:45 2:00 2:15"},
		{0, 600, 5, "0:00 2:00 4:00 6:00 8:00 10:00"},
		{0, 7200, 5, "0:00 h 0:30 h 1:00 h 1:30 h 2:00 h"},
		{-90, 90, 6, "−1:30 −1:00 −0:30 0:00 0:30 1:00 1:30"},
		{0, 10 * 86400, 5, "0 d 2 d 4 d 6 d 8 d 10 d"},
	} {
		var got []string
		for _, tick := range timeTicks(c.low, c.high, c.n) {
			got = append(got, tick.Label)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("timeTicks(%g, %g, %d) = %s, want %s", c.low, c.high, c.n, s, c.want)
		}
	}
}

func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		n         int
		want      string
	}{
		{5, 100, 5, "[5 10 20 50 100]"},
		{2, 5000, 8, "[3 10 30 100 300 1000 3000]"},
		{1, 1e6, 5, "[1 100 10000 1e+06]"},
		{1e-9, 1e9, 4, "[1e-09 0.0001 10 1e+06]"},
	} {
		var got []float64
		for _, v := range logTicks(c.low, c.high, c.n) {
			got = append(got, roundTo(v, 6))
		}
		if s := fmt.Sprint(got); s != c.want {
			t.Errorf("logTicks(%g, %g, %d) = %s, want %s", c.low, c.high, c.n, s, c.want)
		}
	}
}

func roundTo(v float64, digits int) float64 {
	s, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64) // what FormatFloat wrote
	return s
}

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		base  string
		value float64
		want  string
	}{
		{"s", 0.0127, "12.7 ms"}, {"s", 3.279, "3.279 s"}, {"s", 4.2e-5, "42 µs"}, {"s", 0, "0 ns"}, {"s", 1, "1 s"}, {"s", 0.001, "1 ms"},
		{"B", 1500, "1.5 kB"}, {"B", 64e9, "64 GB"}, {"1", 12000, "12,000"}, {"1", 2.5e6, "2.5 million"},
		{"events/s", 11998, "11,998 events/s"}, {"events/s", 250e3, "250 k events/s"}, {"1/s", 0.25, "0.25 1/s"},
	} {
		if got := unitFor(c.base, 0, c.value, c.value).plain(c.value); got != c.want {
			t.Errorf("%g %s is written %q, want %q", c.value, c.base, got, c.want)
		}
	}
}

func TestScales(t *testing.T) {
	values := func(v ...float64) extent { return extent{values: v} }
	for _, c := range []struct {
		name   string
		axis   analyze.Axis
		e      extent
		labels string
	}{
		{"rate from zero", analyze.Axis{Label: "throughput", Unit: "events/s"}, values(312, 3011), "throughput, events/s: 0 1,000 2,000 3,000 4,000"},
		{"equal values", analyze.Axis{Label: "y"}, values(7, 7, 7), "y: 0 5 10 15"},
		{"below zero", analyze.Axis{Label: "y"}, values(-5, 10), "y: −5 0 5 10"},
		{"latency", analyze.Axis{Label: "latency", Unit: "s", Scale: "log"}, values(0.0051, 0.0884), "latency, ms (log scale): 5 10 20 50 100"},
		{"none", analyze.Axis{Label: "y"}, values(), "y: 0.0 0.2 0.4 0.6 0.8 1.0"},
		{"millions", analyze.Axis{Label: "rows", Unit: "1"}, values(0, 3.2e6), "rows, million: 0 1 2 3 4"},
	} {
		s := newScale(c.axis, c.e, 150, false)
		var got []string
		for _, tick := range s.ticks {
			got = append(got, tick.Label)
			if tick.Value < s.low-1e-9 || tick.Value > s.high+1e-9 {
				t.Errorf("%s: tick %s lies outside the axis", c.name, tick.Label)
			}
		}
		if text := s.label + ": " + strings.Join(got, " "); text != c.labels {
			t.Errorf("%s: %s, want %s", c.name, text, c.labels)
		}
		for _, v := range c.e.values {
			if p := s.at(v); math.IsNaN(p) || p < s.low || p > s.high {
				t.Errorf("%s: %g has the place %g outside [%g, %g]", c.name, v, p, s.low, s.high)
			}
		}
	}
}

// TestSweepTicks checks that a sweep's axis names its settings, and a limit that
// is far away does not flatten the values.
func TestSweepTicks(t *testing.T) {
	s := newScale(analyze.Axis{Label: "clients", Unit: "1", Scale: "log"}, extent{values: []float64{1, 2, 4, 8, 16, 32, 64}}, 800, true)
	var got []string
	for _, tick := range s.ticks {
		got = append(got, tick.Label)
	}
	if text := strings.Join(got, " "); text != "1 2 4 8 16 32 64" || s.label != "clients" {
		t.Errorf("%s: %s", s.label, text)
	}
	far := newScale(analyze.Axis{}, extent{values: []float64{1, 2}, spans: []float64{1000}}, 150, false)
	near := newScale(analyze.Axis{}, extent{values: []float64{1, 2}, spans: []float64{3}}, 150, false)
	if far.high > 4 || near.high < 3 {
		t.Errorf("the axis ends at %g with a limit of 1000, at %g with one of 3", far.high, near.high)
	}
}

// TestContrast measures the theme by WCAG 2.1: text 4.5:1, lines and marks 3:1 on
// their background.
func TestContrast(t *testing.T) {
	background := map[bool]string{}
	for _, p := range palette {
		if p.name == inkBack {
			background[false], background[true] = p.light, p.dark
		}
	}
	for _, p := range palette {
		want := 3.0
		switch p.name {
		case inkText, inkMuted, inkLimit:
			want = 4.5
		case inkBack, inkGrid:
			continue // no information
		case heatLevels[0], heatLevels[1], heatLevels[2], heatLevels[3], heatLevels[4]:
			continue // areas behind lines that say the same: see TestHeatLevels
		}
		for dark, colour := range map[bool]string{false: p.light, true: p.dark} {
			if got := contrast(t, colour, background[dark]); got < want {
				t.Errorf("%s (dark %v): contrast %.2f, want %g", p.name, dark, got, want)
			}
		}
	}
}

func contrast(t *testing.T, a, b string) float64 {
	la, lb := luminance(t, a), luminance(t, b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	linear := func(v uint64) float64 {
		c := float64(v&255) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(n>>16) + 0.7152*linear(n>>8) + 0.0722*linear(n)
}

// TestLinesAreToldApart checks that a median and a p99 differ on either background:
// by their hue or lightness, and by the dash where colours are not seen; and that
// neither is lost in the heat map's levels behind it.
func TestLinesAreToldApart(t *testing.T) {
	for _, dark := range []bool{false, true} {
		colour := map[ink]string{}
		for _, p := range palette {
			colour[p.name] = p.light
			if dark {
				colour[p.name] = p.dark
			}
		}
		if got := contrast(t, colour["p50"], colour["p99"]); got < 1.4 {
			t.Errorf("dark %v: the median's contrast with the p99 is %.2f", dark, got)
		}
		for _, line := range []ink{"p50", "p99"} {
			if got := contrast(t, colour[line], colour[heatLevels[len(heatLevels)-1]]); got < 1.5 {
				t.Errorf("dark %v: the contrast of %s with the heat map is %.2f", dark, line, got)
			}
		}
	}
	_, rounds := seriesInks([]analyze.Series{{Name: "p50", Role: "p50"}, {Name: "p99", Role: "p99"}})
	if rounds[0] == rounds[1] {
		t.Errorf("both are drawn with dash %d", rounds[0])
	}
}
