package md

import (
	"html"
	"strings"
	"unicode/utf8"

	"headroom/render/label"
)

type writer struct {
	b     strings.Builder
	links bool
}

// Write returns the document as Markdown.
func Write(blocks []Block) string {
	var w writer
	w.blocks(blocks)
	return strings.TrimLeft(w.b.String(), "\n")
}

// Source returns one table as the Markdown of an HTML page: without caption and
// notes, and with the links of its cells.
func (t Table) Source() string {
	w := writer{links: true}
	t.grid(&w)
	return w.b.String()
}

func (w *writer) blocks(blocks []Block) {
	for _, b := range blocks {
		b.write(w)
	}
}

// paragraph writes a block of finished Markdown between blank lines.
func (w *writer) paragraph(s string) {
	if s = strings.Trim(s, "\n"); s != "" {
		w.b.WriteString("\n" + s + "\n")
	}
}

func (h Heading) write(w *writer) {
	w.paragraph(strings.Repeat("#", h.Level) + " " + string(h.Text))
}

func (t Text) write(w *writer) { w.paragraph(string(t)) }

func (c Code) write(w *writer) {
	var lines []string
	fence := "```"
	for line := range strings.Lines(c.Text) {
		line = label.Clean(strings.TrimRight(line, "\r\n"), label.Line)
		lines = append(lines, line)
		for strings.Contains(line, fence) { // a fence longer than any in the text
			fence += "`"
		}
	}
	w.paragraph(fence + "\n" + strings.Join(lines, "\n") + "\n" + fence)
}

func (f Figure) write(w *writer) {
	w.paragraph(bold(Escape(f.Title, label.Title)))
	w.paragraph("![" + string(Escape(f.Alt, label.Line)) + "](" + f.File() + ")")
	w.paragraph(string(Escape(strings.Join(f.Notes, " "), label.Line)))
}

// Details are the one piece of HTML in the Markdown; GitHub and GitLab fold it.
func (d Details) write(w *writer) {
	w.paragraph("<details>\n<summary>" + html.EscapeString(label.Clean(d.Summary, label.Title)) + "</summary>")
	w.blocks(d.Blocks)
	w.paragraph("</details>")
}

func (a Answer) write(w *writer) {
	w.paragraph(bold(Inline(Sign(a.Outcome)+" "+a.Outcome)) + " " + string(a.Verdict))
	var b strings.Builder
	for _, s := range a.Statements {
		text := s.Text
		if s.Of != "" {
			text = s.Of + ": " + text
		}
		b.WriteString("- " + strings.TrimSpace(bold(Escape(s.Lead, label.Title))+" "+string(Escape(text, label.Line))) + "\n")
	}
	w.paragraph(b.String())
	count := bold(Inline(a.LimitCount))
	if count != "" {
		count += ". "
	}
	w.paragraph(count + string(a.Limits))
}

// Sign is the shape that stands before an outcome, so that it does not rest on
// colour: ✓ for pass, ✗ for fail, ? for unknown and anything else.
func Sign(outcome string) string {
	switch outcome {
	case "pass":
		return "✓"
	case "fail":
		return "✗"
	}
	return "?"
}

// bold returns s in bold, or nothing for nothing: four stars are a line.
func bold(s Inline) string {
	if s == "" {
		return ""
	}
	return "**" + string(s) + "**"
}

func (t Table) write(w *writer) {
	if t.Title != "" {
		w.paragraph(bold(Escape(t.Title, label.Title)))
	}
	if len(t.Rows) == 0 {
		w.paragraph("*No rows.*")
	} else {
		w.b.WriteString("\n")
		t.grid(w)
	}
	var b strings.Builder
	for _, n := range t.NoteLines() {
		b.WriteString("- " + string(n) + "\n")
	}
	w.paragraph(b.String())
}

// NoteLines returns what stands below the table: its notes, then what its
// columns hold.
func (t Table) NoteLines() []Inline {
	var out []Inline
	for _, n := range t.Notes {
		out = append(out, Escape(n, label.Line))
	}
	for _, c := range t.Columns {
		if c.Doc != "" && c.Name != "" {
			out = append(out, "*"+Escape(c.Name, label.Cell)+"*: "+Escape(c.Doc, label.Line))
		}
	}
	return out
}

// widest is the column width up to which cells are padded; longer ones stand out.
const widest = 40

// widestTable is the sum of column widths up to which cells are padded at all: a
// wider table is read folded, or in the page, and blanks would be most of it.
const widestTable = 160

// grid writes the table itself: every row has the same number of cells.
func (t Table) grid(w *writer) {
	n := len(t.Columns)
	for _, r := range t.Rows {
		n = max(n, len(r.Cells))
	}
	lines := make([][]string, 0, len(t.Rows)+1)
	head := make([]string, n)
	for i, c := range t.Columns {
		head[i] = string(Escape(c.Name, label.Cell))
	}
	lines = append(lines, head)
	for _, r := range t.Rows {
		line := make([]string, n)
		for i := range line {
			if i < len(r.Cells) {
				line[i] = r.Cells[i].markdown(w.links)
			}
		}
		lines = append(lines, line)
	}
	width := make([]int, n)
	for _, line := range lines {
		for i, s := range line {
			width[i] = min(widest, max(width[i], utf8.RuneCountInString(s), 3))
		}
	}
	sum := 0
	for _, n := range width {
		sum += n
	}
	if sum > widestTable {
		for i := range width {
			width[i] = 3
		}
	}
	for i, line := range lines {
		t.line(w, line, width)
		if i == 0 {
			t.rule(w, width)
		}
	}
}

func (t Table) right(i int) bool { return i < len(t.Columns) && t.Columns[i].Right }

func (t Table) line(w *writer, cells []string, width []int) {
	w.b.WriteByte('|')
	for i, s := range cells {
		pad := strings.Repeat(" ", max(0, width[i]-utf8.RuneCountInString(s)))
		if t.right(i) {
			s = pad + s
		} else {
			s += pad
		}
		w.b.WriteString(" " + s + " |")
	}
	w.b.WriteByte('\n')
}

func (t Table) rule(w *writer, width []int) {
	w.b.WriteByte('|')
	for i, n := range width {
		if t.right(i) {
			w.b.WriteString(" " + strings.Repeat("-", n-1) + ": |")
		} else {
			w.b.WriteString(" " + strings.Repeat("-", n) + " |")
		}
	}
	w.b.WriteByte('\n')
}

// markdown returns the cell: its text, its badge in bold, its note in italics.
func (c Cell) markdown(links bool) string {
	s := string(Escape(c.Text, label.Cell))
	if s == "" {
		s = string(Empty)
	}
	if c.Class != "" {
		s = Sign(c.Class) + " " + s
	}
	if links && c.Link != "" {
		s = "[" + s + "](#" + c.Link + ")"
	}
	if c.Badge != "" {
		s += " " + bold(Escape(c.Badge, label.Cell))
	}
	if c.Note != "" {
		s += " *(" + string(Escape(c.Note, label.Title)) + ")*"
	}
	return s
}
