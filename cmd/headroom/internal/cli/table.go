package cli

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// table is a plain-text table. On a terminal too narrow for it the widest
// columns are wrapped, and where not even that is possible each row is written
// as a short list.
type table struct {
	indent string
	head   []string
	right  []bool // columns to align right; shorter than head: the rest is left
	rows   [][]string
}

const (
	columnGap = 2
	// longWord is the length from which a word may be cut to fit.
	longWord = 30
	// leastText is the narrowest that prose is wrapped to.
	leastText = 14
)

// add appends a row; it has one cell for each heading.
func (t *table) add(cells ...string) {
	for i := range cells {
		cells[i] = plain(cells[i])
	}
	t.rows = append(t.rows, cells)
}

// write prints the table for a terminal of width columns, 0 for no limit.
// Columns in which no row has text are left out.
func (t *table) write(w io.Writer, width int) error {
	t.dropEmpty()
	if len(t.head) == 0 {
		return nil
	}
	out := bufio.NewWriter(w)
	widths, least := t.widths()
	if width > 0 && !shrink(widths, least, width-len(t.indent)-columnGap*(len(widths)-1)) {
		t.writeList(out, width)
		return out.Flush()
	}
	if slices.ContainsFunc(t.head, func(h string) bool { return h != "" }) {
		t.writeRow(out, widths, t.head)
	}
	for _, row := range t.rows {
		t.writeRow(out, widths, row)
	}
	return out.Flush()
}

// shrink narrows the widest columns, but none below its least, until all of them
// take at most room, and reports whether they can.
func shrink(widths, least []int, room int) bool {
	total := 0
	for _, n := range widths {
		total += n
	}
	for ; total > room; total-- {
		widest := -1
		for i := range widths {
			if widths[i] > least[i] && (widest < 0 || widths[i] >= widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return false
		}
		widths[widest]--
	}
	return true
}

func (t *table) dropEmpty() {
	keep := func(i int) bool {
		for _, row := range t.rows {
			if row[i] != "" {
				return true
			}
		}
		return false
	}
	var head []string
	var right []bool
	rows := make([][]string, len(t.rows))
	for i := range t.head {
		if !keep(i) {
			continue
		}
		head = append(head, t.head[i])
		right = append(right, i < len(t.right) && t.right[i])
		for j, row := range t.rows {
			rows[j] = append(rows[j], row[i])
		}
	}
	t.head, t.right, t.rows = head, right, rows
}

// widths returns for each column its widest cell and how narrow it may get.
func (t *table) widths() (cells, least []int) {
	cells, least = make([]int, len(t.head)), make([]int, len(t.head))
	for i := range t.head {
		see := func(cell string) {
			cells[i] = max(cells[i], utf8.RuneCountInString(cell))
			for word := range strings.FieldsSeq(cell) {
				least[i] = max(least[i], min(utf8.RuneCountInString(word), longWord))
			}
		}
		see(t.head[i])
		for _, row := range t.rows {
			see(row[i])
		}
		least[i] = max(least[i], min(cells[i], leastText))
	}
	return cells, least
}

// writeRow writes one row, over several lines if cells are wrapped.
func (t *table) writeRow(w *bufio.Writer, widths []int, cells []string) {
	wrapped, lines := make([][]string, len(cells)), 0
	for i, cell := range cells {
		wrapped[i] = wrap(cell, widths[i])
		lines = max(lines, len(wrapped[i]))
	}
	for n := range lines {
		line := t.indent
		for i := range cells {
			part := ""
			if n < len(wrapped[i]) {
				part = wrapped[i][n]
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(part))
			if t.right[i] {
				part = pad + part
			} else {
				part += pad
			}
			if i > 0 {
				line += strings.Repeat(" ", columnGap)
			}
			line += part
		}
		w.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// writeList writes each row as its first cell and lines of "heading: cell".
func (t *table) writeList(w *bufio.Writer, width int) {
	for _, row := range t.rows {
		for i, cell := range row {
			indent := t.indent
			if i > 0 {
				indent += "  "
			}
			if i > 0 && t.head[i] != "" {
				cell = strings.ToLower(t.head[i]) + ": " + cell
			}
			if i > 0 && row[i] == "" {
				continue
			}
			writeText(w, width, indent, cell)
		}
	}
}

// writeText writes text wrapped to width, further lines indented deeper.
func writeText(w io.Writer, width int, indent, text string) {
	if width == 0 {
		width = 80
	}
	for i, line := range wrap(text, max(width-len(indent)-2, leastText)) {
		if i > 0 {
			line = "  " + line
		}
		io.WriteString(w, indent+line+"\n")
	}
}

// wrap cuts text at spaces into lines of at most width characters; a longer
// word is cut where it must be. There is always one line.
func wrap(text string, width int) []string {
	if utf8.RuneCountInString(text) <= width {
		return []string{text}
	}
	var lines []string
	var line []rune
	flush := func() {
		lines = append(lines, string(line))
		line = line[:0]
	}
	for word := range strings.FieldsSeq(text) {
		r := []rune(word)
		if len(line) > 0 && len(line)+1+len(r) > width {
			flush()
		}
		if len(line) > 0 {
			line = append(line, ' ')
		}
		for len(line)+len(r) > width {
			cut := width - len(line)
			line = append(line, r[:cut]...)
			r = r[cut:]
			flush()
		}
		line = append(line, r...)
	}
	if len(line) > 0 {
		flush()
	}
	return lines
}
