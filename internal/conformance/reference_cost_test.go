package conformance

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
	"headroom/ingest"
)

// refCosts is what a manifest declares of a run that counts something.
type refCosts struct {
	Batches      float64
	OwnCommits   float64 `json:"snapshots_own_commits"`
	Database     string
	PassEvery    float64 `json:"pass_every_s"`
	PassMost     float64 `json:"max_rows_per_pass"`
	ArrivalsFrom string  `json:"arrivals_from"`
	Budget       float64 `json:"budget_ms"`
}

// costRoles are the kinds of run that send no request: they count.
var costRoles = []string{"count", "keep-up", "keep-up-once", "fit"}

func (r refRun) counts() bool { return slices.Contains(costRoles, r.Role) }

// declare writes what a manifest declares of a run's costs as claims and labels.
func (r refRun) declare(dir string, req *ingest.Request) {
	req.Claims = map[string]string{}
	for name, v := range map[string]float64{
		"batches": r.Batches, "events": r.Batches * float64(r.EventsPerBatch), "sampler_commits": r.OwnCommits,
		"prune.limit": r.PassMost, "prune.interval": r.PassEvery,
	} {
		if v > 0 {
			req.Claims[name] = fmt.Sprint(v)
		}
	}
	if r.ArrivalsFrom != "" { // each request of that run leaves a row to be removed
		req.Claims["prune.rows_per_request"] = "1"
	}
	if r.Database != "" {
		req.Labels["database"] = r.Database
	}
	if name := r.settingOfArm(dir); name != "" {
		req.Labels["setting."+name] = r.Variant
	}
}

// settingOfArm is the setting that an arm of a comparison is named after, "" if it
// is after none.
func (r refRun) settingOfArm(dir string) string {
	if r.Role != "control" && r.Role != "treatment" || r.Arm == "" {
		return ""
	}
	i := slices.IndexFunc(r.Artifacts, func(a refArtifact) bool { return a.Kind == "pg-settings-csv" })
	if i < 0 {
		return ""
	}
	f, err := os.Open(filepath.Join(dir, r.Artifacts[i].Path))
	if err != nil {
		return r.Arm // nobody recorded it
	}
	defer f.Close()
	rows, _ := csv.NewReader(f).ReadAll()
	for _, row := range rows {
		if strings.HasPrefix(row[0], r.Arm) {
			return row[0]
		}
	}
	return r.Arm
}

// fit is the mapping of points to be fitted.
func (a refArtifact) fit(budget float64) *ingest.FitFields {
	f := &ingest.FitFields{Group: a.Fields["group"].Column}
	x, y := a.Fields["x"], a.Fields["y"]
	f.X = ingest.FitField{Field: x.Column, Name: x.Unit}
	f.Y = ingest.FitField{Field: y.Column, Unit: y.Unit}
	if budget > 0 {
		f.Budget = &budget
	}
	return f
}

// costOf maps the ids of a run that counts to quantities of the run.
var costOf = map[string]struct {
	id     string
	factor float64
}{
	"commits": {"commits", 1}, "per_batch": {"commits.per_batch", 1}, "events": {"costs.events", 1},
	"wal_bytes_per_event": {"wal.bytes_per_event", 1}, "wal_records_per_event": {"wal.records_per_event", 1}, "wal_fpi_per_event": {"wal.fpi_per_event", 1},
	"insert_calls_per_event": {"calls.insert_per_event", 1}, "fk_lookups_per_event": {"calls.foreign_key_check_per_event", 1},
	"total": {"stored.bytes", 1}, "bytes_per_event": {"stored.bytes_per_event", 1},
	"passes": {"prune.passes", 1}, "removed": {"prune.removed", 1}, "passes_at_maximum": {"prune.passes_at_limit", 1}, "removal_bound_per_s": {"prune.bound", 1},
}

// fitOf maps what follows fit.<file>. to ids.
var fitOf = map[string]struct {
	suffix string
	factor float64
}{
	"points": {"points", 1}, "marginal": {"slope_us_per_event", 1e6}, "intercept": {"intercept_ms", 1e3}, "r2": {"r2", 1},
	"through_origin": {"origin_slope_us_per_event", 1e6}, "budget_crossed_at": {"budget_crossed_at_events", 1},
}

