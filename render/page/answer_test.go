package page

import (
	"slices"
	"testing"

	"headroom/render/md"
)

func TestColumns(t *testing.T) {
	of := func(name, lead string) md.Statement { return md.Statement{Lead: lead, Text: "at most", Of: name} }
	tests := []struct {
		name string
		all  []md.Statement
		side []string // the names of the columns
		rest []string // the texts of what stands under them
	}{
		{"two of two statements each", []md.Statement{of("a", "1"), of("a", "2"), of("b", "3"), of("b", "4"), {Text: "of all"}},
			[]string{"a", "b"}, []string{"of all"}},
		{"one configuration", []md.Statement{of("a", "1"), of("a", "2")}, nil, []string{"a: at most", "a: at most"}},
		{"a statement each", []md.Statement{of("a", "1"), of("b", "2")}, nil, []string{"a: at most", "b: at most"}},
		{"too many", []md.Statement{of("a", "1"), of("a", "2"), of("b", "3"), of("c", "4"), of("d", "5"), of("e", "6")}, nil,
			[]string{"a: at most", "a: at most", "b: at most", "c: at most", "d: at most", "e: at most"}},
		{"none is named", []md.Statement{{Text: "x"}, {Text: "y"}}, nil, []string{"x", "y"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			side, rest := columns(test.all)
			var names, texts []string
			for _, c := range side {
				names = append(names, c.Of)
			}
			for _, st := range rest {
				texts = append(texts, st.Text)
			}
			if !slices.Equal(names, test.side) || !slices.Equal(texts, test.rest) {
				t.Errorf("columns %q and rest %q, want %q and %q", names, texts, test.side, test.rest)
			}
		})
	}
}
