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
	// Applies reports whether the capacity has anything for the section.
	Applies func(*analyze.Capacity) bool
	// Write puts the section's blocks down.
	Write func(*Writer, *analyze.Capacity) error
}

// Sections are the parts of a document in the order of the page.
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
	err      error // of say
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
	outer := w.blocks
	w.blocks = nil
	err := write()
	inner := w.blocks
	w.blocks = outer
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

// newDocument lets each section that applies write its blocks.
func newDocument(c *analyze.Capacity, drawings map[string]figure.Drawing) (document, error) {
	words, err := template.New("words").Option("missingkey=error").ParseFS(templates.FS, "*.md.tmpl")
	if err != nil {
		return document{}, err
	}
	answer, err := newAnswer(words, c)
	if err != nil {
		return document{}, err
	}
	d := document{title: c.Title, kind: kind(c), answer: answer, words: words}
	w := Writer{words: words, drawings: drawings, sources: newSources(c), tableIDs: names{}, plain: newPlain(c)}
	for _, s := range Sections {
		if !s.Applies(c) {
			continue
		}
		w.blocks, w.title = nil, s.Title
		if err := errors.Join(s.Write(&w, c), w.err); err != nil {
			return document{}, fmt.Errorf("section %s: %w", s.Name, err)
		}
		if len(w.blocks) > 0 {
			d.sections = append(d.sections, page.Section{Name: s.Name, Title: s.Title, Blocks: w.blocks})
		}
	}
	return d, nil
}

// inlines escapes a list of sentences.
func inlines(list []string) []md.Inline {
	out := make([]md.Inline, 0, len(list))
	for _, s := range list {
		out = append(out, md.Escape(s, lineRoom))
	}
	return out
}
