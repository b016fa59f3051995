package ingest

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// hostFormats are further formats of INDEX-telemetry.tsv, each with the importers
// that its files can be of, and what is computed from what they give.
var hostFormats = map[string]struct {
	importers []*Importer
	answer    func(telemetryEntry, *Input, *rows) map[string]string
}{
	"sar":         {[]*Importer{Sar}, answerSysstat},
	"mpstat":      {[]*Importer{Mpstat, MpstatJSON}, answerSysstat},
	"iostat":      {[]*Importer{Iostat, IostatJSON}, answerIostat},
	"pidstat":     {[]*Importer{Pidstat}, answerSysstat},
	"sadf":        {[]*Importer{SadfCSV, SadfPPC, SadfJSON, SadfOther}, answerSysstat},
	"dstat":       {[]*Importer{Dstat}, answerDstat},
	"top":         {[]*Importer{Top}, answerDstat},
	"proc":        {[]*Importer{ProcFiles, ProcStat, ProcPidStat, Loadavg}, answerProc},
	"pg-log-json": {[]*Importer{PostgresJSONLog}, answerJSONLog},
	"pg-stats":    {[]*Importer{PostgresStats, PostgresStatsJSON, PsqlTables}, answerStats},
}

// refusedHostFiles are recognised, and refused: they hold no samples, or their
// values were rounded for people. columns-12-18.tsv is a table of ours.
var refusedHostFiles = map[string]bool{
	"sadf/sadf-x.xml": true, "sadf/sadf-H.txt": true, "sadf/sadf-r.txt": true,
	"proc/node_exporter-net_softnet_stat.txt": true, "proc/node_exporter-schedstat.txt": true,
	"pg-stats/columns-12-18.tsv": true, "dstat/dool-default.txt": true, "dstat/percona-1s-text-excerpt.txt": true,
}

// hostCounts are the counts that the index gives in words, and our names of them.
var hostCounts = regexp.MustCompile(`(\d+) (reports|elements|intervals|entries|statistics|rows|data rows|frames|timestamps|records?)\b`)

// TestCorpusHost reads every file of those formats by its content, as it is, under
// another name and compressed, and compares it with what the index says of it.
func TestCorpusHost(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_CORPUS", "corpus", "INDEX-telemetry.tsv")
	text, err := os.ReadFile(filepath.Join(root, "INDEX-telemetry.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	files, ids, answered := 0, 0, 0
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) < 5 || hostFormats[f[1]].answer == nil {
			continue
		}
		files++
		t.Run(f[0], func(t *testing.T) {
			e := telemetryEntry{filepath.Join(root, f[0]), f[1], f[2], f[4]}
			got := readHostFile(t, e, refusedHostFiles[f[0]])
			for _, want := range hostAnswers(e) {
				v, ok := got[want.name]
				if !ok {
					continue // a number of the words around the answers
				}
				ids++
				if !sameNumber(v, want.value) {
					t.Errorf("%s: got %s, want %s", want.name, v, want.value)
					continue
				}
				answered++
			}
		})
	}
	t.Logf("read %d files; answered %d of %d ids", files, answered, ids)
	if files == 0 || ids == 0 {
		t.Error("the index names no file, or no answer, of a format that is read")
	}
}

