package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// caseRun is a run of the case ci-publish-race.
type caseRun struct {
	Run     int       `json:"run"`
	Started time.Time `json:"started"`
	P99     float64   `json:"p99_ms"`
}

// document builds the document of a run whose requests all take its p99.
func (r caseRun) document(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run")
	w, err := runs.Create(path, runs.CreateOptions{ID: fmt.Sprint(r.Run)})
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(2000) {
		s := runs.NewSample()
		s.Start, s.Scenario, s.Outcome, s.Service = r.Started.UnixMicro()+i*10_000, "default", runs.OK, int64(r.P99*1e6+0.5)
		if err := w.Sample(&s); err != nil {
			t.Fatal(err)
		}
	}
	m := w.Manifest()
	m.Load.Model = runs.OpenLoop
	m.Window = &runs.Window{Start: r.Started.Format(time.RFC3339), End: r.Started.Add(20 * time.Second).Format(time.RFC3339), Declared: true}
	if _, err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	out, talk, status := answerOf(t, headroomIn(t, dir, "report", "build", "--quiet", "--title", "Nightly", path, "-o", "page"))
	if status == 3 {
		t.Fatalf("%s%s", out, talk)
	}
}

// TestCasesPublishRace plays the case ci-publish-race with the commands of the
// GitHub workflow: jobs that start from the same state of the branch, and a run
// that is measured again.
func TestCasesPublishRace(t *testing.T) {
	root := os.Getenv("HEADROOM_CASES")
	if root == "" {
		root = "../../../shared/cases"
		if _, err := os.Stat(root); err != nil {
			t.Skipf("no cases: %v", err)
		}
	}
	read := func(name string, to any) {
		data, err := os.ReadFile(filepath.Join(root, "ci-publish-race", name))
		if err == nil {
			err = json.Unmarshal(data, to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var base struct{ Runs []caseRun }
	var a, b, again struct{ Add caseRun }
	read("input.base.json", &base)
	read("input.a.json", &a)
	read("input.b.json", &b)
	read("input.rerun.json", &again)

	script := readWorkflow(t, "github.yml").steps["Publish"]
	origin := repository(t, func(string) {})
	job := func(r caseRun) publisher {
		p := clone(t, origin)
		r.document(t, p.dir)
		return p
	}
	refused := 0
	play := func(p publisher) {
		t.Helper()
		out, status := p.run(script)
		if status != 0 {
			t.Fatalf("status %d\n%s", status, out)
		}
		refused += strings.Count(out, "the push was refused")
	}
	for _, r := range base.Runs {
		play(job(r))
	}
	// The run again starts before B pushes, and B before A does: each one's copy is
	// of the state before, so that its first push is refused.
	jobA, jobB, rerun := job(a.Add), job(b.Add), job(again.Add)
	step := filepath.Join(t.TempDir(), "publish.sh")
	if err := os.WriteFile(step, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	inside := func(p publisher) string {
		return fmt.Sprintf("(cd %q && PATH=%q:$PATH bash -e %q) >> %q 2>&1", p.dir, p.bin, step, step+".log")
	}
	jobB.wrapped(inside(jobA))
	rerun.wrapped(inside(jobB))
	play(rerun)
	log, err := os.ReadFile(step + ".log")
	if err != nil {
		t.Fatal(err)
	}
	refused += strings.Count(string(log), "the push was refused")

	if refused != 2 {
		t.Errorf("%d pushes were refused, want 2\n%s", refused, log)
	}
	commits := strings.Fields(git(t, origin, "log", "--reverse", "--format=%H", "capacity-pages"))
	want := []string{"1", "1 2", "1 2 3", "1 2 4 3", "1 2 4 3"}
	if len(commits) != len(want) {
		t.Fatalf("%d commits, want %d: every push a fast-forward, none lost", len(commits), len(want))
	}
	for i, c := range commits {
		if got, _ := publishedRuns(t, origin, c); got != want[i] {
			t.Errorf("after push %d: runs %s, want %s", i+1, got, want[i])
		}
	}
	_, p99 := publishedRuns(t, origin, commits[len(commits)-1])
	if got := p99["3"]; got != fmt.Sprintf("%g ms", again.Add.P99) {
		t.Errorf("p99 of run 3: %s, want that of the run again, %g ms", got, again.Add.P99)
	}
	if len(p99) != 4 {
		t.Errorf("%d runs, want 4", len(p99))
	}
}

// publishedRuns are the runs of a commit's site in the order in which its page
// lists them, oldest first, and the p99 of each.
func publishedRuns(t *testing.T, origin, commit string) (order string, p99 map[string]string) {
	t.Helper()
	p99 = map[string]string{}
	ids, of := map[string]string{}, map[string]string{} // run, and its p99, by version
	page := ""
	for _, file := range strings.Fields(git(t, origin, "ls-tree", "-r", "--name-only", commit)) {
		switch parts := strings.Split(file, "/"); {
		case len(parts) == 3 && parts[2] == "version.json":
			var v struct {
				Runs      []struct{ ID string }
				Headlines []struct{ ID, Display string }
			}
			if err := json.Unmarshal([]byte(git(t, origin, "show", commit+":"+file)), &v); err != nil {
				t.Fatal(err)
			}
			ids[parts[1]] = v.Runs[0].ID
			for _, h := range v.Headlines {
				if h.ID == "latency.p99" {
					of[parts[1]] = h.Display
				}
			}
		case len(parts) == 2 && parts[1] == "index.html":
			page = git(t, origin, "show", commit+":"+file)
		}
	}
	versions, _, _ := strings.Cut(page[strings.Index(page, `<section id="versions"`):], "</section>")
	var listed []string
	for _, row := range strings.Split(versions, `<th scope="row"><a href="`)[1:] {
		folder, _, _ := strings.Cut(row, "/")
		listed = append([]string{ids[folder]}, listed...)
		p99[ids[folder]] = of[folder]
	}
	return strings.Join(listed, " "), p99
}
