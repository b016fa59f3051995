package site

import (
	"testing"

	"headroom/analyze"
)

// TestLabelsOfHeadlines names a run of several by what it differs in, each label
// once, and by nothing that the next version has otherwise.
func TestLabelsOfHeadlines(t *testing.T) {
	run := func(commit, concurrency string, step bool) analyze.Result {
		r := analyze.Result{Run: analyze.RunInfo{Labels: map[string]string{"commit": commit, "concurrency": concurrency}}}
		if step {
			r.Steps = []analyze.StepInfo{{Name: "concurrency=" + concurrency}}
		}
		return r
	}
	list := []analyze.Result{run("a", "1", true), run("a", "2", true), run("a", "3", false)}
	for i, want := range []string{"concurrency=1", "concurrency=2", "concurrency=3"} {
		if got := labelsOf(&list[i], list); got != want {
			t.Errorf("run %d: %q, want %q", i, got, want)
		}
	}
	if got := labelsOf(&list[0], list[:1]); got != "" {
		t.Errorf("one run: %q", got)
	}
	if got := scopeText("api", "default", "api", ""); got != "api" {
		t.Errorf("a scope is %q", got)
	}
}
