package render

import (
	"testing"
	"text/template"

	"headroom/analyze"
	"headroom/templates"
)

// TestBarNamesWhatFailed: the bar of the verdict names the run and the gate, of a
// single one with what was seen and wanted; what does not decide is not named.
func TestBarNamesWhatFailed(t *testing.T) {
	verdict := func(run, gate string, required bool) analyze.Verdict {
		v := analyze.Verdict{Gate: gate, Outcome: analyze.Fail, Display: "48 s", Want: "≤ 10 s", Required: required}
		v.Scope.Run = run
		return v
	}
	result := func(id string, list ...analyze.Verdict) analyze.Result {
		r := analyze.Result{Verdicts: list}
		r.Run.ID = id
		return r
	}
	for _, x := range []struct {
		results []analyze.Result
		want    string
	}{
		{[]analyze.Result{result("r1", verdict("r1", "drained", true)), result("r2", verdict("r2", "drained", false))},
			"A gate that the run protocol requires failed: r1 (drained: 48 s, want ≤ 10 s)."},
		{[]analyze.Result{result("r1", verdict("r1", "drained", true), verdict("r1", "dropped", true)), result("r2", verdict("r2", "p99", true))},
			"Gates that the run protocol requires failed: r1 (drained, dropped), r2 (p99)."},
		{[]analyze.Result{result("r1", verdict("r1", "drained", true))},
			"A gate that the run protocol requires failed: drained: 48 s, want ≤ 10 s."},
		{[]analyze.Result{result("r1", verdict("r1", "a", true), verdict("r1", "b", true), verdict("r1", "c", true), verdict("r1", "d", true)),
			result("r2", verdict("r2", "a", true)), result("r3", verdict("r3", "a", true)), result("r4", verdict("r4", "a", true))},
			"Gates that the run protocol requires failed: r1 (a, b, c and 1 more), r2 (a), r3 (a) and 1 more."},
		{[]analyze.Result{result("r1")}, "A gate that the run protocol requires failed."},
	} {
		c := &analyze.Capacity{Protocol: "run", Outcome: analyze.Fail, Caveats: []string{"all"}, Results: x.results}
		words, err := template.New("words").ParseFS(templates.FS, "answer.md.tmpl")
		if err != nil {
			t.Fatal(err)
		}
		a, err := newAnswer(words, c)
		if err != nil {
			t.Fatal(err)
		}
		if string(a.Verdict) != x.want {
			t.Errorf("%q, want %q", a.Verdict, x.want)
		}
	}
}
