package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"headroom/internal/yamlfile"
)

// workflow is a file of examples/ci: the commands of its steps by name. Those of
// GitLab's jobs have the name of the job.
type workflow struct {
	text  string
	steps map[string]string
}

func readWorkflow(t *testing.T, name string) workflow {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../examples/ci", name))
	if err != nil {
		t.Fatal(err)
	}
	var top map[string]any
	if err := yamlfile.Decode(name, text, &top); err != nil {
		t.Fatal(err)
	}
	w := workflow{string(text), map[string]string{}}
	jobs, github := top["jobs"].(map[string]any)
	if !github {
		jobs = top
	}
	for job, body := range jobs {
		fields, ok := body.(map[string]any)
		if !ok {
			continue
		}
		script := ""
		for _, line := range list(fields["script"]) {
			script += line.(string) + "\n"
		}
		if script != "" {
			w.steps[job] = script
		}
		for _, step := range list(fields["steps"]) {
			s := step.(map[string]any)
			if run, ok := s["run"].(string); ok {
				w.steps[s["name"].(string)] = run
			}
		}
	}
	return w
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// publisher is a clone of a repository in which steps of a workflow run.
type publisher struct {
	t   *testing.T
	dir string
	bin string // in front of PATH
	env []string
}

// repository makes a bare repository with the files that fill writes.
func repository(t *testing.T, fill func(dir string)) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	root := t.TempDir()
	origin, work := filepath.Join(root, "origin.git"), filepath.Join(root, "first")
	git(t, root, "init", "--quiet", "--bare", "--initial-branch=main", origin)
	git(t, origin, "config", "receive.advertisePushOptions", "true")
	git(t, origin, "config", "receive.denyNonFastForwards", "true")
	git(t, root, "clone", "--quiet", origin, work)
	fill(work)
	git(t, work, "checkout", "--quiet", "-B", "main")
	git(t, work, "add", "--all")
	git(t, work, "commit", "--quiet", "--allow-empty", "--message", "first")
	git(t, work, "push", "--quiet", "origin", "main")
	return origin
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.test"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// clone makes a job: a clone of the repository, in which headroom is this test
// binary by that name.
func clone(t *testing.T, origin string) publisher {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	p := publisher{t: t, dir: filepath.Join(dir, "work"), bin: filepath.Join(dir, "bin"), env: []string{"STUDY=study.yaml", "SITE_BRANCH=capacity-pages"}}
	if err := os.MkdirAll(filepath.Join(p.bin, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(p.bin, "headroom")); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "clone", "--quiet", origin, p.dir)
	return p
}

// run runs the commands of a step as a runner does: they end at the first that
// fails.
func (p publisher) run(script string) (out string, status int) {
	p.t.Helper()
	cmd := exec.Command("bash", "-e", "-o", "pipefail", "-c", script)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "PATH="+p.bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "CI_JOB_TOKEN=")
	cmd.Env = append(cmd.Env, p.env...)
	b, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		p.t.Fatal(err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

var (
	uses     = regexp.MustCompile(`uses: (\S+)(.*)`)
	pinned   = regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$`)
	secretIn = regexp.MustCompile(`secrets\.|password|api[_-]?key`)
)

// TestWorkflowsAreCareful looks at what the workflows may do: actions are pinned
// to a commit, with the version beside it, permissions are the least, and there is
// no secret.
func TestWorkflowsAreCareful(t *testing.T) {
	w := readWorkflow(t, "github.yml")
	seen := 0
	for _, m := range uses.FindAllStringSubmatch(w.text, -1) {
		seen++
		if !pinned.MatchString(m[1]) || !strings.HasPrefix(m[2], " # v") {
			t.Errorf("%s is not pinned to a commit with its version beside it", m[0])
		}
	}
	if seen < 4 {
		t.Errorf("only %d actions were seen", seen)
	}
	if !strings.Contains(w.text, "\npermissions: {}\n") || strings.Count(w.text, ": write") != 1 {
		t.Error("the workflow has more permissions than the push of its site needs")
	}
	for _, name := range []string{"github.yml", "gitlab-ci.yml"} {
		if m := secretIn.FindString(readWorkflow(t, name).text); m != "" {
			t.Errorf("%s speaks of %q", name, m)
		}
		if strings.Contains(w.text, "--force-with-lease") || regexp.MustCompile(`push[^\n]*(--force|-f )`).MatchString(w.text) {
			t.Errorf("%s forces a push", name)
		}
	}
}

// exampleStudy fills a repository with the recorded sweep and a study of it.
func exampleStudy(t *testing.T) func(dir string) {
	return func(dir string) {
		runs := filepath.Join(dir, "runs")
		for _, name := range []string{"c016", "c128", "c256"} {
			if err := os.CopyFS(filepath.Join(runs, name), os.DirFS(filepath.Join("../../examples/pgbench-sweep/runs", name))); err != nil {
				t.Fatal(err)
			}
		}
		study := "title: pgbench on two cores\nkind: capacity\ncontention: warn\nconfigurations:\n  - name: pgbench\n    protocol: sweep\n    key: concurrency\n    limits: {p99: 100ms}\n    runs: [runs/*]\n"
		if err := os.WriteFile(filepath.Join(dir, "study.yaml"), []byte(study), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWorkflows runs the commands of both workflows on recorded runs: the document
// is built, is clean, and is published on a branch; the same page from another job
// changes nothing.
func TestWorkflows(t *testing.T) {
	for name, steps := range map[string]struct{ document, site []string }{
		"github.yml":    {[]string{"Build", "Check"}, []string{"Publish"}},
		"gitlab-ci.yml": {[]string{"capacity-document"}, []string{"capacity-site"}},
	} {
		w := readWorkflow(t, name)
		origin := repository(t, exampleStudy(t))
		job := clone(t, origin)
		summary := filepath.Join(job.dir, "..", "summary")
		job.env = append(job.env, "GITHUB_STEP_SUMMARY="+summary, "GITHUB_ACTIONS=true")
		job.steps(w, append(steps.document, steps.site...)...)
		if text, err := os.ReadFile(summary); err != nil || !strings.Contains(string(text), "pgbench on two cores") {
			t.Errorf("%s: the summary of the job: %v %q", name, err, text)
		}
		if _, err := os.Stat(filepath.Join(job.dir, "page", "junit.xml")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		again := clone(t, origin)
		if err := os.CopyFS(filepath.Join(again.dir, "page"), os.DirFS(filepath.Join(job.dir, "page"))); err != nil {
			t.Fatal(err)
		}
		again.steps(w, steps.site...)
		if commits := strings.Count(git(t, origin, "log", "--oneline", "capacity-pages"), "\n"); commits != 1 {
			t.Errorf("%s: %d commits, want 1", name, commits)
		}
		if name == "gitlab-ci.yml" {
			if _, err := os.Stat(filepath.Join(again.dir, "public", "pgbench-on-two-cores", "latest", "index.html")); err != nil {
				t.Error(err)
			}
		}
		files := git(t, origin, "ls-tree", "-r", "--name-only", "capacity-pages")
		for _, want := range []string{"index.html\n", "feed.xml\n", "pgbench-on-two-cores/latest/index.html\n", "/capacity.json\n"} {
			if !strings.Contains("\n"+files, want) {
				t.Errorf("%s: the branch holds no %s:\n%s", name, strings.TrimSpace(want), files)
			}
		}
		if strings.Contains(files, "study.yaml") {
			t.Errorf("%s: the branch holds what is not of the site:\n%s", name, files)
		}
	}
}

// steps runs steps of a workflow, each of which must succeed.
func (p publisher) steps(w workflow, names ...string) {
	p.t.Helper()
	for _, name := range names {
		out, status := p.run(w.steps[name])
		if w.steps[name] == "" || status != 0 {
			p.t.Fatalf("%s: status %d\n%s", name, status, out)
		}
	}
}

// TestWorkflowRefuses ends loudly when a document may not be published.
func TestWorkflowRefuses(t *testing.T) {
	w := readWorkflow(t, "github.yml")
	origin := repository(t, func(string) {})
	job := clone(t, origin)
	caseRun{Run: 1, Started: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC), P99: 20}.document(t, job.dir)
	note := filepath.Join(job.dir, "page", "dsn.txt")
	if err := os.WriteFile(note, []byte("postgres://app:"+"hunter2@db/app\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, status := job.run(w.steps["Publish"])
	if status != 1 || !strings.Contains(out, "page/dsn.txt:1: connection string") || strings.Contains(out, "hunter2") {
		t.Errorf("status %d\n%s", status, out)
	}
	if branches := git(t, origin, "branch", "--list", "capacity-pages"); branches != "" {
		t.Errorf("the branch was made: %s", branches)
	}
}

// wrapped puts a script in front of headroom: it calls headroom, then runs more
// once.
func (p publisher) wrapped(more string) {
	p.t.Helper()
	link := filepath.Join(p.bin, "headroom")
	if err := os.Rename(link, filepath.Join(p.bin, "real", "headroom")); err != nil {
		p.t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\nset -e\n%q \"$@\"\nif [ ! -e %[2]q ]; then : > %[2]q; %s; fi\n", filepath.Join(p.bin, "real", "headroom"), filepath.Join(p.bin, "done"), more)
	if err := os.WriteFile(link, []byte(script), 0o755); err != nil {
		p.t.Fatal(err)
	}
}
