package page

import (
	"strings"

	"headroom/internal/pattern"
)

// noBreak is U+00A0, which looks like a blank and is no place to break a line.
const noBreak = "\u00a0"

// quantities are numbers with a unit of a few letters behind them. A unit of more, as
// requests/s, may stand on a line of its own: a narrow column would have no room.
var quantities = pattern.New(`([0-9]) (%|ns|µs|ms|s|min|h|B|kB|MB|GB|TB)([^0-9A-Za-z/_]|$)`)

// joined keeps numbers and their units on one line, in plain text.
func joined(text string) string {
	for range 2 { // what ends one number begins the next: "1 s 2 s"
		text = quantities.ReplaceAllString(text, "${1}"+noBreak+"${2}${3}")
	}
	return text
}

// unparted keeps numbers and their units on one line, in the text of a piece of HTML
// without scripts. What is in a code or pre element is to be copied, and stays.
func unparted(html string) string {
	var b strings.Builder
	code := 0
	for html != "" {
		text, rest, found := strings.Cut(html, "<")
		if code == 0 {
			text = joined(text)
		}
		b.WriteString(text)
		if !found {
			break
		}
		tag, after, _ := strings.Cut(rest, ">")
		b.WriteString("<" + tag + ">")
		switch name, _, _ := strings.Cut(tag, " "); name {
		case "code", "pre":
			code++
		case "/code", "/pre":
			code--
		}
		html = after
	}
	return b.String()
}
