package conformance

import (
	"math"
	"slices"
	"testing"

	"headroom/stat"
)

func linearCost(t *testing.T, v vector) {
	var in struct{ X, Y []float64 }
	var out struct {
		Slope, Intercept, R2 float64
		Origin               float64     `json:"slope_through_origin"`
		TheilSen             float64     `json:"theil_sen_slope"`
		TheilSenIntercept    float64     `json:"theil_sen_intercept"`
		Ratio                []float64   `json:"ratio_y_over_x"`
		Residuals            []float64   `json:"residuals"`
		SE                   *float64    `json:"slope_se"`
		SlopeCI              *[2]float64 `json:"slope_ci95"`
		InterceptCI          *[2]float64 `json:"intercept_ci95"`
	}
	v.read(t, &in, &out)
	got, err := stat.FitLine(in.X, in.Y)
	noError(t, "line", err)
	robust, err := stat.FitTheilSen(in.X, in.Y, stat.P95)
	noError(t, "robust line", err)
	v.near(t, "slope", got.Slope, out.Slope)
	v.near(t, "intercept", got.Intercept, out.Intercept)
	v.near(t, "R²", got.R2, out.R2)
	v.near(t, "slope through the origin", got.ThroughOrigin, out.Origin)
	v.near(t, "Theil-Sen slope", robust.Slope, out.TheilSen)
	v.near(t, "Theil-Sen intercept", robust.Centre, out.TheilSenIntercept)
	equal(t, "residuals", len(got.Residuals), len(out.Residuals))
	for i, r := range out.Residuals {
		v.near(t, index("average cost", i), in.Y[i]/in.X[i], out.Ratio[i])
		v.within(t, index("residual", i), got.Residuals[i], r, v.tol("rel")*math.Abs(in.Y[i])) // a difference of two y
	}
	equal(t, "there is a standard error", !math.IsNaN(got.SlopeSE), out.SE != nil)
	if out.SE != nil {
		v.near(t, "standard error", got.SlopeSE, *out.SE)
	}
	v.bounds(t, "slope", got.SlopeBounds, out.SlopeCI)
	v.bounds(t, "intercept", got.InterceptBounds, out.InterceptCI)
}

func counters(t *testing.T, v vector) {
	var in struct {
		Readings []float64
		Modulus  *float64 `json:"wrap_modulus"`
		Events   *float64
	}
	var out struct {
		Delta    *float64
		Resets   int
		PerEvent *float64 `json:"per_event"`
		Note     string
	}
	v.read(t, &in, &out)
	modulus := 0.0
	if in.Modulus != nil {
		modulus = *in.Modulus
	}
	got, ok, err := stat.CounterGrowth(in.Readings, modulus)
	noError(t, "growth", err)
	equal(t, "there is a delta", ok, out.Delta != nil)
	if ok && out.Delta != nil {
		v.near(t, "delta", got.Amount, *out.Delta)
	}
	equal(t, "resets", got.Resets, out.Resets)
	equal(t, "note", got.Note(), out.Note)
	if out.PerEvent != nil {
		v.near(t, "per event", got.Amount / *in.Events, *out.PerEvent)
	}
}

func ddsketch(t *testing.T, v vector) {
	var in struct {
		Alpha  float64
		Values []float64
	}
	var out struct {
		Gamma          float64
		Index          []int
		Representative []float64
		MaxRelErr      float64 `json:"max_rel_err"`
	}
	v.read(t, &in, &out)
	b, err := stat.NewLogBuckets(in.Alpha)
	noError(t, "buckets", err)
	v.near(t, "gamma", b.Gamma, out.Gamma)
	worst := 0.0
	for i, x := range in.Values {
		k := b.Index(x)
		equal(t, index("index", i), k, out.Index[i])
		v.near(t, index("representative", i), b.Value(k), out.Representative[i])
		worst = math.Max(worst, math.Abs(b.Value(k)-x)/x)
	}
	v.near(t, "largest error", worst, out.MaxRelErr)
}

func coordinatedOmission(t *testing.T, v vector) {
	if has(v.In, "rows_sched_start_latency_us") {
		againstSchedule(t, v)
		return
	}
	var in struct {
		Values   [][2]int64 `json:"values_us_rle"`
		Interval int64      `json:"expected_interval_us"`
	}
	var out struct {
		Raw       int              `json:"n_raw"`
		Corrected int              `json:"n_corrected"`
		RawQ      map[string]int64 `json:"raw"`
		CorrQ     map[string]int64 `json:"corrected"`
		SumAdded  int64            `json:"sum_added"`
	}
	v.read(t, &in, &out)
	var values []int64
	for _, r := range in.Values {
		values = append(values, slices.Repeat([]int64{r[0]}, int(r[1]))...)
	}
	got, err := stat.WithExpectedInterval(values, in.Interval)
	noError(t, "correction", err)
	equal(t, "raw values", len(values), out.Raw)
	equal(t, "corrected values", len(got), out.Corrected)
	equal(t, "sum added", sum(got)-sum(values), out.SumAdded)
	exactQuantiles(t, "raw", values, out.RawQ)
	exactQuantiles(t, "corrected", got, out.CorrQ)
}

func againstSchedule(t *testing.T, v vector) {
	var in struct {
		Rows [][3]int64 `json:"rows_sched_start_latency_us"`
	}
	var out struct {
		Service, Response, Lag map[string]int64
		Late                   float64 `json:"late_share_over_1_interval"`
	}
	v.read(t, &in, &out)
	var planned, started, service []int64
	for _, r := range in.Rows {
		planned, started, service = append(planned, r[0]), append(started, r[1]), append(service, r[2])
	}
	got, err := stat.AgainstSchedule(planned, started, service)
	noError(t, "schedule", err)
	exactQuantiles(t, "service", got.Service, out.Service)
	exactQuantiles(t, "response", got.Response, out.Response)
	exactQuantiles(t, "lag", got.Lag, out.Lag)
	late, ok := stat.ShareAbove(got.Lag, planned[1]-planned[0])
	equal(t, "there is a share", ok, true)
	v.near(t, "late share", late, out.Late)
}

