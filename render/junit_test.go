package render

import (
	"encoding/xml"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
)

func suitesOf(t *testing.T, c *analyze.Capacity) (suites junitSuites) {
	t.Helper()
	if err := xml.Unmarshal(files(t, c)[fileJUnit], &suites); err != nil {
		t.Fatal(err)
	}
	return suites
}

// TestJUnitAgreesWithTheDocument turns each sample into a document of each
// outcome: failures and errors are more than none exactly if it did not pass,
// whatever its gates said, and no unknown is passed.
func TestJUnitAgreesWithTheDocument(t *testing.T) {
	for name, sample := range samples(t) {
		for _, o := range []analyze.Outcome{sample.Outcome, analyze.Pass, analyze.Fail, analyze.Unknown, "fine"} {
			c := *sample
			c.Outcome = o
			suites := suitesOf(t, &c)
			var tests, failures, errors, skipped int
			for _, s := range suites.Suites {
				for _, jc := range s.Cases {
					tests++
					failures += one(jc.Failure)
					errors += one(jc.Error)
					skipped += one(jc.Skipped)
					if jc.Skipped != nil && jc.Skipped.Message == "" {
						t.Errorf("%s: %s is skipped without a reason", name, jc.Name)
					}
				}
			}
			if red := failures+errors > 0; red == (o == analyze.Pass) {
				t.Errorf("%s with outcome %q: %d failures and %d errors", name, o, failures, errors)
			}
			passed := 0
			for _, v := range append(allVerdicts(&c), analyze.Verdict{Outcome: o}) {
				if outcome(v.Outcome) == analyze.Pass {
					passed++
				}
			}
			if tests-failures-errors-skipped != passed {
				t.Errorf("%s with outcome %q: %d of %d cases passed, want %d", name, o, tests-failures-errors-skipped, tests, passed)
			}
			if suites.Tests != tests || suites.Failures != failures || suites.Errors != errors || suites.Skipped != skipped {
				t.Errorf("%s: the counts of the file are %d, %d, %d, %d; it holds %d, %d, %d, %d", name,
					suites.Tests, suites.Failures, suites.Errors, suites.Skipped, tests, failures, errors, skipped)
			}
		}
	}
}

// passedSweep is a document that passed, of runs of one step each, with gates that
// the protocol does not require.
func passedSweep() *analyze.Capacity {
	c := &analyze.Capacity{Title: "t", Outcome: analyze.Pass, Caveats: []string{"all"},
		Warnings: []string{"no clock", "a: window not declared", "b: window not declared", "b: cut"}}
	for i, n := range []string{"32", "64"} {
		step := "concurrency=" + n
		r := analyze.Result{Run: analyze.RunInfo{ID: "20261130T180304Z-" + n, Labels: map[string]string{"system": "db"}},
			Steps: []analyze.StepInfo{{Name: step}}, Warnings: []string{"window not declared"},
			Looked: []analyze.Look{{Detector: "slow-window", Scope: detect.Scope{Scenario: "default"}, Why: "too short"},
				{Detector: "slow-window", Scope: detect.Scope{Scenario: "default", Step: step}, Why: "too short"},
				{Detector: "storm", Why: "no log"}}}
		for _, s := range []string{"", step} {
			r.Verdicts = append(r.Verdicts,
				analyze.Verdict{Gate: "drift", Outcome: analyze.Fail, Scope: detect.Scope{Scenario: "default", Step: s}, Display: "1.99", Want: "≤ 1.25", Why: "it grew"},
				analyze.Verdict{Gate: "failed", Outcome: analyze.Pass, Scope: detect.Scope{Scenario: "default", Step: s}, Required: s == ""})
		}
		if i == 1 {
			r.Warnings = append(r.Warnings, "cut")
			r.Looked[2].Could = true
			r.Verdicts = append(r.Verdicts, analyze.Verdict{Gate: "thresholds", Outcome: analyze.Unknown})
		}
		c.Results = append(c.Results, r)
	}
	return c
}

