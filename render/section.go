package render

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"text/template"

	"headroom/analyze"
	"headroom/render/figure"
	"headroom/render/label"
	"headroom/render/md"
	"headroom/render/page"
	"headroom/templates"
)

// Section is one part of a document, below the answer.
type Section struct {
	Name  string // anchor on the page: lower case, for life
	Title string // heading
	Doc   string // what it shows
	owns  owns   // tables and figures that stand here and nowhere else
	// Applies reports whether the capacity has anything for the section.
	Applies func(*analyze.Capacity) bool
	// Write puts the section's blocks down.
	Write func(*Writer, *analyze.Capacity) error
}

// Sections are the parts of a document without a kind, in the order of the page.
var Sections = []Section{glance, warnings, measured, timeline, latency, waits, findings, gates, caveats, method, provenance, reproduce}

// Room for text from data, in characters.
const (
	cellRoom  = label.Cell
	titleRoom = label.Title
	lineRoom  = label.Line
)

// Writer collects the blocks of a section.
type Writer struct {
	blocks   []md.Block
	words    *template.Template
	drawings map[string]figure.Drawing
	sources  sources
	tableIDs names
	title    string // of the section
	plain    plain
	params   map[string]map[string]bool // by which each detector looked
	inProse  []string                   // tables that the prose places
	owned    []owns                     // of all sections of the document
	opened   bool                       // within a part that the reader opens
	err      error                      // of say
}

// Text executes a template on finished, escaped values.
func (w *Writer) Text(name string, data any) error {
	s, err := execute(w.words, name, data)
	if err == nil && s != "" {
		w.add(s)
	}
	return err
}

// say executes a template that names what a reader opens: a line without markup.
// A fault of the template is kept for document.
func (w *Writer) say(name string, data any) string {
	s, err := execute(w.words, name, data)
	w.err = errors.Join(w.err, err)
	return string(s)
}

func (w *Writer) add(b md.Block) { w.blocks = append(w.blocks, b) }

// details collects what write adds into a part that the reader opens.
func (w *Writer) details(id, summary string, write func() error) error {
	outer, opened := w.blocks, w.opened
	w.blocks, w.opened = nil, true
	err := write()
	inner := w.blocks
	w.blocks, w.opened = outer, opened
	if len(inner) > 0 {
		w.add(md.Details{ID: id, Summary: summary, Blocks: inner})
	}
	return err
}

// execute executes a template. Its data must be escaped: every text in it is an
// md.Inline, which only md.Escape makes from data.
func execute(t *template.Template, name string, data any) (md.Text, error) {
	if err := escaped(reflect.ValueOf(data)); err != nil {
		return "", fmt.Errorf("template %s: %w", name, err)
	}
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name, data); err != nil {
		return "", err
	}
	return md.Text(strings.TrimSpace(b.String())), nil
}

func escaped(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Invalid, reflect.Int, reflect.Bool:
		return nil
	case reflect.String:
		if v.Type() == reflect.TypeFor[md.Inline]() {
			return nil
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := escaped(v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Struct:
		for i := range v.NumField() {
			if err := escaped(v.Field(i)); err != nil {
				return fmt.Errorf("%s: %w", v.Type().Field(i).Name, err)
			}
		}
		return nil
	}
	return fmt.Errorf("a %s is no escaped text", v.Type())
}

// document is the whole of a page, before it is Markdown or HTML.
type document struct {
	title    string
	kind     string
	answer   md.Answer
	sections []page.Section
	words    *template.Template
}

// newDocument lets each section of the document's kind write its blocks. What
// prose places stands where it says, and not in its section again.
func newDocument(c *analyze.Capacity, drawings map[string]figure.Drawing, opt Options) (document, error) {
	kind, err := kindOf(c)
	if err != nil {
		return document{}, err
	}
	words, err := template.New("words").Option("missingkey=error").ParseFS(templates.FS, "*.md.tmpl")
	if err != nil {
		return document{}, err
	}
	answer, err := newAnswer(words, c)
	if err != nil {
		return document{}, err
	}
	d := document{title: c.Title, kind: kind.line(c), answer: answer, words: words}
	w := Writer{words: words, drawings: drawings, sources: newSources(c), tableIDs: names{}, plain: newPlain(c), params: parametersOf(c)}
	for _, p := range kind.Parts {
		w.owned = append(w.owned, p.Section.owns)
	}
	text, err := proseOf(c, kind, opt)
	if err != nil {
		return document{}, err
	}
	w.inProse = text.Placed("table")
	before, after := around(kind.Parts, text)
	rest := without(c, text)
	for _, p := range before {
		if err := d.part(&w, p, rest); err != nil {
			return document{}, err
		}
	}
	if err := d.prose(&w, text, c, rest); err != nil {
		return document{}, err
	}
	for _, p := range after {
		if err := d.part(&w, p, rest); err != nil {
			return document{}, err
		}
	}
	return d, nil
}

// part adds a section, if it has anything to say or the kind requires it.
func (d *document) part(w *Writer, p KindPart, c *analyze.Capacity) error {
	blocks, err := w.write(p.Section, c)
	if err != nil {
		return err
	}
	if len(blocks) == 0 && p.Required {
		w.blocks = nil
		if err := w.Text("absent", md.Inline(w.say("absent."+p.Section.Name, nil))); err != nil {
			return err
		}
		blocks = w.blocks
	}
	if len(blocks) > 0 {
		d.sections = append(d.sections, page.Section{Name: p.Section.Name, Title: p.Section.Title, Blocks: blocks})
	}
	return w.err
}

// write returns the blocks of a section, none if it does not apply.
func (w *Writer) write(s Section, c *analyze.Capacity) ([]md.Block, error) {
	if !s.Applies(c) {
		return nil, nil
	}
	w.blocks, w.title = nil, s.Title
	if err := errors.Join(s.Write(w, c), w.err); err != nil {
		return nil, fmt.Errorf("section %s: %w", s.Name, err)
	}
	return w.blocks, nil
}

// inlines escapes a list of sentences.
func inlines(list []string) []md.Inline {
	out := make([]md.Inline, 0, len(list))
	for _, s := range list {
		out = append(out, md.Escape(s, lineRoom))
	}
	return out
}