// cost answers the ids of a run that counts.
func (s *refSet) cost(r refRun, res analyze.Result) {
	for suffix, of := range costOf {
		if q := res.Quantity(of.id, detect.Scope{}); q != nil {
			s.give(s.id(r.ID, suffix), q, of.factor)
		}
	}
	if q := res.Quantity("stored.events", detect.Scope{}); q != nil {
		s.give(s.id(r.ID, "events"), q, 1)
	}
	for i := range res.Quantities {
		q := &res.Quantities[i]
		if name, ok := strings.CutPrefix(q.ID, "growth."); ok {
			s.give(s.id(r.ID, "growth", strings.TrimSuffix(name, ".bytes_per_event")), q, 1)
		}
		if name, ok := strings.CutPrefix(q.ID, "sql."); ok {
			suffix := map[string]string{"first": "rows_first", "last": "rows_last", "growth": "growth_per_s"}[name[strings.LastIndex(name, ".")+1:]]
			if suffix != "" {
				s.give(s.id(r.ID, suffix), q, 1)
			}
		}
		s.fitted(r, q)
	}
	s.costVerdicts(r, res)
}

// costVerdicts answers the verdicts of a run that counts; one that could not be read is
// not known.
func (s *refSet) costVerdicts(r refRun, res analyze.Result) {
	for suffix, gate := range map[string]string{"counted": "counted", "linear": "linear", "keeps_up": "keeps-up", "cleared": "cleared"} {
		s.verdicts[s.id(r.ID, suffix)] = analyze.Unknown
		for _, v := range res.Verdicts {
			if v.Gate == gate {
				s.verdicts[s.id(r.ID, suffix)] = v.Outcome
			}
		}
	}
}

// fitted answers the ids of a fit and of its groups.
func (s *refSet) fitted(r refRun, q *analyze.Quantity) {
	parts := strings.Split(q.ID, ".")
	if parts[0] != "fit" {
		return
	}
	if of, ok := fitOf[parts[2]]; ok {
		s.give(s.id(r.ID, of.suffix), q, of.factor)
	}
	if len(parts) != 5 || parts[2] != "group" {
		return
	}
	group := "group_" + parts[3]
	for name, v := range q.From.Params { // the group's own value, under the name of its column
		if f, ok := v.(string); ok && name != "x" && name != "y" {
			var n float64
			if _, err := fmt.Sscan(f, &n); err == nil {
				s.values[s.id(r.ID, group, name)] = n
			}
		}
	}
	switch parts[4] {
	case "x_mean":
		s.give(s.id(r.ID, group, "events_per_customer_mean"), q, 1)
	case "p50":
		s.give(s.id(r.ID, group, "p50"), q, 1e3)
	case "p99":
		if q.Value != nil {
			s.give(s.id(r.ID, group, "p99"), q, 1e3)
		}
	case "max": // of at most a hundred points the p99 is the largest; headroom does not call it a p99
		if q.N != nil && *q.N <= 100 {
			s.give(s.id(r.ID, group, "p99"), q, 1e3)
		}
	}
}

// beside answers the ids of what was counted beside a load: settings, and the
// levels of a soak.
func (s *refSet) beside(r refRun, res analyze.Result) {
	for _, v := range res.Verdicts {
		if v.Gate == "setting" {
			s.verdicts[s.id(r.ID, "setting_as_named")] = v.Outcome
		}
	}
	if r.Role != "soak" {
		return
	}
	for i := range res.Quantities {
		q := &res.Quantities[i]
		_, step, _ := strings.Cut(q.Scope.Step, "soak=")
		for column, suffix := range map[string]string{"db_size_bytes": "db_size", "n_dead_tup": "dead_rows"} {
			if step != "" && strings.HasPrefix(q.ID, "sql.") && strings.HasSuffix(q.ID, "."+column) {
				s.give(s.id(r.ID, "step_"+step, suffix), q, 1)
			}
		}
	}
}

// costComparisons answers what takes two runs: less commits than before, and rows
// that arrive under the load of another run.
func (s *refSet) costComparisons(t *testing.T) {
	var counting []string
	for _, r := range s.Runs {
		if r.Arm == "commits" {
			counting = append(counting, r.ID)
		}
		if r.ArrivalsFrom == "" {
			continue
		}
		c := s.combined(t, r.ID, r.ArrivalsFrom)
		if c == nil {
			continue
		}
		for i := range c.Quantities {
			q := &c.Quantities[i]
			if suffix := map[string]string{"prune.arrivals": "arrivals_per_s", "prune.keeps_up_below": "keeps_up_below_events_per_s"}[q.ID]; suffix != "" {
				s.give(s.id(r.ID, suffix), q, 1)
			}
		}
	}
	if len(counting) < 2 {
		return
	}
	if c := s.combined(t, counting...); c != nil {
		for i := range c.Quantities {
			if q := &c.Quantities[i]; q.ID == "commits.reduction" {
				s.give(s.id("commits", "reduction"), q, 1)
			}
		}
	}
}
