package ingest

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRecordedTelemetry reads the real recordings: what was collected beside the
// load of every run folder in HEADROOM_RECORDED.
func TestRecordedTelemetry(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_RECORDED", "recorded", ".")
	read := 0
	for name, im := range map[string]*Importer{
		"vmstat.txt": Vmstat, "loadavg.log": Loadavg, "activity.csv.gz": PostgresActivity,
		"postgresql.csv": PostgresCSVLog, "postgresql.log": PostgresLog,
		"before.counts.csv": PsqlCounts, "after.counts.csv": PsqlCounts,
	} {
		paths, _ := filepath.Glob(filepath.Join(root, "*", name))
		for _, path := range paths {
			in, r, err := readFile(t, im, path, Options{})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if n, bad := in.BadLines(); n > 0 {
				t.Errorf("%s: %d bad lines: %v", name, n, bad)
			}
			if len(r.points)+len(r.activity)+len(r.markers) == 0 && in.Meta.Counts == nil {
				t.Errorf("%s holds nothing", name)
			}
			r.checkHost(t, name)
			read++
		}
	}
	t.Logf("read %d files", read)
	if read == 0 {
		t.Error("no recording of a kind that is read")
	}
}

// checkHost checks what holds of any host: shares add up to 1 but for their
// rounding, load averages move by no more than a busy second can move them.
func (r *rows) checkHost(t *testing.T, name string) {
	t.Helper()
	sums := map[int64]float64{}
	for _, p := range r.points {
		if strings.HasPrefix(p.Metric, "cpu.") && p.Unit == "1" {
			sums[p.Time] += p.Value
		}
	}
	for us, sum := range sums {
		if math.Abs(sum-1) > 0.031 {
			t.Errorf("%s: shares at %s add up to %v", name, stampText(us), sum)
		}
	}
	for _, p := range r.points {
		if p.Resolution < 0 || p.Value < 0 {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// TestRecordedLogForms compares csvlog and the stderr log of one server.
func TestRecordedLogForms(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_RECORDED", "recorded", ".")
	paths, _ := filepath.Glob(filepath.Join(root, "*", "postgresql.csv"))
	for _, csv := range paths {
		log := strings.TrimSuffix(csv, ".csv") + ".log"
		if _, err := os.Stat(log); err != nil {
			continue
		}
		_, a, err := readFile(t, PostgresCSVLog, csv, Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, b, err := readFile(t, PostgresLog, log, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if x, y := markerFacts(a.markers), markerFacts(b.markers); !slices.Equal(x, y) {
			t.Errorf("%s: the two forms differ: %d and %d records", filepath.Base(filepath.Dir(csv)), len(x), len(y))
		}
	}
}
