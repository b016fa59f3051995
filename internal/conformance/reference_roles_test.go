package conformance

import (
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
	"headroom/ingest"
)

// roles labels a run as what the manifest says that it is for: a ceiling, a
// denominator, a control or a treatment. A denominator is measured over the time
// that its tool took: no window was declared to it.
func (m *refManifest) roles(r refRun, req *ingest.Request) {
	switch r.Role {
	case "ceiling", "denominator":
		req.Labels["role"] = r.Role
	}
	if r.Window.Start == "" {
		req.Window = nil
	}
	if r.Role == "denominator" {
		req.Window, req.Options.Events = nil, r.Rows
	}
	for _, x := range m.Series {
		if x.Role != "" && slices.Contains(x.Runs, r.ID) {
			req.Labels["arm"] = x.Role
		}
	}
}

// evidence names what must have been recorded of a run that has instruments.
func (r refRun) evidence() []string {
	kinds := map[string]string{
		"rds-enhanced-monitoring": "rds.", "pi-get-resource-metrics": "pi.", "db-sampler-sizes-csv": "sql.",
		"db-sampler-waits-csv": "sessions", "postgres-stderr-log": "postgres.", "postgres-csvlog": "postgres.",
	}
	var out []string
	for _, a := range r.Artifacts {
		if kind := kinds[a.Kind]; kind != "" {
			out = append(out, kind)
		}
	}
	return out
}

// yardsticks answers the ids of ceilings and denominators: their rates, and what
// share the one is of the other.
func (s *refSet) yardsticks(t *testing.T) {
	var ids []string
	for _, r := range s.Runs {
		if (r.Role == "ceiling" || r.Role == "denominator") && s.runs[r.ID] != nil {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		return
	}
	c := s.combined(t, ids...)
	if c == nil {
		return
	}
	names := map[string]string{} // of the runs, by their id within the document
	for _, id := range ids {
		names[s.runs[id].Result.Run.ID] = id
	}
	for i := range c.Quantities {
		q := &c.Quantities[i]
		run := names[q.Scope.Run]
		switch q.ID {
		case "denominator.rate":
			s.give(s.id(run, "rows_per_s"), q, 1)
			if r := s.entry(run); r.Rows > 0 {
				s.give(s.id(run, "tps"), q, 1/float64(r.Rows))
			}
		case "ceiling.rate":
			s.give(s.id(run, "events_per_s"), q, 1)
		case "headroom.share":
			part, _, _ := strings.Cut(q.Scope.Configuration, " (")
			s.give(s.id(part, "share_of_"+strings.ReplaceAll(run, ".", "_")), q, 1)
		}
	}
	for _, id := range ids {
		if r := s.entry(id); r.Role == "denominator" {
			s.counted(id, s.runs[id].Result)
		} else if r.Throughput == "" { // else the manifest says of which requests it is
			s.whole(t, r)
		}
	}
}

// whole answers the ids of a closed loop that the truth takes of every request in
// its file, those in flight at either edge of the window included.
func (s *refSet) whole(t *testing.T, r refRun) {
	r.Window.Start = ""
	got := s.measure(t, s.dir, r)
	if got == nil {
		return
	}
	load := detect.Scope{Scenario: mainScenario(got.Result)}
	for _, suffix := range []string{"requests", "samples", "failed", "p50", "p90", "p95", "p99", "max"} {
		of := quantityOf[suffix]
		if q := got.Result.Quantity(of.id, load); q != nil {
			s.give(s.id(r.ID, suffix), q, of.factor)
		}
	}
}

func (s *refSet) entry(run string) refRun {
	i := slices.IndexFunc(s.Runs, func(r refRun) bool { return r.ID == run })
	return s.Runs[i]
}

// counted answers what a denominator's own log says.
func (s *refSet) counted(run string, res analyze.Result) {
	load := detect.Scope{Scenario: mainScenario(res)}
	if q := res.Quantity("requests", load); q != nil && res.Miscounted == "" { // else the tool's own report says another
		s.give(s.id(run, "transactions"), q, 1)
	}
	for suffix, of := range map[string]struct {
		id     string
		factor float64
	}{
		"log_transactions": {"requests", 1}, "log_tps": {"throughput.requests", 1}, "log_p99": {"latency.p99", 1e3},
	} {
		if q := res.Quantity(of.id, load); q != nil {
			s.give(s.id(run, suffix), q, of.factor)
		}
	}
}

// treatments answers the ids of series that are arms, over all repeats.
func (s *refSet) treatments(t *testing.T) {
	byRole := map[string]string{}
	var ids []string
	for _, x := range s.Series {
		if x.Role != "" {
			byRole[x.Role] = x.ID
			ids = append(ids, x.Runs...)
		}
	}
	if len(byRole) < 2 {
		return
	}
	c := s.combined(t, ids...)
	if c == nil {
		return
	}
	for i := range c.Quantities {
		q := &c.Quantities[i]
		series := byRole[q.Scope.Configuration]
		of, ok := map[string]struct {
			suffix string
			factor float64
		}{
			"arms.freeze.seconds.total": {"freeze_seconds", 1}, "arms.freeze.seconds.vacuum.total": {"vacuum_freeze_seconds", 1},
			"arms.dropped.total": {"dropped", 1}, "arms.latency.max.max": {"worst_request", 1e3},
			"arms.windows.worst_second_p99.max": {"worst_1s_p99", 1e3}, "arms.vacuum.pages_dirtied_max.max": {"pages_dirtied_max", 1},
			"arms.latency.p50.median": {"p50_median_all", 1e3},
		}[q.ID]
		if ok && series != "" {
			s.give(s.id(series, of.suffix), q, of.factor)
		}
	}
}
