package study

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/internal/golden"
	"headroom/internal/yamlfile"
)

const whole = `title: What one host sustains
kind: capacity
contention: required
reconciliation: warn
runs: [runs/*]
limits: {p99: 500ms, drift: 1.5, min_samples: 500, drift_min_samples: 100, delivered: 0.95, contention_covers: 0.8, drain: 5s}
probes:
  - {p99: 250ms}
  - {scenario: home, p95: 150ms}
fleet: {rates: [60, 600], targets: [10000]}
params: {freeze.worst: 0.2}
configurations:
  - name: plain
    label: ingestion only
    where: {arm: plain}
    protocol: sweep
    key: concurrency
    limits: {p99: 1s}
    warmup: 2s
    waive:
      - {gate: reconciled, reason: no counts were taken}
  - name: matching
    runs: [other/*, "runs/m[0-9]"]
    protocol: repeats
    require: [failed, drift]
    decides: false
    headline: true
    fleet: true
  - name: before
    protocol: sweep
    superseded: {by: plain, reason: one commit for the batch}
compare:
  - {name: cost, faster: plain, slower: matching}
arms:
  - {name: sync, control: plain, treatment: matching, tests: disk, changed: synchronous_commit off}
denominators:
  - {of: plain, by: matching, what: the database's own floor}
host: {text: one box, cores: 16, price_per_hour: 1.5, currency: USD}
constants:
  timeout: {value: 10 s, doc: the default}
history:
  - {figure: sweep.plain.sustained.throughput, was: 1011, at: March, reason: one commit an event}
prose: text.md
detectors: [own.yaml]
not_covered:
  - One process on one host.
`

func TestParse(t *testing.T) {
	s, err := Parse("dir/study.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if s.File != "study.yaml" || s.Title != "What one host sustains" || s.Kind != "capacity" || s.Contention != analyze.Required || s.Reconciliation != analyze.Warn {
		t.Errorf("head: %+v", s.Study)
	}
	plain, matching, before := s.Configurations[0], s.Configurations[1], s.Configurations[2]
	p := plain.Protocol
	if p.P99Limit != time.Second || p.DriftLimit != 1.5 || p.MinSamples != 500 || p.DriftMinSamples != 100 || p.DeliveredMin != 0.95 || p.LoadCoverage != 0.8 || p.DrainMax != 5*time.Second || p.Warmup != 2*time.Second {
		t.Errorf("rules of plain: %+v", p)
	}
	if p.Params["freeze.worst"] != 0.2 || len(p.FleetRates) != 2 || p.Targets[0] != 10000 || len(p.Probes) != 2 || p.Probes[1] != (analyze.ProbeBudget{Scenario: "home", Percentile: 95, Limit: 150 * time.Millisecond}) {
		t.Errorf("rules of plain: %+v", p)
	}
	if plain.Aside || !plain.Headline || plain.Waivers["reconciled"] == "" || plain.Key != "concurrency" {
		t.Errorf("plain: %+v", plain)
	}
	if matching.Protocol.P99Limit != 500*time.Millisecond || !matching.Aside || !matching.Headline || len(matching.Protocol.FleetRates) != 2 || len(matching.Protocol.Required) != 2 {
		t.Errorf("matching: %+v", matching)
	}
	if !before.Aside || before.Headline || before.SupersededBy != "plain" {
		t.Errorf("before: %+v", before)
	}
	if sel := s.Selections[0]; sel.Runs[0] != "runs/*" || !sel.Matches(map[string]string{"arm": "plain", "x": "y"}) || sel.Matches(map[string]string{"arm": "other"}) {
		t.Errorf("selection: %+v", sel)
	}
	if s.Selections[1].Runs[0] != "other/*" || s.Denominators[0].Name != "plain.matching" || s.Constants["timeout"].Value != "10 s" || s.History[0].Was != 1011 || s.Text != "text.md" {
		t.Errorf("rest: %+v", s)
	}
}

// one is a study that is right, with a place for something wrong.
const one = "configurations:\n  - name: a\n    protocol: run\n    runs: [runs]\n"

