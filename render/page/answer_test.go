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
		lead []string // the texts of what stands before the columns
		side []string // the names of the columns
		rest []string // the texts of what stands under them
	}{
		{"two of two statements each", []md.Statement{of("a", "1"), of("a", "2"), of("b", "3"), of("b", "4"), {Text: "of all"}},
			nil, []string{"a", "b"}, []string{"of all"}},
		{"one configuration", []md.Statement{of("a", "1"), of("a", "2")}, []string{"a: at most", "a: at most"}, nil, nil},
		{"a statement each of five, after one of all", []md.Statement{{Text: "of all"}, of("a", "1"), of("b", "2"), of("c", "3"), of("d", "4"), of("e", "5")},
			[]string{"of all"}, []string{"a", "b", "c", "d", "e"}, nil},
		{"too many", []md.Statement{of("a", "1"), of("a", "2"), of("b", "3"), of("c", "4"), of("d", "5"), of("e", "6")},
			[]string{"a: at most", "a: at most", "b: at most", "c: at most", "d: at most", "e: at most"}, nil, nil},
		{"none is named", []md.Statement{{Text: "x"}, {Text: "y"}}, []string{"x", "y"}, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before, side, after := columns(test.all)
			var names []string
			for _, c := range side {
				names = append(names, c.Of)
			}
			if lead, rest := texts(before), texts(after); !slices.Equal(lead, test.lead) || !slices.Equal(names, test.side) || !slices.Equal(rest, test.rest) {
				t.Errorf("before %q, columns %q, after %q; want %q, %q, %q", lead, names, rest, test.lead, test.side, test.rest)
			}
		})
	}
}

func texts(all []md.Statement) (out []string) {
	for _, st := range all {
		out = append(out, st.Text)
	}
	return out
}

func TestClauses(t *testing.T) {
	for text, want := range map[string][2]string{
		"sustained at 16": {"sustained at 16", ""},
		"sustained at 16; a floor (steal; load); open": {"sustained at 16", "; a floor (steal; load); open"},
		"at 16 (steal 1 %; load 3); a floor":           {"at 16 (steal 1 %; load 3)", "; a floor"},
		"at 16) more; less":                            {"at 16) more; less", ""},
		"":                                             {"", ""},
	} {
		if got := clauses(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
