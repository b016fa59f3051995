package render

import (
	"slices"
	"strings"
	"unicode"

	"headroom/analyze"
	"headroom/render/md"
	"headroom/render/page"
	"headroom/render/prose"
)

// Prose fills the prose of a document and returns every problem of it, notes on
// numbers in words included if words is set. A document without prose has none.
func Prose(c *analyze.Capacity, words bool) ([]prose.Problem, error) {
	kind, err := kindOf(c)
	if err != nil || c.Prose == nil {
		return nil, err
	}
	_, problems := prose.Render(*c.Prose, prepare(c), prose.Options{Sections: kind.SectionNames(), Words: words})
	return problems, nil
}

// proseOf is the filled prose of a document, empty where there is none.
func proseOf(c *analyze.Capacity, kind Kind, opt Options) (prose.Document, error) {
	if c.Prose == nil {
		return prose.Document{}, nil
	}
	d, problems := prose.Render(*c.Prose, c, prose.Options{Sections: kind.SectionNames()})
	if faults := prose.Faults(problems); len(faults) > 0 && !opt.Unfinished {
		return d, &prose.Error{Problems: faults}
	}
	return d, nil
}

// leading are the sections that stand before the prose, unless it places them.
var leading = []string{"glance", "warnings"}

// around cuts the sections of a kind into those before and those after the prose;
// a section that the prose places is in neither.
func around(list []KindPart, text prose.Document) (before, after []KindPart) {
	placed := text.Placed("section")
	for _, p := range list {
		switch name := p.Section.Name; {
		case slices.Contains(placed, name):
		case slices.Contains(leading, name):
			before = append(before, p)
		default:
			after = append(after, p)
		}
	}
	return before, after
}

// without is the capacity without the tables and figures that the prose places.
func without(c *analyze.Capacity, text prose.Document) *analyze.Capacity {
	tables, figures := text.Placed("table"), text.Placed("figure")
	if len(tables)+len(figures) == 0 {
		return c
	}
	rest := *c
	rest.Tables = slices.DeleteFunc(slices.Clone(c.Tables), func(t analyze.Table) bool { return slices.Contains(tables, t.ID) })
	rest.Figures = slices.DeleteFunc(slices.Clone(c.Figures), func(f analyze.Figure) bool { return slices.Contains(figures, f.ID) })
	return &rest
}

// prose adds the sections of the prose. Tables and figures come from the whole
// capacity, sections from the rest.
func (d *document) prose(w *Writer, text prose.Document, c, rest *analyze.Capacity) error {
	ids := names{}
	for _, s := range text.Sections {
		var blocks []md.Block
		for _, p := range s.Parts {
			add, err := w.placed(p, s.Title, c, rest)
			if err != nil {
				return err
			}
			blocks = append(blocks, add...)
		}
		title := s.Title
		if title == "" {
			title = "In words"
		}
		d.sections = append(d.sections, page.Section{Name: ids.unique(slug(title), "text"), Title: title, Blocks: blocks})
	}
	return nil
}

// placed returns the blocks of a part of the prose.
func (w *Writer) placed(p prose.Part, title string, c, rest *analyze.Capacity) ([]md.Block, error) {
	w.blocks, w.title = nil, title
	switch {
	case p.Table != "":
		i := slices.IndexFunc(c.Tables, func(t analyze.Table) bool { return t.ID == p.Table })
		if i >= 0 {
			w.table(c.Tables[i])
		}
	case p.Figure != "":
		i := slices.IndexFunc(c.Figures, func(f analyze.Figure) bool { return f.ID == p.Figure })
		if i >= 0 {
			w.figure(c.Figures[i])
		}
	case p.Section != "":
		kind, err := kindOf(c)
		if err != nil {
			return nil, err
		}
		for _, part := range kind.Parts {
			if part.Section.Name == p.Section {
				return w.write(part.Section, rest)
			}
		}
		return nil, nil
	default:
		w.add(p.Text)
	}
	return w.blocks, nil
}

// slug is the anchor of a heading, which no anchor of a section is.
func slug(title string) string {
	s := strings.Map(func(r rune) rune {
		switch r = unicode.ToLower(r); {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, title)
	return "text-" + strings.Trim(s, "-")
}