func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no configurations", "title: x\n", "s.yaml:1:1: the key configurations is missing"},
		{"unknown key, near", one + "limts: {}\n", `s.yaml:5:1: there is no key "limts"; did you mean limits?`},
		{"unknown key, elsewhere", one + "protocol: run\n", `s.yaml:5:1: "protocol" does not belong here, but at configurations[].protocol`},
		{"unknown key, inside", one + "    limits: {p9: 1s}\n", `s.yaml:5:14: there is no key "p9"; did you mean p99 or p95?`},
		{"unknown key, far", one + "zzzzzzzzzz: 1\n", `s.yaml:5:1: there is no key "zzzzzzzzzz"`},
		{"kind", one + "kind: capcity\n", `s.yaml:5:7: "capcity": want capacity, under-load, sustained, baseline; did you mean capacity?`},
		{"lock", one + "contention: yes\n", `s.yaml:5:13: `},
		{"protocol", "configurations:\n  - name: a\n    protocol: sweeep\n", `s.yaml:3:15: "sweeep": want sweep, ladder, `},
		{"protocol missing", "configurations:\n  - name: a\n    runs: [x]\n", "s.yaml:2:5: the key protocol is missing"},
		{"name missing", "configurations:\n  - protocol: run\n", "s.yaml:2:5: the key name is missing"},
		{"name", "configurations:\n  - name: a b\n    protocol: run\n", `s.yaml:2:11: "a b" is no name`},
		{"name twice", one + "  - name: a\n    protocol: run\n", "s.yaml:5:11: a configuration is called a already"},
		{"no runs", "configurations:\n  - name: a\n    protocol: run\n", "s.yaml:2:11: a: no runs"},
		{"absolute", one + "runs: [/etc]\n", `s.yaml:5:8: "/etc" is absolute`},
		{"drive", one + "runs: ['c:/x']\n", `s.yaml:5:8: "c:/x" is absolute`},
		{"up", one + "runs: [a/../../b]\n", `s.yaml:5:8: "a/../../b" leads out of the study's folder`},
		{"backslash", one + "runs: ['a\\b']\n", `s.yaml:5:8: "a\\b": paths are written with /`},
		{"pattern", one + "runs: ['a[']\n", `s.yaml:5:8: "a[" is no pattern`},
		{"empty path", one + "runs: ['']\n", "s.yaml:5:8: an empty path"},
		{"prose up", one + "prose: ../x.md\n", `s.yaml:5:8: "../x.md" leads out`},
		{"detector up", one + "detectors: [../x.yaml]\n", `s.yaml:5:13: "../x.yaml" leads out`},
		{"gate", one + "    require: [faild]\n", `s.yaml:5:15: there is no gate "faild"; did you mean failed?`},
		{"waived gate", one + "    waive: [{gate: nothing, reason: x}]\n", `s.yaml:5:20: there is no gate "nothing"`},
		{"waiver without reason", one + "    waive: [{gate: failed}]\n", "s.yaml:5:14: the key reason is missing"},
		{"waived twice", one + "    waive: [{gate: failed, reason: x}, {gate: failed, reason: y}]\n", "s.yaml:5:47: failed is waived twice"},
		{"duration", one + "limits: {p99: 5}\n", `s.yaml:5:15: "5" is no length of time`},
		{"share", one + "limits: {delivered: 95}\n", "s.yaml:5:21: 95: is a share, at most 1"},
		{"negative", one + "limits: {drift: -1}\n", "s.yaml:5:17: -1: want a number above zero"},
		{"samples", one + "limits: {min_samples: -5}\n", "s.yaml:5:23: -5: want a number above zero"},
		{"nan", one + "limits: {drift: .nan}\n", "s.yaml:5:17: NaN: want a number"},
		{"type", one + "limits: {drift: fast}\n", "s.yaml:5:17: "},
		{"rate", one + "fleet: {rates: [60, 0]}\n", "s.yaml:5:21: 0: want a rate above zero"},
		{"target", one + "fleet: {targets: [-1]}\n", "s.yaml:5:19: -1: want a number of endpoints"},
		{"probe without budget", one + "probes: [{scenario: home}]\n", "s.yaml:5:11: the probe has no budget"},
		{"two budgets", one + "probes: [{p95: 1s, p99: 2s}]\n", "s.yaml:5:25: a probe has one budget"},
		{"same probe", one + "probes: [{p95: 1s}, {p99: 2s}]\n", `s.yaml:5:22: the probe "" has a budget already`},
		{"comparison", one + "compare: [{name: x, faster: a, slower: b}]\n", `s.yaml:5:40: there is no configuration "b"; did you mean a?`},
		{"itself", one + "compare: [{name: x, faster: a, slower: a}]\n", "s.yaml:5:40: a is compared with itself"},
		{"arms", one + "arms: [{name: x, control: c, treatment: a}]\n", `s.yaml:5:27: there is no configuration "c"`},
		{"denominator", one + "denominators: [{of: a, by: zzz}]\n", `s.yaml:5:28: there is no configuration "zzz"`},
		{"superseded", one + "    superseded: {by: a, reason: x}\n", "s.yaml:5:22: a cannot take its own place"},
		{"constant", one + "constants: {t: {value: 1 s}}\n", "s.yaml:5:17: the key doc is missing"},
		{"constant empty", one + "constants: {t: {}}\n", "s.yaml:5:16: the key value is missing"},
		{"history", one + "history: [{figure: x, reason: y}]\n", "s.yaml:5:12: the key was is missing"},
		{"price", one + "host: {price_per_hour: -1}\n", "s.yaml:5:24: a price is not below zero"},
		{"parameter", one + "params: {freeze.worst: -1}\n", "s.yaml:5:24: -1: want a number"},
		{"anchor", one + "title: &x y\n", "s.yaml:5:8: anchors and aliases"},
		{"nothing", "", "s.yaml:1:1: the file holds nothing"},
	} {
		_, err := Parse("s.yaml", []byte(c.text))
		var e *yamlfile.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: got %v, want an error with a place", c.name, err)
			continue
		}
		if !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %q, want it to begin %q", c.name, err, c.want)
		}
		if c.text != "" && !strings.Contains(err.Error(), "\n  ") {
			t.Errorf("%s: the line is not shown: %q", c.name, err)
		}
	}
}

