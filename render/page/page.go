// Package page writes the HTML page: one file, without scripts, that fetches
// nothing.
//
// Its text is our own Markdown, put through goldmark with raw HTML and unsafe
// links off. What Markdown cannot say is added as structure, not as text: a
// table's rows get their classes on goldmark's syntax tree, figures and foldable
// parts are blocks of the document and never strings in it. The shell is an
// html/template, which escapes what it is given.
//
// The package is the only door to github.com/yuin/goldmark.
package page

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"headroom/render/label"
	"headroom/render/md"
	"headroom/templates"
)

// Page is the document as a page shows it.
type Page struct {
	Title    string
	Kind     string // the line above the title
	Answer   md.Answer
	LimitsAt string // the section that says what the answer does not show
	Sections []Section
	Footer   string
	// Figure returns the SVG elements of a figure, by its ID.
	Figure func(id string) (string, error)
	// FigureCSS is the style sheet that those need.
	FigureCSS string
	// Data returns the points of a figure that scripts can zoom into, as JSON that
	// is safe inside a script element; nil for one that they cannot.
	Data func(id string) []byte
	// Calculator is what the fleet calculator computes from, as such JSON; nil for
	// a page without one.
	Calculator []byte
}

// Section is a part of the page with a heading of its own.
type Section struct {
	Name   string // anchor
	Title  string
	Blocks []md.Block
}

// shell is what page.html.tmpl is executed on.
type shell struct {
	Title, Kind, Outcome, LimitsAt, Footer string
	CSS                                    template.CSS
	Verdict, Limits, LimitCount            template.HTML
	Before, After                          []md.Statement
	Columns                                []column
	Sections                               []body
	Script, Calculator                     template.HTML
	ScriptHash                             string // of the text of Script, for the content policy
}

type body struct {
	Name, Title string
	Body        template.HTML
}

// Write writes the page.
func Write(w io.Writer, p Page) error {
	t, err := template.New("page.html.tmpl").Option("missingkey=error").Funcs(template.FuncMap{"clauses": clauses}).ParseFS(templates.FS, "page.html.tmpl")
	if err != nil {
		return err
	}
	css, err := join("page.css", "uplot/uPlot.min.css")
	if err != nil {
		return err
	}
	script, err := join("uplot/uPlot.iife.min.js", "page.js")
	if err != nil {
		return err
	}
	s := shell{
		Title:    label.Clean(p.Title, label.Title),
		Kind:     label.Clean(p.Kind, label.Title),
		Outcome:  p.Answer.Outcome,
		LimitsAt: p.LimitsAt,
		Footer:   label.Clean(p.Footer, label.Line),
		CSS:      template.CSS(css + p.FigureCSS),
	}
	s.Script, s.ScriptHash = scriptElement(script)
	if p.Calculator != nil {
		s.Calculator = template.HTML(dataElement("calculator-data", "", p.Calculator))
	}
	if s.Verdict, err = inline(p.Answer.Verdict); err != nil {
		return err
	}
	if s.Limits, err = inline(p.Answer.Limits); err != nil {
		return err
	}
	if s.LimitCount, err = inline(p.Answer.LimitCount); err != nil {
		return err
	}
	s.Before, s.Columns, s.After = columns(p.Answer.Statements)
	for _, sec := range p.Sections {
		html, err := p.blocks(sec.Blocks)
		if err != nil {
			return fmt.Errorf("section %s: %w", sec.Name, err)
		}
		s.Sections = append(s.Sections, body{sec.Name, sec.Title, template.HTML(html)})
	}
	return t.ExecuteTemplate(w, "page.html.tmpl", s)
}

// inline converts one paragraph, without its element.
func inline(t md.Text) (template.HTML, error) {
	s, err := convert(string(t))
	s = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(s), "<p>"), "</p>")
	return template.HTML(s), err
}

// blocks converts blocks of the document to HTML.
func (p Page) blocks(blocks []md.Block) (string, error) {
	var b strings.Builder
	for _, block := range blocks {
		var s string
		var err error
		switch v := block.(type) {
		case md.Table:
			s, err = table(v)
		case md.Figure:
			s, err = p.figure(v)
		case md.Details:
			s, err = p.details(v)
		case md.Code:
			if s, err = convert(md.Write([]md.Block{v})); err == nil {
				s = `<div class="scroll" tabindex="0" role="group" aria-label="Commands">` + s + "</div>\n"
			}
		default:
			s, err = convert(md.Write([]md.Block{v}))
		}
		if err != nil {
			return "", err
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

func (p Page) figure(f md.Figure) (string, error) {
	svg, err := p.Figure(f.ID)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(`<figure id="figure-` + attribute(f.ID) + `">` + "\n")
	if f.Title != "" {
		b.WriteString("<figcaption>" + content(f.Title, label.Title) + "</figcaption>\n")
	}
	b.WriteString(svg)
	if p.Data != nil {
		if data := p.Data(f.ID); data != nil {
			b.WriteString(dataElement("", "figure-data", data))
		}
	}
	if len(f.Notes) > 0 {
		b.WriteString("<p>" + content(strings.Join(f.Notes, " "), label.Line) + "</p>\n")
	}
	b.WriteString("</figure>\n")
	return b.String(), nil
}

func (p Page) details(d md.Details) (string, error) {
	inner, err := p.blocks(d.Blocks)
	if err != nil {
		return "", err
	}
	id := ""
	if d.ID != "" {
		id = ` id="` + attribute(d.ID) + `"`
	}
	return "<details" + id + ">\n<summary>" + content(d.Summary, label.Title) + "</summary>\n" + inner + "</details>\n", nil
}

// content is data as the content of an element.
func content(s string, max int) string {
	return unparted(template.HTMLEscapeString(label.Clean(s, max)))
}

// attribute is data as the value of an attribute in double quotes.
func attribute(s string) string { return template.HTMLEscapeString(label.Clean(s, label.Cell)) }
