package conformance

import (
	"fmt"
	"slices"
	"strings"

	"headroom/analyze"
	"headroom/detect"
)

// lastRun is the run of a configuration that was made last.
func lastRun(c *analyze.Capacity, configuration string) string {
	var last, start string
	for _, k := range c.Configurations {
		if k.Name != configuration && !strings.HasPrefix(k.Name, configuration+".") {
			continue
		}
		for _, r := range c.Results {
			if slices.Contains(k.Runs, r.Run.ID) && r.Run.Start > start {
				last, start = r.Run.ID, r.Run.Start
			}
		}
	}
	return last
}

// configurations answers the ids that take several runs, from what the document of
// a study says of its configurations.
func (s *refSet) configurations(c *analyze.Capacity) {
	for _, x := range s.Series {
		if x.Protocol == "rung" {
			s.rungIn(c, x.ID, fmt.Sprintf("rate=%g", x.Rate))
		} else {
			s.seriesIn(c, x.ID)
		}
	}
	s.armsIn(c)
	s.scoresIn(c)
	s.upkeepIn(c)
	s.sweepsIn(c)
	for _, r := range s.Runs {
		switch r.Role {
		case "denominator":
			if i := resultOf(c, r.ID); i >= 0 {
				s.counted(r.ID, c.Results[i])
			}
		case "ceiling":
			if i := resultOf(c, r.ID); i >= 0 && r.EventsPerBatch > 0 {
				q := c.Results[i].Quantity("timeout.headroom", detect.Scope{Scenario: mainScenario(c.Results[i])})
				if q != nil && s.largestBatch() == r.EventsPerBatch {
					s.values[s.id("batch.timeout_headroom")] = number(q, 1)
				}
			}
		}
		if len(r.Stages)+len(r.benchmarks()) > 0 && r.Role == "microbench" {
			s.completeIn(c, r.ID)
		}
	}
}

func resultOf(c *analyze.Capacity, run string) int {
	return slices.IndexFunc(c.Results, func(r analyze.Result) bool { return r.Run.ID == run })
}

func (s *refSet) largestBatch() (most int64) {
	for _, r := range s.Runs {
		if r.Role == "ceiling" {
			most = max(most, r.EventsPerBatch)
		}
	}
	return most
}

// seriesIn answers what a series of repeats held, and how often those that passed
// stood still.
func (s *refSet) seriesIn(c *analyze.Capacity, id string) {
	frozen, known := []any{}, false
	for _, v := range c.Verdicts {
		if v.Scope.Configuration != id {
			continue
		}
		known = true
		switch i := resultOf(c, v.Scope.Run); {
		case v.Gate == "held":
			s.values[s.id(id, "n_of_m")] = v.Got
		case v.Gate == "repeat" && v.Outcome == analyze.Pass && i >= 0:
			r := c.Results[i]
			frozen = append(frozen, *r.Quantity("freeze.seconds", detect.Scope{Scenario: mainScenario(r)}).Value)
		}
	}
	if known {
		s.values[s.id(id, "freeze_seconds_per_passing_repeat")] = frozen
	}
}

// rungIn answers the ids of a rung, from the verdict on it.
func (s *refSet) rungIn(c *analyze.Capacity, id, step string) {
	for _, v := range c.Verdicts {
		if v.Gate != "rung" || v.Scope.Step != step {
			continue
		}
		rungs, _ := s.values[s.id("ladder.verdicts")].(map[string]string)
		if rungs == nil {
			rungs = map[string]string{}
		}
		rungs[strings.TrimPrefix(step, "rate=")] = string(v.Outcome)
		s.values[s.id("ladder.verdicts")] = rungs
		s.verdicts[s.id(id, "held")] = v.Outcome
		s.values[s.id(id, "n_of_m")] = v.Got
		var passed, of float64
		if _, err := fmt.Sscanf(fmt.Sprint(v.Got), "%g/%g", &passed, &of); err == nil {
			s.values[s.id(id, "passed")], s.values[s.id(id, "repeats")] = passed, of
		}
	}
}

// armsIn answers the ids of series that are arms, over all repeats.
func (s *refSet) armsIn(c *analyze.Capacity) {
	of := map[string]struct {
		suffix string
		factor float64
	}{
		"freeze.seconds.total": {"freeze_seconds", 1}, "freeze.seconds.vacuum.total": {"vacuum_freeze_seconds", 1},
		"dropped.total": {"dropped", 1}, "latency.max.max": {"worst_request", 1e3}, "windows.worst_second_p99.max": {"worst_1s_p99", 1e3},
		"vacuum.pages_dirtied_max.max": {"pages_dirtied_max", 1}, "latency.p50.median": {"p50_median_all", 1e3},
	}
	for i := range c.Quantities {
		q := &c.Quantities[i]
		for _, side := range []string{".control.", ".treatment."} {
			_, rest, ok := strings.Cut(q.ID, side)
			if x, known := of[rest]; ok && known && strings.HasPrefix(q.ID, "arms.") {
				s.values[s.id(q.Scope.Configuration, x.suffix)] = number(q, x.factor)
			}
		}
	}
}

