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
		Errors   int           `xml:"errors,attr"`
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
		Error   *junitOutcome `xml:"error,omitempty"`
		Skipped *junitOutcome `xml:"skipped,omitempty"`
	}
	junitOutcome struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// junit writes every verdict as a test case, grouped by configuration and run.
// What a CI server makes of the file is the verdict of the document: a gate that
// the protocol requires, and that failed in a configuration which did not pass, is
// one failure, in however many runs and steps it did; it names them. What only
// follows from failed gates, as that a configuration did not hold, is no failure of
// its own. Anything else that did not pass is skipped with its reason, never
// passed: an unknown is no failure of anything.
//
// The first suite is the document itself, so that a file without verdicts does
// not look like a success; a document that nobody could judge is an error there,
// and one that failed without a failed gate is a failure there.
// So failures and errors are more than none exactly if the document did not pass.
func junit(c *analyze.Capacity) ([]byte, error) {
	all := junitSuites{Name: label.Clean(c.Title, titleRoom)}
	only, by := newPlain(c), decidingOf(c)
	first := junitCase{Name: documentGate, Class: "document"}
	byName := map[string]*junitSuite{}
	suiteOf := func(name string) *junitSuite {
		s := byName[name]
		if s == nil {
			s = &junitSuite{Name: name}
			byName[name] = s
			all.Suites = append(all.Suites, s)
		}
		return s
	}
	suiteOf(first.Class)
	failed := map[failedGate]*junitOutcome{}
	for _, v := range allVerdicts(c) {
		scope := v.Scope
		suite := label.Clean(only.owner(scope.Configuration, scope.Run), titleRoom)
		if suite == "" {
			suite = "all runs"
		}
		jc := junitCaseOf(v, by.why(v))
		if jc.Failure != nil {
			key := failedGate{by.configuration(v), v.Gate}
			if said := failed[key]; said != nil { // one failure, and every place of it
				said.Text += "\n" + only.verdict(v) + ": " + jc.Failure.Message
				continue
			}
			failed[key] = jc.Failure
		}
		jc.Class = suite
		jc.Name = label.Clean(scopeText(v.Gate, scope.Scenario, only.step(scope.Run, scope.Step), scope.Op), titleRoom)
		suiteOf(suite).add(jc)
	}
	whole := junitCaseOf(analyze.Verdict{Gate: documentGate, Outcome: c.Outcome, Required: true,
		Why: "the verdict of the gates that the protocol requires"}, "")
	if whole.Failure != nil && len(failed) > 0 {
		whole.Failure, whole.Skipped = nil, &junitOutcome{Message: "failed, as the gates did that are failures of their own"}
	}
	first.Failure, first.Error, first.Skipped = whole.Failure, whole.Error, whole.Skipped
	suiteOf(first.Class).add(first)
	for _, s := range all.Suites {
		for _, jc := range s.Cases {
			all.count(jc)
		}
	}
	out, err := xml.MarshalIndent(all, "", "  ")
	return append([]byte(xml.Header), append(out, '\n')...), err
}

// documentGate is the case of the document as a whole.
const documentGate = "outcome"

func (s *junitSuite) add(jc junitCase) {
	s.Cases = append(s.Cases, jc)
	s.Tests++
	s.Failures += one(jc.Failure)
	s.Errors += one(jc.Error)
	s.Skipped += one(jc.Skipped)
}

func (all *junitSuites) count(jc junitCase) {
	all.Tests++
	all.Failures += one(jc.Failure)
	all.Errors += one(jc.Error)
	all.Skipped += one(jc.Skipped)
}

func one(o *junitOutcome) int {
	if o == nil {
		return 0
	}
	return 1
}

// junitCaseOf writes a verdict; reason says why the verdict of the document does not
// rest on it, "" if it does.
func junitCaseOf(v analyze.Verdict, reason string) (c junitCase) {
	o := outcome(v.Outcome)
	if o == analyze.Pass {
		return c
	}
	why := label.Clean(v.Why, lineRoom)
	said := comparison(v)
	if o == analyze.Unknown {
		said = why
		if said == "" {
			said = "there was nothing to look at"
		}
	}
	said = label.Clean(said, lineRoom)
	switch {
	case reason != "":
		kind := map[analyze.Outcome]string{analyze.Fail: "failed", analyze.Unknown: "unknown"}[o]
		c.Skipped = &junitOutcome{Message: kind + ", " + reason + ": " + said}
		if o == analyze.Fail {
			c.Skipped.Text = why
		}
	case o == analyze.Unknown && v.Gate != documentGate:
		c.Skipped = &junitOutcome{Message: "unknown, required by the protocol: " + said}
	case o == analyze.Fail:
		c.Failure = &junitOutcome{Message: said, Type: "gate", Text: why}
	default:
		c.Error = &junitOutcome{Message: "unknown: " + said, Type: "gate"}
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
