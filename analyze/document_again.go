package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"headroom/runs"
)

// again says what it takes to measure it once more, from the manifests of the runs:
// the load and its settings, how long, how often, and what has to be recorded
// beside it; then the commands that were recorded, or that the study gives.
func (b *builder) again() {
	t := Table{ID: "again", Title: "What was run, and recorded beside it", Columns: []Column{
		left("configuration"), left("load"), left("settings"), left("each for"), right("runs"), left("recorded"), left("gates"),
	}}
	for i := range b.parts {
		p := &b.parts[i]
		name := text(p.Name)
		if p.Label != "" && p.Label != p.Name {
			name.Note = p.Label
		}
		t.Rows = append(t.Rows, Row{Cells: []Cell{name, text(loadWords(p.runs)), text(p.settings()), text(p.lengths()),
			text(Count(int64(len(p.runs)))), text(recordedWords(p.runs)), text(orDash(strings.Join(p.decidingGates(), ", ")))}})
	}
	t.Notes = append(t.Notes, "From the manifests of the runs. Gates are those that decide; the others are judged all the same.")
	b.Tables = append(b.Tables, t)
	b.Reproduce = unique(append(b.reproduce(), b.study.Again...))
}

// loadWords says what paced the load of some runs, and with which tool.
func loadWords(ms []*Measured) string {
	var out []string
	for _, m := range ms {
		if m.benchOnly() {
			out = append(out, "go test -bench")
			continue
		}
		if m.noLoad() {
			out = append(out, "none: counted only")
			continue
		}
		words := map[runs.LoadModel]string{runs.OpenLoop: "open loop", runs.ClosedLoop: "closed loop"}[m.model.Model]
		l := m.manifest.Load
		out = append(out, strings.TrimSpace(cmp.Or(words, "pacing not known")+" "+strings.TrimSpace(l.Tool+" "+l.Version)))
	}
	return strings.Join(unique(out), "; ")
}

// settings are the values of the labels in which the runs of a configuration
// differ, and the rate or the workers that they have in common.
func (p *part) settings() string {
	var cells []*cell
	for _, m := range loadsOf(p.runs) {
		cells = append(cells, cellsOf(m)...)
	}
	values := valuesOf(cells)
	var out []string
	for _, k := range sortedNames(values) {
		if constantLabels[k] || k == "scenario" {
			continue
		}
		vs := numericFirst(values[k])
		if !slices.Contains(append(slices.Clone(concurrencyLabels), rateLabels...), k) && len(vs) < 2 {
			continue
		}
		if n := len(vs) - mostSettings; n > 0 {
			vs = append(vs[:mostSettings], fmt.Sprintf("and %d more", n))
		}
		out = append(out, k+" "+strings.Join(vs, ", "))
	}
	return orDash(strings.Join(out, "; "))
}

// mostSettings bounds the values of a label that a row lists.
const mostSettings = 16

// lengths is how long the runs of a configuration were measured.
func (p *part) lengths() string {
	var out []int64
	for _, m := range p.runs {
		if m.noLoad() || m.benchOnly() {
			continue
		}
		for _, c := range cellsOf(m) {
			out = append(out, c.window().Len())
		}
	}
	if len(out) == 0 {
		return "—"
	}
	low, high := slices.Min(out), slices.Max(out)
	if float64(high-low) < 0.02*float64(high) {
		return Display(float64(high)/1e9, "s")
	}
	return Display(float64(low)/1e9, "s") + " to " + Display(float64(high)/1e9, "s")
}

// recordedWords names what runs were made from, by format.
func recordedWords(ms []*Measured) string {
	var out []string
	for _, m := range ms {
		for i := range m.manifest.Sources {
			out = append(out, m.manifest.Sources[i].Format)
		}
	}
	out = unique(out)
	slices.Sort(out)
	return orDash(strings.Join(out, ", "))
}

// decidingGates are the gates that decide on a configuration.
func (p *part) decidingGates() []string {
	var out []string
	for _, m := range p.runs {
		for i := range m.Result.Verdicts {
			if v := &m.Result.Verdicts[i]; v.Required && v.Waived == "" {
				out = append(out, v.Gate)
			}
		}
	}
	return unique(out)
}

// changes lists the runs in the order in which they were made, each with what is
// different from the one before it: in the words of the study or of the run, and by
// its labels, its load and the system that was measured.
func (b *builder) changes() {
	if len(b.parts) < 2 || slices.ContainsFunc(b.parts, func(p part) bool { return p.Protocol.Name != "run" || len(p.runs) != 1 }) {
		return // what differs inside a curve or a series is its settings
	}
	parts := make([]*part, len(b.parts))
	for i := range b.parts {
		parts[i] = &b.parts[i]
	}
	slices.SortStableFunc(parts, func(a, c *part) int { return cmp.Compare(a.runs[0].window.Start, c.runs[0].window.Start) })
	t := Table{ID: "changes", Title: "What each run changed", Columns: []Column{left("run"), left("made (UTC)"), left("changed since the one before"), left("verdict"), left("what came of it")}}
	for i, p := range parts {
		said := cmp.Or(p.Changed, p.runs[0].manifest.System.Changed)
		if i > 0 {
			said = strings.Join(nonEmpty(said, differences(parts[i-1].runs[0], p.runs[0])), "; ")
		}
		c := b.entriesOf(p)[0]
		t.Rows = append(t.Rows, Row{Mark: string(c.Outcome), Cells: []Cell{text(p.label()), text(stamp(p.runs[0].window.begin())),
			text(cmp.Or(said, map[bool]string{true: "the first", false: "nothing that was recorded"}[i == 0])), text(string(c.Outcome)), text(b.cameOf(p, c))}})
	}
	t.Notes = append(t.Notes, "In the order in which they were made. Labels and rates are those of the runs; the rest is as the study or the run says it.")
	b.Tables = append(b.Tables, t)
}

// cameOf is the sentence of the answer about a configuration, or its outcome.
func (b *builder) cameOf(p *part, c Configuration) string {
	for _, s := range b.Answer {
		if s.Of == p.label() {
			return s.Lead + ": " + s.Text
		}
	}
	return c.Text
}

// differences names what differs between two runs, as label old → new.
func differences(a, b *Measured) string {
	var out []string
	add := func(name, old, now string) {
		if old != now {
			out = append(out, fmt.Sprintf("%s %s → %s", name, cmp.Or(old, "none"), cmp.Or(now, "none")))
		}
	}
	la, lb := a.labels(nil), b.labels(nil)
	for _, k := range sortedNames(merged(la, lb)) {
		if k != "run" {
			add(k, la[k], lb[k])
		}
	}
	rate := func(m *Measured) string {
		if r := m.manifest.Load.Rate; r > 0 {
			return Display(r, "requests/s")
		}
		return ""
	}
	if _, labelled := merged(la, lb)["rate"]; !labelled {
		add("offered", rate(a), rate(b))
	}
	add("system", systemText(a.manifest.System), systemText(b.manifest.System))
	add("host", hostText(a.manifest.Host, 0), hostText(b.manifest.Host, 0))
	return strings.Join(out, ", ")
}
