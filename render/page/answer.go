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

// maxColumns is how many configurations stand side by side on the first screen.
const maxColumns = 4

// columns puts what is said of each configuration side by side, in the order in
// which they come, so that like figures can be compared across. What is said of
// the document as a whole is the rest. Where one configuration is spoken of, or
// too many, or each has one statement only, all statements are the rest, and
// name theirs.
func columns(all []md.Statement) (side []column, rest []md.Statement) {
	at := map[string]int{}
	several := false
	for _, st := range all {
		st = md.Statement{
			Lead: label.Clean(st.Lead, label.Title), Text: label.Clean(st.Text, label.Line),
			Of: label.Clean(st.Of, label.Title), As: label.Clean(st.As, label.Title),
		}
		if st.Of == "" {
			rest = append(rest, st)
			continue
		}
		i, seen := at[st.Of]
		if !seen {
			i = len(side)
			at[st.Of] = i
			side = append(side, column{Of: st.Of, As: st.As})
		}
		several = several || seen
		side[i].Statements = append(side[i].Statements, st)
	}
	if several && len(side) > 1 && len(side) <= maxColumns {
		return side, rest
	}
	return nil, flat(all)
}

// flat names the configuration in each statement that has one.
func flat(all []md.Statement) []md.Statement {
	out := make([]md.Statement, len(all))
	for i, st := range all {
		text := st.Text
		if st.Of != "" {
			text = st.Of + ": " + text
		}
		out[i] = md.Statement{Lead: label.Clean(st.Lead, label.Title), Text: label.Clean(text, label.Line)}
	}
	return out
}
