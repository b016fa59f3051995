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
	if s.Contention != analyze.Warn || !strings.HasPrefix(string(text), "# yaml-language-server: $schema="+SchemaName+"\n") {
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
