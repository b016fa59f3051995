package yamlfile

import (
	"errors"
	"strings"
	"testing"
)

type study struct {
	Title string            `yaml:"title"`
	Steps []step            `yaml:"steps"`
	Limit float64           `yaml:"limit"`
	More  map[string]string `yaml:"more"`
}

type step struct {
	Rate int `yaml:"rate"`
}

func TestDecode(t *testing.T) {
	var s study
	text := "\ufefftitle: a sweep\nsteps:\n  - rate: 1\n  - rate: 2\nlimit: 0.5\nmore: {a: b}\n"
	if err := Decode("study.yaml", []byte(text), &s); err != nil {
		t.Fatal(err)
	}
	if s.Title != "a sweep" || len(s.Steps) != 2 || s.Steps[1].Rate != 2 || s.Limit != 0.5 || s.More["a"] != "b" {
		t.Errorf("got %+v", s)
	}
}

func TestErrorsSayWhere(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown name", "title: x\nstps: []\n", `study.yaml:2:1: unknown field "stps"`},
		{"unknown name inside", "steps:\n  - rate: 1\n    rte: 2\n", `study.yaml:3:5: unknown field "rte"`},
		{"wrong type", "steps:\n  - rate: fast\n", "study.yaml:2:11: "},
		{"whole number", "steps: [{rate: 1.5}]\n", "study.yaml:1:16: 1.5 is no whole number"},
		{"whole number as text", "steps: [{rate: '1.5'}]\n", "study.yaml:1:16: 1.5 is no whole number"},
		{"list for text", "title: [x]\n", "study.yaml:1:8: this is a list; want text"},
		{"text for list", "steps: x\n", `study.yaml:1:8: this is text; want a list: [a, b], or a line "- a" for each`},
		{"twice", "title: x\ntitle: y\n", "study.yaml:2:1: "},
		{"broken", "title: [1, 2\n", "study.yaml:1:8: "},
		{"tab", "steps:\n\t- rate: 1\n", "study.yaml:2:1: "},
		{"nothing", "# only a comment\n", "study.yaml:1:1: the file holds nothing"},
		{"two documents", "title: x\n---\ntitle: y\n", "study.yaml:3:"},
		{"alias", "title: &a x\nmore: {b: *a}\n", "study.yaml:1:8: anchors and aliases"},
		{"merge", "more:\n  <<: {a: b}\n", "study.yaml:2:3: anchors and aliases"},
		{"deep flow", "title: " + strings.Repeat("[", 1000), "study.yaml:1:108: collections are nested"},
		{"deep block", strings.Repeat("- ", 1000), "study.yaml:1:"},
		{"too large", strings.Repeat("#\n", MaxSize), "study.yaml:1:1: the file has"},
	} {
		var s study
		err := Decode("study.yaml", []byte(c.text), &s)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: got %v", c.name, err)
			continue
		}
		if !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %q, want it to begin %q", c.name, err, c.want)
		}
	}
}

// TestUnclosedBracket points to where a bracket opens that nothing closes, wherever
// that was noticed, and to nothing else where all brackets are closed.
func TestUnclosedBracket(t *testing.T) {
	for text, want := range map[string]string{
		"steps: [1, 2\ntitle: x\n":                           "1:8: this list has no end: a , or ] is missing, which was noticed in line 2",
		"a:\n  - b: [c, d\n    e: f\n  - g: [h]\n":           "2:8: this list has no end",
		"a: [1, 2,\nb:\n  - c: d\n":                          "1:4: this list has no end",
		"a:\n  - b: [{c: d, e: \"f, g\"]\n  - h: i\n":        "2:9: these keys have no end: a , or } is missing",
		"a: {b: {c: d}\ne: f\n":                              "1:4: these keys have no end",
		"a: {b: [c, d}\ne: f\n":                              "1:8: this list has no end: a , or ] is missing",
		"a: [\"b\" \"c\"]\n":                                 "1:9: this list has no end: a , or ] is missing",
		"a: [b, \"]\"\n# ]\nc: d\n":                          "1:4: this list has no end",
		"a: b]\nc: {d: e}}\n":                                "2:10: ",
		"a: [b, @c]\nd: e\n":                                 "1:8: no text begins with @",
		"a: x: y\nb: [c\nd: e\n":                             "1:4: a second colon",
		"a: [\"b, c]\nd: e\n":                                "1:5: a quote that is not closed",
		"a: |\n  text with [ in it\nb: [c\nd: e\n":           "3:4: this list has no end",
		"a: [b]\nc:\n  d: e\n f: g\nh: [i\n":                 "4:2: ",
		"a: it's [no list\nb: [c, \"d\", 'e', f # ]\ng: h\n": "2:4: this list has no end",
	} {
		_, err := Parse("study.yaml", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), "study.yaml:"+want) {
			t.Errorf("%q: got %v, want it to begin %q", text, err, want)
		}
	}
}

func TestErrorShowsTheLine(t *testing.T) {
	var s study
	err := Decode("study.yaml", []byte("title: x\nlimit: much\n"), &s)
	_, shown, _ := strings.Cut(err.Error(), "\n")
	if want := "  2 | limit: much\n    |        ^"; shown != want {
		t.Errorf("got\n%s\nwant\n%s", shown, want)
	}
}

func TestErrorf(t *testing.T) {
	d, err := Parse("study.yaml", []byte("title: x\nsteps:\n  - rate: 1\n  - rate: 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path []any
		want string
	}{
		{[]any{"steps", 1, "rate"}, "study.yaml:4:11: "},
		{[]any{"steps", 1}, "study.yaml:4:5: "},
		{[]any{"steps", 7}, "study.yaml:3:3: "},
		{[]any{"title"}, "study.yaml:1:8: "},
		{nil, "study.yaml:1:1: "},
	} {
		if err := d.Errorf(c.path, "twice"); !strings.HasPrefix(err.Error(), c.want+"twice") {
			t.Errorf("%v: got %q, want %q", c.path, err, c.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("title: x\nsteps:\n  - rate: 1\n"))
	f.Add([]byte("a: &x [*x]\n"))
	f.Add([]byte("? - : [{]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var s study
		var e *Error
		if err := Decode("f.yaml", text, &s); err != nil && !errors.As(err, &e) {
			t.Fatalf("an error without a place: %v", err)
		}
	})
}
