package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
)

// cloudFormats are the formats of INDEX-telemetry.tsv of clouds, monitoring
// systems and applications: what answers each file's line of the index.
var cloudFormats = map[string]func(*testing.T, telemetryEntry, *cloudFile) map[string]string{
	"nab": answerNAB, "cloudwatch": answerCloudWatch, "rds-em": answerEM, "pi": answerPI,
	"prometheus": answerPrometheus, "otlp": answerOTLP, "applog": answerAppLog,
}

// cloudNotData are files beside the data: labels that the answers are made from.
var cloudNotData = []string{"nab/labels.json"}

// cloudFile is a file of the corpus as it was read.
type cloudFile struct {
	in  *Input
	r   *rows
	err error
}

// TestCorpusCloud compares what is read with the index. The file is renamed and
// gzipped first, so that only its content tells what it is.
func TestCorpusCloud(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_CORPUS", "corpus", "INDEX-telemetry.tsv")
	text, err := os.ReadFile(filepath.Join(root, "INDEX-telemetry.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	ids, answered := 0, 0
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) < 5 || cloudFormats[f[1]] == nil || strings.Contains(strings.Join(cloudNotData, " "), f[0]) {
			continue
		}
		e := telemetryEntry{filepath.Join(root, f[0]), f[1], f[2], f[4]}
		t.Run(f[0], func(t *testing.T) {
			wants := cloudAnswers(e)
			if len(wants) == 0 {
				t.Errorf("the index gives no answer that is understood: %s", e.answer)
			}
			got := cloudFormats[e.format](t, e, readDisguised(t, e.path))
			for _, want := range wants {
				ids++
				v, ok := got[want.name]
				switch {
				case !ok:
					t.Errorf("%s has no answer", want.name)
				case !sameNumber(v, want.value):
					t.Errorf("%s: got %s, want %s", want.name, v, want.value)
				default:
					answered++
				}
			}
		})
	}
	t.Logf("answered %d of %d ids", answered, ids)
	if ids == 0 {
		t.Error("the index names no answer of a format that is read")
	}
}

