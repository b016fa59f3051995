package rule

import (
	"strings"
	"testing"
)

const valid = `name: queue-long
doc: |
  The queue is long.
  Cannot see: what is not recorded.
input: points
metrics: [queue.depth]
window: {kind: sliding, length: 10s}
when: min > limit && growth >= 0
params:
  limit: {default: 100, unit: "1", doc: jobs that may wait}
measures: {depth: max}
`

func TestParseReadsADefinition(t *testing.T) {
	d, err := Parse("q.yaml", []byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "queue-long" || d.Version != 1 || d.Severity != "warning" || d.Length.Seconds() != 10 || len(d.Params) != 1 {
		t.Errorf("read as %+v", d)
	}
	vars := Vars{"min": 101.0, "growth": 0.0, "limit": 100.0}
	if yes, err := d.When.True(vars); !yes || err != nil {
		t.Errorf("min 101 over 100: %v, %v", yes, err)
	}
	vars["min"] = 100.0
	if yes, _ := d.When.True(vars); yes {
		t.Error("min 100 is not over 100")
	}
}

// A measure says what it is in as far as its expression shows it.
func TestMeasureUnits(t *testing.T) {
	for expression, want := range map[string]string{
		"max": "B", "growth / n": "B", "slope": "B/s", "n": "1", "max / run_median": "1", "3": "1", "limit": "1", "max * max": "", "seconds": "",
	} {
		d, err := Parse("q.yaml", []byte(strings.Replace(valid, "depth: max", "depth: "+expression, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if got := d.MeasureUnit(d.Measures[0], "B"); got != want {
			t.Errorf("%s is in %q, want %q", expression, got, want)
		}
	}
}

// Each fault is named with the file, the line and the column of its place.
func TestErrorsNameTheirPlace(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"when: min > limit", "when: least > limit", "q.yaml:8:7: unknown name least; the names are"},
		{"growth >= 0", "entity >= 0", "q.yaml:8:29: invalid operation: >= (mismatched types text and number)"},
		{"input: points", "input: dots", `q.yaml:5:8: input "dots": want one of`},
		{"length: 10s", "length: soon", `q.yaml:7:33: "soon": want a duration`},
		{"  Cannot see: what is not recorded.\n", "", "q.yaml:2:"},
		{"depth: max", "depth: source", "q.yaml:11:19: "},
		{"unit: \"1\", ", "", "q.yaml:10:"},
		{"metrics: [queue.depth]", "metrics: []", "q.yaml:6:10: metrics is empty: a detector over points names at least one"},
		{"metrics: [queue.depth]\n", "", "q.yaml:5:8: the key metrics is missing: a detector over points names at least one"},
		{"input: points\nmetrics: [queue.depth]", "input: markers", "q.yaml:5:8: the key kinds is missing: "},
		{"when: min > limit && growth >= 0\n", "", "q.yaml:5:8: the key when is missing: say in which windows"},
		{"doc: |\n  The queue is long.\n  Cannot see: what is not recorded.\n", "", "q.yaml:1:7: the key doc is missing: "},
		{"input: points\n", "", "q.yaml:1:7: the key input is missing: "},
		{"when: min > limit", "expression: min > limit", `q.yaml:8:1: there is no key "expression"; those that there are: name, version, doc, input, `},
		{"name: queue-long", "name: Queue Long", `q.yaml:1:7: name "Queue Long"`},
		{"when:", "wehn:", `q.yaml:8:1: there is no key "wehn"; did you mean when?`},
		{"min > limit", "now() > limit", "q.yaml:8:7: unknown name now"},
		{"min > limit", "len(1..1000000000) > limit", ""},
		{"length: 10s", "length: 1ns", `q.yaml:7:33: "1ns": want 1ms and more with the input points`},
		{"length: 10s", "length: 99999h", `q.yaml:7:33: "99999h": want 744h (31 days) at most`},
		{"length: 10s", "length: 10s, least: 0", "q.yaml:7:45: least is 0: want a whole number from 1 on"},
		{"when:", "merge: 999us\nwhen:", `q.yaml:8:8: "999us": want 1ms and more`},
		{"when:", "merge: 745h\nwhen:", `q.yaml:8:8: "745h": want 744h (31 days) at most`},
		{"when:", "version: 0\nwhen:", "q.yaml:8:10: version is 0: want a whole number from 1 on"},
		{"when:", "consecutive: 0\nwhen:", "q.yaml:8:14: consecutive is 0: want a whole number from 1 on"},
		{"default: 100", "default: .inf", "q.yaml:10:20: default +Inf: want a finite number"},
		{"input: points\nmetrics: [queue.depth]\nwindow: {kind: sliding, length: 10s}", "input: samples\nwindow: {kind: sliding, length: 99ms}", `q.yaml:6:33: "99ms": want 100ms and more with the input samples`},
	} {
		text := strings.Replace(valid, c.old, c.new, 1)
		d, err := Parse("q.yaml", []byte(text))
		if c.want == "" { // bounded when it runs
			if err == nil {
				_, err = d.When.True(Vars{"limit": 1.0, "min": 1.0, "growth": 1.0})
			}
			if err == nil {
				t.Errorf("%s: neither refused nor bounded", c.new)
			}
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s…", c.new, err, c.want)
		}
	}
}

// What an expression gives that it must not is an error at its place, as one of the
// file is.
func TestErrorsOfAnEvaluationNameTheirPlace(t *testing.T) {
	text := strings.Replace(valid, "depth: max", "depth: max / n", 1)
	d, err := Parse("q.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Measures[0].Value.Value(Vars{"max": 0.0, "n": 0.0})
	if err == nil || !strings.HasPrefix(err.Error(), "q.yaml:11:19: the expression gave NaN, want a finite number") {
		t.Errorf("a measure that is no number: error %v", err)
	}
	d, err = Parse("q.yaml", []byte(strings.Replace(valid, "min > limit", "len(1..1000000000) > limit", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = d.When.True(Vars{"limit": 1.0, "min": 1.0, "growth": 1.0}); err == nil || !strings.HasPrefix(err.Error(), "q.yaml:8:") {
		t.Errorf("a condition beyond its bounds: error %v", err)
	}
}

const slow = `name: slow
doc: |
  Slow.
  Cannot see: the rest.
input: samples
window: {kind: sliding, length: 1s}
when: p99 > limit && n >= 20
params:
  limit: {default: 0.2, unit: s, doc: p99 over this is slow}
`

// A value in seconds is compared with one that says its unit; a wrong unit is
// refused at its place.
func TestUnits(t *testing.T) {
	for condition, want := range map[string]string{
		"p99 > limit && n >= 20": "",
		"p99 > 5 * run_p50":      "",
		"p99 / run_p99 > 3":      "",
		"p99 == 0 || rate == 0":  "",
		"run_rate * seconds > 9": "",
		"rate < 0.5 * run_rate":  "",
		"p99 > 200":              "q.yaml:7:13: p99 is in s: compare it with a parameter that says its unit",
		"n > 3 && 0.2 < max":     "q.yaml:7:16: max is in s: compare it",
		"2 * rate < 5":           "q.yaml:7:18: 2 * rate is in 1/s: compare it",
		"rate > limit":           "q.yaml:7:14: rate is in 1/s, and limit in s: they cannot be compared",
		"n > limit":              "q.yaml:7:11: n is in 1, and limit in s",
	} {
		_, err := Parse("q.yaml", []byte(strings.Replace(slow, "p99 > limit && n >= 20", condition, 1)))
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", condition, err, want)
		}
	}
	for unit, want := range map[string]string{
		"ms": `q.yaml:9:31: unit "ms": values are in SI base units: write s`, "MB": `q.yaml:9:31: unit "MB": values are in SI base units: write B`,
		"B": "q.yaml:7:13: p99 is in s, and limit in B",
	} {
		_, err := Parse("q.yaml", []byte(strings.Replace(slow, "unit: s", "unit: "+unit, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", unit, err, want)
		}
	}
	row := strings.Replace(slow, "window:", "rows: latency < 50\nwindow:", 1)
	if _, err := Parse("q.yaml", []byte(row)); err == nil || !strings.HasPrefix(err.Error(), "q.yaml:6:17: latency is in s") {
		t.Errorf("rows: error %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(valid))
	f.Fuzz(func(t *testing.T, text []byte) {
		if d, err := Parse("f.yaml", text); err == nil && (d.When == nil || d.Name == "") {
			t.Errorf("accepted without a condition or a name: %q", text)
		}
	})
}