// List and mapping are how errors say what to write.
const (
	aList    = `; want a list: [a, b], or a line "- a" for each`
	aMapping = `; want keys with values: {key: value}, or a line "key: value" for each`
)

// Values of another type than a key takes, and texts that are no YAML: in the words
// of the author, not in those of the program.
func TestWrongValues(t *testing.T) {
	for text, want := range map[string]string{
		"title: [a, b]":                 "5:8: this is a list; want text",
		"title: {a: b}":                 "5:8: this is keys with values; want text",
		"kind: [capacity]":              "5:7: this is a list; want text",
		"runs: all":                     "5:7: this is text" + aList,
		"runs: {a: b}":                  "5:7: this is keys with values" + aList,
		"runs: [[a]]":                   "5:8: this is a list; want text",
		"    where: run":                "5:12: this is text" + aMapping,
		"    where: [a]":                "5:12: this is a list" + aMapping,
		"    where: {a: [b]}":           "5:16: this is a list; want text",
		"    fleet: maybe":              "5:12: this is text; want true or false",
		"    decides: 1":                "5:14: this is a whole number; want true or false",
		"    decides: yes":              "5:14: this is text; want true or false",
		"    key: [a]":                  "5:10: this is a list; want text",
		"    require: failed":           "5:14: this is text" + aList,
		"    waive: [failed]":           "5:13: this is text" + aMapping,
		"    bench: {repeats: many}":    "5:22: this is text; want a whole number",
		"limits: 5s":                    "5:9: this is text" + aMapping,
		"limits: {min_samples: many}":   "5:23: this is text; want a whole number",
		"limits: {min_samples: 1.5}":    "5:23: 1.5 is no whole number",
		"limits: {min_samples: 1e30}":   "5:23: 1e30 is too large, or is no whole number",
		"limits: {drift: [1]}":          "5:17: this is a list; want a number",
		"limits: {p99: 500 ms}":         `5:15: "500 ms" is no length of time: write it with its unit`,
		"fleet: {rates: 60}":            "5:16: this is a number" + aList,
		"fleet: {rates: [sixty]}":       "5:17: this is text; want a number",
		"host: {cores: 2.5}":            "5:15: 2.5 is no whole number",
		"host: box":                     "5:7: this is text" + aMapping,
		"constants: {t: 10 s}":          "5:16: this is text" + aMapping,
		"history: {figure: x}":          "5:10: this is keys with values" + aList,
		"params: {freeze.worst: fast}":  "5:24: this is text; want a number",
		"detectors: own.yaml":           "5:12: this is text" + aList,
		"derived: [{name: x, over: y}]": "5:27: this is text" + aMapping,
		"derived: [{name: x}]":          "5:12: x is either over one figure and under another, or a sum",

		"title: x\ntitle: y":     `6:1: the key "title" stands in line 5 already`,
		"\ttitle: x":             "5:1: a tab; indent with blanks",
		"title: \"x":             "5:8: a quote that is not closed",
		"title: 'x":              "5:8: a quote that is not closed",
		"title: a: b":            "5:8: a second colon in one line",
		"title x":                `5:1: this is no "key: value"`,
		" title: x":              `5:2: this is no "key: value"`,
		"runs: [a":               "5:7: this list has no end: a , or ] is missing",
		"limits: {p99: 1s":       "5:9: these keys have no end: a , or } is missing",
		"---\ntitle: x":          "6:6: a second document begins here",
		"include: study.yaml":    `5:1: there is no key "include"; docs/study.md has those that there are`,
		"title: @x":              "5:8: no text begins with @; put it between quotes",
		"title: %x":              "5:8: no text begins with %; put it between quotes",
		"    Name: b":            `5:5: there is no key "Name"; did you mean name?`,
		"    protocol: sweep":    `5:5: the key "protocol" stands in line 3 already`,
		"prose: /etc/passwd":     `5:8: "/etc/passwd" is absolute`,
		"compare: [{name: a b}]": "5:12: the key faster is missing",

		"  - {name: b, protocol: run, runs: [x]}\ncompare: [{name: x, faster: a, slower: b}, {name: x, faster: b, slower: a}]": "6:51: an entry of compare is called x already",
		"derived: [{name: x, sum: [{id: a}]}, {name: x, sum: [{id: b}]}]":                                                      "5:45: an entry of derived is called x already",
	} {
		_, err := Parse("s.yaml", []byte(one+text+"\n"))
		switch {
		case err == nil:
			t.Errorf("%q is taken", text)
		case !strings.HasPrefix(err.Error(), "s.yaml:"+want):
			t.Errorf("%q: got %q, want it to begin %q", text, err, "s.yaml:"+want)
		case !strings.Contains(err.Error(), "\n  "):
			t.Errorf("%q: the line is not shown: %q", text, err)
		case strings.Contains(err.Error(), "Go "), strings.Contains(err.Error(), "unmarshal"):
			t.Errorf("%q: in the words of the program: %q", text, err)
		}
	}
	for text, want := range map[string]string{
		"configurations: all\n":          "1:17: this is text" + aList,
		"configurations: {name: a}\n":    "1:17: this is keys with values" + aList,
		"configurations:\n  - [a]\n":     "2:5: this is a list" + aMapping,
		"configurations: []\n":           "1:17: the key configurations is missing",
		"configurations:\n":              "1:17: the key configurations is missing",
		"configurations:\n\t- name: a\n": "2:1: a tab; indent with blanks",
		"just text\n":                    "1:1: this is text" + aMapping,
		"[a, b]\n":                       "1:1: this is a list" + aMapping,
		"{":                              "1:1: these keys have no end",
		"\xff\xfe":                       "1:1: this is text" + aMapping,
	} {
		if _, err := Parse("s.yaml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), "s.yaml:"+want) {
			t.Errorf("%q: got %v, want it to begin %q", text, err, "s.yaml:"+want)
		}
	}
}

