// Package label makes text that came from data fit to be shown.
//
// Labels, log lines, SQL and file names are hostile until proven otherwise: they
// may hold control characters, marks that turn the reading direction, invalid
// UTF-8, line breaks, or a megabyte of anything. [Clean] keeps every character a
// reader can see and replaces each one they cannot by a visible mark, so that
// what is shown is what is there. Escaping for Markdown, HTML, SVG and XML comes
// after, in the writer of each.
package label

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Longest texts, in characters, that are shown of one piece of data. The full
// text stays in capacity.json.
const (
	Cell  = 160  // a table cell, a legend entry, a file name
	Title = 200  // a title or caption
	Line  = 2000 // a sentence, a reason, a command
)

// Ellipsis marks text that was cut.
const Ellipsis = "…"

// Clean returns s on one line, without what cannot be seen, cut to at most max
// characters and marked so when it was longer. Line breaks and tabs become one
// space; other control characters, direction marks and other invisible format
// characters become ⟨U+XXXX⟩; bytes that are no UTF-8 become U+FFFD. The two
// joiners that emoji and several scripts need (U+200C, U+200D) stay.
func Clean(s string, max int) string {
	var b strings.Builder
	n := 0
	for _, r := range s { // a byte that is no UTF-8 arrives as U+FFFD
		if n >= max {
			return strings.TrimRight(b.String(), " ") + Ellipsis
		}
		if m := Mark(r); m != "" {
			b.WriteString(m)
			n += utf8.RuneCountInString(m)
			continue
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// Mark returns what stands for a character that must not be shown as it is, or
// "" if it may.
func Mark(r rune) string {
	switch {
	case r == '\n' || r == '\t' || r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029':
		return " "
	case r == '\u200c' || r == '\u200d':
		return ""
	case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r), isNoncharacter(r):
		return codePoint(r)
	}
	return ""
}

// isNoncharacter reports the code points that Unicode reserves for no character;
// XML does not allow some of them either.
func isNoncharacter(r rune) bool {
	return r >= 0xFDD0 && r <= 0xFDEF || r&0xFFFE == 0xFFFE
}

func codePoint(r rune) string {
	const hex = "0123456789ABCDEF"
	digits := []byte{}
	for v := uint32(r); v > 0 || len(digits) < 4; v >>= 4 {
		digits = append([]byte{hex[v&15]}, digits...)
	}
	return "⟨U+" + string(digits) + "⟩"
}
