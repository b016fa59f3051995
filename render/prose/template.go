package prose

import (
	"regexp"
	"sort"
	"strconv"
	"strings"
	"text/template/parse"
)

// slot stands in the skeleton for each action: a character of the private use
// area, which Markdown takes for a letter and no text may hold.
const slot = '\uE000'

// action is one call in a template.
type action struct {
	at   int // in the source
	name string
	args []string
	fn   Function
	text string   // what it prints, once called
	ids  []string // of what it places
	seen bool     // it stands where the text is read
	code bool     // it stands in code, where nothing is escaped
}

// piece maps a stretch of the skeleton to the source.
type piece struct{ skeleton, source int }

// template is a template taken apart: its text with a slot for each action.
type template struct {
	*source
	skeleton []byte
	actions  []*action
	slots    map[int]*action // by the byte of the skeleton
	pieces   []piece
}

// parsePlace finds the line in an error of text/template/parse.
var parsePlace = regexp.MustCompile(`^template: prose:(\d+)(?::\d+)?: (.*)$`)

// parseTemplate takes a template apart. Whatever is no plain call on literals is
// noted as a problem and left out.
func parseTemplate(s *source) *template {
	t := &template{source: s, slots: map[int]*action{}}
	if at := strings.IndexRune(s.text, slot); at >= 0 {
		s.fault(at, "the character U+E000 means nothing to a reader; take it out")
		return t
	}
	tree := parse.New("prose")
	tree.Mode = parse.SkipFuncCheck | parse.ParseComments
	trees := map[string]*parse.Tree{}
	tree, err := tree.Parse(s.text, "", "", trees)
	if err != nil {
		line, msg := 1, err.Error()
		if m := parsePlace.FindStringSubmatch(msg); m != nil {
			line, _ = strconv.Atoi(m[1])
			msg = m[2]
		}
		s.fault(startOf(s.text, line), "%s", msg)
		return t
	}
	for name, other := range trees {
		if other != tree && other.Root != nil {
			s.fault(int(other.Root.Position()), "prose has no templates of its own (%q); its text stands where it is read", name)
		}
	}
	if tree.Root == nil {
		return t
	}
	for _, n := range tree.Root.Nodes {
		t.node(n)
	}
	return t
}

// startOf returns the byte where a line begins.
func startOf(text string, line int) int {
	at := 0
	for range line - 1 {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return at
}

func (t *template) node(n parse.Node) {
	at := int(n.Position())
	switch n := n.(type) {
	case *parse.TextNode:
		t.text(at, n.Text)
	case *parse.CommentNode:
	case *parse.ActionNode:
		a := t.call(n.Pipe)
		if a == nil {
			return
		}
		t.actions = append(t.actions, a)
		if a.name == "claim" { // it prints nothing, and leaves no line behind
			a.seen = true
			return
		}
		t.pieces = append(t.pieces, piece{len(t.skeleton), a.at})
		t.slots[len(t.skeleton)] = a
		t.skeleton = append(t.skeleton, string(slot)...)
	default:
		word, _, _ := strings.Cut(strings.Trim(n.String(), "{}"), " ")
		t.fault(at, "prose has no {{%s}}: the same sentences stand there whatever the figures say", word)
	}
}

// text takes over running text. Of a line that held nothing but claims, the line
// end goes too.
func (t *template) text(at int, b []byte) {
	lineStart := len(t.skeleton) == 0 || t.skeleton[len(t.skeleton)-1] == '\n'
	claimed := len(t.actions) > 0 && t.actions[len(t.actions)-1].name == "claim"
	if claimed && lineStart && len(b) > 0 && b[0] == '\n' {
		at, b = at+1, b[1:]
	}
	t.pieces = append(t.pieces, piece{len(t.skeleton), at})
	t.skeleton = append(t.skeleton, b...)
}

// call reads one call of a function on string literals.
func (t *template) call(p *parse.PipeNode) *action {
	at := int(p.Position())
	if len(p.Decl) > 0 || len(p.Cmds) != 1 {
		t.fault(at, "{{%s}}: an action is one call of a function, without variables and pipes", p)
		return nil
	}
	words := p.Cmds[0].Args
	id, ok := words[0].(*parse.IdentifierNode)
	if !ok {
		t.fault(at, "{{%s}}: an action begins with the name of a function, not with a value", p)
		return nil
	}
	a := &action{at: at, name: id.Ident}
	for _, w := range words[1:] {
		s, ok := w.(*parse.StringNode)
		if !ok {
			t.fault(at, "{{%s}}: %s is no text in quotes", p, w)
			return nil
		}
		a.args = append(a.args, s.Text)
	}
	var err error
	if a.fn, err = functionNamed(a.name); err != nil {
		t.fault(at, "%v", err)
		return nil
	}
	if n := len(a.args); n < a.fn.least || a.fn.most >= 0 && n > a.fn.most {
		t.fault(at, "%s takes %s", a.name, a.fn.Args)
		return nil
	}
	return a
}

// place returns the byte of the source that a byte of the skeleton stands for.
func (t *template) place(at int) int {
	i := sort.Search(len(t.pieces), func(i int) bool { return t.pieces[i].skeleton > at }) - 1
	if i < 0 {
		return 0
	}
	return t.pieces[i].source + at - t.pieces[i].skeleton
}
