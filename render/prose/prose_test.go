package prose

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/internal/golden"
)

// sample reads a capacity of the render room's samples.
func sample(t testing.TB, name string) *analyze.Capacity {
	t.Helper()
	data, err := os.ReadFile("../testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var c analyze.Capacity
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return &c
}

var options = Options{Sections: []string{"waits", "findings"}, Words: true}

func render(t testing.TB, c *analyze.Capacity, text string) (Document, []Problem) {
	t.Helper()
	return Render(analyze.Prose{File: "notes.md", Text: text, Constants: map[string]string{
		"limit": "25 ms", "cores": "16 cores", "slower": "10 s", "version": "PostgreSQL 17.2", "rate": "2,864.4 events/s", "tick": "a`b"}}, c, opts(t))
}

func opts(testing.TB) Options { return options }

// write writes a document for a golden file.
func write(d Document, problems []Problem) []byte {
	var b strings.Builder
	for _, s := range d.Sections {
		fmt.Fprintf(&b, "== %s\n", s.Title)
		for _, p := range s.Parts {
			switch {
			case p.Table != "":
				fmt.Fprintf(&b, "[table %s]\n", p.Table)
			case p.Figure != "":
				fmt.Fprintf(&b, "[figure %s]\n", p.Figure)
			case p.Section != "":
				fmt.Fprintf(&b, "[section %s]\n", p.Section)
			default:
				fmt.Fprintf(&b, "%s\n", p.Text)
			}
		}
	}
	b.WriteString("== problems\n")
	for _, p := range problems {
		fmt.Fprintln(&b, p)
	}
	return []byte(b.String())
}

// TestCases renders each text of testdata on the sample whose name begins its own.
func TestCases(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".md.tmpl")
		if !ok {
			continue
		}
		n++
		text, err := os.ReadFile("testdata/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		on, _, _ := strings.Cut(name, "-")
		d, problems := render(t, sample(t, on), string(text))
		golden.Equal(t, "testdata/"+name+".golden", write(d, problems))
	}
	if n == 0 {
		t.Fatal("no cases in testdata")
	}
}
