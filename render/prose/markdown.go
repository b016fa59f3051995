package prose

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// cut is a line of the skeleton that is no running text: a heading, or a thing of
// the document that stands there.
type cut struct {
	from, to int
	heading  string
	places   *action
}

// reader walks the Markdown of a template as a reader sees it.
type reader struct {
	*template
	words bool // note numbers in words
	cuts  []cut
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table))

// read looks at what a reader will see: digits, markup that a page does not show,
// and where each action stands.
func (r *reader) read() {
	doc := markdown.Parser().Parse(text.NewReader(r.skeleton))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		r.top(n)
	}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if !entering {
			return ast.WalkContinue, nil
		}
		return r.node(n), nil
	})
	for _, a := range r.actions {
		if !a.seen {
			r.fault(a.at, "%s stands where a page prints nothing", a.name)
		}
	}
}

// top looks at a block of the outermost level.
func (r *reader) top(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		if n.Level == 2 {
			r.heading(n)
		}
	case *ast.Paragraph:
		if n.Lines().Len() != 1 {
			return
		}
		line := n.Lines().At(0)
		if string(bytes.TrimSpace(line.Value(r.skeleton))) != string(slot) {
			return
		}
		at := bytes.IndexRune(r.skeleton[line.Start:], slot) + line.Start
		if a := r.slots[at]; a.fn.places != "" {
			a.seen = true
			r.cuts = append(r.cuts, cut{from: line.Start, to: line.Stop, places: a})
		}
	}
}

// heading cuts the text into sections.
func (r *reader) heading(n *ast.Heading) {
	if n.Lines().Len() == 0 {
		r.fault(r.place(0), "a heading of a section has no words")
		return
	}
	line := n.Lines().At(0)
	from := bytes.LastIndexByte(r.skeleton[:line.Start], '\n') + 1
	to := len(r.skeleton)
	if i := bytes.IndexByte(r.skeleton[line.Start:], '\n'); i >= 0 {
		to = line.Start + i
	}
	words := strings.TrimSpace(string(line.Value(r.skeleton)))
	switch {
	case !bytes.HasPrefix(bytes.TrimLeft(r.skeleton[from:], " "), []byte("##")):
		r.fault(r.place(line.Start), "write the heading of a section as ## words")
	case strings.ContainsAny(words, "*_`[]<>\\&"+string(slot)):
		r.fault(r.place(line.Start), "the heading of a section is plain words, without markup and values")
	}
	r.cuts = append(r.cuts, cut{from: from, to: to, heading: words})
}

// node looks at one node of the Markdown.
func (r *reader) node(n ast.Node) ast.WalkStatus {
	switch n := n.(type) {
	case *ast.Heading:
		if n.Level == 1 || n.Level == 2 && n.Parent().Kind() != ast.KindDocument {
			r.fault(r.placeOf(n), "a heading of this level is the page's own; sections begin with ##, parts of them with ###")
		}
	case *ast.HTMLBlock, *ast.RawHTML:
		r.fault(r.placeOf(n), "a page shows no HTML of its text; write Markdown")
	case *ast.Image:
		r.fault(r.placeOf(n), "a page fetches no picture; place a plot of the document by {{figure \"ID\"}}")
	case *ast.Link:
		r.link(n)
	case *ast.List:
		if n.IsOrdered() && n.Start != 1 {
			r.fault(r.placeOf(n), "a numbered list begins with 1, not with %d", n.Start)
		}
	case *ast.CodeSpan:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				r.code(t.Segment)
			}
		}
		return ast.WalkSkipChildren
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		for i := range n.Lines().Len() {
			r.code(n.Lines().At(i))
		}
		return ast.WalkSkipChildren
	case *ast.Text:
		r.running(n.Segment)
	}
	return ast.WalkContinue
}

