package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
	"headroom/stat"
)

// besideOf maps a run's ids to quantities of what was recorded beside its
// requests, whichever file and device they are of.
var besideOf = map[string]struct {
	id     string
	factor float64
}{
	"rds_cpu_min": {"cloudwatch.CPUUtilization.min", 100}, "rds_cpu_max": {"cloudwatch.CPUUtilization.max", 100},
	"rds_queue_min": {"cloudwatch.DiskQueueDepth.min", 1}, "rds_queue_max": {"cloudwatch.DiskQueueDepth.max", 1},
	"rds_read_iops_min": {"cloudwatch.ReadIOPS.min", 1}, "rds_read_iops_max": {"cloudwatch.ReadIOPS.max", 1},
	"rds_write_iops_min": {"cloudwatch.WriteIOPS.min", 1}, "rds_write_iops_max": {"cloudwatch.WriteIOPS.max", 1},
	"vacuum_completions": {"vacuum.completions", 1}, "vacuum_pages_dirtied_max": {"vacuum.pages_dirtied_max", 1},
	"checkpoints_started": {"checkpoint.starts", 1}, "wal_files_added": {"wal.files_added", 1},
	"io_size_calm_median": {"io.size.calm_median", 1.0 / 1024}, "io_size_frozen_median": {"io.size.frozen_median", 1.0 / 1024},
	"queue_calm_median": {"io.queue.calm_median", 1}, "queue_frozen_max": {"io.queue.frozen_max", 1},
	"io_collapse_seconds": {"io.collapse_seconds", 1},
	"backends":            {"waits.sessions", 1}, "waiting_min": {"waits.waiting_min", 1}, "waiting_max": {"waits.waiting_max", 1},
}

// recorded answers the ids of what was recorded beside a run's requests.
func (s *refSet) recorded(r refRun, res analyze.Result) {
	for suffix, of := range besideOf {
		for i := range res.Quantities {
			if q := &res.Quantities[i]; q.ID == of.id {
				s.give(s.id(r.ID, suffix), q, of.factor)
				break
			}
		}
	}
	for _, a := range r.Artifacts {
		if a.Kind != "vmstat-log" {
			continue
		}
		in := detect.Scope{Source: filepath.Base(a.Path)}
		for suffix, id := range map[string]string{"idle_mean": "cpu.idle.mean", "idle_min": "cpu.idle.min"} {
			if q := res.Quantity(id, in); q != nil {
				s.give(s.id(r.ID, a.Host+"_"+suffix), q, 100)
			}
		}
	}
	load := detect.Scope{Scenario: mainScenario(res)}
	for suffix, id := range map[string]string{"longest_start_gap": "gap.starts", "longest_completion_gap": "gap.completions"} {
		if q := res.Quantity(id, load); q != nil {
			s.give(s.id(r.ID, suffix), q, 1e3)
		}
	}
	for _, q := range res.Quantities {
		if strings.HasPrefix(q.ID, "score.") && q.Scope == load {
			s.give(s.id(r.ID, q.ID), &q, 1)
		}
	}
	waits := map[string]float64{}
	for _, q := range res.Quantities {
		if name, ok := strings.CutPrefix(q.ID, "waits."); ok && strings.Contains(name, ":") {
			waits[name] = *q.Value
		}
	}
	if len(waits) > 0 {
		s.values[s.id(r.ID, "waits")] = waits
	}
	s.freezes(r, res, load)
}

// freezes answers the ids that sum up a run's freezes. The truth counts frozen
// seconds and their neighbours, headroom what stood still: these are informative.
func (s *refSet) freezes(r refRun, res analyze.Result, load detect.Scope) {
	words, prints := map[string]int{}, map[string]int{}
	affected, ratio, share := 1.0, 0.0, 0.0
	var onsets []any
	from, err := time.Parse(time.RFC3339, r.Window.Start)
	for _, f := range res.Findings {
		if f.Detector != "freeze" || f.Scope != load {
			continue
		}
		prints[string(f.Fingerprint)]++
		affected, ratio = min(affected, f.Measures["affected"]), max(ratio, f.Measures["p50_ratio"])
		share = max(share, f.Measures["slow_share"])
		start, _ := times(f)
		onsets = append(onsets, float64(start.Sub(from))/1e6)
		if a := f.Attribution; a != nil && a.Cause == "" {
			words[a.Status]++
		} else if a != nil {
			words[a.Cause+": "+a.Status]++
		}
	}
	if err != nil {
		return
	}
	if len(prints) == 0 {
		looked := func(l analyze.Look) bool { return l.Detector == "freeze" && l.Scope == load && l.Could }
		if slices.ContainsFunc(res.Looked, looked) {
			s.values[s.id(r.ID, "attribution")] = "none" // there was no freeze to put down to anything
		}
		return
	}
	s.values[s.id(r.ID, "episode_onsets")] = onsets
	s.values[s.id(r.ID, "affected_share_max")] = share
	var gaps []float64
	for i := 1; i < len(onsets); i++ {
		gaps = append(gaps, (onsets[i].(float64)-onsets[i-1].(float64))/1e3)
	}
	if median, err := stat.Median(gaps); err == nil {
		s.values[s.id(r.ID, "episode_gap_median")] = median
	}
	s.values[s.id(r.ID, "fingerprint")] = mostFrequent(prints)
	s.values[s.id(r.ID, "attribution")] = mostFrequent(words)
	for _, q := range res.Quantities { // an attribution rests on the scores of the causes
		if strings.HasPrefix(q.ID, "score.") && q.Scope == load {
			s.marks[s.id(r.ID, "attribution")] = append(s.marks[s.id(r.ID, "attribution")], q.Warnings...)
		}
	}
	s.values[s.id(r.ID, "affected_between_onset_and_thaw_min")] = affected
	s.values[s.id(r.ID, "episode_p50_over_run_p50")] = ratio
}

// mostFrequent returns the word that occurs most, the first of equals.
func mostFrequent(words map[string]int) string {
	best := ""
	for _, w := range slices.Sorted(maps.Keys(words)) {
		if best == "" || words[w] > words[best] {
			best = w
		}
	}
	return best
}

// loosely compares an answer with an informative value, which rests on choices
// that the definitions leave open: a number within a factor of two or a tenth, a
// word by its cause or by what it does not say.
func loosely(t *testing.T, got any, want json.RawMessage) bool {
	t.Helper()
	var w any
	noError(t, string(want), json.Unmarshal(want, &w))
	same := false
	switch x := w.(type) {
	case []any: // instants in ms: as many, each within the tolerance of an onset
		g, ok := got.([]any)
		same = ok && len(g) == len(x)
		for i := range min(len(g), len(x)) {
			same = same && math.Abs(g[i].(float64)-x[i].(float64)) <= float64(onsetTolerance)/1e6
		}
	case float64:
		g, ok := got.(float64)
		same = ok && (math.Abs(g-x) <= 0.1 || g > 0 && x > 0 && g/x <= 2 && x/g <= 2)
	case string:
		cause, _, _ := strings.Cut(x, ":")
		mine, _, _ := strings.Cut(fmt.Sprint(got), ":")
		same = cause == mine
	}
	return same
}
