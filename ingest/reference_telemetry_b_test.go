package ingest

import (
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"headroom/runs"
)

// snapshotKinds are the kinds of artifacts that become snapshots.
var snapshotKinds = map[string]*Importer{
	"pg-settings-csv":         PostgresSettings,
	"pg-stat-database-before": PostgresStats, "pg-stat-database-after": PostgresStats,
	"pg-stat-wal-before": PostgresStats, "pg-stat-wal-after": PostgresStats,
	"pg-stat-statements-before": PostgresStats, "pg-stat-statements-after": PostgresStats,
	"relation-sizes-before": PostgresStats, "relation-sizes-after": PostgresStats,
	"table-sizes-csv": PostgresStats, "soak-db-csv": PsqlSeries, "row-count-csv": PsqlSeries, "db-sampler-sizes-csv": PsqlSeries,
	"event-count-csv": PsqlCounts,
}

// costRun is what the test needs of a run of a reference set.
type costRun struct {
	ID       string
	Database string
	Batches  float64
	Steps    []struct {
		Index int
		End   string
	}
	Artifacts []struct{ Kind, Path string }
}

// TestReferenceSnapshots reads every artifact that becomes a snapshot and compares
// what follows from its rows by exact differences with the sets' right answers.
func TestReferenceSnapshots(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_REFERENCE", "reference", ".")
	manifests, _ := filepath.Glob(filepath.Join(root, "*", "manifest.json"))
	files, ids, answered := 0, 0, 0
	for _, path := range manifests {
		var set struct {
			Set  string
			Runs []costRun
		}
		readJSON(t, path, &set)
		truth := referenceValues(t, filepath.Dir(path))
		for _, run := range set.Runs {
			data := map[string][]runs.Snapshot{}
			counts := map[string]string{}
			for _, a := range run.Artifacts {
				file := filepath.Join(filepath.Dir(path), a.Path)
				im := snapshotKinds[a.Kind]
				if _, err := os.Stat(file); err != nil {
					continue
				}
				if im == nil {
					im = telemetryKinds[a.Kind]
				}
				if im == nil || im == PsqlCounts && !strings.Contains(a.Kind, "count") {
					continue
				}
				if snapshotKinds[a.Kind] != nil {
					files++
				}
				in, r, err := readFile(t, im, file, Options{})
				switch n, bad := in.BadLines(); {
				case err != nil || n > 0:
					t.Errorf("%s: %v, %v", file, err, bad)
				case im == PsqlCounts:
					for _, v := range in.Meta.Counts.Values {
						counts[a.Kind] = v // of several columns, the sets ask for none
					}
				case snapshotKinds[a.Kind] != nil && len(r.snapshots) == 0:
					t.Errorf("%s holds no row", file)
				case snapshotKinds[a.Kind] != nil:
					data[a.Kind] = r.snapshots
				}
			}
			for name, v := range run.answers(t, data, counts) {
				want, ok := truth[set.Set+"."+run.ID+"."+name]
				if !ok {
					continue
				}
				ids++
				if math.Abs(v-want) > 1e-9*max(1, math.Abs(want)) {
					t.Errorf("%s %s: got %v, want %v", run.ID, name, v, want)
					continue
				}
				answered++
			}
		}
	}
	t.Logf("read %d files; answered %d of %d ids", files, answered, ids)
	if files == 0 || ids == 0 {
		t.Error("no artifact of a kind that is read, or no answer")
	}
}

// answers computes what the sets name from the rows.
func (run *costRun) answers(t *testing.T, data map[string][]runs.Snapshot, counts map[string]string) map[string]float64 {
	got := map[string]float64{}
	added := func(kind, key, value string, columns ...string) (sum float64, ok bool) {
		for i := range data[kind+"-before"] {
			before := &data[kind+"-before"][i]
			if v, _ := before.Value(key); key != "" && !strings.Contains(v, value) {
				continue
			}
			after := sameObject(before, data[kind+"-after"])
			if c, known := before.Change(after, columns...); known {
				if c.AtLeast {
					t.Errorf("%s: %s was reset", run.ID, columns)
				}
				sum, ok = sum+float(t, c.Amount), true
			}
		}
		return sum, ok
	}
	if v, ok := added("pg-stat-database", "datname", run.Database, "xact_commit"); ok {
		got["commits"], got["per_batch"] = v, v/run.Batches
	}
	if a, b := counts["db-count-before"], counts["db-count-after"]; a != "" && b != "" {
		events := float(t, b) - float(t, a)
		got["events"] = events
		for name, column := range map[string]string{"wal_bytes_per_event": "wal_bytes", "wal_records_per_event": "wal_records", "wal_fpi_per_event": "wal_fpi"} {
			if v, ok := added("pg-stat-wal", "", "", column); ok {
				got[name] = v / events
			}
		}
		if v, ok := added("pg-stat-statements", "query", "INSERT INTO", "calls"); ok {
			got["insert_calls_per_event"] = v / events
		}
		if v, ok := added("pg-stat-statements", "query", "FOR KEY SHARE", "calls"); ok {
			got["fk_lookups_per_event"] = v / events
		}
		for i := range data["relation-sizes-before"] {
			name, _ := data["relation-sizes-before"][i].Value("relname")
			if c, ok := data["relation-sizes-before"][i].Change(sameObject(&data["relation-sizes-before"][i], data["relation-sizes-after"]), "bytes"); ok {
				got["growth."+name] = float(t, c.Amount) / events
			}
		}
	}
	if sizes := data["table-sizes-csv"]; len(sizes) > 0 {
		for _, s := range sizes {
			v, _ := s.Value("total_bytes")
			got["total"] += float(t, v)
		}
		got["events"] = float(t, counts["event-count-csv"])
		got["bytes_per_event"] = got["total"] / got["events"]
	}
	if rows := data["row-count-csv"]; len(rows) > 0 {
		first, _ := rows[0].Value("rows")
		last, _ := rows[len(rows)-1].Value("rows")
		got["rows_first"], got["rows_last"] = float(t, first), float(t, last)
		got["growth_per_s"] = (got["rows_last"] - got["rows_first"]) / (float64(rows[len(rows)-1].Time-rows[0].Time) / 1e6)
	}
	for _, step := range run.Steps {
		for _, s := range data["soak-db-csv"] {
			if at := stampText(s.Time); at[:23]+"Z" == step.End {
				name := "step_0" + strconv.Itoa(step.Index)
				name = "step_" + name[len(name)-2:]
				size, _ := s.Value("db_size_bytes")
				dead, _ := s.Value("n_dead_tup")
				got[name+".db_size"], got[name+".dead_rows"] = float(t, size), float(t, dead)
			}
		}
	}
	return got
}

// sameObject finds the row that is about the same thing.
func sameObject(s *runs.Snapshot, rows []runs.Snapshot) *runs.Snapshot {
	view := findPGView(s.Columns)
	for i := range rows {
		same := true
		for _, key := range view.keys {
			a, _ := s.Value(key)
			b, _ := rows[i].Value(key)
			same = same && a == b
		}
		if same {
			return &rows[i]
		}
	}
	return &runs.Snapshot{}
}

func float(t *testing.T, text string) float64 {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	v, _ := r.Float64()
	return v
}