// scoresIn answers what is read against a ceiling or the database alone.
func (s *refSet) scoresIn(c *analyze.Capacity) {
	for i := range c.Quantities {
		q := &c.Quantities[i]
		if rest, ok := strings.CutPrefix(q.ID, "headroom."); ok {
			of, by, _ := strings.Cut(strings.TrimSuffix(rest, ".share"), ".")
			s.values[s.id(of, "share_of_"+strings.ReplaceAll(by, ".", "_"))] = number(q, 1)
		}
		if _, ok := strings.CutPrefix(q.ID, "denominator."); ok {
			run := q.Scope.Configuration
			s.values[s.id(run, "rows_per_s")] = number(q, 1)
			if j := slices.IndexFunc(s.Runs, func(r refRun) bool { return r.ID == run }); j >= 0 && s.Runs[j].Rows > 0 {
				s.values[s.id(run, "tps")] = number(q, 1/float64(s.Runs[j].Rows))
			}
		}
	}
}

// sweepsIn answers whether a step was taken past each knee, and what sessions waited
// for over all steps of a sweep.
func (s *refSet) sweepsIn(c *analyze.Capacity) {
	for _, a := range s.Arms {
		for i := range c.Quantities {
			if q := &c.Quantities[i]; q.ID == "sweep."+a.ID+".step_past_knee" && q.Value != nil {
				s.values[s.id(a.ID, "step_past_knee")] = *q.Value == 1
			}
		}
		waits, total, sampled := map[string]float64{}, 0.0, 0
		for _, run := range a.Runs {
			i := resultOf(c, run)
			if i < 0 {
				continue
			}
			for _, q := range c.Results[i].Quantities {
				if name, ok := strings.CutPrefix(q.ID, "waits."); ok && strings.Contains(name, ":") {
					waits[name] += *q.Value
				}
			}
			if v := c.Results[i].Quantity("waits.total", detect.Scope{}); v != nil && v.Value != nil {
				total += *v.Value
				sampled++
			}
		}
		if sampled == len(a.Runs) && total > 0 {
			s.values[s.id(a.ID, "waits")], s.values[s.id(a.ID, "waits_total")] = waits, total
			s.verdicts[s.id(a.ID, "waits_sampled")] = analyze.Pass
		}
	}
}

// upkeepIn answers what arrives under a load, and from where on a clean-up falls
// behind.
func (s *refSet) upkeepIn(c *analyze.Capacity) {
	for i := range c.Quantities {
		q := &c.Quantities[i]
		for end, suffix := range map[string]string{".arrivals": "arrivals_per_s", ".keeps_up_below": "keeps_up_below_events_per_s"} {
			if strings.HasPrefix(q.ID, "prune.") && strings.HasSuffix(q.ID, end) {
				s.values[s.id(q.Scope.Run, suffix)] = number(q, 1)
			}
		}
	}
}

// completeIn answers whether all benchmarks of a run are there.
func (s *refSet) completeIn(c *analyze.Capacity, run string) {
	for _, k := range c.Configurations {
		if !slices.Contains(k.Runs, run) {
			continue
		}
		for _, v := range c.Verdicts {
			if v.Gate == "bench-complete" && v.Scope.Configuration == k.Name {
				s.verdicts[s.id(run, "complete")] = v.Outcome
			}
		}
	}
}

// soakStep answers the ids of a step of a soak from the run that it is.
func (s *refSet) soakStep(soak string, index int, r analyze.Result) {
	step := fmt.Sprintf("step_%02d", index)
	load := detect.Scope{Scenario: mainScenario(r)}
	for id, x := range map[string]struct {
		suffix string
		factor float64
	}{"throughput": {"throughput", 1}, "latency.p99": {"p99", 1e3}} {
		if q := r.Quantity(id, load); q != nil {
			s.values[s.id(soak, step, x.suffix)] = number(q, x.factor)
		}
	}
	for i := range r.Quantities {
		q := &r.Quantities[i]
		for end, suffix := range map[string]string{".db_size_bytes.last": "db_size", ".n_dead_tup.last": "dead_rows"} {
			if strings.HasPrefix(q.ID, "sql.") && strings.HasSuffix(q.ID, end) {
				s.values[s.id(soak, step, suffix)] = number(q, 1)
			}
		}
	}
}
