package detect

import (
	"testing"

	"headroom/stat"
)

func TestDriftWord(t *testing.T) {
	ratio := func(v float64) *float64 { return &v }
	for _, c := range []struct {
		name          string
		plain         int64 // of the last third's p99, the first's being 100
		free, medians *float64
		bound         float64 // 0: none
		want          DriftWord
	}{
		{"stationary", 110, nil, ratio(1), 0.9, ""},
		{"at the limit", 125, nil, ratio(1.2), 1.1, ""},
		{"freezes late", 300, ratio(1.1), ratio(1), 0.9, DriftStalls},
		{"freezes late, at the limit without them", 300, ratio(1.25), ratio(1.3), 1.1, DriftStalls},
		{"a drift", 140, nil, ratio(1.4), 1.2, DriftShown},
		{"a drift with freezes", 140, ratio(1.3), ratio(1.4), 1.2, DriftShown},
		{"not borne out", 140, ratio(1.3), ratio(1.1), 0.9, DriftUnsure},
		{"too short", 140, nil, nil, 0, DriftLoosely},
		{"hidden", 100, nil, ratio(1.5), 1.2, DriftHidden},
		{"hidden behind a slow beginning", 70, nil, ratio(1.5), 1.2, DriftHidden},
		{"hidden, perhaps", 100, nil, ratio(1.5), 0.9, ""},
		{"a slow beginning", 70, nil, ratio(0.9), 0.8, DriftUnsettled},
		{"a slow beginning, at the limit", 80, nil, ratio(0.9), 0.8, ""},
	} {
		d := Drift{Thirds: stat.Thirds{Quantile: [3]int64{100, 100, c.plain}}, Free: c.free, Medians: c.medians}
		if c.bound > 0 {
			d.Bounds = &[2]float64{c.bound, 9}
		}
		if got := d.Word(1.25); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
