package render

import (
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
)

func TestRunNames(t *testing.T) {
	run := func(id, step string, labels map[string]string) analyze.Result {
		r := analyze.Result{Run: analyze.RunInfo{ID: id, Labels: labels}}
		if step != "" {
			r.Steps = []analyze.StepInfo{{Name: step}}
		}
		return r
	}
	for _, x := range []struct {
		name    string
		c       analyze.Capacity
		want    []string
		scope   string // of the last run
		ofSteps string
	}{
		{"a sweep", analyze.Capacity{Results: []analyze.Result{
			run("a", "n=1", map[string]string{"system": "db"}), run("b", "n=2", map[string]string{"system": "db"})}}, []string{"n=1", "n=2"}, "n=2", "n=2"},
		{"rungs taken twice", analyze.Capacity{Results: []analyze.Result{
			run("a", "rate=25", map[string]string{"repeat": "1"}), run("b", "rate=25", map[string]string{"repeat": "2"})}}, []string{"rate=25 · repeat=1", "rate=25 · repeat=2"}, "rate=25 · repeat=2", "rate=25 · repeat=2"},
		{"equal settings", analyze.Capacity{Results: []analyze.Result{run("a", "n=1", nil), run("b", "n=1", nil)}}, []string{"n=1 · a", "n=1 · b"}, "n=1 · b", "n=1 · b"},
		{"nothing but an ID", analyze.Capacity{Results: []analyze.Result{run("a", "", nil), run("b", "", nil)}}, []string{"a", "b"}, "b", "b"},
		{"arms", analyze.Capacity{Configurations: []analyze.Configuration{
			{Name: "control", Labels: map[string]string{"arm": "control"}, Runs: []string{"a"}}, {Name: "treatment", Labels: map[string]string{"arm": "treatment"}, Runs: []string{"b"}}},
			Results: []analyze.Result{run("a", "", map[string]string{"arm": "control"}), run("b", "", map[string]string{"arm": "treatment"})}},
			[]string{"control", "treatment"}, "treatment", "treatment"},
	} {
		names := runNames(&x.c)
		var got []string
		for _, r := range x.c.Results {
			got = append(got, names[r.Run.ID])
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
		only, last := newPlain(&x.c), x.c.Results[len(x.c.Results)-1]
		step := ""
		if len(last.Steps) == 1 {
			step = last.Steps[0].Name
		}
		if got := only.scope("", last.Run.ID, "default", "", ""); got != x.scope {
			t.Errorf("%s: the scope of a run is %q, want %q", x.name, got, x.scope)
		}
		if got := only.scope("", last.Run.ID, "default", step, ""); got != x.ofSteps {
			t.Errorf("%s: the scope of its step is %q, want %q", x.name, got, x.ofSteps)
		}
	}
}

func TestTogether(t *testing.T) {
	long := strings.Split(strings.TrimSuffix(strings.Repeat("n=1,", maxNames+3), ","), ",")
	for _, x := range []struct {
		names []string
		want  string
	}{
		{[]string{"n=1"}, "n=1"},
		{[]string{"n=1", "n=2", "n=4"}, "n=1, 2, 4"},
		{[]string{"n=1", "m=2"}, "n=1, m=2"},
		{[]string{"n=1 · repeat=1", "n=1 · repeat=2"}, "n=1 · repeat=1, n=1 · repeat=2"},
		{[]string{"a", "b"}, "a, b"},
	} {
		if got := together(x.names); got != x.want {
			t.Errorf("together(%q) = %q, want %q", x.names, got, x.want)
		}
	}
	if got := together(long); !strings.HasSuffix(got, "1 and 3 more") {
		t.Errorf("%d names: %q", len(long), got)
	}
}

// TestFolding checks that what holds for several runs is said once.
func TestFolding(t *testing.T) {
	c := passedSweep()
	got := foldWarnings(c)
	want := []string{"no clock", "both runs: window not declared", "concurrency=64: cut"}
	if !slices.Equal(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
	alone := *c
	alone.Results, alone.Warnings = c.Results[:1], c.Warnings[:2]
	if got, want := foldWarnings(&alone), []string{"no clock", "window not declared"}; !slices.Equal(got, want) {
		t.Errorf("warnings of one run %q, want %q", got, want)
	}
	notes := []string{"exact", "slow-window could not look at default: too short.", "storm could not look at b: no disk", "slow-window found 3"}
	if got, want := unfolded(notes, c), []string{"exact", "storm could not look at b: no disk", "slow-window found 3"}; !slices.Equal(got, want) {
		t.Errorf("notes %q, want %q", got, want)
	}
	spots := blindSpots(c)
	if len(spots) != 2 || spots[0].Scope != "" || spots[1].Detector != "storm" || spots[1].Scope != "concurrency=32" {
		t.Errorf("could not look: %+v", spots)
	}
}
