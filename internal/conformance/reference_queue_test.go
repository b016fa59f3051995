package conformance

import (
	"slices"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
	"headroom/stat"
)

// queueOf maps the ids of a run with a queue to quantities: of the load, of the
// jobs, of the probe, and of the queue itself.
var queueOf = []struct {
	suffix, scenario, id string
	factor               float64
}{
	{"offered", "load", "requests", 1}, {"accepted", "load", "samples", 1}, {"refused", "load", "rejected", 1},
	{"accepted_per_s", "load", "throughput", 1}, {"errors", "load", "failed", 1}, {"answer_p95", "load", "latency.p95", 1e3},
	{"queue_wait_p50", "jobs", "wait.p50", 1e3}, {"queue_wait_p95", "jobs", "wait.p95", 1e3}, {"queue_wait_p99", "jobs", "wait.p99", 1e3},
	{"processing_p50", "jobs", "service.p50", 1e3}, {"processing_p95", "jobs", "service.p95", 1e3},
	{"home_samples", "probe", "requests", 1}, {"home_p95", "probe", "latency.p95", 1e3}, {"home_errors", "probe", "failed", 1},
	{"processed", "", "queue.processed", 1}, {"queue_peak", "", "queue.peak", 1}, {"drain", "", "queue.drain", 1},
	{"posts_held", "", "held.Posts.count", 1}, {"last_processed_after_end", "", "queue.last_end", 1},
}

// queue answers the ids of a run whose requests were queued.
func (s *refSet) queue(t *testing.T, r refRun, res analyze.Result) {
	scenarios := map[string]string{"load": "crowd", "jobs": "interactions", "probe": "home-probe", "": ""}
	for _, of := range queueOf {
		if q := res.Quantity(of.id, detect.Scope{Scenario: scenarios[of.scenario]}); q != nil {
			s.give(s.id(r.ID, of.suffix), q, of.factor)
		}
	}
	for _, v := range res.Verdicts {
		name := map[string]string{"processed": "accepted_all_processed", "drained": "drains", "probe": "probe_p95"}[v.Gate]
		if v.Gate == "failed" && v.Scope.Scenario == "crowd" {
			name = "refusals_only_429"
		}
		if name != "" {
			s.verdicts[s.id(r.ID, name)] = v.Outcome
		}
	}
	var of []analyze.Outcome
	for _, name := range []string{"accepted_all_processed", "refusals_only_429", "probe_p95", "drains"} {
		of = append(of, s.verdicts[s.id(r.ID, name)])
	}
	s.verdicts[s.id(r.ID, "run")] = analyze.Worst(of...)
	s.limits(t, r)
}

// limits answers what the limiter is said to let pass.
func (s *refSet) limits(t *testing.T, r refRun) {
	if r.Limits == nil || r.PerSecond == 0 {
		return
	}
	start, err1 := time.Parse(time.RFC3339, r.Window.Start)
	end, err2 := time.Parse(time.RFC3339, r.Window.End)
	noError(t, r.ID, err1)
	noError(t, r.ID, err2)
	l, err := stat.TokenBucket{Burst: r.Limits.Burst, Refill: r.Limits.Refill}.Limit(r.Limits.Origins, r.PerSecond/float64(r.Limits.Origins), end.Sub(start).Seconds())
	noError(t, r.ID, err)
	s.values[s.id(r.ID, "limit_predicts_accepted")] = l.Passed
	s.values[s.id(r.ID, "limit_predicts_refused")] = l.Refused
	if l.EmptyAt != nil {
		s.values[s.id(r.ID, "limit_predicts_burst_ends_s")] = *l.EmptyAt
	}
}

// queued tells whether the run's manifest speaks of a queue.
func (r refRun) queued() bool {
	return r.has("queue-depth-csv")
}

// has reports whether the manifest declares an artifact of a kind.
func (r refRun) has(kind string) bool {
	return slices.ContainsFunc(r.Artifacts, func(a refArtifact) bool { return a.Kind == kind })
}
