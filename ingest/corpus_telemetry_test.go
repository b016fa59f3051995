package ingest

import (
	"errors"
	"fmt"
	"math"
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

// telemetryFormats are the formats of INDEX-telemetry.tsv that this version
// reads. The other formats belong to later versions.
var telemetryFormats = map[string]func(*testing.T, telemetryEntry) map[string]string{
	"vmstat":      answerVmstat,
	"pg-log":      answerPGLog,
	"pg-log-csv":  answerPGLog,
	"pg-activity": answerActivity,
}

// telemetryEntry is one line of INDEX-telemetry.tsv.
type telemetryEntry struct {
	path, format, tool, answer string
}

// TestCorpusTelemetry compares what is read with the right answers of the index,
// each of which is name=number, in words that differ by format.
func TestCorpusTelemetry(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_CORPUS", "corpus", "INDEX-telemetry.tsv")
	text, err := os.ReadFile(filepath.Join(root, "INDEX-telemetry.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	ids, answered := 0, 0
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) < 5 || telemetryFormats[f[1]] == nil {
			continue
		}
		e := telemetryEntry{filepath.Join(root, f[0]), f[1], f[2], f[4]}
		t.Run(f[0], func(t *testing.T) {
			got := telemetryFormats[e.format](t, e)
			for _, want := range indexAnswers(e) {
				ids++
				v, ok := got[want.name]
				if !ok {
					t.Errorf("%s has no answer", want.name)
					continue
				}
				answered++
				if !sameNumber(v, want.value) {
					t.Errorf("%s: got %s, want %s", want.name, v, want.value)
				}
			}
		})
	}
	t.Logf("answered %d of %d ids", answered, ids)
	if ids == 0 {
		t.Error("the index names no answer of a format that is read")
	}
}

type named struct{ name, value string }

var (
	answerPair   = regexp.MustCompile(`([A-Za-z_:]+(?: [a-z]+)?)'?[=:] ?(-?[0-9][0-9.]*)(?:[;, }]|$)`)
	answerRows   = regexp.MustCompile(`(?:data rows=|all )(\d+)`)
	answerStamps = regexp.MustCompile(`(first|last)=(\d{4}-\d\d-\d\d [0-9:.]+ [A-Z]+)`)
	answerZone   = regexp.MustCompile(`log_timezone ([A-Z][a-z]+/[A-Za-z_]+)`)
)

// indexAnswers takes an entry's answers apart. Of an answer about two forms of
// one log, parted by a bar, the first is about the file.
func indexAnswers(e telemetryEntry) []named {
	answer, _, _ := strings.Cut(e.answer, " | ")
	var all []named
	if e.format == "vmstat" {
		if m := answerRows.FindStringSubmatch(answer); m != nil {
			all = append(all, named{"rows", m[1]})
		}
		_, answer, _ = strings.Cut(answer, "over the other ")
		answer, _, _ = strings.Cut(answer, "; first row")
		_, answer, _ = strings.Cut(answer, ": ")
		answer = strings.ReplaceAll(answer, "mean ", "")
	}
	if i := strings.Index(answer, "SQLSTATEs="); i >= 0 { // of the same run's jsonlog
		answer = answer[:i]
	}
	if i := strings.Index(answer, "; scenario holds"); i >= 0 {
		answer = answer[:i]
	}
	for _, m := range answerPair.FindAllStringSubmatch(answer, -1) {
		name := strings.TrimSpace(m[1])
		if name == "lines" || strings.HasPrefix(name, "prefixed") || strings.HasPrefix(name, "other lines") {
			continue // of the file, not of what it says
		}
		all = append(all, named{name, m[2]})
	}
	for _, m := range answerStamps.FindAllStringSubmatch(answer, -1) {
		all = append(all, named{m[1], m[2]})
	}
	return all
}

// sameNumber compares to the digits that the index prints.
func sameNumber(got, want string) bool {
	g, errG := strconv.ParseFloat(got, 64)
	w, errW := strconv.ParseFloat(want, 64)
	if errG != nil || errW != nil {
		return got == want
	}
	_, frac, _ := strings.Cut(want, ".")
	return math.Abs(g-w) <= 0.5000001*math.Pow(10, -float64(len(frac)))
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// answerVmstat reads with a start and an interval for the files that have no
// time axis, and as UTC where the stamps have no zone.
func answerVmstat(t *testing.T, e telemetryEntry) map[string]string {
	opt := Options{Zone: time.UTC, Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Interval: time.Second}
	if strings.HasPrefix(e.answer, "must not be parsed") {
		if _, r, err := readFile(t, Vmstat, e.path, opt); err == nil || len(r.points) > 0 || errors.Is(err, ErrNoTimeAxis) {
			t.Errorf("another mode of vmstat gave %d points: %v", len(r.points), err)
		}
		return nil
	}
	in, r, err := readFile(t, Vmstat, e.path, opt)
	if err != nil {
		t.Fatal(err)
	}
	if n, bad := in.BadLines(); n > 0 {
		t.Errorf("%d bad lines: %v", n, bad)
	}
	got := map[string]string{}
	for name, metric := range map[string]string{"us": "cpu.user", "sy": "cpu.system", "id": "cpu.idle", "wa": "cpu.iowait", "st": "cpu.steal"} {
		v, _ := r.series(metric, "")
		got[name] = number(100 * mean(v))
		got["rows"] = strconv.Itoa(len(v) + 1) // with the first, which is left out
	}
	running, _ := r.series("procs.running", "")
	switches, _ := r.series("system.context_switches", "")
	out, _ := r.series("io.out", "")
	sum := 0.0
	for _, v := range out {
		sum += v / 1024
	}
	got["max r"], got["cs"], got["sum bo"] = number(slices.Max(running)), number(mean(switches)), number(sum)
	return got
}

// pgIndexKinds are the index's names of kinds of messages.
var pgIndexKinds = map[string][]string{
	"checkpoint_starting": {"postgres.checkpoint.start"}, "checkpoint_complete": {"postgres.checkpoint.complete"},
	"ckpt_too_frequent": {"postgres.checkpoint.frequent"},
	"autovacuum":        {"postgres.autovacuum"}, "autoanalyze": {"postgres.autoanalyze"},
	"duration":           {"postgres.statement", "postgres.statement.parse", "postgres.statement.bind"},
	"lock_still_waiting": {"postgres.lock.wait"}, "lock_acquired": {"postgres.lock.acquired"},
	"deadlock_detect_log": {"postgres.lock.deadlock"}, "deadlock_error": {"postgres.deadlock"},
	"temp_file": {"postgres.tempfile"}, "stmt_timeout": {"postgres.statement.cancelled"},
	"conn_received": {"postgres.connection.received"}, "disconnection": {"postgres.connection.closed"},
	"crash": {"postgres.crash"}, "ready": {"postgres.ready"},
}

// pgIndexTexts are names of the index for what has no kind of its own.
var pgIndexTexts = map[string]string{
	"too_many_clients": "sorry, too many clients", "could_not": "could not ",
	"not_properly_shut_down": "was not properly shut down", "recovery_mode_fatal": "is in recovery mode",
}

func answerPGLog(t *testing.T, e telemetryEntry) map[string]string {
	zone := time.UTC
	if m := answerZone.FindStringSubmatch(e.tool); m != nil {
		var err error
		if zone, err = time.LoadLocation(m[1]); err != nil {
			t.Fatal(err)
		}
	}
	want := PostgresLog
	if e.format == "pg-log-csv" {
		want = PostgresCSVLog
	}
	in, r, err := readFile(t, want, e.path, Options{Zone: zone})
	if err != nil {
		t.Fatal(err)
	}
	if n, bad := in.BadLines(); n > 0 {
		t.Errorf("%d bad lines: %v", n, bad)
	}
	got := map[string]string{"records": strconv.Itoa(len(r.markers))}
	kinds := r.kinds()
	for name, of := range pgIndexKinds {
		n := 0
		for _, kind := range of {
			n += kinds[kind]
		}
		got[name] = strconv.Itoa(n)
	}
	severities, bytes := map[string]int{}, 0.0
	for _, m := range r.markers {
		severities[m.Severity]++
		for line := range strings.Lines(m.Detail) {
			if label, _, ok := strings.Cut(line, ":  "); ok && pgWords[label].label {
				severities[label]++
			}
		}
		if m.Kind == "postgres.tempfile" {
			bytes += attrOf(t, m, "size").(float64)
		}
	}
	for severity, n := range severities {
		got[severity] = strconv.Itoa(n)
	}
	got["temp bytes"] = number(bytes)
	for name, text := range pgIndexTexts {
		n := 0
		for _, m := range r.markers {
			if strings.Contains(m.Message, text) {
				n++
			}
		}
		got[name] = strconv.Itoa(n)
	}
	got["first"], got["last"] = indexStamp(r.markers[0].Time, e), indexStamp(r.markers[len(r.markers)-1].Time, e)
	return got
}

// indexStamp writes an instant as the entry writes its own, whose zone, where
// it is an abbreviation, was read as UTC.
func indexStamp(us int64, e telemetryEntry) string {
	text := time.UnixMicro(us).UTC().Format("2006-01-02 15:04:05.000 ")
	if m := answerStamps.FindStringSubmatch(e.answer); m != nil {
		return text + m[2][strings.LastIndexByte(m[2], ' ')+1:]
	}
	return text + "UTC"
}

func answerActivity(t *testing.T, e telemetryEntry) map[string]string {
	_, r, err := readFile(t, PostgresActivity, e.path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	instants, blocked := map[int64]bool{}, map[int64]bool{}
	for _, a := range r.activity {
		instants[a.Time] = true
		if a.BlockedBy != "" {
			blocked[a.Time] = true
		}
		if a.BackendType != "client backend" {
			continue
		}
		n["backend rows"]++
		if a.State == "active" {
			n["active"]++
			wait := a.WaitType + ":" + a.Wait
			if a.Wait == "" {
				wait = "CPU:running"
			}
			n[wait]++
		}
	}
	n["samples"], n["blocked pid"] = len(instants), len(blocked)
	got := map[string]string{}
	for name, v := range n {
		got[name] = fmt.Sprint(v)
	}
	return got
}

// TestCorpusPGForms compares the two forms in which one server wrote one log:
// each record is in both, though sessions that log at once can change places.
func TestCorpusPGForms(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_CORPUS", "corpus", "INDEX-telemetry.tsv")
	compared := 0
	paths, _ := filepath.Glob(filepath.Join(root, "pg-log-csv", "*.csv"))
	for _, csv := range paths {
		log := filepath.Join(root, "pg-log", strings.TrimSuffix(filepath.Base(csv), ".csv")+".log")
		if _, err := os.Stat(log); err != nil {
			continue
		}
		opt := Options{Zone: time.UTC}
		_, fromCSV, err := readFile(t, PostgresCSVLog, csv, opt)
		if err != nil {
			t.Fatal(err)
		}
		_, fromLog, err := readFile(t, PostgresLog, log, opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(fromCSV.markers) != len(fromLog.markers) {
			t.Errorf("%s: %d records in csvlog, %d in the log", filepath.Base(log), len(fromCSV.markers), len(fromLog.markers))
			continue
		}
		a, b := markerFacts(fromCSV.markers), markerFacts(fromLog.markers)
		for i := range a {
			if a[i] != b[i] {
				t.Errorf("%s:\ncsvlog %s\nlog    %s", filepath.Base(log), a[i], b[i])
				break
			}
			compared++
		}
	}
	t.Logf("compared %d records", compared)
}

// markerFacts are what the two forms of a log have in common, sorted. SQLSTATE,
// which the log lacks, tells a translated error apart where its words do not.
func markerFacts(markers []runs.Marker) []string {
	var facts []string
	for _, m := range markers {
		kind := m.Kind
		if m.Severity == "ERROR" || m.Severity == "FATAL" {
			kind = "error"
		}
		facts = append(facts, fmt.Sprintf("%d %s %s %d %q %q", m.PID, kind, m.Severity, m.Duration, m.Message, m.Detail))
	}
	slices.Sort(facts)
	return facts
}
