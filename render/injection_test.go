package render

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"

	"headroom/analyze"
	"headroom/templates"
)

// payloads are texts that have done harm in reports: markup, event handlers,
// links that run, SVG, ends of elements and comments, marks that turn the reading
// direction, and whatever ends a cell, a line or a document.
var payloads = []string{
	`<script>alert(1)</script>`, `</style><script>alert(1)</script>`, `</title><img src=x onerror=alert(1)>`,
	`<img src=x onerror=alert(1)>`, `" onmouseover="alert(1)`, `' onfocus='alert(1)' autofocus='`, `javascript:alert(1)`,
	`[click](javascript:alert(1))`, `![x](javascript:alert(1))`, `<javascript:alert(1)>`, `[x]: javascript:alert(1)`,
	`<svg onload=alert(1)><script>alert(1)</script></svg>`, `<svg/onload=alert(1)//`, `]]><script>alert(1)</script>`, `--><script>alert(1)</script><!--`,
	`<iframe srcdoc="<script>alert(1)</script>"></iframe>`, `<a href="data:text/html,<script>alert(1)</script>">x</a>`,
	`<style>*{background:url(http://evil.test/)}</style>`, `<link rel=stylesheet href=http://evil.test/>`, `<base href=http://evil.test/>`,
	`<meta http-equiv=refresh content="0;url=http://evil.test/">`, `<form action=http://evil.test/><button>x`, `<details open ontoggle=alert(1)>`,
	"a|b|c\n|---|---|\n| <b>x</b> |", "```\n<script>alert(1)</script>\n```", "\n\n# heading\n\n<script>alert(1)</script>", "</details></details><script>alert(1)</script>",
	"\u202ereversed\u2066 and \u2069 \u200b", "\x00\x1b[31m\x07\xff\xfe", "{{.}}{{template \"x\"}}", "&lt;script&gt;alert(1)&lt;/script&gt;", "`|` \\| \\", "\u2028<script>\u2029", "<!DOCTYPE x [<!ENTITY y \"z\">]>&y;",
}

// poisoned is a sample in which every text is the payload, every list has an
// entry, and the words that choose a form keep theirs.
func poisoned(t testing.TB, payload string) *analyze.Capacity {
	c := read(t, "testdata/sweep.json")
	poison(reflect.ValueOf(c).Elem(), payload, 0)
	c.Schema = analyze.CapacitySchema
	c.Kind = "sustained"
	c.Findings[0].Detector = "freeze"
	c.Prose = &analyze.Prose{File: "prose.md", Constants: map[string]string{"c": payload},
		Text: "{{const \"c\"}}\n\n## In {{/* */}}words\n\n- **{{const \"c\"}}** and {{finding \"freeze\"}}\n\n| a | b |\n|---|---|\n| {{const \"c\"}} | x |\n"}
	for i := range c.Figures {
		c.Figures[i].Kind = []string{"timeline", "sweep", "distribution", "waits"}[i%4]
		for _, p := range c.Figures[i].Panels {
			for k := range p.Series {
				s := &p.Series[k]
				s.X, s.Y = s.X[:min(3, len(s.X))], s.Y[:min(3, len(s.Y))]
			}
		}
	}
	r := &c.Results[0]
	r.Quantities, r.Steps = r.Quantities[:3], nil
	for i, id := range []string{"glance", "steps", "findings", "gates"} {
		if i < len(c.Tables) {
			c.Tables[i].ID = id
		}
	}
	return c
}

func poison(v reflect.Value, payload string, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(payload)
	case reflect.Interface:
		v.Set(reflect.ValueOf(payload))
	case reflect.Pointer:
		if v.IsNil() && depth < 8 {
			v.Set(reflect.New(v.Type().Elem()))
		}
		if !v.IsNil() {
			poison(v.Elem(), payload, depth+1)
		}
	case reflect.Slice:
		if v.Len() == 0 && depth < 8 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			poison(v.Index(i), payload, depth+1)
		}
	case reflect.Map:
		m := reflect.MakeMap(v.Type())
		value := reflect.New(v.Type().Elem()).Elem()
		poison(value, payload, depth+1)
		m.SetMapIndex(reflect.ValueOf(payload), value)
		v.Set(m)
	case reflect.Struct:
		for i := range v.NumField() {
			poison(v.Field(i), payload, depth+1)
		}
	}
}

// Elements that a document is made of. None of them runs anything, and none but
// the first lists comes from data.
var (
	pageElements = words(`html head meta title style body a nav ol li main header p h1 h2 strong span ul svg circle path div section
		figure figcaption table caption thead tbody tr th td em details summary pre code footer g text desc hr wbr`)
	markdownElements = words(`h1 h2 h3 p ul li strong em table thead tbody tr th td img details summary pre code hr`)
	// tag is how every tag of ours is written. A < from data is always escaped, so
	// nothing else may begin with one; a quotation mark is, so values end where
	// they should.
	tag       = regexp.MustCompile(`</?([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z:-]+(?:="[^"<>]*")?)*)\s*/?>`)
	attribute = regexp.MustCompile(`([a-zA-Z:-]+)(?:="([^"]*)")?`)
)