func exactQuantiles(t *testing.T, what string, values []int64, want map[string]int64) {
	t.Helper()
	sorted := slices.Sorted(slices.Values(values))
	for text, x := range want {
		q, err := stat.Quantile(sorted, parseP(t, text))
		noError(t, what, err)
		equal(t, what+" "+text, q, x)
	}
}

func sum(x []int64) (s int64) {
	for _, v := range x {
		s += v
	}
	return s
}

func queue(t *testing.T, v vector) {
	switch {
	case has(v.In, "burst"):
		tokenBucket(t, v)
	case has(v.In, "service_rate"):
		fluidQueue(t, v)
	case has(v.In, "cap"):
		prune(t, v)
	default:
		waits(t, v)
	}
}

func tokenBucket(t *testing.T, v vector) {
	var in struct {
		Sources int
		Offered float64 `json:"offered_per_source_s"`
		Burst   float64
		Refill  float64 `json:"refill_s"`
		Seconds float64
	}
	var out struct {
		Passed, Refused float64
		Mean            float64  `json:"mean_passed_per_s"`
		EmptyAt         *float64 `json:"bucket_empty_at_s"`
		Before          float64  `json:"rate_before"`
		After           float64  `json:"rate_after"`
	}
	v.read(t, &in, &out)
	got, err := stat.TokenBucket{Burst: in.Burst, Refill: in.Refill}.Limit(in.Sources, in.Offered, in.Seconds)
	noError(t, "limit", err)
	v.near(t, "passed", got.Passed, out.Passed)
	v.near(t, "refused", got.Refused, out.Refused)
	v.near(t, "mean", got.Passed/in.Seconds, out.Mean)
	v.near(t, "before", got.Before, out.Before)
	v.near(t, "after", got.After, out.After)
	equal(t, "the buckets run dry", got.EmptyAt != nil, out.EmptyAt != nil)
	if got.EmptyAt != nil && out.EmptyAt != nil {
		v.near(t, "dry at", *got.EmptyAt, *out.EmptyAt)
	}
}

func fluidQueue(t *testing.T, v vector) {
	var in struct {
		Phases  [][2]float64 `json:"arrival_phases_rate_seconds"`
		Service float64      `json:"service_rate"`
	}
	var out struct {
		Peak        float64 `json:"peak_depth"`
		End         float64 `json:"depth_at_end"`
		Drain       float64 `json:"drain_s"`
		Utilisation []float64
		KeepingUp   bool `json:"keeping_up"`
	}
	v.read(t, &in, &out)
	var phases []stat.Phase
	for _, p := range in.Phases {
		phases = append(phases, stat.Phase{Rate: p[0], Seconds: p[1]})
	}
	got, err := stat.Fluid(phases, in.Service)
	noError(t, "queue", err)
	v.near(t, "peak", got.Peak, out.Peak)
	v.near(t, "end", got.End, out.End)
	v.near(t, "drain", got.Drain, out.Drain)
	equal(t, "keeping up", got.KeepsUp, out.KeepingUp)
	equal(t, "phases", len(got.Utilisation), len(out.Utilisation))
	for i, u := range out.Utilisation {
		v.near(t, index("utilisation", i), got.Utilisation[i], u)
	}
}

func prune(t *testing.T, v vector) {
	var in struct {
		Removed  []int64 `json:"removed_per_pass"`
		Cap      int64
		Arrivals *float64 `json:"arrivals_per_pass"`
	}
	var out struct {
		AtCap   int `json:"at_cap"`
		Passes  int
		Verdict string
		Growth  *float64 `json:"backlog_growth_per_pass"`
	}
	v.read(t, &in, &out)
	got, err := stat.JudgePrune(in.Removed, in.Cap, in.Arrivals)
	noError(t, "prune", err)
	equal(t, "at the cap", got.AtCap, out.AtCap)
	equal(t, "passes", got.Passes, out.Passes)
	equal(t, "verdict", string(got.Verdict), out.Verdict)
	equal(t, "there is a growth", got.Growth != nil, out.Growth != nil)
	if got.Growth != nil && out.Growth != nil {
		v.near(t, "growth", *got.Growth, *out.Growth)
	}
}

func waits(t *testing.T, v vector) {
	var in struct {
		Rows [][3]int64 `json:"enqueue_start_finish_us"`
	}
	var out struct {
		P50        int64 `json:"wait_p50"`
		P95        int64 `json:"wait_p95"`
		Max        int64 `json:"wait_max"`
		Peak       int   `json:"peak_waiting"`
		Drain      int64 `json:"drain_us"`
		Processing int64 `json:"processing_p50"`
	}
	v.read(t, &in, &out)
	var enqueued, started, wait, processing []int64
	for _, r := range in.Rows {
		enqueued, started = append(enqueued, r[0]), append(started, r[1])
		wait, processing = append(wait, r[1]-r[0]), append(processing, r[2]-r[1])
	}
	exactQuantiles(t, "wait", wait, map[string]int64{"0.5": out.P50, "0.95": out.P95, "1": out.Max})
	exactQuantiles(t, "processing", processing, map[string]int64{"0.5": out.Processing})
	equal(t, "peak waiting", stat.PeakWaiting(enqueued, started), out.Peak)
	drain, ok := stat.DrainTime(enqueued, started)
	equal(t, "there were jobs", ok, true)
	equal(t, "drain", drain, out.Drain)
}
