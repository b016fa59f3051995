package cli

import (
	"io"
	"strings"
	"unicode/utf8"
)

// textWidth is the width that prose is wrapped to on a terminal of width columns,
// 0 for none.
func textWidth(width int) int {
	if width == 0 {
		return 80
	}
	return max(width, 24)
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

// writeManual writes text of paragraphs whose lines end where the author's did,
// ended anew for the terminal, but not wider than most read with ease. Indented
// lines stay as they are, and so does all text where there is no terminal.
func writeManual(w io.Writer, width int, text string) {
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			io.WriteString(w, strings.Join(wrap(strings.Join(paragraph, " "), min(textWidth(width), 80)), "\n")+"\n")
		}
		paragraph = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if width > 0 && line != "" && !strings.HasPrefix(line, " ") {
			paragraph = append(paragraph, line)
			continue
		}
		flush()
		io.WriteString(w, line+"\n")
	}
	flush()
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