func words(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		out[w] = true
	}
	return out
}

// TestInjection puts each payload into every text of a capacity and checks that
// no file of the document holds anything but the elements we write.
func TestInjection(t *testing.T) {
	raw := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe()))
	for _, payload := range payloads {
		for name, data := range files(t, poisoned(t, payload)) {
			switch {
			case name == filePage:
				text := withoutOwnScripts(t, payload, strings.TrimPrefix(string(data), "<!DOCTYPE html>"))
				checkElements(t, name, payload, text, pageElements, "#")
			case strings.HasSuffix(name, ".md"): // as by a reader that lets raw HTML through
				var out bytes.Buffer
				if err := raw.Convert(data, &out); err != nil {
					t.Fatal(err)
				}
				checkElements(t, name, payload, out.String(), markdownElements, "figures/")
			case strings.HasSuffix(name, ".svg"), name == fileJUnit:
				checkXML(t, name, payload, data)
			}
			if name != fileCapacity && strings.ContainsAny(string(data), "\u202e\u2066\u200b\x00\x1b\x07\u2028") {
				t.Errorf("%s, payload %q: a character that cannot be seen is left", name, payload)
			}
		}
	}
}

var dataScript = regexp.MustCompile(`<script type="application/json"(?: id="calculator-data"| class="figure-data")>([^<>]*)</script>`)

// withoutOwnScripts takes from a page its one script, which must be ours to the
// byte, and the data of that, which must be JSON.
func withoutOwnScripts(t *testing.T, payload, page string) string {
	t.Helper()
	for _, m := range dataScript.FindAllStringSubmatch(page, -1) {
		if !json.Valid([]byte(m[1])) {
			t.Errorf("payload %q: data that is no JSON: %.80q", payload, m[1])
		}
	}
	page = dataScript.ReplaceAllString(page, "")
	var script string
	for _, name := range []string{"uplot/uPlot.iife.min.js", "page.js"} {
		text, err := templates.FS.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		script += string(text) + "\n"
	}
	before, after, ok := strings.Cut(page, "<script>"+script+"</script>")
	if !ok {
		t.Errorf("payload %q: the page's script is not ours", payload)
	}
	return before + after
}

func checkElements(t *testing.T, name, payload, text string, allowed map[string]bool, prefix string) {
	t.Helper()
	for _, m := range tag.FindAllStringSubmatch(text, -1) {
		if !allowed[m[1]] {
			t.Errorf("%s, payload %q: element %q", name, payload, m[0])
		}
		for _, a := range attribute.FindAllStringSubmatch(m[2], -1) {
			switch attr := strings.ToLower(a[1]); {
			case strings.HasPrefix(attr, "on"), attr == "srcdoc", attr == "action", attr == "formaction":
				t.Errorf("%s, payload %q: attribute %q", name, payload, m[0])
			case (attr == "href" || attr == "src") && !strings.HasPrefix(a[2], prefix):
				t.Errorf("%s, payload %q: link to %q", name, payload, a[2])
			}
		}
	}
	if rest := tag.ReplaceAllString(text, ""); strings.Contains(rest, "<") {
		i := strings.Index(rest, "<")
		t.Errorf("%s, payload %q: a < that begins no tag of ours: %q", name, payload, rest[i:min(len(rest), i+80)])
	}
}

func checkXML(t *testing.T, name, payload string, data []byte) {
	t.Helper()
	allowed := words("svg title desc style rect g path text testsuites testsuite testcase failure error skipped")
	dec := xml.NewDecoder(bytes.NewReader(data))
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Errorf("%s, payload %q: %v", name, payload, err)
			return
		}
		switch e := tok.(type) {
		case xml.StartElement:
			if !allowed[e.Name.Local] {
				t.Errorf("%s, payload %q: element %q", name, payload, e.Name.Local)
			}
			for _, a := range e.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" {
					t.Errorf("%s, payload %q: attribute %q", name, payload, a.Name.Local)
				}
			}
		case xml.Directive:
			t.Errorf("%s, payload %q: directive %q", name, payload, e)
		}
	}
}

// TestLongLabels puts a label of a megabyte into the places that labels reach.
func TestLongLabels(t *testing.T) {
	long := strings.Repeat("<|*`long_", 1<<20/9)
	c := read(t, "testdata/run.json")
	c.Title, c.Answer[0].Text, c.Caveats[0], c.Warnings[0] = long, long, long, long
	c.Tables[0].Title, c.Tables[0].Rows[0].Cells[0].Text, c.Tables[0].Columns[0].Name = long, long, long
	c.Figures[0].Title, c.Figures[0].Panels[0].Series[0].Name, c.Figures[0].Y[0].Label = long, long, long
	c.Findings[0].Message, c.Verdicts[0].Why, c.Results[0].Run.Labels["a"] = long, long, long
	for name, data := range files(t, c) {
		if name != fileCapacity && len(data) > 300_000 {
			t.Errorf("%s has %d bytes", name, len(data))
		}
	}
}
