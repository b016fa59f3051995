package conformance

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

func request(startUS, latencyUS int64) detect.Request {
	return detect.Request{Start: startUS * 1000, Wait: runs.Missing, Service: latencyUS * 1000, Events: 1}
}

// trace reads start_us,latency_us rows, in order of start.
func (v vector) trace(t *testing.T, name string) *detect.Requests {
	t.Helper()
	f, err := os.Open(filepath.Join(v.Dir, name))
	noError(t, "trace", err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	noError(t, name, err)
	var requests []detect.Request
	for i, row := range rows[1:] {
		start, err1 := strconv.ParseInt(row[0], 10, 64)
		latency, err2 := strconv.ParseInt(row[1], 10, 64)
		if err1 != nil || err2 != nil {
			t.Fatalf("%s:%d: %v", name, i+2, row)
		}
		requests = append(requests, request(start, latency))
	}
	return detect.NewRequests("", false, requests...)
}

func freezeSeconds(t *testing.T, v vector) {
	var in struct {
		Seconds [][][2]int64 `json:"seconds_rle_count_latency_us"`
		Basis   string
		CSV     string
	}
	rule := detect.PublishedFreeze
	if has(v.In, "csv") {
		freezeTrace(t, v, rule)
		return
	}
	var out struct {
		Seconds  []int64 `json:"freeze_seconds"`
		Count    int
		Episodes [][2]int64
		Thin     []int64 `json:"thin_seconds"`
	}
	v.read(t, &in, &out)
	var requests []detect.Request
	for k, runs := range in.Seconds {
		for _, run := range runs {
			for range run[0] {
				requests = append(requests, request(int64(k)*1e6, run[1]))
			}
		}
	}
	r := detect.NewRequests("", false, requests...)
	got := rule.Frozen(r, 0, detect.ByStart)
	all := append(slices.Clone(got.Seconds), got.Thin...)
	slices.Sort(all)
	equal(t, "freeze_seconds", fmt.Sprint(all), fmt.Sprint(out.Seconds))
	equal(t, "count", len(all), out.Count)
	equal(t, "thin_seconds", fmt.Sprint(got.Thin), fmt.Sprint(out.Thin))
	equal(t, "episodes", fmt.Sprint(detect.Adjacent(all)), fmt.Sprint(out.Episodes))
}

func freezeTrace(t *testing.T, v vector, rule detect.FreezeRule) {
	var in struct{ CSV string }
	var out struct {
		ByStart       []int64        `json:"by_start"`
		ByEnd         []int64        `json:"by_end"`
		Episodes      [][2]int64     `json:"episodes_by_start"`
		Phases        map[string]int `json:"phase_counts_by_start"`
		PhaseEpisodes map[string]int `json:"phase_episode_counts"`
		AnyPhase      bool           `json:"any_phase"`
		Expected      float64        `json:"expected_count_over_phase"`
	}
	v.read(t, &in, &out)
	r := v.trace(t, in.CSV)
	grid := rule.Frozen(r, 0, detect.ByStart)
	equal(t, "by_start", fmt.Sprint(grid.Seconds), fmt.Sprint(out.ByStart))
	equal(t, "episodes", fmt.Sprint(grid.Episodes), fmt.Sprint(out.Episodes))
	equal(t, "by_end", fmt.Sprint(rule.Frozen(r, 0, detect.ByEnd).Seconds), fmt.Sprint(out.ByEnd))
	for phase, want := range out.Phases {
		ms, err := strconv.ParseInt(phase, 10, 64)
		noError(t, "phase", err)
		moved := rule.Frozen(r, (ms-1000)*1e6, detect.ByStart)
		equal(t, "count at phase "+phase, len(moved.Seconds), want)
		equal(t, "episodes at phase "+phase, len(moved.Episodes), out.PhaseEpisodes[phase])
	}
	sweep := rule.Sweep(r, 0)
	equal(t, "any_phase", len(sweep.Episodes) > 0, out.AnyPhase)
	v.within(t, "expected count", sweep.Expected, out.Expected, v.tol("expected_count_over_phase_abs"))
}

func tenSecondRule(t *testing.T, v vector) {
	rule := detect.PublishedWindow
	if has(v.In, "csv") {
		tenSecondTrace(t, v, rule)
		return
	}
	var in struct {
		P99 []*float64 `json:"bucket_p99_ms"`
	}
	var out struct {
		Median  float64
		Windows [][2]int64
		Worst   float64
	}
	v.read(t, &in, &out)
	var p99 []int64
	for _, ms := range in.P99 {
		if ms == nil {
			p99 = append(p99, detect.Empty)
			continue
		}
		p99 = append(p99, int64(math.Round(*ms*1e6)))
	}
	got := rule.Slow(p99)
	v.near(t, "median", got.Median()/1e6, out.Median)
	v.near(t, "worst", float64(got.Worst)/1e6, out.Worst)
	equal(t, "windows", fmt.Sprint(got.Windows), fmt.Sprint(out.Windows))
}

func tenSecondTrace(t *testing.T, v vector, rule detect.WindowRule) {
	var in struct {
		CSV      string
		Duration int64 `json:"duration_s"`
		Basis    string
		Phases   []int64 `json:"phases_s"`
	}
	var out struct {
		ByPhase map[string]struct {
			Median  float64
			Windows [][2]int64
		} `json:"by_phase"`
		Flagged int `json:"phases_flagged"`
		Phases  int
		Verdict string
	}
	v.read(t, &in, &out)
	r := v.trace(t, in.CSV)
	span := detect.Span{End: in.Duration * 1e9}
	for phase, want := range out.ByPhase {
		s, err := strconv.ParseInt(phase, 10, 64)
		noError(t, "phase", err)
		got := rule.Slow(detect.Buckets(r, detect.Span{Start: s * 1e9, End: span.End}, rule.Width))
		v.near(t, "median at phase "+phase, got.Median()/1e6, want.Median)
		equal(t, "windows at phase "+phase, fmt.Sprint(got.Windows), fmt.Sprint(want.Windows))
	}
	seen := rule.Phases(r, span, out.Phases)
	equal(t, "phases flagged", seen, out.Flagged)
	verdict := "phase-sensitive"
	switch seen {
	case 0:
		verdict = "no window"
	case out.Phases:
		verdict = "window"
	}
	equal(t, "verdict", verdict, out.Verdict)
}

func cadence(t *testing.T, v vector) {
	if has(v.In, "period_s") {
		lombScargle(t, v)
		return
	}
	var in struct {
		Onsets []float64 `json:"onsets_s"`
		Dead   float64   `json:"dead_time_s"`
		Alpha  float64
	}
	var out struct {
		Events    int        `json:"n_events"`
		Gaps      int        `json:"gaps"`
		Median    *float64   `json:"median_gap"`
		IQR       [2]float64 `json:"iqr"`
		Greenwood float64
		PGreen    float64 `json:"p_greenwood"`
		OnBeat    float64 `json:"on_beat"`
		PBeat     float64 `json:"p_on_beat"`
		Verdict   string
	}
	v.read(t, &in, &out)
	got := detect.TestRhythm(in.Onsets, in.Dead)
	verdict := "no rhythm shown"
	switch {
	case !got.Tested:
		verdict = "too few to test"
	case got.Rhythmic:
		verdict = "rhythmic"
	}
	equal(t, "verdict", verdict, out.Verdict)
	equal(t, "events", got.Events, out.Events)
	if out.Median != nil {
		v.within(t, "median gap", got.MedianGap, *out.Median, 1e-9**out.Median)
	}
	if !got.Tested {
		return
	}
	v.within(t, "lower quartile", got.Quartiles[0], out.IQR[0], 1e-9*out.IQR[0])
	v.within(t, "upper quartile", got.Quartiles[1], out.IQR[1], 1e-9*out.IQR[1])
	v.within(t, "greenwood", got.Greenwood, out.Greenwood, 1e-9)
	v.within(t, "on beat", got.OnBeat, out.OnBeat, 1e-9)
	for _, p := range [][2]float64{{got.PGreen, out.PGreen}, {got.PBeat, out.PBeat}} {
		tol := 0.02
		if p[1] < 0.05 {
			tol = 0.004
		}
		v.within(t, "p", p[0], p[1], tol)
	}
}

func knee(t *testing.T, v vector) {
	type step struct {
		N, Tput float64
		P99     float64 `json:"p99_ms"`
		Errors  int64
	}
	var in struct {
		Steps []step
		Limit float64 `json:"limit_ms"`
	}
	var out struct {
		Knee      *float64 `json:"knee_n"`
		Sustained *struct {
			N, Tput float64
			P99     float64 `json:"p99_ms"`
		}
		LastBelow  *float64 `json:"last_below_knee_n"`
		Past       bool     `json:"step_past_knee"`
		Elasticity []float64
		Statement  string
	}
	v.read(t, &in, &out)
	var steps []analyze.SweepStep
	for _, s := range in.Steps {
		p99 := s.P99 / 1000
		steps = append(steps, analyze.SweepStep{N: s.N, Throughput: &s.Tput, P99: &p99, Errors: s.Errors})
	}
	got := analyze.FindKnee(steps, in.Limit/1000)
	at := func(what string, i int, want *float64) {
		switch {
		case (i < 0) != (want == nil):
			t.Errorf("%s: step %d, want %v", what, i, want)
		case i >= 0:
			equal(t, what, got.Steps[i].N, *want)
		}
	}
	at("knee", got.Knee, out.Knee)
	at("last below", got.LastBelow, out.LastBelow)
	if out.Sustained == nil {
		at("sustained", got.Sustained, nil)
	} else {
		at("sustained", got.Sustained, &out.Sustained.N)
		v.near(t, "sustained throughput", *got.Steps[got.Sustained].Throughput, out.Sustained.Tput)
		v.near(t, "sustained p99", *got.Steps[got.Sustained].P99*1000, out.Sustained.P99)
	}
	equal(t, "step past the knee", got.PastKnee, out.Past)
	equal(t, "elasticities", len(got.Elasticity), len(out.Elasticity))
	for i, e := range out.Elasticity {
		v.near(t, index("elasticity", i), got.Elasticity[i], e)
	}
	equal(t, "statement", got.Statement(), out.Statement)
}

func fleet(t *testing.T, v vector) {
	var in struct {
		Rate       float64 `json:"events_per_s"`
		PerHour    float64 `json:"events_per_endpoint_hour"`
		Endpoints  float64
		Sustained  []float64
		Concurrent float64
		Batch      float64
		Bytes      float64 `json:"bytes_per_event"`
	}
	var out struct {
		Endpoints, Printed, Floor float64
		Required                  float64 `json:"required_events_per_s"`
		Clears                    []bool
		Headroom                  []float64
		Bytes, GB, GiB            float64
	}
	v.read(t, &in, &out)
	switch {
	case has(v.In, "concurrent"):
		got := analyze.InFlightBytes(in.Concurrent, in.Batch, in.Bytes)
		v.near(t, "bytes", got, out.Bytes)
		v.near(t, "GB", got/1e9, out.GB)
		v.near(t, "GiB", got/(1<<30), out.GiB)
	case has(v.In, "sustained"):
		need := analyze.RequiredRate(in.Endpoints, in.PerHour)
		v.near(t, "required", need, out.Required)
		for i, s := range in.Sustained {
			equal(t, index("clears", i), analyze.Clears(s, need), out.Clears[i])
			v.near(t, index("headroom", i), s/need, out.Headroom[i])
		}
	default:
		got := analyze.Endpoints(in.Rate, in.PerHour)
		v.near(t, "endpoints", got, out.Endpoints)
		equal(t, "floor", analyze.WholeEndpoints(got), out.Floor)
		equal(t, "printed", analyze.RoundedEndpoints(got, analyze.Nearest), out.Printed)
	}
}

func repeats(t *testing.T, v vector) {
	var in struct {
		Repeats []struct {
			Pass     int
			P50, P99 float64
			Worst10  *float64
		}
	}
	type sum struct{ Median, Min, Max float64 }
	var out struct {
		Text     string
		Held     bool
		P50, P99 *sum
		Worst    *float64 `json:"worst_10s_p99"`
	}
	v.read(t, &in, &out)
	var rs []analyze.Repeat
	for _, r := range in.Repeats {
		one := analyze.Repeat{Outcome: analyze.Fail, Values: map[string]float64{"p50": r.P50, "p99": r.P99}}
		if r.Pass == 1 {
			one.Outcome = analyze.Pass
		}
		if r.Worst10 != nil {
			one.Values["worst"] = *r.Worst10
		}
		rs = append(rs, one)
	}
	got := analyze.Summarize(rs, []string{"p50", "p99", "worst"})
	equal(t, "text", got.String(), out.Text)
	equal(t, "held", got.Held(), out.Held)
	for id, want := range map[string]*sum{"p50": out.P50, "p99": out.P99} {
		s, ok := got.Over[id]
		equal(t, id+" given", ok, want != nil)
		if want != nil {
			v.near(t, id+" median", s.Median, want.Median)
			v.near(t, id+" min", s.Min, want.Min)
			v.near(t, id+" max", s.Max, want.Max)
		}
	}
	worst, ok := got.Over["worst"]
	equal(t, "worst given", ok, out.Worst != nil)
	if out.Worst != nil {
		v.near(t, "worst", worst.Max, *out.Worst)
	}
}

func contention(t *testing.T, v vector) {
	var in struct {
		Cores    float64
		Load     *float64 `json:"load1"`
		Foreign  *float64 `json:"foreign_pct"`
		Steal    *float64 `json:"steal_pct"`
		Pressure *float64 `json:"psi_cpu_some_pct"`
		Own      *float64 `json:"own_cpu_pct"`
	}
	var out struct {
		Label   string
		Reasons []string
	}
	v.read(t, &in, &out)
	percent := func(p *float64) *float64 {
		if p == nil {
			return nil
		}
		v := *p / 100
		return &v
	}
	c := analyze.Contention{Cores: in.Cores, Load: in.Load, Foreign: percent(in.Foreign), Steal: percent(in.Steal), Pressure: percent(in.Pressure), Own: percent(in.Own)}
	label, _ := c.Label()
	want := map[string]analyze.Bound{"floor": analyze.Floor, "capacity": analyze.CapacityBound, "unlabelled": analyze.NoBound}[out.Label]
	equal(t, "label", label, want)
}

// gates writes a run with the figures of the case, measures it, and compares
// which gates did not pass.
func gates(t *testing.T, v vector) {
	var in struct {
		Thresholds bool `json:"thresholds_ok"`
		Dropped    int
		Failed     int
		Rows       int64    `json:"rows_written"`
		Claimed    int64    `json:"events_claimed"`
		Sent       float64  `json:"sum_sent"`
		Gained     float64  `json:"sum_gained"`
		Samples    int      `json:"samples"`
		Drift      *float64 `json:"drift_ratio"`
		Limit      float64  `json:"drift_limit"`
	}
	var out struct {
		Passed bool
		Failed []string `json:"failed_gates"`
		Ladder bool     `json:"ladder_passed"`
	}
	v.read(t, &in, &out)
	w, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.CreateOptions{ID: "r"})
	noError(t, "create", err)
	defer w.Abort()
	const second = int64(1e6)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	write := func(at int64, outcome runs.Outcome, service int64) {
		s := runs.NewSample()
		s.Start, s.Scenario, s.Outcome, s.Service = start+at, "default", outcome, service
		noError(t, "sample", w.Sample(&s))
	}
	for i := range in.Samples {
		at, service := int64(i)*600*second/int64(in.Samples), int64(100e6)
		switch {
		case in.Drift == nil:
			at %= 200 * second // nothing in the last third: no ratio
		case at >= 400*second:
			service = int64(math.Round(*in.Drift * 100e6))
		}
		write(at, runs.OK, service)
	}
	for i := int64(0); in.Drift == nil && i < 600; i++ {
		write(i*second, runs.Rejected, 1e6) // the load goes on
	}
	for range in.Failed {
		write(0, runs.Failed, 1e6)
	}
	for range in.Dropped {
		write(0, runs.Dropped, runs.Missing)
	}
	exit := 0
	if !in.Thresholds {
		exit = 99
	}
	m := w.Manifest()
	m.Window = &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:10:00Z", Declared: true}
	m.Load.DropsKnown = true
	m.ExitStatus = &exit
	m.Thresholds = []runs.Threshold{{Metric: "m", Expr: "p(99)<500", Crossed: !in.Thresholds, Samples: 1}}
	m.Claims = map[string]string{"events_sent": fmt.Sprint(in.Claimed), "sum_sent": fmt.Sprint(in.Sent)}
	m.Before = &runs.Counts{Values: map[string]string{"rows": "0", "sum": "0"}}
	m.After = &runs.Counts{Values: map[string]string{"rows": fmt.Sprint(in.Rows), "sum": fmt.Sprint(in.Gained)}}
	m.Reconcile = map[string]string{"rows": "events_sent", "sum": "sum_sent"}
	run, err := w.Commit()
	noError(t, "commit", err)
	got, err := analyze.Measure(context.Background(), run, analyze.Protocol{DriftLimit: in.Limit})
	noError(t, "measure", err)

	// The drift gate asks for 300 samples in a third, which the vector does not.
	var bad []string
	ladder := true
	for _, g := range []struct {
		gate, name string
		rung       bool
	}{{"thresholds", "thresholds", false}, {"dropped", "dropped", true}, {"failed", "failed", false}, {"reconciled.rows", "rows", true},
		{"reconciled.sum", "sum", true}, {"samples", "samples", false}, {"drift", "drift", false}} {
		outcome := analyze.Outcome("")
		for _, verdict := range got.Result.Verdicts {
			if verdict.Gate == g.gate {
				outcome = verdict.Outcome
			}
		}
		if g.gate == "drift" && in.Samples < 900 && in.Drift != nil && *in.Drift <= in.Limit {
			equal(t, "drift of few samples", outcome, analyze.Unknown)
			continue
		}
		if outcome != analyze.Pass {
			bad = append(bad, g.name)
			ladder = ladder && !g.rung
		}
	}
	equal(t, "failed gates", fmt.Sprint(bad), fmt.Sprint(out.Failed))
	equal(t, "passed", len(bad) == 0, out.Passed)
	equal(t, "rung", ladder, out.Ladder)
}
