package yamlfile

import (
	"fmt"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// unclosed finds the bracket that an error of the syntax is about: a list or a
// mapping that is not closed takes the lines below it for its own, and the library
// notices only there, at a place that is right by itself. line and column are where
// it noticed. nil means that no bracket before them is left open.
func (d *Document) unclosed(line, column int) error {
	var open []*token.Token
	var end *token.Token // what stands where the innermost should be closed, nil at the end of the file
	for _, t := range lexer.Tokenize(string(d.text)) {
		if t.Type == token.InvalidType {
			return nil // what follows was not read, and may close everything
		}
		if closed := closer(t); closed != "" {
			open = append(open, t)
			continue
		}
		if t.Type != token.SequenceEndType && t.Type != token.MappingEndType {
			continue
		}
		n := len(open)
		if n == 0 {
			return nil // one too many: where it stands is the place
		}
		if closer(open[n-1]) != t.Value {
			end = t
			break
		}
		open = open[:n-1]
	}
	if len(open) == 0 {
		return nil
	}
	at := open[len(open)-1]
	if p := at.Position; p.Line > line || p.Line == line && p.Column > column {
		return nil // something before it is wrong
	}
	if end != nil {
		line = end.Position.Line
	}
	what := map[string]string{"]": "this list has", "}": "these keys have"}[closer(at)]
	text := fmt.Sprintf("%s no end: a , or %s is missing", what, closer(at))
	if line > at.Position.Line {
		text += fmt.Sprintf(", which was noticed in line %d", line)
	}
	return d.at(at.Position.Line, at.Position.Column, text)
}

// closer is what closes a bracket that opens, "" for any other token.
func closer(t *token.Token) string {
	switch t.Type {
	case token.SequenceStartType:
		return "]"
	case token.MappingStartType:
		return "}"
	}
	return ""
}
