package page

import (
	"headroom/render/label"
	"headroom/render/md"
)

// column is what the answer says of one configuration.
type column struct {
	Of, As     string
	Statements []md.Statement
}

// How many configurations stand side by side on the first screen, where each has
// several statements and where each has one.
const (
	maxColumns = 4
	maxCards   = 12
)

// columns puts what is said of each configuration side by side, in the order in
// which they come, so that like figures can be compared across. What is said of
// the document as a whole stands before them or after, as it came. Where one
// configuration is spoken of, or too many, all statements come first, and name
// theirs.
func columns(all []md.Statement) (before []md.Statement, side []column, after []md.Statement) {
	at := map[string]int{}
	most := 0 // statements of one configuration
	for _, st := range all {
		st = md.Statement{
			Lead: joined(label.Clean(st.Lead, label.Title)), Text: joined(label.Clean(st.Text, label.Line)),
			Of: label.Clean(st.Of, label.Title), As: label.Clean(st.As, label.Title),
		}
		switch i, seen := at[st.Of]; {
		case st.Of == "" && len(side) == 0:
			before = append(before, st)
		case st.Of == "":
			after = append(after, st)
		case seen:
			side[i].Statements = append(side[i].Statements, st)
			most = max(most, len(side[i].Statements))
		default:
			at[st.Of] = len(side)
			side = append(side, column{Of: st.Of, As: st.As, Statements: []md.Statement{st}})
			most = max(most, 1)
		}
	}
	if len(side) > 1 && (len(side) <= maxColumns || most == 1 && len(side) <= maxCards) {
		return before, side, after
	}
	return flat(all), nil, nil
}

// flat names the configuration in each statement that has one.
func flat(all []md.Statement) []md.Statement {
	out := make([]md.Statement, len(all))
	for i, st := range all {
		text := st.Text
		if st.Of != "" {
			text = st.Of + ": " + text
		}
		out[i] = md.Statement{Lead: joined(label.Clean(st.Lead, label.Title)), Text: joined(label.Clean(text, label.Line))}
	}
	return out
}

// clauses cuts a statement after its first clause, at a semicolon outside all
// parentheses: what is said, and under which conditions.
func clauses(text string) [2]string {
	depth := 0
	for i, r := range text {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ';' && depth == 0 && i > 0:
			return [2]string{text[:i], text[i:]}
		}
	}
	return [2]string{text, ""}
}