// readHostFile reads a file three ways, and returns what the first gave.
func readHostFile(t *testing.T, e telemetryEntry, refused bool) map[string]string {
	t.Helper()
	data, err := os.ReadFile(e.path)
	if err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write(data)
	_ = z.Close()
	opt := Options{Zone: time.UTC, Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Interval: time.Second}
	var first map[string]string
	var rowsOf []int
	for i, as := range []struct {
		name string
		data []byte
	}{{filepath.Base(e.path), data}, {"x" + pressureOf(filepath.Base(e.path)), data}, {pressureOf(filepath.Base(e.path)) + ".bin", zipped.Bytes()}} {
		c, err := NewContent(as.name, bytes.NewReader(as.data), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		im, err := Sniff(All, c.Head)
		if refused && errors.Is(err, ErrUnknown) {
			return nil
		}
		if err != nil || !slices.Contains(hostFormats[e.format].importers, im) {
			t.Fatalf("not recognised: %v, %v", im, err)
		}
		in, r := NewInput(as.name, c, opt), &rows{}
		err = im.Read(in, r)
		c.Close()
		if refused {
			if err == nil || len(r.points) > 0 {
				t.Errorf("was to be refused: %v", err)
			}
			return nil
		}
		if err != nil {
			t.Fatal(err)
		}
		if n, bad := in.BadLines(); n > 0 {
			t.Errorf("%d bad lines: %v", n, bad)
		}
		rowsOf = append(rowsOf, len(r.points)+len(r.markers)+len(r.snapshots))
		if i == 0 {
			first = hostFormats[e.format].answer(e, in, r)
		}
	}
	if rowsOf[0] == 0 || rowsOf[1] != rowsOf[0] || rowsOf[2] != rowsOf[0] {
		t.Errorf("rows by way of reading: %v", rowsOf)
	}
	return first
}

// hostAnswers takes an entry's answers apart: counts in words, and pairs.
func hostAnswers(e telemetryEntry) []named {
	var all []named
	for _, m := range hostCounts.FindAllStringSubmatch(e.answer, -1) {
		all = append(all, named{strings.TrimPrefix(m[2], "data "), m[1]})
	}
	if e.format == "pg-log-json" || e.format == "pg-stats" {
		return append(all, statsAnswers(e)...)
	}
	if e.format == "proc" {
		for _, m := range procPair.FindAllStringSubmatch(e.answer, -1) {
			all = append(all, named{m[1], m[2]})
		}
		return all
	}
	for _, m := range hostPair.FindAllStringSubmatch(e.answer, -1) {
		all = append(all, named{m[1], m[2]})
	}
	return all
}

var hostPair = regexp.MustCompile(`([%A-Za-z_/]+)[= ](\d+\.\d+)`)

// instants counts the different times of points of an entity and a metric.
func (r *rows) instants(match func(*runs.Point) bool) int {
	seen := map[int64]bool{}
	for i := range r.points {
		if match(&r.points[i]) {
			seen[r.points[i].Time] = true
		}
	}
	return len(seen)
}

// answerSysstat counts intervals, and gives the first values under the names that
// the index uses.
func answerSysstat(e telemetryEntry, _ *Input, r *rows) map[string]string {
	n := strconv.Itoa(r.instants(func(*runs.Point) bool { return true }))
	got := map[string]string{"intervals": n, "elements": n, "entries": n, "statistics": n, "timestamps": n, "reports": n}
	first := func(name, metric, entity string, per float64) {
		if v, _ := r.series(metric, entity); len(v) > 0 {
			got[name] = number(v[0] * per)
		}
	}
	if strings.Contains(e.path, "mpstat-iso") { // averages over the file
		for name, metrics := range map[string][2]string{"usr": {"cpu.user", "cpu.nice"}, "nice": {"cpu.nice", ""}, "soft": {"cpu.softirq", ""}} {
			a, _ := r.series(metrics[0], "")
			v := mean(a)
			if metrics[1] != "" {
				b, _ := r.series(metrics[1], "")
				v -= mean(b)
			}
			if mean := 100 * v; mean > 0 { // of rounded values: to a tenth
				got[name+"_mean"] = number(mean)
			}
		}
		return got
	}
	first("steal", "cpu.steal", "", 100)
	first("idle", "cpu.idle", "", 100)
	first("nice", "cpu.nice", "", 100)
	first("system", "cpu.system", "", 100)
	first("tps", "disk.transfers", "vda", 1)
	first("wkB/s", "disk.write_bytes", "vda", 1.0/1024)
	first("rxkB/s", "net.receive_bytes", "lo", 1.0/1024)
	got["rows"] = n
	return got
}

// answerIostat counts reports with the first, unless it was kept.
func answerIostat(e telemetryEntry, in *Input, r *rows) map[string]string {
	n := r.instants(func(*runs.Point) bool { return true })
	if said(in, "first report left out") {
		n++
	}
	count := strconv.Itoa(n)
	return map[string]string{"reports": count, "elements": count}
}

// answerDstat counts rows, or frames, with the first.
func answerDstat(e telemetryEntry, _ *Input, r *rows) map[string]string {
	n := r.instants(func(*runs.Point) bool { return true })
	if e.format == "dstat" {
		n++
	}
	return map[string]string{"rows": strconv.Itoa(n), "frames": strconv.Itoa(n)}
}

var procPair = regexp.MustCompile(`\b(user|nice|system|softirq|steal|samples|cpu some|nr_periods 0->|nr_throttled 0->)[a-z =]*=?(\d+)(?:[,; ]|us|$)`)

// answerProc gives what the index says of a snapshot of several files, and of a
// control group: differences between the first and the last copy.
func answerProc(e telemetryEntry, _ *Input, r *rows) map[string]string {
	got := map[string]string{}
	for name, of := range map[string]struct {
		metric, entity string
		per            float64
	}{
		"user": {"cpu.user_seconds", "cpu", 100}, "nice": {"cpu.nice_seconds", "cpu", 100}, "system": {"cpu.system_seconds", "cpu", 100},
		"softirq": {"cpu.softirq_seconds", "cpu", 100}, "steal": {"cpu.steal_seconds", "cpu", 100},
		"nr_periods 0->": {"cgroup.periods", "", 1}, "nr_throttled 0->": {"cgroup.throttled", "", 1}, "cpu some": {"pressure.cpu.some_seconds", "", 1e6},
	} {
		if v, _ := r.series(of.metric, of.entity); len(v) > 1 {
			got[name] = strconv.FormatFloat((v[len(v)-1]-v[0])*of.per, 'f', 0, 64)
		}
	}
	if v, _ := r.series("load.1m", ""); len(v) > 1 {
		got["samples"] = strconv.Itoa(len(v))
	}
	return got
}
