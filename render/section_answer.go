package render

import (
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
	a.Verdict, err = execute(words, "answer."+a.Outcome, struct{ Protocol, Failed md.Inline }{md.Escape(c.Protocol, cellRoom), md.Escape(failures(c), limitRoom)})
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

// mostFailures is how many failed gates the first screen names.
const mostFailures = 2

// failures names what failed the document, gate and run: "“thresholds” of S1.r5". Gates
// that only sum up others are named where nothing else failed.
func failures(c *analyze.Capacity) string {
	d, names := decidingOf(c), runNames(c)
	var own, sums []string
	for _, v := range allVerdicts(c) {
		if outcome(v.Outcome) != analyze.Fail || !d.counts(v) {
			continue
		}
		of := names[v.Scope.Run]
		if of == "" {
			of = v.Scope.Configuration
		}
		text := "“" + v.Gate + "”"
		if of = scopeText(of, v.Scope.Step); of != "" && len(c.Results) > 1 {
			text += " of " + of
		}
		if slices.Contains(summed, v.Gate) {
			sums = append(sums, text)
		} else if !slices.Contains(own, text) {
			own = append(own, text)
		}
	}
	if len(own) == 0 {
		own = sums
	}
	if n := len(own) - mostFailures; n > 0 {
		return strings.Join(own[:mostFailures], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(own, " and ")
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