func TestJUnitOfGatesThatAreNotRequired(t *testing.T) {
	suites := suitesOf(t, passedSweep())
	var got []string
	for _, s := range suites.Suites {
		for _, jc := range s.Cases {
			line := s.Name + ": " + jc.Name
			if jc.Skipped != nil {
				line += ": " + jc.Skipped.Message
			}
			got = append(got, line)
		}
	}
	want := []string{"document: outcome",
		"concurrency=32: drift · default: failed, not required by the protocol: got 1.99, want ≤ 1.25",
		"concurrency=32: failed · default",
		"concurrency=64: drift · default: failed, not required by the protocol: got 1.99, want ≤ 1.25",
		"concurrency=64: failed · default",
		"concurrency=64: thresholds: unknown, not required by the protocol: there was nothing to look at"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestSummaryFoldsEqualGates checks that the summary says what was judged alike
// once, with the settings.
func TestSummaryFoldsEqualGates(t *testing.T) {
	s := string(files(t, passedSweep())[fileSummary])
	for _, want := range []string{"- ✗ **drift** (concurrency=32, 64): fail; got 1.99, want ≤ 1.25. it grew\n", "- ? **thresholds** (concurrency=64): unknown\n"} {
		if !strings.Contains(s, want) {
			t.Errorf("the summary does not say %q:\n%s", want, s)
		}
	}
}

// TestOneStepIsSaidOnce checks that a run and its one step are told apart only
// where they were judged differently.
func TestOneStepIsSaidOnce(t *testing.T) {
	r := passedSweep().Results[0]
	if got := ownVerdicts(r); len(got) != 2 || got[0].Scope.Step == "" || !got[1].Required {
		t.Errorf("got %+v", got)
	}
	r.Verdicts[0].Outcome = analyze.Pass
	if got := ownVerdicts(r); len(got) != 3 {
		t.Errorf("a run and its step of other outcomes: %+v", got)
	}
	r = passedSweep().Results[0]
	r.Steps = append(r.Steps, analyze.StepInfo{Name: "concurrency=128"})
	if got := ownVerdicts(r); len(got) != 4 {
		t.Errorf("a run of two steps: %+v", got)
	}
}

// TestJUnitCountsAFailedGateOnce checks that a gate which fails in several repeats
// of a configuration is one failure, which names them; that what follows from it is
// none of its own, nor is a waived gate, one of a configuration that passed, or an
// unknown.
func TestJUnitCountsAFailedGateOnce(t *testing.T) {
	c := &analyze.Capacity{Title: "t", Outcome: analyze.Fail, Caveats: []string{"all"}}
	add := func(configuration string, o analyze.Outcome, runs ...string) {
		c.Configurations = append(c.Configurations, analyze.Configuration{Name: configuration, Outcome: o, Runs: runs})
		c.Verdicts = append(c.Verdicts, analyze.Verdict{Gate: "held", Scope: detect.Scope{Configuration: configuration}, Outcome: o, Required: true})
	}
	run := func(id string, verdicts ...analyze.Verdict) {
		for i := range verdicts {
			verdicts[i].Scope.Scenario = "default"
		}
		c.Results = append(c.Results, analyze.Result{Run: analyze.RunInfo{ID: id}, Verdicts: verdicts})
	}
	gate := func(name string, o analyze.Outcome) analyze.Verdict {
		return analyze.Verdict{Gate: name, Outcome: o, Required: true, Display: "2", Want: "≤ 1"}
	}
	waived := gate("contention-recorded", analyze.Fail)
	waived.Waived = "no /proc"
	add("slow", analyze.Fail, "s1", "s2", "s3")
	add("quick", analyze.Pass, "q1")
	run("s1", gate("drift", analyze.Fail), gate("dropped", analyze.Unknown))
	run("s2", gate("drift", analyze.Fail), gate("dropped", analyze.Fail), waived)
	run("s3", gate("drift", analyze.Pass), gate("dropped", analyze.Fail))
	run("q1", gate("drift", analyze.Fail))
	suites := suitesOf(t, c)
	if suites.Failures != 2 || suites.Errors != 0 {
		t.Errorf("%d failures and %d errors, want 2 (drift, dropped) and 0", suites.Failures, suites.Errors)
	}
	for _, s := range suites.Suites {
		for _, jc := range s.Cases {
			if f := jc.Failure; f != nil && strings.HasPrefix(jc.Name, "drift") && (s.Name != "slow · s1" || !strings.Contains(f.Text, "s2")) {
				t.Errorf("drift in %s: %+v", s.Name, f)
			}
			if s := jc.Skipped; s != nil && strings.HasPrefix(jc.Name, "contention") && !strings.Contains(s.Message, "waived (no /proc)") {
				t.Errorf("the waived gate: %q", s.Message)
			}
		}
	}
	c.Results[0].Verdicts[0].Outcome, c.Results[1].Verdicts = analyze.Pass, nil
	c.Results[2].Verdicts = nil
	if suites = suitesOf(t, c); suites.Failures != 1 { // that it did not hold is all that failed
		t.Errorf("without a failed gate of a run: %d failures", suites.Failures)
	}
}
