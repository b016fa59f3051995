package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"headroom/stat"
)

func parseP(t *testing.T, text string) stat.P {
	t.Helper()
	p, err := stat.ParseP(text)
	noError(t, "p", err)
	return p
}

func quantiles(t *testing.T, v vector) {
	var in struct {
		Values []float64
		P      []string
	}
	var out map[string]json.RawMessage
	v.read(t, &in, &out)
	if raw, ok := out["error"]; ok {
		var want string
		strict(t, "error", raw, &want)
		for _, p := range in.P {
			if _, err := stat.Quantile(in.Values, parseP(t, p)); err == nil || err.Error() != want {
				t.Errorf("p = %s: error %v, want %s", p, err, want)
			}
		}
		return
	}
	equal(t, "number of answers", len(out), len(in.P))
	sorted := slices.Sorted(slices.Values(in.Values))
	for _, text := range in.P {
		var want struct {
			Rank            int
			Nearest, R7, R6 float64
		}
		strict(t, text, out[text], &want)
		p := parseP(t, text)
		nearest, err := stat.Quantile(sorted, p)
		noError(t, text, err)
		selected, err := stat.Quantiles(slices.Clone(in.Values), p)
		noError(t, text, err)
		r7, err := stat.QuantileR7(sorted, p)
		noError(t, text, err)
		r6, err := stat.QuantileR6(sorted, p)
		noError(t, text, err)
		equal(t, text+" rank", stat.Rank(p, len(sorted)), want.Rank)
		equal(t, text+" nearest", nearest, want.Nearest)
		equal(t, text+" selected", selected[0], want.Nearest)
		v.near(t, text+" R-7", r7, want.R7)
		v.near(t, text+" R-6", r6, want.R6)
	}
}

func quantileCI(t *testing.T, v vector) {
	if has(v.In, "sided") {
		leastN(t, v)
		return
	}
	var in struct {
		N    int
		P    string
		Conf json.Number
	}
	var out struct {
		Lo       *int `json:"lo_rank"`
		Hi       *int `json:"hi_rank"`
		Coverage float64
	}
	v.read(t, &in, &out)
	iv, err := stat.QuantileInterval(in.N, parseP(t, in.P), parseP(t, in.Conf.String()))
	noError(t, "interval", err)
	rank := func(p *int) float64 { // null is unbounded, which headroom writes as 0
		if p == nil {
			return 0
		}
		return float64(*p)
	}
	v.within(t, "lowest rank", float64(iv.Lo), rank(out.Lo), v.tol("rank"))
	v.within(t, "highest rank", float64(iv.Hi), rank(out.Hi), v.tol("rank"))
	v.within(t, "coverage", iv.Coverage, out.Coverage, v.tol("coverage_abs"))
}

func leastN(t *testing.T, v vector) {
	var in struct {
		P     string
		Conf  json.Number
		Sided string
	}
	var out struct {
		MinN int `json:"min_n"`
	}
	v.read(t, &in, &out)
	sides, ok := map[string]stat.Sides{"one": stat.OneSided, "two": stat.TwoSided}[in.Sided]
	if !ok {
		t.Fatalf("sided %q: want one or two", in.Sided)
	}
	got := stat.MinSamples(parseP(t, in.P), parseP(t, in.Conf.String()), sides)
	v.near(t, "least n", float64(got), float64(out.MinN))
}

func clopperPearson(t *testing.T, v vector) {
	var in struct{ K, N int }
	var out struct {
		Text  string
		Lower float64    `json:"one_sided_lower_95"`
		Both  [2]float64 `json:"two_sided_95"`
	}
	v.read(t, &in, &out)
	lower, _, err := stat.Proportion(in.K, in.N, stat.P95, stat.OneSided)
	noError(t, "one-sided", err)
	lo, hi, err := stat.Proportion(in.K, in.N, stat.P95, stat.TwoSided)
	noError(t, "two-sided", err)
	equal(t, "text", fmt.Sprintf("%d/%d", in.K, in.N), out.Text)
	v.near(t, "one-sided lower bound", lower, out.Lower)
	v.near(t, "lower bound", lo, out.Both[0])
	v.near(t, "upper bound", hi, out.Both[1])
}

func combinePercentiles(t *testing.T, v vector) {
	var in struct {
		Runs [][]float64
		P    string
	}
	var out struct {
		PerRun []float64 `json:"per_run"`
		Pooled float64
		Median float64    `json:"median_of_runs"`
		Range  [2]float64 `json:"range"`
		Wrong  float64    `json:"mean_of_runs_is_wrong"`
	}
	v.read(t, &in, &out)
	p := parseP(t, in.P)
	equal(t, "number of runs", len(in.Runs), len(out.PerRun))
	var each []float64
	for i, run := range in.Runs {
		q, err := stat.Quantiles(slices.Clone(run), p)
		noError(t, "run", err)
		v.near(t, index("run", i), q[0], out.PerRun[i])
		each = append(each, q[0])
	}
	pooled, err := stat.Quantiles(slices.Concat(in.Runs...), p)
	noError(t, "pooled", err)
	s, err := stat.Summarize(each)
	noError(t, "runs", err)
	v.near(t, "pooled", pooled[0], out.Pooled)
	v.near(t, "median of runs", s.Median, out.Median)
	v.near(t, "least of runs", s.Min, out.Range[0])
	v.near(t, "greatest of runs", s.Max, out.Range[1])
	if pooled[0] == out.Wrong {
		t.Errorf("the pooled quantile is the mean of the runs' quantiles, %v", out.Wrong)
	}
}

