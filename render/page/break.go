package page

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// kindBreak is the kind of a place at which a long word may be broken.
var kindBreak = ast.NewNodeKind("Break")

// breakNode is such a place: a <wbr>, which no copied text holds.
type breakNode struct{ ast.BaseInline }

// Kind implements ast.Node.
func (*breakNode) Kind() ast.NodeKind { return kindBreak }

// Dump implements ast.Node.
func (n *breakNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// breakable lets the long words of a cell be broken where their parts meet, which
// reads better than anywhere: after.a.dot, under_a_line, of=a:path/.
func breakable(cell ast.Node, source []byte) {
	var texts []*ast.Text
	_ = ast.Walk(cell, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			texts = append(texts, t)
		}
		return ast.WalkContinue, nil
	})
	if len(texts) == 0 {
		return
	}
	first, last := texts[0].Segment.Start, texts[len(texts)-1].Segment.Stop
	at := joints(string(source[first:last]))
	for _, t := range texts {
		parent := t.Parent()
		for _, joint := range at {
			switch place := first + joint; {
			case place > t.Segment.Start && place < t.Segment.Stop:
				parent.InsertBefore(parent, t, ast.NewTextSegment(text.NewSegment(t.Segment.Start, place)))
				parent.InsertBefore(parent, t, &breakNode{})
				t.Segment = t.Segment.WithStart(place)
			case place == t.Segment.Stop: // an underline is a text of its own
				parent.InsertAfter(parent, t, &breakNode{})
			}
		}
	}
}

// separators join the parts of a word.
const separators = "._:/=,@"

// joints are the places in the Markdown s behind the separators that stand between
// two parts of a word, several of which are one; a number is not cut.
func joints(s string) (at []int) {
	for i := 1; i < len(s)-1; i++ {
		before, after := i-1, i+1
		if s[before] == '\\' {
			before--
		}
		if s[after] == '\\' {
			after++
		}
		switch {
		case !strings.ContainsRune(separators, rune(s[i])),
			before < 0 || s[before] == ' ',
			after == len(s) || strings.ContainsRune(separators+" ", rune(s[after])),
			strings.ContainsRune(".,:", rune(s[i])) && isDigit(s[before]) && isDigit(s[after]):
			continue
		}
		at = append(at, i+1)
	}
	return at
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// breakRenderer writes the places.
type breakRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (breakRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(kindBreak, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		_, err := w.WriteString("<wbr>")
		return ast.WalkContinue, err
	})
}
