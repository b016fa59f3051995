package render

import (
	"encoding/xml"

	"headroom/analyze"
	"headroom/render/label"
)

// JUnit XML as CI systems read it: the schema of Ant's junitreport, without times,
// because a verdict takes none.
type (
	junitSuites struct {
		XMLName  xml.Name      `xml:"testsuites"`
		Name     string        `xml:"name,attr"`
		Tests    int           `xml:"tests,attr"`
		Failures int           `xml:"failures,attr"`
		Skipped  int           `xml:"skipped,attr"`
		Suites   []*junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitOutcome `xml:"failure,omitempty"`
		Skipped *junitOutcome `xml:"skipped,omitempty"`
	}
	junitOutcome struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// junit writes every verdict as a test case, grouped by configuration and run: a
// fail is a failure, unknown is skipped with its reason and never passed. The
// first suite is the document itself, so that a file without verdicts does not
// look like a success.
func junit(c *analyze.Capacity) ([]byte, error) {
	all := junitSuites{Name: label.Clean(c.Title, titleRoom)}
	byName := map[string]*junitSuite{}
	add := func(suite string, v analyze.Verdict) {
		s := byName[suite]
		if s == nil {
			s = &junitSuite{Name: suite}
			byName[suite] = s
			all.Suites = append(all.Suites, s)
		}
		jc := junitCaseOf(v, suite)
		s.Cases = append(s.Cases, jc)
		s.Tests++
		all.Tests++
		if jc.Failure != nil {
			s.Failures++
			all.Failures++
		}
		if jc.Skipped != nil {
			s.Skipped++
			all.Skipped++
		}
	}
	add("document", analyze.Verdict{Gate: "outcome", Outcome: c.Outcome, Required: true,
		Why: "the verdict of the gates that the protocol requires"})
	for _, v := range allVerdicts(c) {
		suite := label.Clean(scopeText(v.Scope.Configuration, v.Scope.Run), titleRoom)
		if suite == "" {
			suite = "all runs"
		}
		add(suite, v)
	}
	out, err := xml.MarshalIndent(all, "", "  ")
	return append([]byte(xml.Header), append(out, '\n')...), err
}

// allVerdicts returns the verdicts of the document and those of its runs that the
// document does not repeat.
func allVerdicts(c *analyze.Capacity) []analyze.Verdict {
	type key struct{ gate, of, scenario, step, op string }
	keyOf := func(v analyze.Verdict) key {
		of := v.Scope.Run
		if of == "" {
			of = "\x00" + v.Scope.Configuration
		}
		return key{v.Gate, of, v.Scope.Scenario, v.Scope.Step, v.Scope.Op}
	}
	seen := map[key]bool{}
	var out []analyze.Verdict
	for _, v := range c.Verdicts {
		seen[keyOf(v)] = true
		out = append(out, v)
	}
	for _, r := range c.Results {
		for _, v := range r.Verdicts {
			if v.Scope.Run == "" {
				v.Scope.Run = r.Run.ID
			}
			if !seen[keyOf(v)] {
				seen[keyOf(v)] = true
				out = append(out, v)
			}
		}
	}
	return out
}

func junitCaseOf(v analyze.Verdict, suite string) junitCase {
	c := junitCase{Class: suite,
		Name: label.Clean(scopeText(v.Gate, v.Scope.Scenario, v.Scope.Step, v.Scope.Op), titleRoom)}
	kind := "gate"
	if !v.Required {
		kind = "gate not required by the protocol"
	}
	why := label.Clean(v.Why, lineRoom)
	switch outcome(v.Outcome) {
	case analyze.Fail:
		c.Failure = &junitOutcome{Message: label.Clean(comparison(v), lineRoom), Type: kind, Text: why}
	case analyze.Unknown:
		if why == "" {
			why = "unknown: there was nothing to look at"
		}
		c.Skipped = &junitOutcome{Message: why}
	}
	return c
}

// comparison is what a gate got and wanted.
func comparison(v analyze.Verdict) string {
	s := "failed"
	if g := got(v); g != "" {
		s = "got " + g
	}
	if v.Want != "" {
		s += ", want " + v.Want
	}
	return s
}
