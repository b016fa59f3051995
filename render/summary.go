package render

import (
	"slices"

	"headroom/analyze"
	"headroom/render/md"
)

// maxSummary keeps summary.md below 64 KiB, the least that a CI system takes for
// a job summary or a comment, with room for what the system adds.
const maxSummary = 60_000

type gateLine struct {
	Sign, Gate, Scope, Outcome, Got, Want, Why md.Inline
	Required                                   bool
}

// summary is the document on one screen: the answer, the glance, the gates that
// did not pass, and what it does not show. What does not fit is left out, and
// said to be.
func summary(c *analyze.Capacity, d document) ([]byte, error) {
	parts := [][]md.Block{{md.Heading{Level: 2, Text: md.Escape(d.title, titleRoom)}, d.answer}}
	of := func(title string, blocks ...md.Block) {
		parts = append(parts, append([]md.Block{md.Heading{Level: 3, Text: md.Inline(title)}}, blocks...))
	}
	w := Writer{words: d.words, tableIDs: names{}}
	if lines := openGates(c); len(lines) > 0 {
		if err := w.Text("summary.gates", lines); err != nil {
			return nil, err
		}
		of("Gates that did not pass", w.blocks...)
	}
	for _, s := range d.sections {
		if slices.Contains([]string{glance.Name, warnings.Name, caveats.Name}, s.Name) {
			of(s.Title, s.Blocks...)
		}
	}
	cut, err := execute(d.words, "summary.cut", nil)
	if err != nil {
		return nil, err
	}
	var blocks []md.Block
	whole := true
	for _, p := range parts {
		if len(md.Write(append(slices.Clone(blocks), p...))) > maxSummary {
			whole = false
			continue
		}
		blocks = append(blocks, p...)
	}
	if !whole {
		blocks = append(blocks, cut)
	}
	return []byte(md.Write(blocks)), nil
}

// maxOpenGates bounds the gates that the summary names.
const maxOpenGates = 100

// openGates lists the verdicts that are no pass, those that decide first. What was
// judged alike in several places is one line.
func openGates(c *analyze.Capacity) (out []gateLine) {
	var list []analyze.Verdict
	for _, v := range allVerdicts(c) {
		if outcome(v.Outcome) != analyze.Pass {
			list = append(list, v)
		}
	}
	rank := func(v analyze.Verdict) int {
		switch {
		case v.Required && v.Outcome == analyze.Fail:
			return 0
		case v.Required:
			return 1
		case v.Outcome == analyze.Fail:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(list, func(a, b analyze.Verdict) int { return rank(a) - rank(b) })
	only, where := newPlain(c), map[gateLine][]string{}
	for _, v := range list {
		o := string(outcome(v.Outcome))
		line := gateLine{Sign: md.Inline(md.Sign(o)), Gate: named(v.Gate),
			Outcome: md.Inline(o), Got: md.Escape(got(v), cellRoom), Want: md.Escape(v.Want, cellRoom), Why: md.Escape(v.Why, lineRoom), Required: v.Required}
		if _, said := where[line]; !said {
			if len(out) == maxOpenGates {
				break
			}
			out = append(out, line)
		}
		if place := only.verdict(v); !slices.Contains(where[line], place) {
			where[line] = append(where[line], place)
		}
	}
	for i, line := range out {
		places := where[line]
		if k := slices.Index(places, ""); k >= 0 && len(places) > 1 {
			places[k] = "the run as a whole"
		}
		out[i].Scope = md.Escape(together(places), titleRoom)
	}
	return out
}
