package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
)

// inActions is an environment of GitHub Actions.
func inActions(t *testing.T, summary string) *testEnv {
	t.Helper()
	env := newTestEnv(t.TempDir())
	env.Getenv = func(name string) string {
		return map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary}[name]
	}
	return env
}

// TestAnnotations escapes what would end a workflow command or begin another.
func TestAnnotations(t *testing.T) {
	for want, a := range map[string]annotation{
		"::error file=a/b.md,line=3,col=7,title=stale::1%25 must be 2": {level: "error", file: "a/b.md", line: 3, col: 7, title: "stale", text: "1% must be 2"},
		"::warning::x": {level: "warning", text: "x"},
		"::error file=a%3Ab%2Cc%25::one; ::error file=x::two": {level: "error", file: "a:b,c%", text: "one\n::error file=x::two"},
	} {
		env := inActions(t, "")
		env.annotate(a)
		if got := env.err.String(); got != want+"\n" {
			t.Errorf("got %q, want %q", got, want)
		}
		if strings.Count(env.err.String(), "\n") != 1 {
			t.Errorf("%q is more than one command", env.err.String())
		}
	}
	if got := workflowData("a%\r\nb"); got != "a%25%0D%0Ab" {
		t.Errorf("data: %q", got)
	}
}

// TestAnnotationsElsewhere says nothing outside of GitHub Actions, and not more
// than GitHub shows there.
func TestAnnotationsElsewhere(t *testing.T) {
	env := newTestEnv(t.TempDir())
	env.annotate(annotation{level: "error", text: "x"})
	if env.err.Len() > 0 || env.out.Len() > 0 {
		t.Errorf("said %q %q", env.err.String(), env.out.String())
	}
	env = inActions(t, "")
	for i := range 25 {
		env.annotate(annotation{level: "error", text: fmt.Sprint(i)})
		env.annotate(annotation{level: "warning", text: fmt.Sprint(i)})
	}
	if n := strings.Count(env.err.String(), "\n"); n != 2*mostAnnotations {
		t.Errorf("%d annotations, want %d", n, 2*mostAnnotations)
	}
}

// TestAnnotateGates names the required gates that decided: a fail is an error, an
// unknown a warning, and of a document that passed there is nothing to say.
func TestAnnotateGates(t *testing.T) {
	c := &analyze.Capacity{Outcome: analyze.Fail, Results: []analyze.Result{{Run: analyze.RunInfo{ID: "r"}, Verdicts: []analyze.Verdict{
		{Gate: "p99", Outcome: analyze.Fail, Required: true, Display: "807 ms", Want: "< 100 ms"},
		{Gate: "reconciled", Outcome: analyze.Unknown, Required: true, Why: "no count, no claim"},
		{Gate: "drift", Outcome: analyze.Fail, Scope: detect.Scope{Scenario: "x"}},
		{Gate: "failed", Outcome: analyze.Pass, Required: true},
	}}}}
	env := inActions(t, "")
	env.annotateGates(c)
	want := "::error title=p99::r fail: got 807 ms, want < 100 ms\n::warning title=reconciled::r unknown. no count, no claim\n"
	if got := env.err.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	c.Outcome = analyze.Pass
	env = inActions(t, "")
	env.annotateGates(c)
	if env.err.Len() > 0 {
		t.Errorf("of a document that passed: %q", env.err.String())
	}
}

// TestJobSummary appends the summary of each document to that of the job.
func TestJobSummary(t *testing.T) {
	summary := filepath.Join(t.TempDir(), "summary.md")
	env := inActions(t, summary)
	for _, name := range []string{"one", "two"} {
		must(t, os.MkdirAll(filepath.Join(env.Dir, name), 0o755))
		must(t, os.WriteFile(filepath.Join(env.Dir, name, "summary.md"), []byte("## "+name+"\n"), 0o644))
		must(t, env.summarize(name))
	}
	text, err := os.ReadFile(summary)
	must(t, err)
	if string(text) != "## one\n\n## two\n\n" {
		t.Errorf("the summary is %q", text)
	}
	if err := env.summarize("absent"); err == nil {
		t.Error("a document without a summary was summarized")
	}
	must(t, newTestEnv("").summarize("absent")) // nobody asked for one
}
