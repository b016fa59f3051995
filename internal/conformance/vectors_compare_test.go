package conformance

import (
	"math"
	"testing"

	"headroom/stat"
)

// bounds compares an interval, null for none, within the case's "rel".
func (v vector) bounds(t *testing.T, what string, got *stat.Bounds, want *[2]float64) {
	t.Helper()
	if (got == nil) != (want == nil) {
		t.Errorf("%s is %v, want %v", what, got, want)
		return
	}
	if want != nil {
		v.near(t, what+" low", got.Lo, want[0])
		v.near(t, what+" high", got.Hi, want[1])
	}
}

func abPairs(t *testing.T, v vector) {
	var in struct {
		Pairs [][2]float64 `json:"pairs_before_after"`
	}
	var out struct {
		N        int
		Ratios   []float64
		GeoMean  float64 `json:"geo_mean_ratio"`
		Median   float64 `json:"median_ratio"`
		Wins     int
		T        *[2]float64 `json:"ci95_t"`
		SignFlip float64     `json:"sign_flip_p"`
		LeastP   float64     `json:"least_possible_p"`
		SignTest float64     `json:"sign_test_p"`
		Wilcoxon float64     `json:"wilcoxon_exact_p"`
		HL       float64     `json:"hodges_lehmann_ratio"`
		HLBounds *[2]float64 `json:"hl_ci95"`
		Coverage *float64    `json:"hl_ci_coverage"`
	}
	v.read(t, &in, &out)
	var before, after []float64
	for _, p := range in.Pairs {
		before, after = append(before, p[0]), append(after, p[1])
	}
	got, err := stat.ComparePairs(before, after)
	noError(t, "pairs", err)
	equal(t, "n", got.N, out.N)
	equal(t, "ratios", len(got.Ratios), len(out.Ratios))
	for i, r := range out.Ratios {
		v.near(t, index("ratio", i), got.Ratios[i], r)
	}
	v.near(t, "geometric mean", got.GeoMean, out.GeoMean)
	v.near(t, "median", got.Median, out.Median)
	equal(t, "wins", got.Wins, out.Wins)
	v.bounds(t, "t interval", got.T, out.T)
	v.near(t, "sign-flip p", got.SignFlip, out.SignFlip)
	v.near(t, "least p", got.LeastP, out.LeastP)
	v.near(t, "sign test p", got.SignTest, out.SignTest)
	v.near(t, "signed-rank p", got.Rank.P, out.Wilcoxon)
	v.near(t, "Hodges-Lehmann", got.Rank.Shift, out.HL)
	v.bounds(t, "Hodges-Lehmann interval", got.Rank.Bounds, out.HLBounds)
	if out.Coverage != nil {
		v.near(t, "coverage", got.Rank.Coverage, *out.Coverage)
	}
}

func atLeast(t *testing.T, v vector) {
	var in struct {
		Slower, Faster float64
		ForeignSlower  *float64 `json:"foreign_slower"`
		ForeignFaster  *float64 `json:"foreign_faster"`
	}
	var out struct {
		Gap     float64 `json:"gap_pct"`
		Claim   string
		Nearest float64 `json:"nearest_pct"`
	}
	v.read(t, &in, &out)
	got, err := stat.OneSidedGap(in.Slower, in.Faster, in.ForeignSlower, in.ForeignFaster)
	noError(t, "gap", err)
	v.near(t, "gap", 100*got.Share, out.Gap)
	v.near(t, "nearest", math.Round(100*got.Share), out.Nearest)
	equal(t, "claim", got.String(), out.Claim)
}

func mannWhitney(t *testing.T, v vector) {
	var in struct{ A, B []float64 }
	var out struct {
		Permutation *float64 `json:"p_permutation"`
		U           float64  `json:"u_a"`
		P           float64
		Method      string
		Shift       float64 `json:"hodges_lehmann_shift"`
		Delta       float64 `json:"cliffs_delta"`
	}
	v.read(t, &in, &out)
	got, err := stat.CompareRanks(in.A, in.B)
	noError(t, "ranks", err)
	v.near(t, "U", got.U, out.U)
	v.near(t, "shift", got.Shift, out.Shift)
	v.near(t, "delta", got.Delta, out.Delta)
	if out.Permutation != nil {
		v.near(t, "permutation p", got.P, *out.Permutation)
	}
	switch out.Method {
	case "exact":
		v.near(t, "exact p", got.P, out.P)
	case "asymptotic with continuity and tie correction":
		v.near(t, "normal p", got.PNormal, out.P)
	default:
		t.Errorf("method %q is not known", out.Method)
	}
}

func tost(t *testing.T, v vector) {
	var in struct {
		A, B          []float64
		Margin, Alpha float64
	}
	var out struct {
		Ratio   float64
		CI      [2]float64 `json:"ci90"`
		DF      float64
		PLower  float64 `json:"p_lower"`
		PUpper  float64 `json:"p_upper"`
		P       float64 `json:"p_tost"`
		Verdict string
	}
	v.read(t, &in, &out)
	got, err := stat.TestEquivalence(in.A, in.B, in.Margin, in.Alpha)
	noError(t, "equivalence", err)
	v.near(t, "ratio", got.Ratio, out.Ratio)
	v.bounds(t, "interval", &got.Interval, &out.CI)
	v.near(t, "degrees of freedom", got.DF, out.DF)
	v.near(t, "p lower", got.PLower, out.PLower)
	v.near(t, "p upper", got.PUpper, out.PUpper)
	v.near(t, "p", got.P, out.P)
	equal(t, "verdict", got.String(), out.Verdict)
}
