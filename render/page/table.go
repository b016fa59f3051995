package page

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	tableast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"headroom/render/label"
	"headroom/render/md"
)

// table converts a table to HTML, in a box that scrolls by itself on a narrow
// screen, with its notes below.
func table(t md.Table) (string, error) {
	var b strings.Builder
	if len(t.Rows) == 0 {
		b.WriteString("<p><strong>" + content(t.Title, label.Title) + "</strong> No rows.</p>\n")
	} else {
		grid, err := grid(t)
		if err != nil {
			return "", err
		}
		class, name := "scroll", t.Title
		if t.Wide {
			class = "scroll small"
		}
		if name == "" {
			name = t.ID
		}
		b.WriteString(`<div class="` + class + `" id="table-` + attribute(t.ID) + `" role="group" aria-label="` +
			attribute(name) + `" tabindex="0">` + "\n" + grid + "</div>\n")
	}
	if notes := t.NoteLines(); len(notes) > 0 {
		var list strings.Builder
		for _, n := range notes {
			list.WriteString("- " + string(n) + "\n")
		}
		s, err := convert(list.String())
		if err != nil {
			return "", err
		}
		b.WriteString(`<div class="notes">` + "\n" + s + "</div>\n")
	}
	return b.String(), nil
}

// Names of the attributes that grid gives the nodes of a table.
const (
	captionOf = "caption"
	classOf   = "class"
	idOf      = "id"
)

// grid converts the rows: goldmark reads the Markdown, and its tree is told what
// Markdown cannot say. It is an error if goldmark did not read the rows that were
// written, which would mean that a cell was escaped wrongly.
func grid(t md.Table) (string, error) {
	source := []byte(t.Source())
	doc := markdown.Parser().Parse(text.NewReader(source))
	node := doc.FirstChild()
	if node == nil || node.Kind() != tableast.KindTable || node.NextSibling() != nil {
		return "", fmt.Errorf("table %s: its Markdown is not one table", t.ID)
	}
	if n := node.ChildCount() - 1; n != len(t.Rows) {
		return "", fmt.Errorf("table %s: %d rows were written, %d read", t.ID, len(t.Rows), n)
	}
	if t.Title != "" {
		node.SetAttributeString(captionOf, t.Title)
	}
	long := longColumns(t)
	row := node.FirstChild().NextSibling() // after the header
	for n, r := range t.Rows {
		if r.Class != "" {
			row.SetAttributeString(classOf, r.Class)
		}
		if r.ID != "" {
			row.SetAttributeString(idOf, r.ID)
		}
		cell := row.FirstChild()
		for i, c := range r.Cells {
			class := c.Class
			class = strings.TrimSpace(class + long[i])
			if i == 0 && n > 0 && sameName(t.Rows[n-1], r) {
				class = strings.TrimSpace(class + " same")
			}
			if cell != nil {
				cell.SetAttributeString(classOf, class)
				if strings.Contains(long[i], "w") {
					breakable(cell, source)
				}
				cell = cell.NextSibling()
			}
		}
		row = row.NextSibling()
	}
	var b bytes.Buffer
	err := markdown.Renderer().Render(&b, source, doc)
	return unparted(b.String()), err
}

// sameName reports whether a row is named as the one above it: a reader looks for
// the name that is new.
func sameName(above, r md.Row) bool {
	return len(above.Cells) > 0 && above.Cells[0].Text == r.Cells[0].Text && above.Cells[0].Note == r.Cells[0].Note
}

// longWord is the length from which a word may be broken to fit a column.
const longWord = 24

// longText is the length from which a column needs the room of a sentence.
const longText = 60

// longColumns gives the columns that hold long text their class: w where words are
// so long that they may be broken anywhere (digests, names of files, identifiers),
// t where there are sentences.
func longColumns(t md.Table) map[int]string {
	words, sentences := map[int]bool{}, map[int]bool{}
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			s := label.Clean(c.Text, label.Cell)
			for word := range strings.FieldsSeq(s) {
				words[i] = words[i] || len(word) >= longWord
			}
			sentences[i] = sentences[i] || strings.Contains(s, " ") && len(s) >= longText
		}
	}
	classes := map[int]string{}
	for i := range sentences {
		if words[i] {
			classes[i] = " w"
		}
		if sentences[i] {
			classes[i] += " t"
		}
	}
	return classes
}

// tableRenderer writes tables with a caption, scopes on headers, and classes.
type tableRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (r tableRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(tableast.KindTable, r.table)
	reg.Register(tableast.KindTableRow, r.row)
	reg.Register(tableast.KindTableCell, r.cell)
}

func (tableRenderer) table(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, err := w.WriteString("</table>\n")
		return ast.WalkContinue, err
	}
	s := "<table>\n"
	if caption := value(n, captionOf); caption != "" {
		s += "<caption>" + content(caption, label.Title) + "</caption>\n"
	}
	_, err := w.WriteString(s)
	return ast.WalkContinue, err
}

func (tableRenderer) row(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	s := "</tr>\n"
	if entering {
		s = "<tr" + attributes(idOf, value(n, idOf), classOf, value(n, classOf)) + ">\n"
	} else if n.NextSibling() == nil {
		s += "</tbody>\n"
	}
	_, err := w.WriteString(s)
	return ast.WalkContinue, err
}

// cell writes a header of a column, of a row (its first cell), or a plain cell.
func (tableRenderer) cell(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag, scope := "td", ""
	switch {
	case n.Parent().Kind() == tableast.KindTableHeader:
		tag, scope = "th", "col"
	case n.PreviousSibling() == nil:
		tag, scope = "th", "row"
	}
	s := "</" + tag + ">\n"
	if entering {
		class := value(n, classOf)
		if n.(*tableast.TableCell).Alignment == tableast.AlignRight {
			class = strings.TrimSpace("r " + class)
		}
		s = "<" + tag + attributes("scope", scope, classOf, class) + ">"
	}
	_, err := w.WriteString(s)
	return ast.WalkContinue, err
}

// value is an attribute of a node as grid set it.
func value(n ast.Node, name string) string {
	v, _ := n.AttributeString(name)
	s, _ := v.(string)
	return s
}

// attributes writes pairs of names and values; an empty value is left out.
func attributes(pairs ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			b.WriteString(" " + pairs[i] + `="` + attribute(pairs[i+1]) + `"`)
		}
	}
	return b.String()
}
