package capture

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// testOptions records a command into a folder of the test's own.
func testOptions(t *testing.T, command ...string) Options {
	t.Helper()
	start := time.Now()
	return Options{
		Out: filepath.Join(t.TempDir(), "run"), Tool: "headroom test", Command: command, Env: []string{"PATH=/usr/bin:/bin"},
		Clock: Clock{Now: time.Now, Elapsed: func() time.Duration { return time.Since(start) }},
		Tell: func(e Event) {
			if e.Kind != Progress {
				t.Logf("%s: %s", e.Kind, e.Text)
			}
		},
		Every: 200 * time.Millisecond,
	}
}

func record(t *testing.T, o Options) *Result {
	t.Helper()
	res, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Run.Verify(context.Background()); err != nil {
		t.Error(err)
	}
	return res
}

func TestExitStatus(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]int{"exit 0": 0, "exit 7": 7, "kill -TERM $$": 143} {
		res := record(t, testOptions(t, "sh", "-c", command))
		if m := res.Run.Manifest(); res.Status != want || m.ExitStatus == nil || *m.ExitStatus != want {
			t.Errorf("%s: status %d, recorded %v", command, res.Status, m.ExitStatus)
		}
	}
}

func TestUsage(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"no command":        func(o *Options) { o.Command = nil },
		"absent command":    func(o *Options) { o.Command = []string{"/no/such/program"} },
		"group name":        func(o *Options) { o.Processes = []ProcessGroup{{"generator", "x"}} },
		"group pattern":     func(o *Options) { o.Processes = []ProcessGroup{{"app", "cmd:("}} },
		"format":            func(o *Options) { o.Samples = []SampleSource{{"nothing", "x"}} },
		"samples twice":     func(o *Options) { o.Samples = []SampleSource{{"k6", "a/x"}, {"k6", "a/./x"}} },
		"two tools":         func(o *Options) { o.Samples = []SampleSource{{"k6", "x"}, {"pgbench-log", "y"}} },
		"unknown key":       func(o *Options) { o.Postgres.DSN = "hst=1" },
		"pipe unused":       func(o *Options) { o.Samples = []SampleSource{{"k6", "fifo"}} },
		"count without":     func(o *Options) { o.Postgres.Counts = []Count{{"rows", "select 1"}} },
		"reconcile without": func(o *Options) { o.Reconcile = map[string]string{"rows": "events"} },
		"count no number":   func(o *Options) { o.Postgres = Postgres{DSN: "host=x", Counts: []Count{{"rows", " "}}} },
	} {
		o := testOptions(t, "true")
		change(&o)
		if _, err := Run(context.Background(), o); err == nil {
			t.Errorf("%s: no error", name)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(o.Out), "*")); len(left) > 0 {
			t.Errorf("%s left %v", name, left)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(o.Out), ".*")); len(left) > 0 {
			t.Errorf("%s left %v", name, left)
		}
	}
}

// Ctrl-C ends the command and seals the run.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(300*time.Millisecond, cancel)
	res, err := Run(ctx, testOptions(t, "sleep", "60"))
	if err != nil {
		t.Fatal(err)
	}
	m := res.Run.Manifest()
	if res.Status != 130 || m.State != "sealed" || !strings.Contains(strings.Join(m.Notes, ";"), "interrupted") {
		t.Errorf("status %d, state %s, notes %q", res.Status, m.State, m.Notes)
	}
}
