package ingest

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"headroom/internal/pattern"
)

// Sniff returns the one importer of list that claims a file beginning with
// head. None or more than one is an error that says what was seen.
func Sniff(list []*Importer, head []byte) (*Importer, error) {
	var claims []*Importer
	for _, im := range list {
		if im.Sniff(head) {
			claims = append(claims, im)
		}
	}
	switch len(claims) {
	case 0:
		return nil, fmt.Errorf("%w: it begins with %s; name its format with --as (headroom formats lists them) or say what its columns mean with --map", ErrUnknown, describeHead(head))
	case 1:
		return claims[0], nil
	}
	names := make([]string, len(claims))
	for i, im := range claims {
		names[i] = im.Name
	}
	return nil, fmt.Errorf("%w: %s; choose one with --as", ErrAmbiguous, strings.Join(names, ", "))
}

// Lookup returns the importer of list called name.
func Lookup(list []*Importer, name string) (*Importer, error) {
	for _, im := range list {
		if im.Name == name {
			return im, nil
		}
	}
	var near []string
	for _, im := range list {
		if tool, _, _ := strings.Cut(name, "-"); strings.HasPrefix(im.Name, tool) {
			near = append(near, im.Name)
		}
	}
	slices.Sort(near)
	if len(near) > 0 {
		return nil, fmt.Errorf("%w: there is no format %q; did you mean %s?", ErrUsage, name, strings.Join(near, ", "))
	}
	return nil, fmt.Errorf("%w: there is no format %q; headroom formats lists them", ErrUsage, name)
}

// inHead reports whether a whole head matches a pattern. A pattern takes
// milliseconds over a head that does not match, so that it is asked only if one
// of the words is there, of which every match holds one.
func inHead(head []byte, mark *pattern.Pattern, words ...string) bool {
	for _, word := range words {
		if bytes.Contains(head, []byte(word)) {
			return mark.Match(head)
		}
	}
	return false
}

// describeHead says what a file begins with, in words fit for an error.
func describeHead(head []byte) string {
	if isBinary(head) {
		return fmt.Sprintf("binary data (% x …)", head[:min(len(head), 8)])
	}
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	line = bytes.TrimRight(line, "\r")
	const most = 60
	text := strings.ToValidUTF8(string(line[:min(len(line), 4*most)]), "\uFFFD")
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return "the text " + strconv.Quote(text)
}

// isBinary reports whether head is no text: it holds a NUL, or more than a tenth
// of it is control bytes or broken UTF-8.
func isBinary(head []byte) bool {
	if len(head) == 0 {
		return false
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return true
	}
	odd := 0
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		cut := r == utf8.RuneError && n == 1 && len(head)-i < utf8.UTFMax
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != 0x1b || r == utf8.RuneError && n == 1 && !cut {
			odd++
		}
		i += n
	}
	return odd*10 > len(head)
}

// firstLine returns the first line of head that is not blank, without its end.
// complete is false if the line does not end within head.
func firstLine(head []byte) (line []byte, complete bool) {
	for {
		line, rest, found := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(bytes.TrimSpace(line)) > 0 || !found {
			return line, found
		}
		head = rest
	}
}
