package capture

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"headroom/runs"
)

// k6Script writes k6's JSON lines: n requests, 10 ms apart, into a file.
const k6Script = `
echo '{"type":"Metric","data":{"name":"http_req_duration","type":"trend","contains":"time","thresholds":[],"submetrics":null},"metric":"http_req_duration"}'
i=0
while [ $i -lt $N ]; do
	t=$(date -u +%Y-%m-%dT%H:%M:%S.%NZ)
	for m in http_reqs:1 http_req_duration:12.5 http_req_blocked:0.1 http_req_connecting:0 http_req_tls_handshaking:0 http_req_sending:0.1 http_req_waiting:12 http_req_receiving:0.4 http_req_failed:0; do
		echo '{"metric":"'${m%:*}'","type":"Point","data":{"time":"'$t'","value":'${m#*:}',"tags":{"expected_response":"true","group":"","method":"GET","name":"http://127.0.0.1/","proto":"HTTP/1.1","scenario":"default","status":"200","url":"http://127.0.0.1/"}}}'
	done
	i=$((i+1))
	sleep 0.01
done`

// samplesOf counts the samples of a run, and tells the latency of one of them, ms.
func samplesOf(t *testing.T, r *runs.Run) (n int, ms int64) {
	t.Helper()
	err := r.ScanSamples(context.Background(), []runs.Column{runs.ColService}, runs.Range{}, func(b *runs.Batch) error {
		n += b.Len
		ms = b.Service[0] / 1e6
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n, ms
}

// Samples are streamed through a pipe that is made for the command, one that is
// there, or read from a file at the end.
func TestSamples(t *testing.T) {
	t.Parallel()
	own := filepath.Join(t.TempDir(), "own.fifo")
	if err := syscall.Mkfifo(own, 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "k6.json")
	for name, c := range map[string]struct{ source, to string }{
		"made":  {PipePath, PipeWord},
		"given": {own, own},
		"file":  {file, file},
	} {
		t.Run(name, func(t *testing.T) {
			var seen int64
			o := testOptions(t, "sh", "-c", "exec > \"$0\"; N=100;"+k6Script, c.to)
			o.Samples = []SampleSource{{"k6", c.source}}
			o.Tell = func(e Event) {
				if e.Kind == Progress {
					seen = max(seen, e.Status.Samples)
				}
			}
			o.Step = map[string]string{"rate": "100"}
			res := record(t, o)
			m := res.Run.Manifest()
			n, ms := samplesOf(t, res.Run)
			if n != 100 || ms != 12 || m.Load.Tool != "k6" || m.Sources[0].Format != "k6-json" || m.Sources[0].Rows < 100 || m.Sources[0].SHA256 == "" {
				t.Errorf("%d samples of %d ms, load %+v, sources %+v", n, ms, m.Load, m.Sources)
			}
			if _, ok := lacks(res.Run, "samples"); ok || len(m.Steps) != 1 || m.Steps[0].End <= m.Steps[0].Start {
				t.Errorf("not collected %v, steps %v", m.NotCollected, m.Steps)
			}
		})
	}
}

// A command that never opens the pipe, or leaves a broken file, costs the
// samples and nothing else.
func TestSamplesMissing(t *testing.T) {
	t.Parallel()
	o := testOptions(t, "echo", PipeWord)
	o.Samples = []SampleSource{{"k6", PipePath}}
	if a, ok := lacks(record(t, o).Run, "samples of samples-0.fifo"); !ok || a.Why != runs.CollectorDied || !strings.HasPrefix(a.Note, "nothing came through the pipe samples-0.fifo") {
		t.Error("nothing came through the pipe, and nothing is said")
	}
	o = testOptions(t, "true")
	o.Samples = []SampleSource{{"pgbench", filepath.Join(t.TempDir(), "none")}}
	if a, ok := lacks(record(t, o).Run, "samples of none"); !ok || a.Why != runs.CollectorDied {
		t.Error("no file was written, and nothing is said")
	}
}

// Marks of another process are steps and notes, at the time they were made.
func TestMarks(t *testing.T) {
	t.Parallel()
	o := testOptions(t, "sleep", "2")
	o.Step = map[string]string{"concurrency": "1"}
	var second time.Time
	time.AfterFunc(700*time.Millisecond, func() {
		second = time.Now()
		for _, m := range []Mark{
			{Time: second, Step: map[string]string{"concurrency": "2"}}, {Time: second, Note: "index dropped, password=hunter2"},
		} {
			if err := AppendMark(o.Out, m); err != nil {
				t.Error(err)
			}
		}
	})
	r := record(t, o).Run
	s := r.Manifest().Steps
	if len(s) != 2 || s[0].End != second.UnixMicro() || s[1].Start != second.UnixMicro() || s[1].Labels["concurrency"] != "2" || s[1].End-s[1].Start < 1e6 {
		t.Errorf("steps %+v", s)
	}
	if got := contentsOf(t, r); got.kinds["note"] != 1 || got.kinds["step"] != 2 {
		t.Errorf("markers %v", got.kinds)
	}
	noSecret(t, r, "hunter2")
	if err := AppendMark(o.Out, Mark{Note: "late"}); err == nil {
		t.Error("a run that is sealed was marked")
	}
}

// A disk without room ends the command, with an error that says so, and leaves
// what was recorded as a partial run.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=3m"); err != nil {
		t.Skipf("no small file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, 0) })
	o := testOptions(t, "sh", "-c", "sleep 1.2; dd if=/dev/zero of="+dir+"/fill bs=64k 2>/dev/null; sleep 30")
	o.Out, o.Flush = filepath.Join(dir, "run"), 300*time.Millisecond
	began := time.Now()
	_, err := Run(context.Background(), o)
	var partial *PartialError
	if !errors.As(err, &partial) || time.Since(began) > 20*time.Second {
		t.Fatalf("after %s: %v", time.Since(began), err)
	}
	if m := partial.Run.Manifest(); m.State != runs.Partial || len(contentsOf(t, partial.Run).metrics) == 0 {
		t.Errorf("state %s", m.State)
	}
	if err := partial.Run.Verify(context.Background()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(o.Out); err != nil {
		t.Error(err)
	}
}

// A clock that is stepped is said to be, and the samplers go on.
func TestClockStep(t *testing.T) {
	t.Parallel()
	o := testOptions(t, "sleep", "2")
	start := time.Now()
	o.Clock.Now = func() time.Time {
		now := time.Now().Round(0)
		if time.Since(start) > time.Second {
			now = now.Add(-time.Hour)
		}
		return now
	}
	r := record(t, o).Run
	got := contentsOf(t, r)
	if got.kinds["capture.clock_step"] != 1 || got.metrics["load.1m"] < 8 {
		t.Errorf("markers %v, %d looks", got.kinds, got.metrics["load.1m"])
	}
}

// What the command printed into a file beside its samples, under the same prefix, is
// none of them, and costs none.
func TestSamplesBesideOutput(t *testing.T) {
	t.Parallel()
	prefix := filepath.Join(t.TempDir(), "load")
	o := testOptions(t, "sh", "-c", "exec > \"$0.1\" 2> \"$0.err\"; echo 'progress: what a tool says' >&2; N=50;"+k6Script+"; echo done > \"$0.out\"", prefix)
	o.Samples = []SampleSource{{"k6", prefix}}
	m := record(t, o).Run.Manifest()
	notes := strings.Join(m.Notes, "\n")
	if len(m.Sources) == 0 || m.Sources[0].Samples != 50 || !strings.Contains(notes, "load.err begins with the name of the samples") || !strings.Contains(notes, "load.out begins") {
		t.Errorf("sources %+v, notes %q", m.Sources, notes)
	}
}

// Of samples that are refused when they are read, no row comes into the run.
func TestRefusedSamples(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")
	o := testOptions(t, "sh", "-c", "exec > \"$0\"; N=50;"+k6Script+"; cp \"$0\" \"$1\"", a, b)
	o.Samples = []SampleSource{{"k6", a}, {"k6", b}}
	r := record(t, o).Run
	if missing, ok := lacks(r, runs.AbsentSamples); !ok || missing.Why != runs.CollectorDied || !strings.Contains(missing.Note, "its content is that of") {
		t.Errorf("not collected: %+v", r.Manifest().NotCollected)
	}
	if n, _ := samplesOf(t, r); n != 0 {
		t.Errorf("%d samples of files that were refused", n)
	}
}

// One file by two names is read once.
func TestSamplesByTwoNames(t *testing.T) {
	t.Parallel()
	for _, link := range []string{"ln -s", "ln"} {
		dir := t.TempDir()
		a, b := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")
		o := testOptions(t, "sh", "-c", "exec > \"$0\"; N=50;"+k6Script+"; "+link+" \"$0\" \"$1\"", a, b)
		o.Samples = []SampleSource{{"k6", a}, {"k6", b}}
		r := record(t, o).Run
		if n, _ := samplesOf(t, r); n != 50 {
			t.Errorf("%s: %d samples of 50, not collected %+v", link, n, r.Manifest().NotCollected)
		}
	}
}

// The same place is known by whatever path leads to it, before anything is there.
func TestSamplesNamedTwice(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, second := range []string{"real/load.json", "real/../real/load.json", "link/load.json"} {
		o := testOptions(t, "true")
		o.Samples = []SampleSource{{"k6", filepath.Join(dir, "real/load.json")}, {"k6", dir + "/" + second}}
		if _, err := Run(context.Background(), o); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), "named twice") {
			t.Errorf("%s: %v", second, err)
		}
	}
}

// A claim that nothing makes is told when the run is sealed.
func TestUnansweredReconcile(t *testing.T) {
	t.Parallel()
	o := testOptions(t, "true")
	m := &runs.Manifest{Reconcile: map[string]string{"rows": "sold"}, Claims: map[string]string{"sent": "3"}}
	var told []string
	o.Tell = func(e Event) { told = append(told, e.Text) }
	c := &capture{opt: o, rec: newRecorder(nil)}
	c.foldUnasked(m)
	want := `reconcile rows=sold: nothing claims "sold", so that the gate stays unknown; there are claims of events, requests, sent`
	if len(m.Notes) != 1 || m.Notes[0] != want || len(told) != 1 || told[0] != want {
		t.Errorf("notes %q, told %q", m.Notes, told)
	}
}
