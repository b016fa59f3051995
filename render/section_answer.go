package render

import (
	"text/template"

	"headroom/analyze"
	"headroom/render/md"
)

// newAnswer makes the first screen: the verdict of the document, its statements,
// and the first thing that they do not show.
func newAnswer(words *template.Template, c *analyze.Capacity) (md.Answer, error) {
	a := md.Answer{Outcome: string(outcome(c.Outcome))}
	var err error
	a.Verdict, err = execute(words, "answer."+a.Outcome, md.Escape(c.Protocol, cellRoom))
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
