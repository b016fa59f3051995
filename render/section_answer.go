package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"headroom/analyze"
	"headroom/render/md"
)

// newAnswer makes the first screen: the verdict of the document, its statements,
// and the first thing that they do not show.
func newAnswer(words *template.Template, c *analyze.Capacity) (md.Answer, error) {
	a := md.Answer{Outcome: string(outcome(c.Outcome))}
	var err error
	a.Verdict, err = execute(words, "answer."+a.Outcome, verdictWords(c))
	if err != nil {
		return a, err
	}
	for _, s := range c.Answer {
		a.Statements = append(a.Statements, md.Statement{Lead: s.Lead, Text: s.Text, Of: s.Of, As: called(c, s.Of)})
	}
	a.LimitCount, err = execute(words, "answer.count", md.Escape(counted(len(c.Caveats), "thing"), limitRoom))
	if err != nil {
		return a, err
	}
	a.Limits, err = execute(words, "answer.limits", md.Escape(c.Caveats[0], limitRoom))
	return a, err
}

// outcomeWords is what the verdict is told from.
type outcomeWords struct {
	Protocol, Failed md.Inline
	Several          bool // gates failed that decide
}

func verdictWords(c *analyze.Capacity) outcomeWords {
	failed, n := failedGates(c)
	return outcomeWords{Protocol: md.Escape(c.Protocol, cellRoom), Failed: md.Escape(failed, limitRoom), Several: n > 1}
}

// fewFailed is up to how many things a reader is told of in the bar of the verdict.
const fewFailed = 3

// failedGates names the gates that failed and decide, each after the run or the
// scenario that it failed in: "S1.r5 (thresholds, dropped)". Of a single gate it
// says what was seen and wanted.
func failedGates(c *analyze.Capacity) (text string, n int) {
	by, only := decidingOf(c), newPlain(c)
	var owners []string
	gates, last := map[string][]string{}, analyze.Verdict{}
	for _, v := range allVerdicts(c) {
		if outcome(v.Outcome) != analyze.Fail || by.why(v) != "" {
			continue
		}
		of := cmp.Or(only.owner(v.Scope.Configuration, v.Scope.Run), only.verdict(v))
		if only.run {
			of = only.verdict(v)
		}
		if gates[of] == nil {
			owners = append(owners, of)
		}
		if !slices.Contains(gates[of], v.Gate) {
			gates[of] = append(gates[of], v.Gate)
			n++
		}
		last = v
	}
	if n == 1 {
		what := last.Gate
		if seen := got(last); seen != "" && last.Want != "" {
			what += ": " + seen + ", want " + last.Want
		}
		gates[owners[0]] = []string{what}
	}
	var parts []string
	for _, of := range owners[:min(len(owners), fewFailed)] {
		list := upTo(gates[of], fewFailed)
		if of == "" {
			parts = append(parts, list)
		} else {
			parts = append(parts, of+" ("+list+")")
		}
	}
	text = strings.Join(parts, ", ")
	if more := len(owners) - fewFailed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text, n
}

// upTo lists at most n names, and says how many there are beyond those.
func upTo(names []string, n int) string {
	text := strings.Join(names[:min(len(names), n)], ", ")
	if more := len(names) - n; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// called is what a study's reader calls a configuration, or nothing.
func called(c *analyze.Capacity, name string) string {
	for _, conf := range c.Configurations {
		if conf.Name == name {
			return conf.Label
		}
	}
	return ""
}

// limitRoom keeps what is said of the caveats on the first screen.
const limitRoom = 240

// line is what stands above the title.
func (k Kind) line(c *analyze.Capacity) string { return k.Title + separator + c.Protocol }

// outcome is one of the three outcomes; what is none of them is unknown.
func outcome(o analyze.Outcome) analyze.Outcome {
	if o == analyze.Pass || o == analyze.Fail {
		return o
	}
	return analyze.Unknown
}
