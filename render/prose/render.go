package prose

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"headroom/analyze"
	"headroom/internal/near"
	"headroom/render/label"
	"headroom/render/md"
)

// MaxSize is the largest template that is read, in bytes.
const MaxSize = 1 << 20

// Options of [Render].
type Options struct {
	// Sections are the names that {{section}} may place.
	Sections []string
	// Words asks for notes on numbers in words (twice, half, three times).
	Words bool
}

// Document is prose with its values in it.
type Document struct{ Sections []Section }

// Section is what stands under one heading; the first may have none.
type Section struct {
	Title string // plain words
	Parts []Part
}

// Part is running text or a thing of the document; exactly one field is set.
type Part struct {
	Text                   md.Text
	Table, Figure, Section string // IDs, and the name of a section
}

// Placed lists what the prose places of a kind: "table", "figure" or "section".
func (d Document) Placed(kind string) (ids []string) {
	for _, s := range d.Sections {
		for _, p := range s.Parts {
			if id := map[string]string{"table": p.Table, "figure": p.Figure, "section": p.Section}[kind]; id != "" {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// Render fills the values of a document into its prose. The document is whole
// only if there are no problems but notes.
func Render(p analyze.Prose, c *analyze.Capacity, opt Options) (Document, []Problem) {
	s := &source{file: p.File, text: strings.ReplaceAll(p.Text, "\r\n", "\n")}
	if len(s.text) > MaxSize {
		s.fault(0, "the text has %d bytes; the most that is read is %d", len(s.text), MaxSize)
		return Document{}, s.problems
	}
	t := parseTemplate(s)
	b := newBinding(c, p.Constants)
	placed := map[string]int{}
	for _, a := range t.actions {
		if a.fn.places != "" {
			t.checkPlaced(a, c, opt, placed)
			continue
		}
		text, err := a.fn.call(b, a.args)
		if err != nil {
			s.add(a.at, Problem{Msg: fmt.Sprintf("%s: %v", a.name, err), Stale: errors.As(err, new(unsupported))})
		}
		a.text = text
	}
	r := reader{template: t, words: opt.Words}
	r.read()
	return r.document(), s.sorted()
}

// checkPlaced looks whether what an action places is there, and only once.
func (t *template) checkPlaced(a *action, c *analyze.Capacity, opt Options, placed map[string]int) {
	var names []string
	switch a.fn.places {
	case "table":
		for _, x := range c.Tables {
			names = append(names, x.ID)
		}
	case "figure":
		for _, x := range c.Figures {
			names = append(names, x.ID)
		}
	default:
		names = opt.Sections
	}
	id := a.args[0]
	if a.ids = family(names, id); len(a.ids) == 0 {
		t.fault(a.at, "there is no %s %q%s", a.fn.places, id, near.DidYouMean(id, names))
		return
	}
	for _, id := range a.ids {
		key := a.fn.places + " " + id
		if placed[key]++; placed[key] > 1 {
			t.fault(a.at, "the %s %s is placed already", a.fn.places, id)
		}
	}
}

// family is the name, if there is such a one; else those that it begins, each of a
// configuration: "steps" is "steps-ingest" and "steps-matching".
func family(names []string, id string) (out []string) {
	if slices.Contains(names, id) {
		return []string{id}
	}
	for _, n := range names {
		if strings.HasPrefix(n, id+"-") {
			out = append(out, n)
		}
	}
	return out
}

// document cuts the skeleton where headings and placed things stand, and fills
// the rest.
func (r *reader) document() Document {
	var d Document
	now := Section{}
	from := 0
	text := func(to int) {
		if filled := strings.TrimSpace(r.fill(from, to)); filled != "" {
			now.Parts = append(now.Parts, Part{Text: md.Text(filled)})
		}
	}
	for _, c := range r.cuts {
		text(c.from)
		from = c.to
		if c.places == nil {
			if now.Title != "" || len(now.Parts) > 0 {
				d.Sections = append(d.Sections, now)
			}
			now = Section{Title: c.heading}
			continue
		}
		for _, id := range c.places.ids {
			now.Parts = append(now.Parts, c.places.part(id))
		}
	}
	text(len(r.skeleton))
	if now.Title != "" || len(now.Parts) > 0 {
		d.Sections = append(d.Sections, now)
	}
	return d
}

// part is one thing that the action places.
func (a *action) part(id string) Part {
	switch a.fn.places {
	case "table":
		return Part{Table: id}
	case "figure":
		return Part{Figure: id}
	}
	return Part{Section: id}
}

// fill writes a stretch of the skeleton with its values, which are data: whatever
// they hold, a reader sees that very text.
func (r *reader) fill(from, to int) string {
	var b strings.Builder
	for i, c := range string(r.skeleton[from:to]) {
		switch a := r.slots[from+i]; {
		case c != slot:
			b.WriteRune(c)
		case a.code:
			b.WriteString(label.Clean(a.text, label.Line))
		default:
			b.WriteString(string(md.Escape(a.text, label.Line)))
		}
	}
	return b.String()
}
