package conformance

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"headroom/detect"
	"headroom/runs"
	"headroom/stat"
)

func attribution(t *testing.T, v vector) {
	var in struct {
		Onsets   []float64 `json:"freeze_onsets_s"`
		Evidence []float64 `json:"evidence_s"`
		Lo       float64   `json:"lag_lo_s"`
		Hi       float64   `json:"lag_hi_s"`
		Duration int64     `json:"duration_s"`
		Step     float64   `json:"shift_step_s"`
		Guard    float64   `json:"control_guard_s"`
	}
	var out struct {
		Freezes, Hits int
		Controls      int     `json:"control_windows"`
		ControlHits   int     `json:"control_hits"`
		Events        int     `json:"evidence_events"`
		Followed      int     `json:"evidence_followed"`
		Likelihood    float64 `json:"likelihood_ratio"`
		ShiftP        float64 `json:"shift_p"`
	}
	v.read(t, &in, &out)
	if in.Step != 1 || in.Guard != 5 {
		t.Fatalf("a shift of %v s and a guard of %v s: the rule has 1 and 5", in.Step, in.Guard)
	}
	ns := func(s float64) int64 { return int64(math.Round(s * 1e9)) }
	instants := func(ss []float64) []detect.Span {
		var out []detect.Span
		for _, s := range ss {
			out = append(out, detect.Span{Start: ns(s), End: ns(s)})
		}
		return out
	}
	got := detect.ScoreEvidence(instants(in.Onsets), instants(in.Evidence), detect.Lag{Lo: ns(in.Lo), Hi: ns(in.Hi)}, detect.Span{End: in.Duration * 1e9})
	equal(t, "freezes", got.Episodes, out.Freezes)
	equal(t, "hits", got.Hits, out.Hits)
	equal(t, "control windows", got.Controls, out.Controls)
	equal(t, "control hits", got.ControlHits, out.ControlHits)
	equal(t, "evidence", got.Events, out.Events)
	equal(t, "evidence followed", got.Followed, out.Followed)
	v.near(t, "likelihood ratio", got.Likelihood, out.Likelihood)
	v.near(t, "shift p", got.ShiftP, out.ShiftP)
}

func fingerprint(t *testing.T, v vector) {
	var in struct {
		Run    float64 `json:"run_p50_ms"`
		Second float64 `json:"second_p50_ms"`
		Share  float64 `json:"affected_share"`
		Worst  float64 `json:"worst_ms"`
	}
	var out struct {
		Lift        float64 `json:"p50_lift"`
		Fingerprint string
	}
	v.read(t, &in, &out)
	ns := func(ms float64) int64 { return int64(math.Round(ms * 1e6)) }
	equal(t, "fingerprint", string(detect.FingerprintOf(in.Share, ns(in.Second), ns(in.Run))), out.Fingerprint)
	v.near(t, "lift", float64(ns(in.Second))/float64(ns(in.Run)), out.Lift)
}

