package cli

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// table is a plain-text table. On a terminal too narrow for it the columns of
// spare, then note, then those of below leave it until the rest fits, wrapped if
// need be; where not even that is possible each row is written as a short list.
type table struct {
	indent string
	head   []string // drawn in capitals
	right  []bool   // columns to align right; shorter than head: the rest is left
	rows   [][]string
	// spare names columns that a narrow terminal does without, the first to
	// leave first.
	spare []string
	// note names the column of sentences about the row. They stand under it
	// before any other column is wrapped.
	note string
	// below names columns whose cells may stand under their row, in the order of
	// leaving.
	below []string
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
	l, fits := t.layout(width)
	if !fits {
		t.writeList(out, width)
		return out.Flush()
	}
	if slices.ContainsFunc(t.head, func(h string) bool { return h != "" }) {
		capitals := make([]string, len(t.head))
		for i, h := range t.head {
			capitals[i] = strings.ToUpper(h)
		}
		t.writeRow(out, l, capitals)
	}
	for _, row := range t.rows {
		t.writeRow(out, l, row)
		t.writeUnder(out, l, row, width)
	}
	return out.Flush()
}

// layout says which columns of a table stand side by side, how wide, and which
// under the row.
type layout struct {
	beside, widths []int
	under          []int
}

// layout fits the table into width, or reports that it cannot.
func (t *table) layout(width int) (l layout, fits bool) {
	leave := slices.DeleteFunc(slices.Concat(t.spare, []string{t.note}, t.below), func(h string) bool {
		return h == "" || !slices.Contains(t.head, h)
	})
	for gone := 0; gone <= len(leave); gone++ {
		l = layout{}
		for i, h := range t.head {
			switch {
			case !slices.Contains(leave[:gone], h):
				l.beside = append(l.beside, i)
			case !slices.Contains(t.spare, h):
				l.under = append(l.under, i)
			}
		}
		var least []int
		l.widths, least = t.widths(l.beside)
		if gone == 0 && (len(t.spare) > 0 || slices.Contains(leave, t.note)) {
			least = slices.Clone(l.widths) // nothing is wrapped for what may leave
		}
		if width == 0 || shrink(l.widths, least, width-len(t.indent)-columnGap*(len(l.widths)-1)) {
			return l, true
		}
	}
	return l, false
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

// widths returns for each of the columns its widest cell and how narrow it may
// get: to its longest word, but text that is no heading not below leastText.
func (t *table) widths(columns []int) (widest, least []int) {
	for _, i := range columns {
		text, word := 0, longestWord(t.head[i])
		for _, row := range t.rows {
			text = max(text, utf8.RuneCountInString(row[i]))
			word = max(word, longestWord(row[i]))
		}
		widest = append(widest, max(text, utf8.RuneCountInString(t.head[i])))
		least = append(least, max(min(word, longWord), min(text, leastText)))
	}
	return widest, least
}

func longestWord(s string) int {
	longest := 0
	for word := range strings.FieldsSeq(s) {
		longest = max(longest, utf8.RuneCountInString(word))
	}
	return longest
}

// writeRow writes what stands side by side, over several lines if cells are
// wrapped.
func (t *table) writeRow(w *bufio.Writer, l layout, cells []string) {
	wrapped, lines := make([][]string, len(l.beside)), 0
	for k, i := range l.beside {
		wrapped[k] = wrap(cells[i], l.widths[k])
		lines = max(lines, len(wrapped[k]))
	}
	for n := range lines {
		line := t.indent
		for k, i := range l.beside {
			part := ""
			if n < len(wrapped[k]) {
				part = wrapped[k][n]
			}
			pad := strings.Repeat(" ", l.widths[k]-utf8.RuneCountInString(part))
			if t.right[i] {
				part = pad + part
			} else {
				part += pad
			}
			if k > 0 {
				line += strings.Repeat(" ", columnGap)
			}
			line += part
		}
		w.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// writeUnder writes what stands under a row, the note on a line of its own.
func (t *table) writeUnder(w *bufio.Writer, l layout, cells []string, width int) {
	var parts []string
	note := ""
	for _, i := range l.under {
		switch {
		case cells[i] == "":
		case t.head[i] == t.note:
			note = cells[i]
		default:
			parts = append(parts, t.named(i, cells[i]))
		}
	}
	for _, text := range []string{strings.Join(parts, "; "), note} {
		if text != "" {
			writeText(w, width, t.indent+"    ", text)
		}
	}
}

// writeList writes each row as its first cell and lines of "heading: cell".
func (t *table) writeList(w *bufio.Writer, width int) {
	for _, row := range t.rows {
		for i, cell := range row {
			switch {
			case i == 0:
				writeText(w, width, t.indent, cell)
			case cell != "":
				writeText(w, width, t.indent+"  ", t.named(i, cell))
			}
		}
	}
}

// named is a cell of column i outside the grid.
func (t *table) named(i int, cell string) string {
	if t.head[i] == "" {
		return cell
	}
	return t.head[i] + ": " + cell
}
