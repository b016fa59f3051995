package site

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
)

// payloads are those of render's injection test, read from its source.
func payloads(t *testing.T) (out []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../injection_test.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Names[0].Name != "payloads" {
			return true
		}
		for _, e := range spec.Values[0].(*ast.CompositeLit).Elts {
			s, err := strconv.Unquote(e.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, s)
		}
		return false
	})
	if len(out) < 30 {
		t.Fatalf("only %d payloads were found", len(out))
	}
	return out
}

// poisoned is a document whose title, answer, runs and headlines are the payload.
func poisoned(t *testing.T, payload string, day int) Document {
	c := &analyze.Capacity{Answer: []analyze.Sentence{{}}, Results: []analyze.Result{{Quantities: []analyze.Quantity{{ID: "throughput"}, {ID: "latency.p99"}}}}}
	start := time.Date(2026, 3, day, 10, 0, 0, 0, time.UTC)
	c.Results[0].Run.Start, c.Results[0].Run.ID = start.Format(time.RFC3339), start.Format(time.DateOnly)
	c.Title = payload
	for i := range c.Answer {
		c.Answer[i].Lead, c.Answer[i].Text = payload, payload
	}
	for i := range c.Results {
		r := &c.Results[i]
		r.Run.ID += payload
		for k := range r.Quantities {
			q := &r.Quantities[k]
			if q.ID == "throughput" || q.ID == "latency.p99" {
				low := float64(day)
				q.Value = &low
				q.Scope.Scenario, q.Unit, q.Display, q.Why, q.Bound = payload, payload, payload, payload, analyze.Bound(payload)
				q.Interval = []*float64{&low, nil}
			}
		}
	}
	// The pages of the document itself are render's to test.
	return Document{Capacity: c, Show: func(float64, string) string { return payload }, Files: map[string][]byte{
		"capacity.json": fmt.Appendf(nil, "%d %q", day, payload), "index.html": []byte("<!DOCTYPE html>" + mainStart), "index.md": []byte("# title\n"),
	}}
}

var (
	tag       = regexp.MustCompile(`</?([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z:-]+(?:="[^"<>]*")?)*)\s*/?>`)
	attribute = regexp.MustCompile(`([a-zA-Z:-]+)="([^"]*)"`)
	safeLink  = regexp.MustCompile(`^(?:#[a-z]+|(?:\.\./)*(?:[a-z0-9-]+/)*(?:index\.html|feed\.xml)?)$`)
	comment   = regexp.MustCompile(`<!-- /?headroom:site -->`)
)

var elements = func() map[string]bool {
	out := map[string]bool{}
	for e := range strings.FieldsSeq(`html head meta title link style body a main p header h1 h2 strong span svg circle path div section table caption thead
		tbody tr th td em ul li figure figcaption footer g text desc`) {
		out[e] = true
	}
	return out
}()

// TestInjection puts each payload into every text that a site takes from a
// document, and looks for active content in its pages, its feed and its notes.
func TestInjection(t *testing.T) {
	for _, payload := range payloads(t) {
		dir := t.TempDir()
		publish(t, dir, poisoned(t, payload, 2))
		last := publish(t, dir, poisoned(t, payload, 9))
		tamper(t, filepath.Join(dir, last.Document, last.Version, versionFile), payload)
		publish(t, dir, poisoned(t, payload, 16))
		for name, text := range contents(t, dir) {
			depth := strings.Count(name, "/")
			switch {
			case name == feedFile:
				checkFeed(t, payload, text)
			case depth < 2 && strings.HasSuffix(name, ".html"), path.Base(path.Dir(name)) == latest:
				checkPage(t, name, payload, text)
			case depth == 2 && path.Base(name) == indexFile, depth == 2 && path.Base(name) == "index.md":
				base := path.Base(name)
				at := noteAt(base, []byte(text))
				end := strings.Index(text, noteEnd)
				if at < 0 || end < at {
					t.Fatalf("%s has no note", name)
				}
				note := text[at+len(noteBegin) : end]
				if base == indexFile {
					checkPage(t, name, payload, note)
				} else if strings.ContainsAny(note, "<|`") {
					t.Errorf("%s, payload %q: %q", name, payload, note)
				}
			}
			if path.Base(name) != "capacity.json" && path.Base(name) != versionFile && strings.ContainsAny(text, "\u202e\u2066\u200b\x00\x1b\x07\u2028") {
				t.Errorf("%s, payload %q: a character that cannot be seen is left", name, payload)
			}
		}
	}
}

// tamper puts the payload into a version.json, as who can write a site might.
func tamper(t *testing.T, file, payload string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := parseVersion(data, "d", "f")
	if err != nil {
		t.Fatal(err)
	}
	raw.Title, raw.Kind, raw.Answer, raw.Detail, raw.Outcome = payload, payload, payload, payload, analyze.Outcome(payload)
	for i := range raw.Headlines {
		h := &raw.Headlines[i]
		h.ID, h.Of, h.Display, h.Range, h.Why, h.Unit, h.Bound = payload, payload, payload, payload, payload, payload, analyze.Bound(payload)
	}
	text, err := raw.json()
	if err == nil {
		err = os.WriteFile(file, text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func checkPage(t *testing.T, name, payload, text string) {
	t.Helper()
	text = comment.ReplaceAllString(strings.TrimPrefix(text, "<!DOCTYPE html>"), "")
	for _, m := range tag.FindAllStringSubmatch(text, -1) {
		if !elements[m[1]] {
			t.Errorf("%s, payload %q: element %q", name, payload, m[0])
		}
		for _, a := range attribute.FindAllStringSubmatch(m[2], -1) {
			switch key := strings.ToLower(a[1]); {
			case strings.HasPrefix(key, "on"), key == "srcdoc", key == "action", key == "formaction", key == "src":
				t.Errorf("%s, payload %q: attribute %q", name, payload, m[0])
			case key == "href" && !safeLink.MatchString(a[2]):
				t.Errorf("%s, payload %q: link to %q", name, payload, a[2])
			}
		}
	}
	if rest := tag.ReplaceAllString(text, ""); strings.Contains(rest, "<") {
		i := strings.Index(rest, "<")
		t.Errorf("%s, payload %q: a < that begins no tag of ours: %q", name, payload, rest[i:min(len(rest), i+80)])
	}
}

func checkFeed(t *testing.T, payload, text string) {
	t.Helper()
	allowed := map[string]bool{}
	for _, e := range strings.Fields("feed title id updated author name generator link entry summary") {
		allowed[e] = true
	}
	dec := xml.NewDecoder(bytes.NewReader([]byte(text)))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Errorf("feed, payload %q: %v", payload, err)
			return
		}
		switch e := tok.(type) {
		case xml.StartElement:
			if !allowed[e.Name.Local] {
				t.Errorf("feed, payload %q: element %q", payload, e.Name.Local)
			}
			for _, a := range e.Attr {
				if a.Name.Local == "href" && !safeLink.MatchString(a.Value) {
					t.Errorf("feed, payload %q: link to %q", payload, a.Value)
				}
			}
		case xml.Directive:
			t.Errorf("feed, payload %q: directive %q", payload, e)
		}
	}
}