// realTrace reads sched_us,start_us,latency_us,ok rows: when a request was due,
// when it was sent, and how long it was served.
func (v vector) realTrace(t *testing.T, name string, response bool) *detect.Requests {
	t.Helper()
	f, err := os.Open(filepath.Join(v.Dir, name))
	noError(t, "trace", err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	noError(t, name, err)
	var samples []runs.Sample
	for i, row := range rows[1:] {
		var n [3]int64
		for k := range n {
			if n[k], err = strconv.ParseInt(row[k], 10, 64); err != nil {
				t.Fatalf("%s:%d: %v", name, i+2, err)
			}
		}
		s := runs.NewSample()
		s.Scenario, s.Outcome, s.Start, s.Service = "default", runs.OK, n[1], n[2]*1000
		if response {
			s.Start, s.Wait = n[0], (n[1]-n[0])*1000
		}
		samples = append(samples, s)
	}
	return detect.Collect(samples, response)[0]
}

func realSigstop(t *testing.T, v vector) {
	type three struct{ P50, P99, Max int64 }
	var in struct{ CSV, Columns string }
	var out struct {
		N                      int
		Service, Response, Lag three
		ByStart                []int64 `json:"freeze_seconds_service_by_start"`
		ByEnd                  []int64 `json:"freeze_seconds_service_by_end"`
		BySchedule             []int64 `json:"freeze_seconds_response_by_schedule"`
	}
	v.read(t, &in, &out)
	service, response := v.realTrace(t, in.CSV, false), v.realTrace(t, in.CSV, true)
	equal(t, "n", service.Len(), out.N)
	var s, r, lag []int64
	for q := range service.All() {
		s = append(s, q.Service/1000)
	}
	for q := range response.All() {
		r = append(r, (q.Wait+q.Service)/1000)
		lag = append(lag, q.Wait/1000)
	}
	for _, x := range []struct {
		what string
		got  []int64
		want three
	}{{"service", s, out.Service}, {"response", r, out.Response}, {"lag", lag, out.Lag}} {
		q, err := stat.Quantiles(x.got, stat.P50, stat.P99)
		noError(t, x.what, err)
		equal(t, x.what, three{q[0], q[1], slices.Max(x.got)}, x.want)
	}
	rule := detect.PublishedFreeze
	rule.Thin = 0
	equal(t, "by start", fmt.Sprint(rule.Frozen(service, 0, detect.ByStart).Seconds), fmt.Sprint(out.ByStart))
	equal(t, "by end", fmt.Sprint(rule.Frozen(service, 0, detect.ByEnd).Seconds), fmt.Sprint(out.ByEnd))
	equal(t, "by schedule", fmt.Sprint(rule.Frozen(response, 0, detect.ByStart).Seconds), fmt.Sprint(out.BySchedule))
	v.injected(t, service, response)
}

// injected checks that each injected stop was found: a server's as a freeze of
// the service, a generator's as a pause of the generator and a freeze of the
// response alone.
func (v vector) injected(t *testing.T, service, response *detect.Requests) {
	t.Helper()
	const near = int64(100e6)
	found := func(spans []detect.Span, from, to float64) bool {
		return slices.ContainsFunc(spans, func(s detect.Span) bool {
			return math.Abs(float64(s.Start)-from*1e9) <= float64(near) && math.Abs(float64(s.End)-to*1e9) <= float64(3*near)
		})
	}
	freezes := func(r *detect.Requests) (out []detect.Span) {
		for _, e := range detect.PublishedFreeze.Sweep(r, 20).Episodes {
			out = append(out, detect.Span{Start: e.Onset, End: e.Thaw})
		}
		return out
	}
	var pauses []detect.Span
	for _, p := range detect.Pauses(service, 100e6, 8) {
		pauses = append(pauses, p.Span)
	}
	for _, x := range v.Truth {
		switch x.Target {
		case "server":
			if !found(freezes(service), x.Start, x.End) {
				t.Errorf("server stop at %.3f-%.3f s: no freeze there, of %v", x.Start, x.End, freezes(service))
			}
		case "generator":
			if !found(pauses, x.Start, x.End) {
				t.Errorf("generator stop at %.3f-%.3f s: no pause there, of %v", x.Start, x.End, pauses)
			}
			if !found(freezes(response), x.Start, x.End) || found(freezes(service), x.Start, x.End) {
				t.Errorf("generator stop at %.3f-%.3f s: want a freeze of the response and none of the service", x.Start, x.End)
			}
		default:
			t.Errorf("a stop of %q", x.Target)
		}
	}
	// The host was noisy, so that of its own pauses only those of a closed loop,
	// which stands still with its server, are wrong for sure.
	for _, p := range pauses {
		if strings.Contains(v.ID, "closed") {
			t.Errorf("a pause of the generator in a closed loop whose server was stopped: %v", p)
		} else if !slices.ContainsFunc(v.Truth, func(x stop) bool {
			return x.Target == "generator" && x.Start*1e9 < float64(p.End) && x.End*1e9 > float64(p.Start)
		}) {
			t.Logf("a pause of the generator that nobody made: %v", p)
		}
	}
}

// lombScargle compares the power at each period.
func lombScargle(t *testing.T, v vector) {
	var in struct {
		T       []float64 `json:"t_s"`
		Y       []float64
		Periods []float64 `json:"period_s"`
	}
	var out struct{ Power []float64 }
	v.read(t, &in, &out)
	for i, period := range in.Periods {
		v.near(t, index("power", i), detect.LombScargle(in.T, in.Y, period), out.Power[i])
	}
}
