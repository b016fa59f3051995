package detect

import (
	"fmt"
	"strings"
	"testing"

	"headroom/internal/golden"
	"headroom/internal/rule"
)

// docs/detectors.md is printed from the values that do the work.
func TestDocs(t *testing.T) {
	var b strings.Builder
	b.WriteString(docsHead)
	for _, d := range All {
		title, body, _ := strings.Cut(d.Doc, "\n")
		fmt.Fprintf(&b, "\n## %s\n\n%s Version %d.\n\n%s\n", d.Name, title, d.Version, strings.TrimSpace(body))
		fmt.Fprintf(&b, "\nNeeds: %s", strings.Join(d.Needs, ", "))
		if len(d.Metrics) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(d.Metrics, ", "))
		}
		b.WriteString(".\n")
		if len(d.Params) > 0 {
			b.WriteString("\n| parameter | default | unit | what |\n|---|---|---|---|\n")
			for _, p := range d.Params {
				fmt.Fprintf(&b, "| `%s.%s` | %v | %s | %s |\n", d.Name, p.Name, p.Default, p.Unit, p.Doc)
			}
		}
		if d.Definition != "" {
			b.WriteString("\nWritten in the language below: `headroom detectors show " + d.Name + "`.\n")
		}
	}
	b.WriteString(docsCauses)
	for _, c := range Causes {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %.1f to %.1f s after it | %s |\n", c.Name, c.Doc, c.Anchor, seconds(c.Lag.Lo), seconds(c.Lag.Hi), tracesText(c.Signature))
	}
	b.WriteString(docsLanguage)
	for _, in := range []rule.Input{rule.Samples, rule.Points, rule.Sessions, rule.Markers} {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", in, strings.Join(rule.RowNames(in), ", "), strings.Join(rule.Names(in), ", "))
	}
	golden.Equal(t, "../docs/detectors.md", []byte(b.String()))
}

func tracesText(ts []Trace) string {
	var out []string
	for _, x := range ts {
		out = append(out, x.What)
	}
	if len(out) == 0 {
		return "none: it can at best be most likely"
	}
	return strings.Join(out, "; or ")
}

const docsHead = `# Detectors

Printed from the values in ` + "`detect`" + `; ` + "`go test ./detect -run TestDocs -update`" + ` writes it again.

A detector says what it found, or that it could not look. A parameter is set with
` + "`--param DETECTOR.NAME=VALUE`" + ` and recorded in every result, as is the certificate of
` + "`headroom calibrate`" + `.
`

const docsCauses = `
# Causes

Freezes are compared with what was recorded beside them. An attribution is

- *attributed*: evidence with at least 80 % of the freezes, a likelihood ratio of 10 and more, a shift test of
  p ≤ 0.01 after Holm over the causes, no rival within a factor of 3, and the mechanism seen in the freeze itself;
- *most likely*: the same without the mechanism; or the mechanism seen in this freeze, by evidence that hardly ever
  comes without one;
- *candidate*: a likelihood ratio of 3 and more, or evidence that is too coarse for more;
- *unexplained*: what was recorded goes with none; *not collected*: nothing was recorded.

The sentence with it is printed from the numbers. Two things of one period cannot be told apart by watching: it says so.

| cause | what it is | compared at | evidence may come | mechanism |
|---|---|---|---|---|
`

const docsLanguage = `
# A detector of one's own

` + "`headroom detectors new NAME`" + ` writes a start with every entry explained; ` + "`headroom detect --detector NAME.yaml RUN`" + `
runs it. It is applied by the same code as those above that are written in it. Expressions are those of
expr-lang (https://expr-lang.org/docs/language-definition); they are typed when the file is read, know no clock, and
end. Names are those of the parameters and:

| input | of a row (` + "`rows`" + `) | of a window (` + "`when`, `measures`" + `) |
|---|---|---|
`