func hdr(t *testing.T, v vector) {
	switch {
	case has(v.In, "p"):
		hdrRank(t, v)
	case has(v.Out, "low"):
		hdrEquivalent(t, v)
	default:
		hdrPercentiles(t, v)
	}
}

type hdrInput struct {
	Lowest, Highest int64
	Sig             int
	Values          []int64
}

func (in hdrInput) resolution() stat.Resolution {
	return stat.Resolution{Lowest: in.Lowest, Highest: in.Highest, Digits: in.Sig}
}

func record(t *testing.T, r stat.Resolution, values []int64) *stat.Histogram {
	t.Helper()
	h, err := stat.NewHistogram(r)
	noError(t, "histogram", err)
	for _, x := range values {
		noError(t, "record", h.Record(x, 1))
	}
	return h
}

func hdrEquivalent(t *testing.T, v vector) {
	var in hdrInput
	var out struct{ Low, High, Width []int64 }
	v.read(t, &in, &out)
	if n := len(in.Values); len(out.Low) != n || len(out.High) != n || len(out.Width) != n {
		t.Fatalf("%d values, %d, %d, %d answers", n, len(out.Low), len(out.High), len(out.Width))
	}
	for i, x := range in.Values {
		e := in.resolution().Equivalent(x)
		equal(t, index("low", i), e.Low, out.Low[i])
		equal(t, index("high", i), e.High, out.High[i])
		equal(t, index("width", i), e.Width(), out.Width[i])
	}
}

func hdrPercentiles(t *testing.T, v vector) {
	var in hdrInput
	var out map[string]struct{ Exact, HDR int64 }
	v.read(t, &in, &out)
	h := record(t, in.resolution(), in.Values)
	sorted := slices.Sorted(slices.Values(in.Values))
	for percent, want := range out {
		p := parseP(t, percent+"%")
		exact, err := stat.Quantile(sorted, p)
		noError(t, percent, err)
		q, err := h.Quantile(p)
		noError(t, percent, err)
		equal(t, percent+" exact", exact, want.Exact)
		equal(t, percent+" of the histogram", q.High, want.HDR)
	}
}

// hdrRank is the rank of a histogram: the ceiling, not the half-up rounding
// that some implementations use and that the vector names beside it.
func hdrRank(t *testing.T, v vector) {
	var in struct {
		Values []int64
		P      string
	}
	var out struct {
		Ceil   int64
		HalfUp int64 `json:"half_up"`
	}
	v.read(t, &in, &out)
	q, err := record(t, stat.Resolution{Lowest: 1, Highest: 1 << 40, Digits: 3}, in.Values).Quantile(parseP(t, in.P+"%"))
	noError(t, "quantile", err)
	equal(t, "quantile", q.High, out.Ceil)
}

func windows(t *testing.T, v vector) {
	type event [2]int64 // start, latency
	if has(v.In, "t_us") {
		var in struct {
			Events []event `json:"events_start_us_latency_us"`
			T      []int64 `json:"t_us"`
		}
		var out struct {
			InFlight []int `json:"in_flight"`
		}
		v.read(t, &in, &out)
		var start, end []int64
		for _, e := range in.Events {
			start, end = append(start, e[0]), append(end, e[0]+e[1])
		}
		if got := stat.InFlight(start, end, in.T); !slices.Equal(got, out.InFlight) {
			t.Errorf("in flight %v, want %v", got, out.InFlight)
		}
		return
	}
	var in struct {
		Events []event `json:"events_start_us_latency_us"`
		Width  int64   `json:"width_us"`
		Key    string
	}
	var out struct{ Counts map[int64]int }
	v.read(t, &in, &out)
	counts := map[int64]int{}
	for _, e := range in.Events {
		at := e[0]
		switch in.Key {
		case "start":
		case "end":
			at += e[1]
		default:
			t.Fatalf("key %q: want start or end", in.Key)
		}
		counts[stat.BucketIndex(at, 0, in.Width)]++
	}
	if !maps.Equal(counts, out.Counts) {
		t.Errorf("counts %v, want %v", counts, out.Counts)
	}
}

func driftThirds(t *testing.T, v vector) {
	var in struct {
		Duration int64      `json:"duration_us"`
		Samples  [][2]int64 `json:"start_us_latency_us"`
		Limit    float64
	}
	var out struct {
		N       [3]int
		P99     [3]int64 `json:"p99_us"`
		Ratio   float64
		Verdict string
	}
	v.read(t, &in, &out)
	var start, latency []int64
	for _, s := range in.Samples {
		start, latency = append(start, s[0]), append(latency, s[1])
	}
	thirds, err := stat.SplitThirds(start, latency, 0, in.Duration, stat.P99)
	noError(t, "thirds", err)
	equal(t, "samples", thirds.N, out.N)
	equal(t, "p99", thirds.Quantile, out.P99)
	ratio, ok := thirds.Ratio()
	equal(t, "there is a ratio", ok, true)
	v.near(t, "ratio", ratio, out.Ratio)
	side, _ := thirds.Side(in.Limit)
	words := map[stat.Side]string{stat.Above: "drift", stat.Within: "no drift", stat.Below: "unsettled"}
	equal(t, "verdict", words[side], out.Verdict)
}