func TestUnknownParameter(t *testing.T) {
	s, err := Parse("s.yaml", []byte(one+"params: {freeze.wurst: 1}\n"))
	if err != nil {
		t.Fatal(err)
	}
	err = s.CheckParams(nil)
	if want := `s.yaml:5:24: there is no parameter "freeze.wurst"; did you mean freeze.worst?`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// The schema that editors read is the one in docs, and knows every key that is
// parsed and no other.
func TestSchema(t *testing.T) {
	golden.Equal(t, "../../docs/study.schema.json", Schema())
	var s map[string]any
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	in := map[string]bool{}
	keys(s, "", in)
	for _, p := range places() {
		if !in[p] {
			t.Errorf("%s is parsed, and not in the schema", p)
		}
		delete(in, p)
	}
	for p := range in {
		t.Errorf("%s is in the schema, and not parsed", p)
	}
}

// keys collects the keys of a schema as places does.
func keys(s map[string]any, prefix string, into map[string]bool) {
	props, _ := s["properties"].(map[string]any)
	for name, v := range props {
		of := v.(map[string]any)
		into[prefix+name] = true
		keys(of, prefix+name+".", into)
		if items, ok := of["items"].(map[string]any); ok {
			keys(items, prefix+name+"[].", into)
		}
		if values, ok := of["additionalProperties"].(map[string]any); ok {
			keys(values, prefix+name+".NAME.", into)
		}
	}
}

// Every key has a manual, and the user's manual names every key.
func TestKeysAreDocumented(t *testing.T) {
	golden.Equal(t, "../../docs/study.md", Manual())
}

func TestWriteParses(t *testing.T) {
	text := Write([]analyze.Proposal{
		{Name: "plain", Protocol: "sweep", Key: "concurrency", Runs: []int{0, 1}, Contention: true},
		{Name: "1", Protocol: "repeats", Runs: []int{2}, Where: map[string]string{"arm": "x\nrunning: y"}, Probes: []string{"home: #"}},
	}, []string{"runs/a", "runs/[b]*", "true"})
	s, err := Parse("study.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if s.Configurations[1].Name != "1" || s.Selections[0].Runs[1] != "runs/[[]b][*]" || s.Selections[1].Runs[0] != "true" || s.Configurations[0].Protocol.Probes[0].Scenario != "home: #" {
		t.Errorf("%+v\n%s", s, text)
	}
	if s.Contention != analyze.Required || s.Reconciliation != analyze.Required || !strings.Contains(string(text), "# In 1 contention was not recorded") || !strings.HasPrefix(string(text), "# yaml-language-server: $schema="+SchemaName+"\n") {
		t.Errorf("%s", text)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(one))
	f.Add([]byte("configurations: [{name: a, protocol: run, runs: [.]}]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Parse("s.yaml", text)
		var e *yamlfile.Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("an error without a place: %v", err)
		}
		if err == nil && len(s.Selections) != len(s.Configurations) {
			t.Fatal("a configuration without a selection")
		}
	})
}
