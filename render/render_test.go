package render

import (
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"text/template"

	"headroom/analyze"
	"headroom/internal/golden"
	"headroom/render/label"
	"headroom/templates"
)

// samples reads the capacities of testdata by name.
func samples(t testing.TB) map[string]*analyze.Capacity {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples in testdata", err)
	}
	out := map[string]*analyze.Capacity{}
	for _, p := range paths {
		out[strings.TrimSuffix(filepath.Base(p), ".json")] = read(t, p)
	}
	return out
}

func read(t testing.TB, path string) *analyze.Capacity {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c analyze.Capacity
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return &c
}

// files builds a document in memory.
func files(t testing.TB, c *analyze.Capacity) map[string][]byte {
	t.Helper()
	out, err := documentFiles(c, Options{Version: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestGolden compares the text that people read: the Markdown of each sample, the
// appendix of the shorter ones, the summary, and one JUnit file.
func TestGolden(t *testing.T) {
	for name, c := range samples(t) {
		out := files(t, c)
		golden.Equal(t, "testdata/"+name+".summary.md.golden", out[fileSummary])
		text := string(out[fileMarkdown])
		if len(text) > 12_000 {
			text, _, _ = strings.Cut(text, "## "+provenance.Title)
		}
		golden.Equal(t, "testdata/"+name+".index.md.golden", []byte(text))
		if name == "run" {
			golden.Equal(t, "testdata/"+name+".junit.xml.golden", out[fileJUnit])
		}
	}
}

func TestSameBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for name, c := range samples(t) {
		runtime.GOMAXPROCS(1)
		first := files(t, c)
		runtime.GOMAXPROCS(4)
		second := files(t, read(t, "testdata/"+name+".json"))
		if len(first) != len(second) {
			t.Errorf("%s: %d files, then %d", name, len(first), len(second))
		}
		for file, data := range first {
			if string(data) != string(second[file]) {
				t.Errorf("%s: two builds of %s differ", name, file)
			}
		}
	}
}

// TestNothingIsLost looks for everything that a capacity says in the Markdown and
// in the text of the page.
func TestNothingIsLost(t *testing.T) {
	for name, c := range samples(t) {
		out := files(t, c)
		for file, text := range map[string]string{
			fileMarkdown: markdownText(string(out[fileMarkdown])), filePage: pageText(string(out[filePage]))} {
			for _, want := range sayings(c) {
				if want = oneLine(want); !strings.Contains(text, want) {
					t.Errorf("%s: %s does not say %q", name, file, want)
				}
			}
		}
	}
}

// sayings collects the texts of a capacity that a reader must find.
func sayings(c *analyze.Capacity) []string {
	out := []string{c.Title, string(c.Outcome)}
	for _, s := range c.Answer {
		out = append(out, s.Lead, s.Text)
	}
	for _, list := range [][]string{c.Caveats, foldWarnings(c), c.Method, c.Reproduce} {
		out = append(out, list...)
	}
	for _, t := range c.Tables {
		notes := t.Notes
		if isTable(t, "findings") {
			notes = unfolded(notes, c) // the list of blind spots says them
		}
		out = append(append(out, t.Title), notes...)
		for _, col := range t.Columns {
			out = append(out, col.Name, col.Doc)
		}
		for _, r := range t.Rows {
			for _, cell := range r.Cells {
				out = append(out, cell.Text, cell.Note)
			}
			out = append(out, r.Mark)
		}
	}
	for _, f := range c.Figures {
		out = append(append(out, f.Title, f.Alt), f.Notes...)
	}
	for _, f := range c.Findings {
		out = append(out, f.Message)
		if f.Attribution != nil {
			out = append(out, f.Attribution.Evidence...)
		}
	}
	for _, q := range c.Quantities {
		out = append(append(out, q.ID, q.Display, q.Why), q.Warnings...)
	}
	for _, v := range c.Verdicts {
		out = append(out, v.Gate, v.Why)
	}
	for _, r := range c.Results {
		out = append(append(append(out, r.Run.ID, r.Run.Host, r.Run.System, r.Run.Load.Command), r.Warnings...), r.Absent...)
		for _, s := range r.Sources {
			out = append(out, s.File, s.SHA256, s.Note)
		}
		for _, l := range r.Looked {
			out = append(out, l.Detector, l.Why)
		}
		for _, q := range r.Quantities {
			out = append(out, q.ID, q.Display, q.Why)
		}
	}
	return out
}

var (
	tags    = regexp.MustCompile(`(?s)<(style|head)\b.*?</(style|head)>|<[^>]*>`)
	spaces  = regexp.MustCompile(`\s+`)
	escapes = regexp.MustCompile("\\\\([\\\\`*_\\[\\]|~$#>+=.)-])")
)

func pageText(s string) string {
	return oneLine(html.UnescapeString(tags.ReplaceAllString(within.Replace(s), " ")))
}

// within are tags that part no words, and the blank that is no place to break a line.
var within = strings.NewReplacer("<wbr>", "", `<span class="more">`, "", "\u00a0", " ")

func markdownText(s string) string {
	return oneLine(html.UnescapeString(escapes.ReplaceAllString(s, "$1")))
}

func oneLine(s string) string {
	return strings.ToLower(strings.TrimSpace(spaces.ReplaceAllString(label.Clean(s, len(s)), " ")))
}

// TestPageIsOffline checks what can be seen in the source of a page: its policy,
// no script but ours, no address but those within it, and its size.
func TestPageIsOffline(t *testing.T) {
	address := regexp.MustCompile(`(?:href|src|action|srcset|poster|xlink:href)\s*=\s*"([^"]*)"`)
	for name, c := range samples(t) {
		page := withoutOwnScripts(t, name, string(files(t, c)[filePage]))
		if !regexp.MustCompile(`http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-\S*; style-src 'unsafe-inline'; img-src data:;`).MatchString(page) {
			t.Errorf("%s: the page has no strict content policy", name)
		}
		for _, m := range address.FindAllStringSubmatch(page, -1) {
			if !strings.HasPrefix(m[1], "#") {
				t.Errorf("%s: the page leads to %q", name, m[1])
			}
			if !strings.Contains(page, `id="`+strings.TrimPrefix(m[1], "#")+`"`) {
				t.Errorf("%s: %q leads nowhere", name, m[1])
			}
		}
		if strings.Contains(page, "<script") || strings.Contains(page, "url(") || strings.Contains(page, "@import") {
			t.Errorf("%s: the page holds a script or fetches a style", name)
		}
		if len(page) > 300_000 {
			t.Errorf("%s: the page has %d bytes", name, len(page))
		}
		ids := map[string]bool{}
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if ids[m[1]] {
				t.Errorf("%s: the id %q is given twice", name, m[1])
			}
			ids[m[1]] = true
		}
	}
}

// TestCapacityRoundTrip reads the written capacity and renders it again: a page
// can be rebuilt from its JSON alone.
func TestCapacityRoundTrip(t *testing.T) {
	for name, c := range samples(t) {
		first := files(t, c)
		var again analyze.Capacity
		if err := json.Unmarshal(first[fileCapacity], &again); err != nil {
			t.Fatal(err)
		}
		for file, data := range files(t, &again) {
			if string(data) != string(first[file]) {
				t.Errorf("%s: %s differs when it is rebuilt from capacity.json", name, file)
			}
		}
	}
}

func TestCaveatsAreRequired(t *testing.T) {
	c := *samples(t)["run"]
	c.Caveats = nil
	if _, err := documentFiles(&c, Options{}); err == nil || !strings.Contains(err.Error(), "does_not_show") {
		t.Errorf("a document without what it does not show was made: %v", err)
	}
}

// TestStrangeOutcome checks that what is neither pass nor fail is unknown.
func TestStrangeOutcome(t *testing.T) {
	c := analyze.Capacity{Title: "t", Outcome: "fine", Caveats: []string{"all"},
		Verdicts: []analyze.Verdict{{Gate: "g", Outcome: "ok"}}}
	out := files(t, &c)
	if s := string(out[fileJUnit]); !strings.Contains(s, `tests="2" failures="0" errors="1" skipped="1"`) {
		t.Errorf("a strange outcome passed: %s", s)
	}
	if s := string(out[filePage]); !strings.Contains(s, `<p class="verdict unknown">`) {
		t.Error("the page does not show a strange outcome as unknown")
	}
}

// TestManyVerdicts keeps the summary within its bound.
func TestManyVerdicts(t *testing.T) {
	c := *samples(t)["run"]
	c.Warnings = nil
	for i := range 5000 {
		c.Warnings = append(c.Warnings, fmt.Sprint(i, strings.Repeat(" a warning of some length", 20)))
		c.Verdicts = append(c.Verdicts, analyze.Verdict{Gate: "dropped", Outcome: analyze.Fail, Required: true, Why: "it did"})
	}
	s := files(t, &c)[fileSummary]
	if len(s) >= 64<<10 || !strings.Contains(string(s), "does not fit") {
		t.Errorf("the summary has %d bytes", len(s))
	}
}

// TestManyFigures keeps the page of a long series below 3 MB, and says where the
// figures are that it does not hold.
func TestManyFigures(t *testing.T) {
	c := *samples(t)["run"]
	f := c.Figures[0]
	c.Figures = nil
	for range 120 {
		c.Figures = append(c.Figures, f)
	}
	out := files(t, &c)
	page := string(out[filePage])
	if len(page) > 3<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	wide, narrow, elsewhere := strings.Count(page, `class="plot wide`), strings.Count(page, `class="plot narrow`), strings.Count(page, "This figure is in figures/")
	only := strings.Count(page, `class="plot only`)
	if wide != narrow || wide == 0 || only == 0 || elsewhere == 0 || wide+only+elsewhere != len(c.Figures) {
		t.Errorf("%d figures in both widths, %d in one, %d elsewhere, of %d", wide, only, elsewhere, len(c.Figures))
	}
	if len(out) != len(c.Figures)+5 {
		t.Errorf("%d files, want every figure in one of its own", len(out))
	}
}

// TestTemplates checks that no number stands in the words of a page, and that a
// template cannot be given text that is not escaped.
func TestTemplates(t *testing.T) {
	paths, err := fs.Glob(templates.FS, "*.md.tmpl")
	if err != nil || len(paths) == 0 {
		t.Fatal("no templates", err)
	}
	for _, path := range paths {
		data, err := templates.FS.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`[0-9]`).Find(data); m != nil {
			t.Errorf("%s holds the digit %s: numbers come from the capacity", path, m)
		}
	}
	words := template.Must(template.New("w").Parse(`{{define "t"}}{{.}}{{end}}`))
	type entry struct{ Name string }
	for _, raw := range []any{"raw", []string{"raw"}, entry{"raw"}, []entry{{"raw"}}, map[string]string{"a": "raw"}, 1.5} {
		if _, err := execute(words, "t", raw); err == nil {
			t.Errorf("%T went into a template unescaped", raw)
		}
	}
	if _, err := execute(words, "t", []fact{{Name: "a", Value: "b"}}); err != nil {
		t.Error(err)
	}
}

// TestSections checks the list that the page is made of.
func TestSections(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Sections {
		if !safeName(s.Name) || seen[s.Name] || s.Title == "" || s.Doc == "" || s.Applies == nil || s.Write == nil {
			t.Errorf("section %q is incomplete, or its name is taken", s.Name)
		}
		seen[s.Name] = true
	}
}