// placeOf is where the text of a node begins in the source.
func (r *reader) placeOf(n ast.Node) int {
	at := -1
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		switch v := n.(type) {
		case *ast.Text:
			at = v.Segment.Start
		case *ast.RawHTML:
			if v.Segments.Len() > 0 {
				at = v.Segments.At(0).Start
			}
		default:
			if n.Type() == ast.TypeBlock && n.Lines() != nil && n.Lines().Len() > 0 {
				at = n.Lines().At(0).Start
			}
		}
		if at >= 0 {
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	for p := n.Parent(); at < 0 && p != nil; p = p.Parent() {
		if p.Type() == ast.TypeBlock && p.Lines() != nil && p.Lines().Len() > 0 {
			at = p.Lines().At(0).Start
		}
	}
	return r.place(max(at, 0))
}

// link allows addresses that a reader can follow, written where the link stands.
func (r *reader) link(n *ast.Link) {
	address := string(n.Destination)
	scheme, _, absolute := strings.Cut(address, ":")
	switch {
	case n.Reference != nil:
		r.fault(r.placeOf(n), "write the address of the link beside its words: [words](address)")
	case strings.ContainsRune(address+string(n.Title), slot):
		r.fault(r.placeOf(n), "an address or title of a link holds no values")
	case strings.ContainsFunc(string(n.Title), unicode.IsNumber):
		r.fault(r.placeOf(n), "the title of a link holds a digit; leave the title out")
	case absolute && !strings.ContainsAny(scheme, "/?#") && scheme != "http" && scheme != "https" && scheme != "mailto":
		r.fault(r.placeOf(n), "links lead to http, https, mailto or to a place beside the page, not to %s:", scheme)
	}
}

// code looks at identifiers and commands: their digits are no figures. A value may
// stand there if it is a constant, which is printed as it is written.
func (r *reader) code(s text.Segment) {
	r.each(s, func(a *action) {
		a.code = true
		switch {
		case a.name != "const":
			r.fault(a.at, "%s stands in code, which is for identifiers and commands; of values only constants may", a.name)
		case strings.ContainsAny(a.text, "`\n"):
			r.fault(a.at, "the constant %s holds a backquote, which ends the code that it stands in", a.args[0])
		}
	})
}

// each calls f for each action in a segment.
func (r *reader) each(s text.Segment, f func(*action)) {
	for at := s.Start; at < s.Stop; {
		i := bytes.IndexRune(r.skeleton[at:s.Stop], slot)
		if i < 0 {
			return
		}
		a := r.slots[at+i]
		if !a.seen {
			a.seen = true
			f(a)
		}
		at += i + utf8.RuneLen(slot)
	}
}

// digits is a digit string: with the marks between its digits.
var digits = regexp.MustCompile(`\pN(?:[.,:/’'  ]?\pN)*`)

// running looks at text that is read.
func (r *reader) running(s text.Segment) {
	r.each(s, func(a *action) {
		if a.fn.places != "" {
			r.fault(a.at, "%s stands on a line of its own, between empty lines", a.name)
		}
	})
	shown := r.skeleton[s.Start:s.Stop]
	for _, m := range digits.FindAllIndex(shown, -1) {
		r.fault(r.place(s.Start+m[0]), "digit string %q is bound to nothing; print a quantity, declare a constant, or quote an identifier in backquotes (%s)",
			shown[m[0]:m[1]], "`"+word(shown, m[0], m[1])+"`")
	}
	if r.words {
		for _, m := range figureWords.FindAllIndex(shown, -1) {
			r.add(r.place(s.Start+m[0]), Problem{Note: true, Msg: "a number in words, " + strings.ToLower(string(shown[m[0]:m[1]])) + ": is it still true, and why is it not bound?"})
		}
	}
}

// word is the word around a digit string.
func word(s []byte, from, to int) string {
	part := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune("-_.#/@", r)
	}
	before, after := string(s[:from]), string(s[to:])
	before = before[len(strings.TrimRightFunc(before, part)):]
	after = after[:len(after)-len(strings.TrimLeftFunc(after, part))]
	return before + string(s[from:to]) + strings.TrimRight(after, ".")
}

// figureWords are words that say how much without a digit. Names of small numbers
// alone ("two arms") are counts that seldom change, and one and second mean other
// things; they are not looked for.
var figureWords = regexp.MustCompile(`(?i)\b(?:(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand)[ -](?:times|fold|per ?cent)|(?:two|three|four|five|six|seven|eight|nine|ten|hundred)fold|per ?cent|twice|thrice|half|halves|halved?|doubled?|doubles|tripled?|triples|quadrupled?|(?:a|one|two|three)[ -](?:third|quarter|fifth|tenth)s?|dozens?|hundreds?|thousands?|millions?|billions?)\b`)