// readDisguised reads a file that was gzipped and given another name. What it
// does not say of its time is given: UTC, and a start.
func readDisguised(t *testing.T, path string) *cloudFile {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	c, err := NewContent("evidence.bin", &packed, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	im, err := Sniff(All, c.Head)
	if err != nil {
		t.Fatal(err)
	}
	in, r := NewInput("evidence.bin", c, Options{Zone: time.UTC, Start: time.Unix(1796053190, 0)}), &rows{}
	err = im.Read(in, r)
	if _, e := io.Copy(io.Discard, c); e != nil {
		t.Fatal(e)
	}
	if n, bad := in.BadLines(); n > 0 {
		t.Errorf("%s: %d bad lines: %v", im.Name, n, bad)
	}
	return &cloudFile{in, r, err}
}

func second(us int64) string { return time.UnixMicro(us).UTC().Format(time.RFC3339) }

func secondsText(us int64) string { return number(float64(us) / 1e6) }

func answerNAB(t *testing.T, e telemetryEntry, f *cloudFile) map[string]string {
	points := f.r.points
	if f.err != nil || len(points) == 0 {
		t.Fatalf("no points: %v", f.err)
	}
	if _, _, err := readFile(t, SeriesCSV, e.path, Options{}); !errors.Is(err, ErrZone) {
		t.Errorf("the file names no zone, and without one it gave %v", err)
	}
	got := map[string]string{
		"rows": strconv.Itoa(len(points)), "step": secondsText(f.in.Meta.Resolution),
		"first": second(points[0].Time), "last": second(points[len(points)-1].Time),
	}
	least, most, sum, twice, back, other, run := points[0].Value, points[0].Value, 0.0, 0, 0, 0, 1
	longest := 1
	for i, p := range points {
		least, most, sum = min(least, p.Value), max(most, p.Value), sum+p.Value
		if i == 0 {
			continue
		}
		d := p.Time - points[i-1].Time
		run++
		if d != 0 {
			run = 1
		}
		longest = max(longest, run)
		switch {
		case d < 0:
			back++
		case d == 0:
			twice++
		}
		if d != f.in.Meta.Resolution {
			other++
		}
	}
	got["min"], got["max"], got["mean"] = number(least), number(most), number(sum/float64(len(points)))
	got["duplicates"], got["backwards"], got["other"], got["same"] = strconv.Itoa(twice), strconv.Itoa(back), strconv.Itoa(other), strconv.Itoa(longest)
	said := strings.Join(f.in.Meta.Notes, "\n")
	if other > twice+back && !strings.Contains(said, "not the usual") || twice > 0 && !strings.Contains(said, fmt.Sprintf("%d rows share the stamp", twice)) {
		t.Errorf("gaps and repeated stamps are not said: %s", said)
	}
	return got
}

func answerCloudWatch(t *testing.T, _ telemetryEntry, f *cloudFile) map[string]string {
	if f.err != nil || len(f.r.points) == 0 {
		t.Fatalf("no points: %v", f.err)
	}
	first := f.r.points[0]
	var of []float64
	got := map[string]string{"period": secondsText(first.Resolution)}
	most, last := 0.0, int64(0)
	for _, p := range f.r.points {
		if p.Metric != first.Metric {
			continue
		}
		if p.Time < last {
			t.Errorf("%s is not in order", p.Metric)
		}
		last = p.Time
		v := p.Value
		if p.Metric == "cloudwatch.CPUUtilization" || p.Unit == "1" && strings.HasSuffix(p.Metric, ".maximum") {
			v *= 100 // of percent
		}
		start := second(p.Time - p.Resolution)
		if len(of) == 0 {
			got["first"], got["first value"] = start, number(v)
		}
		got["last"], got["last value"] = start, number(v)
		of, most = append(of, v), max(most, v)
	}
	got["points"], got["max"], got["mean"] = strconv.Itoa(len(of)), number(most), number(mean(of))
	return got
}

func answerEM(t *testing.T, _ telemetryEntry, f *cloudFile) map[string]string {
	if f.err != nil || len(f.r.points) == 0 {
		t.Fatalf("no points: %v", f.err)
	}
	got := map[string]string{"time": second(f.r.points[0].Time)}
	for name, metric := range map[string]string{
		"system": "rds.cpu.system", "wait": "rds.cpu.iowait", "idle": "rds.cpu.idle", "user": "rds.cpu.user", "steal": "rds.cpu.steal", "total": "rds.cpu.total",
	} {
		v, _ := f.r.series(metric, "")
		got[name], got["events"] = number(100*mean(v)), strconv.Itoa(len(v))
	}
	cpus, _ := f.r.series("rds.vcpus", "")
	got["vcpus"] = number(cpus[0])
	disks := map[string]bool{}
	for _, p := range f.r.points {
		if strings.HasPrefix(p.Metric, "rds.disk.") {
			disks[p.Entity] = true
		}
	}
	got["disks"] = strconv.Itoa(len(disks))
	return got
}

func answerPI(t *testing.T, _ telemetryEntry, f *cloudFile) map[string]string {
	if f.err != nil || len(f.r.points) == 0 {
		t.Fatalf("no points: %v", f.err)
	}
	if p := f.r.points[0]; p.Metric == "pi.keys" {
		return map[string]string{"start": strconv.FormatInt((p.Time-p.Resolution)/1e6, 10), "end": strconv.FormatInt(p.Time/1e6, 10)}
	}
	total, _ := f.r.series("pi.db.load.avg", "")
	sums := map[string]float64{}
	top := ""
	for _, p := range f.r.points {
		if p.Entity == "" {
			continue
		}
		if sums[p.Entity] += p.Value; top == "" || sums[p.Entity] > sums[top] {
			top = p.Entity
		}
	}
	return map[string]string{"points": strconv.Itoa(len(total)), "period": secondsText(f.r.points[0].Resolution), "mean": number(mean(total)), "top": top}
}

func answerPrometheus(t *testing.T, _ telemetryEntry, f *cloudFile) map[string]string {
	if f.err != nil || len(f.r.points) == 0 {
		t.Fatalf("no points: %v", f.err)
	}
	first, last := f.r.points[0], f.r.points[len(f.r.points)-1]
	series, instants := map[string]bool{}, map[int64]bool{}
	got := map[string]string{"step": secondsText(first.Resolution), "increase": number(last.Value - first.Value)}
	for i, p := range f.r.points {
		series[p.Metric+p.Entity], instants[p.Time] = true, true
		if i > 0 && p.Time-f.r.points[i-1].Time > 4*first.Resolution {
			got["hole from"], got["hole to"] = secondsText(f.r.points[i-1].Time), secondsText(p.Time)
		}
		if p.Metric == "prometheus.pg_locks_count" && p.Kind == "gauge" {
			got["locks"] = "pg_locks_count"
		}
		if p.Metric == "prometheus.pg_stat_database_xact_commit" && p.Kind == "counter" {
			for _, name := range []string{"bench", "bench2"} {
				if strings.Contains(","+p.Entity+",", ",datname="+name+",") {
					got["xact "+name] = number(p.Value)
				}
			}
		}
	}
	got["series"] = strconv.Itoa(len(series))
	odd := 0
	for _, note := range f.in.Meta.Notes {
		fmt.Sscanf(note, "%d values are NaN", &odd)
	}
	got["values"] = strconv.Itoa(len(f.r.points) + odd)
	if len(instants) == 1 {
		got["instants"] = "one"
	}
	return got
}

func answerOTLP(t *testing.T, e telemetryEntry, f *cloudFile) map[string]string {
	if f.err != nil || len(f.r.points) == 0 {
		t.Fatalf("no points: %v", f.err)
	}
	got := map[string]string{}
	instants := map[int64]int{} // of lines
	var counter []float64
	gauges := map[int64]bool{}
	entity := ""
	for _, p := range f.r.points {
		if instants[p.Time] == 0 {
			instants[p.Time] = len(instants) + 1
		}
		if p.Kind == "gauge" && !strings.HasSuffix(p.Metric, ".min") && !strings.HasSuffix(p.Metric, ".max") {
			gauges[p.Time] = true
		}
		if p.Kind == "counter" && (entity == "" || entity == p.Entity) {
			entity = p.Entity
			if n := len(counter); n > 0 && p.Value < counter[n-1] {
				got["restart line"] = strconv.Itoa(instants[p.Time])
			} else if n > 0 {
				got["increment"] = number(p.Value - counter[n-1])
			}
			counter = append(counter, p.Value)
		}
	}
	for us, line := range instants {
		if !gauges[us] {
			got["gap line"] = strconv.Itoa(line)
		}
	}
	if len(instants) == 1 {
		got["documents"] = "one"
	}
	return got
}

// answerAppLog reads the log with a mapping too, whose fields differ by logger.
func answerAppLog(t *testing.T, e telemetryEntry, f *cloudFile) map[string]string {
	if f.err != nil || len(f.r.markers) == 0 {
		t.Fatalf("no markers: %v", f.err)
	}
	n := map[string]int{}
	for _, m := range f.r.markers {
		switch {
		case m.Message == "request":
			n["requests"]++
			n[fmt.Sprint(attrOf(t, m, "status"))]++
		case m.Message == "activity processed":
			n["processed"]++
			wait, ok := attrOf(t, m, "queue_wait").(float64)
			if !ok || wait < 0 || wait > 1e4 {
				t.Errorf("queue wait %v", attrOf(t, m, "queue_wait"))
			}
		case strings.HasPrefix(m.Message, "housekeeping"):
			n["housekeeping"]++
		}
	}
	appSamples(t, e, n["processed"])
	got := map[string]string{}
	for name, v := range n {
		got[name] = strconv.Itoa(v)
	}
	return got
}

// appMappings say, by logger, what the fields of the corpus's logs mean: the
// first field of the list is the message.
var appMappings = map[string]string{
	"slog JSON": "format: generic-jsonl\nend: {field: time, unit: rfc3339}\nwait: {field: queue_wait_ms, unit: ms}\nservice: {field: processing_ms, unit: ms}\nwhere: [{field: msg, in: [activity processed]}]\n",
	"slog text": "format: generic-logfmt\nend: {field: time, unit: rfc3339}\nwait: {field: queue_wait, unit: duration}\nservice: {field: processing, unit: duration}\nwhere: [{field: msg, in: [activity processed]}]\n",
	"zerolog":   "format: generic-jsonl\nend: {field: time, unit: unix_ms}\nwait: {field: queue_wait, unit: ms}\nservice: {field: processing, unit: ms}\nwhere: [{field: message, in: [activity processed]}]\n",
}

// appSamples reads the jobs of a log as samples: the loggers logged the same
// events, so that every one of them waited and was served as long.
func appSamples(t *testing.T, e telemetryEntry, processed int) {
	t.Helper()
	for name, text := range appMappings {
		if !strings.Contains(e.tool, name) {
			continue
		}
		maps, err := ReadMappings("mapping.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		im, err := Lookup(All, maps[0].Format)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(e.path)
		if err != nil {
			t.Fatal(err)
		}
		_, r := readText(t, im, "log", string(raw), Options{Map: maps[0]})
		if len(r.samples) != processed {
			t.Errorf("%d samples of %d jobs", len(r.samples), processed)
		}
		if s := r.samples[0]; s.Wait < 358_000 || s.Wait > 358_999 || s.Service < 5_223_000 || s.Service > 5_223_999 {
			t.Errorf("the first job waited %d ns and was served %d ns", s.Wait, s.Service)
		}
		return
	}
	t.Errorf("no mapping for the log of %s", e.tool)
}
