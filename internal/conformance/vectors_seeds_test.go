package conformance

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/stat"
)

// seedFigures holds, by id, how a derived figure of the reference documents
// follows from the numbers that they print. A figure that is given back as "per"
// is a quotient.
var seedFigures = map[string]func(*testing.T) float64{
	"s00": func(*testing.T) float64 { return analyze.Endpoints(3385, 60) },
	"s01": func(t *testing.T) float64 { return 100 * gap(t, 2622, 3385) },
	"s02": func(t *testing.T) float64 { return ratio(t, 1011, 3385) },
	"s03": func(t *testing.T) float64 { return 100 * (ratio(t, 3506, 3788) - 1) },
	"s04": func(t *testing.T) float64 { return growthPer(t, 965, 25) },
	"s05": func(t *testing.T) float64 { return growthPer(t, 656, 25) },
	"s06": func(t *testing.T) float64 { return growthPer(t, 271, 25) },
	"s07": func(t *testing.T) float64 { return 100 * gap(t, 271, 965) },
	"s08": func(t *testing.T) float64 { return 100 * (ratio(t, 1188, 1578) - 1) },
	"s09": func(t *testing.T) float64 { return 100 * (ratio(t, 472, 653) - 1) },
	"s10": func(t *testing.T) float64 { return per(t, 10_000, 300) },
	"s11": func(t *testing.T) float64 { return per(t, 3385, 20) },
	"s12": func(t *testing.T) float64 { return per(t, 10_000, 300) * 20 },
	"s13": func(t *testing.T) float64 { return growthPer(t, 41e6, 48_960) },
	"s14": func(t *testing.T) float64 { return growthPer(t, 41<<20, 48_960) },
	"s15": func(*testing.T) float64 { return analyze.RequiredRate(10_000, 600) },
	"s16": func(t *testing.T) float64 { return 100 * per(t, 41_172, 52_713) },
	"s17": func(*testing.T) float64 { return stat.ServiceRate(1, 1.75e-3) },
	"s18": func(t *testing.T) float64 { return ratio(t, 570, 6840) },
	"s19": func(t *testing.T) float64 { return per(t, 523_000, 195_000) },
	"s20": func(t *testing.T) float64 { return usage(t).Slope },
	"s21": func(t *testing.T) float64 { return usage(t).ThroughOrigin },
	"s22": func(t *testing.T) float64 { return per(t, 500_000, 2.7) },
	"s23": func(*testing.T) float64 { return 121 + 117 + 88 + 37 + 9 + 247 },
	"s24": func(*testing.T) float64 { return 1589 + 752 + 1150 },
	"s25": func(*testing.T) float64 { return stat.ServiceRate(1, 3491e-9) },
	"s26": func(t *testing.T) float64 { return 100 * per(t, 1589, 3491) },
	"s27": func(t *testing.T) float64 { return 100 * per(t, 29, 38) },
	"s28": func(t *testing.T) float64 { return 100 * per(t, 649, 752) },
	"s29": func(t *testing.T) float64 { return 100 * (ratio(t, 649, 906) - 1) },
	"s30": func(t *testing.T) float64 { return ratio(t, 299_928, 726_908) },
	"s31": func(t *testing.T) float64 { return ratio(t, 139.1, 3021) },
	"s32": func(t *testing.T) float64 { return per(t, 2_484_000, 15.01) },
	"s33": func(t *testing.T) float64 { return ratio(t, 165_495, 726_908) },
	"s34": func(*testing.T) float64 { return analyze.InFlightBytes(32, 10_000, 4473) / 1e9 },
	"s35": func(*testing.T) float64 { return analyze.InFlightBytes(32, 1000, 4377) / 1e6 },
	"s36": func(t *testing.T) float64 { return per(t, 1589+1150, 1000) },
	"s37": func(t *testing.T) float64 {
		l, err := stat.TokenBucket{Burst: 300, Refill: 5}.Limit(20, 15, 60)
		noError(t, "limit", err)
		return per(t, l.Passed, 60)
	},
	"s38": func(*testing.T) float64 { return stat.ServiceRate(2, 17e-3) },
	"s39": func(t *testing.T) float64 { return per(t, 4832, 100) },
}

func ratio(t *testing.T, before, after float64) float64 {
	t.Helper()
	p, err := stat.ComparePairs([]float64{before}, []float64{after})
	noError(t, "ratio", err)
	return p.Ratios[0]
}

func gap(t *testing.T, slower, faster float64) float64 {
	t.Helper()
	g, err := stat.OneSidedGap(slower, faster, nil, nil)
	noError(t, "gap", err)
	return g.Share
}

func growthPer(t *testing.T, amount, units float64) float64 {
	t.Helper()
	g, ok, err := stat.CounterGrowth([]float64{0, amount}, 0)
	noError(t, "growth", err)
	equal(t, "there is a growth", ok, true)
	return per(t, g.Amount, units)
}

func per(t *testing.T, amount, units float64) float64 {
	t.Helper()
	q, ok := stat.Per(amount, units)
	equal(t, "there is a quotient", ok, true)
	return q
}

func usage(t *testing.T) stat.Line {
	t.Helper()
	l, err := stat.FitLine([]float64{110e3, 125e3, 195e3}, []float64{332e3, 354e3, 523e3})
	noError(t, "line", err)
	return l
}

var printedNumber = regexp.MustCompile(`[0-9][0-9,]*(\.[0-9]+)?`)

// seeds compares a figure with the vector's, and with what was printed where
// that is the figure rounded to nearest. The other notes on rounding are prose.
func seeds(t *testing.T, v vector) {
	var in struct{}
	var out struct {
		Recomputed        float64
		Printed, Rounding string
	}
	v.read(t, &in, &out)
	figure, ok := seedFigures[v.ID]
	if !ok {
		t.Fatalf("no figure of this id (%s)", v.Why)
	}
	got := figure(t)
	v.near(t, v.Why, got, out.Recomputed)
	text := strings.ReplaceAll(printedNumber.FindString(out.Printed), ",", "")
	printed, err := strconv.ParseFloat(text, 64)
	switch out.Rounding {
	case "nearest":
		noError(t, "printed", err)
		_, fraction, _ := strings.Cut(text, ".")
		scale := math.Pow10(len(fraction))
		equal(t, "printed", math.Round(got*scale)/scale, printed)
	case "3 s.f. nearest":
		noError(t, "printed", err)
		equal(t, "printed", analyze.RoundedEndpoints(got, analyze.Nearest), printed)
	case "exact":
		noError(t, "printed", err)
		equal(t, "printed", got, printed)
	}
}
