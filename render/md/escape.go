package md

import (
	"strings"
	"unicode"

	"headroom/render/label"
)

// Inline is a piece of Markdown that is safe inside a line: text from data after
// [Escape], or a constant of the program.
type Inline string

// Empty stands where data gave a text without characters.
const Empty Inline = "(empty)"

// Escape makes text from data an Inline that shows the text itself, cleaned and
// cut as [label.Clean] does. Only what could be read as markup is escaped, so
// that the source stays legible: "concurrency_8" stays as it is, "*a*" does not.
func Escape(s string, max int) Inline {
	rs := []rune(strings.TrimSpace(label.Clean(s, max)))
	var b strings.Builder
	for i, r := range rs {
		switch {
		case r == '&' && startsEntity(rs[i:]):
			b.WriteString("&amp;")
			continue
		case r == '<' && startsTag(rs[i:]):
			b.WriteString("&lt;")
			continue
		case special(rs, i):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return Inline(b.String())
}

// special reports whether the character at i must be escaped by a backslash.
func special(rs []rune, i int) bool {
	switch r := rs[i]; r {
	case '\\', '`', '*', '[', ']', '|', '~', '$':
		return true
	case '_':
		return !(i > 0 && i < len(rs)-1 && alphanumeric(rs[i-1]) && alphanumeric(rs[i+1]))
	case '#':
		return i == len(rs)-1 || i == 0 && strings.ContainsRune("# ", rs[1]) // the end of a heading, a heading
	case '>':
		return i == 0 // a quotation
	case '+', '-':
		return i == 0 && (endsAt(rs, 1) || only(rs, "-")) // a list, a line
	case '=':
		return i == 0 && only(rs, "=") // an underline
	case ':', '@', '.':
		return startsLink(rs, i) || r == '.' && i > 0 && i <= 9 && only(rs[:i], "0123456789") && endsAt(rs, i+1)
	case ')':
		return i > 0 && i <= 9 && only(rs[:i], "0123456789") && endsAt(rs, i+1) // a numbered list
	}
	return false
}

// startsLink reports whether the character would make an address a link of its
// own: http://, www. and names@hosts. Text from data leads nowhere.
func startsLink(rs []rune, i int) bool {
	switch rs[i] {
	case ':':
		return i+2 < len(rs) && rs[i+1] == '/' && rs[i+2] == '/'
	case '@':
		domain, _, _ := strings.Cut(string(rs[i+1:]), " ")
		return i > 0 && !unicode.IsSpace(rs[i-1]) && strings.Contains(domain, ".")
	}
	return i >= 3 && strings.EqualFold(string(rs[i-3:i]), "www")
}

// endsAt reports whether a word ends before i.
func endsAt(rs []rune, i int) bool { return i >= len(rs) || unicode.IsSpace(rs[i]) }

// only reports whether the text is made of the characters of set.
func only(rs []rune, set string) bool {
	return strings.Trim(string(rs), set) == ""
}

// startsEntity reports whether text that begins with & could be read as a
// character reference: letters, digits or # up to a semicolon.
func startsEntity(rs []rune) bool {
	for i, r := range rs[1:] {
		if r == ';' {
			return i > 0
		}
		if !(r == '#' || r < unicode.MaxASCII && alphanumeric(r)) {
			return false
		}
	}
	return false
}

// startsTag reports whether text that begins with < could be read as a tag, a
// comment, an instruction or an automatic link.
func startsTag(rs []rune) bool {
	return len(rs) > 1 && (unicode.IsLetter(rs[1]) || strings.ContainsRune("/!?", rs[1]))
}

func alphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
