package conformance

import (
	"math"
	"slices"
	"testing"

	"headroom/stat"
)

type coefficients struct{ Gamma, Alpha, Beta float64 }

// usl answers the self-made and the published sweeps.
func usl(t *testing.T, v vector) {
	var in struct{ N, X []float64 }
	var out struct {
		coefficients
		RSS    float64
		Linear coefficients `json:"linear_start"`
		NPeak  *float64     `json:"n_peak"`
		XPeak  *float64     `json:"x_peak"`
		Limit  *float64     `json:"x_limit_amdahl"`
		R2     float64
		SE     *coefficients
		CI     *struct{ Gamma, Alpha, Beta [2]float64 } `json:"ci95"`
	}
	v.read(t, &in, &out)
	got, err := stat.FitUSL(in.N, in.X)
	noError(t, "fit", err)
	rel, abs := v.tol("coef_rel"), v.tol("beta_abs")
	near := func(what string, got, want float64) {
		t.Helper()
		v.within(t, what, got, want, rel*math.Abs(want)+abs)
	}
	near("gamma", got.Gamma, out.Gamma)
	near("alpha", got.Alpha, out.Alpha)
	v.within(t, "beta", got.Beta, out.Beta, abs)
	near("gamma of the start", got.Start.Gamma, out.Linear.Gamma)
	near("alpha of the start", got.Start.Alpha, out.Linear.Alpha)
	near("beta of the start", got.Start.Beta, out.Linear.Beta)
	near("R²", got.R2, out.R2)
	// An exact fit leaves rounding errors of the throughputs.
	v.within(t, "rss", got.RSS, out.RSS, v.tol("rss_rel")*out.RSS+1e-15*squares(in.X))

	n, x, ok := got.ModelPeak()
	equal(t, "there is a peak", ok, out.NPeak != nil)
	if ok && out.NPeak != nil {
		near("n of the peak", n, *out.NPeak)
		near("x of the peak", x, *out.XPeak)
	}
	limit, ok := got.Asymptote()
	equal(t, "there is a limit", ok, out.Limit != nil)
	if ok && out.Limit != nil {
		near("limit", limit, *out.Limit)
	}
	if out.SE == nil {
		return
	}
	if got.SE == nil || got.Intervals == nil {
		t.Fatal("no standard errors")
	}
	se := v.tol("se_rel")
	v.within(t, "se of gamma", got.SE.Gamma, out.SE.Gamma, se*out.SE.Gamma)
	v.within(t, "se of alpha", got.SE.Alpha, out.SE.Alpha, se*out.SE.Alpha)
	v.within(t, "se of beta", got.SE.Beta, out.SE.Beta, se*out.SE.Beta)
	for _, c := range []struct {
		what string
		got  stat.Bounds
		want [2]float64
	}{{"gamma", got.Intervals.Gamma, out.CI.Gamma}, {"alpha", got.Intervals.Alpha, out.CI.Alpha}, {"beta", got.Intervals.Beta, out.CI.Beta}} {
		width := c.want[1] - c.want[0]
		v.within(t, "low end of "+c.what, c.got.Lo, c.want[0], se*width)
		v.within(t, "high end of "+c.what, c.got.Hi, c.want[1], se*width)
	}
}

func squares(x []float64) (sum float64) {
	for _, v := range x {
		sum += v * v
	}
	return sum
}

func kneedle(t *testing.T, v vector) {
	var in struct {
		X, Y             []float64
		Curve, Direction string
		S                float64
		Online           bool
	}
	var out struct {
		Knee *float64
		All  []float64 `json:"all_knees"`
	}
	v.read(t, &in, &out)
	got, err := stat.Kneedle(in.X, in.Y, stat.Curve{
		Convex: in.Curve == "convex", Decreasing: in.Direction == "decreasing", Sensitivity: in.S, Online: in.Online,
	})
	noError(t, "kneedle", err)
	equal(t, "there is a knee", got.Knee != nil, out.Knee != nil)
	if got.Knee != nil && out.Knee != nil {
		v.near(t, "knee", *got.Knee, *out.Knee)
	}
	if !slices.Equal(got.All, out.All) {
		t.Errorf("all knees %v, want %v", got.All, out.All)
	}
}

func littlesLaw(t *testing.T, v vector) {
	if has(v.In, "duration_us") {
		meanInFlight(t, v)
		return
	}
	var in struct {
		Workers float64
		Events  float64 `json:"events_per_s"`
		Batch   float64
		P50     *float64 `json:"p50_ms"`
		P99     *float64 `json:"p99_ms"`
		Mean    *float64 `json:"mean_ms"`
	}
	var out struct {
		Requests float64  `json:"requests_per_s"`
		Implied  float64  `json:"implied_mean_ms"`
		Busy     *float64 `json:"busy_ratio"`
		Verdict  string
	}
	v.read(t, &in, &out)
	seconds := func(ms *float64) *float64 {
		if ms == nil {
			return nil
		}
		s := *ms / 1000
		return &s
	}
	requests := in.Events / in.Batch
	got, err := stat.CheckOccupancy(stat.ClosedLoop{
		Workers: in.Workers, RequestsPerS: requests, Mean: seconds(in.Mean), P50: seconds(in.P50), P99: seconds(in.P99),
	})
	noError(t, "occupancy", err)
	v.near(t, "requests", requests, out.Requests)
	v.near(t, "implied mean", 1000*got.ImpliedMean, out.Implied)
	equal(t, "there is a busy ratio", got.BusyRatio != nil, out.Busy != nil)
	if got.BusyRatio != nil && out.Busy != nil {
		v.near(t, "busy ratio", *got.BusyRatio, *out.Busy)
	}
	equal(t, "verdict", string(got.Verdict), out.Verdict)
}

func meanInFlight(t *testing.T, v vector) {
	var in struct {
		Events   [][2]int64 `json:"events_start_us_latency_us"`
		Duration int64      `json:"duration_us"`
	}
	var out struct {
		InFlight float64 `json:"mean_in_flight"`
		Lambda   float64 `json:"lambda_times_mean"`
	}
	v.read(t, &in, &out)
	var start, end []int64
	var sum float64
	for _, e := range in.Events {
		start, end = append(start, e[0]), append(end, e[0]+e[1])
		sum += float64(e[1])
	}
	got, err := stat.MeanInFlight(start, end, 0, in.Duration)
	noError(t, "in flight", err)
	v.near(t, "mean in flight", got, out.InFlight)
	n, seconds := float64(len(in.Events)), float64(in.Duration)/1e6
	v.near(t, "rate times mean", n/seconds*(sum/n)/1e6, out.Lambda)
}
