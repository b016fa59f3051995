package ingest

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// referenceSet is what this test needs of a set's manifest.json.
type referenceSet struct {
	Set    string `json:"set"`
	Clocks map[string]struct {
		Offset int `json:"utc_offset_minutes"`
	} `json:"clocks"`
	Host struct {
		ClockTicks int      `json:"clk_tck"`
		Ours       []string `json:"ours"`
	} `json:"host"`
	Runs []struct {
		ID     string `json:"id"`
		Window struct{ Start, End time.Time }
		// Other kinds of runs have other kinds of artifacts.
		Artifacts []struct{ Kind, Path string }
	} `json:"runs"`
}

// zone is the zone of the clock that stamps of a kind without one are from.
func (s *referenceSet) zone(kind string) *time.Location {
	clock := "host"
	switch {
	case strings.HasPrefix(kind, "vmstat"):
		clock = "vmstat"
	case strings.HasPrefix(kind, "postgres"):
		clock = "db_log"
	}
	return time.FixedZone(clock, s.Clocks[clock].Offset*60)
}

// telemetryKinds are the kinds of artifacts that the importers of telemetry read.
var telemetryKinds = map[string]*Importer{
	"loadavg-log": Loadavg, "proc-stat-log": ProcStat, "proc-pid-stat-log": ProcPidStat, "ps-log": PS,
	"vmstat-log": Vmstat, "postgres-stderr-log": PostgresLog, "postgres-csvlog": PostgresCSVLog,
	"pg-stat-activity-csv": PostgresActivity, "db-sampler-waits-csv": PostgresActivity,
	"counts-before": PsqlCounts, "counts-after": PsqlCounts, "db-count-before": PsqlCounts, "db-count-after": PsqlCounts,
}

// TestReferenceTelemetry reads every artifact of those kinds, and compares what
// follows from load averages and CPU times with the sets' right answers.
func TestReferenceTelemetry(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_REFERENCE", "reference", ".")
	manifests, _ := filepath.Glob(filepath.Join(root, "*", "manifest.json"))
	if len(manifests) == 0 {
		t.Fatalf("%s holds no set with a manifest.json", root)
	}
	files, ids, answered := 0, 0, 0
	for _, path := range manifests {
		var set referenceSet
		readJSON(t, path, &set)
		truth := referenceValues(t, filepath.Dir(path))
		for _, run := range set.Runs {
			got := map[string]float64{}
			for _, a := range run.Artifacts {
				im := telemetryKinds[a.Kind]
				if im == nil {
					continue
				}
				file := filepath.Join(filepath.Dir(path), a.Path)
				if _, err := os.Stat(file); err != nil {
					continue // a set plants files that were promised and are not there
				}
				files++
				r := readArtifact(t, im, file, Options{Zone: set.zone(a.Kind), ClockTicks: set.Host.ClockTicks})
				r.measure(got, run.Window.Start.UnixMicro(), run.Window.End.UnixMicro(), set.Host.Ours)
			}
			if busy, ok := got["cpu_busy_pct"]; ok {
				if own, ok := got["cpu_own_pct"]; ok {
					got["cpu_foreign_pct"] = busy - own
				}
			}
			for name, v := range got {
				want, ok := truth[set.Set+"."+run.ID+"."+name]
				if !ok {
					continue
				}
				ids++
				if math.Abs(v-want) > stampTolerance*max(1, math.Abs(want)) {
					t.Errorf("%s %s: got %v, want %v", run.ID, name, v, want)
					continue
				}
				answered++
			}
		}
	}
	t.Logf("read %d files; answered %d of %d ids", files, answered, ids)
	if files == 0 {
		t.Error("no artifact of a kind that is read")
	}
}

// stampTolerance is what is lost when stamps of nanoseconds become microseconds,
// over windows of some seconds.
const stampTolerance = 1e-7

func readArtifact(t *testing.T, im *Importer, path string, opt Options) *rows {
	t.Helper()
	in, r, err := readFile(t, im, path, opt)
	if err != nil {
		t.Fatal(err)
	}
	if n, bad := in.BadLines(); n > 0 {
		t.Errorf("%s: %d bad lines: %v", path, n, bad)
	}
	if len(r.points)+len(r.markers)+len(r.activity) == 0 && in.Meta.Counts == nil {
		t.Errorf("%s holds nothing", path)
	}
	return r
}

// measure computes, from the points in a window with both its ends, what the
// reference names: the mean, first and last load average, and CPU time between
// the first and the last copy, in percent of one core.
func (r *rows) measure(got map[string]float64, start, end int64, ours []string) {
	var loads []float64
	type span struct {
		first, last         float64
		firstTime, lastTime int64
		metric, entity      string
	}
	counters := map[string]*span{}
	for _, p := range r.points {
		if p.Time < start || p.Time > end {
			continue
		}
		if p.Metric == "load.1m" {
			loads = append(loads, p.Value)
		}
		key := p.Metric + " " + p.Entity
		if counters[key] == nil {
			counters[key] = &span{first: p.Value, firstTime: p.Time, metric: p.Metric, entity: p.Entity}
		}
		counters[key].last, counters[key].lastTime = p.Value, p.Time
	}
	if len(loads) > 0 {
		got["load_mean"], got["load_first"], got["load_last"] = mean(loads), loads[0], loads[len(loads)-1]
	}
	busy, total, steal, own := 0.0, 0.0, 0.0, 0.0
	var wall float64
	for _, s := range counters {
		delta := s.last - s.first
		switch {
		case s.entity == "cpu":
			if slices.Contains([]string{"cpu.guest_seconds", "cpu.guest_nice_seconds"}, s.metric) {
				continue // inside user and nice
			}
			total += delta
			wall = float64(s.lastTime-s.firstTime) / 1e6
			switch s.metric {
			case "cpu.steal_seconds":
				steal += delta
			case "cpu.idle_seconds", "cpu.iowait_seconds":
			default:
				busy += delta
			}
		case s.metric == "process.cpu_seconds":
			name, _, _ := strings.Cut(s.entity, "[")
			if slices.Contains(ours, name) {
				own += delta / (float64(s.lastTime-s.firstTime) / 1e6)
				got["cpu_own_pct"] = 100 * own
			}
		}
	}
	if total > 0 {
		got["cpu_busy_pct"], got["steal_share"] = 100*busy/wall, steal/total
	}
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// referenceValues returns the numbers of a set's truth.json by id.
func referenceValues(t *testing.T, dir string) map[string]float64 {
	t.Helper()
	var truth struct {
		Values []struct {
			ID    string
			Value any
		}
	}
	readJSON(t, filepath.Join(dir, "truth.json"), &truth)
	values := map[string]float64{}
	for _, v := range truth.Values {
		if n, ok := v.Value.(float64); ok {
			values[v.ID] = n
		}
	}
	return values
}
