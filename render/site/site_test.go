package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/render"
	"headroom/render/check"
)

// sample is a document of render's test data, measured on a day of March 2026;
// rate is its headline.
func sample(t testing.TB, name string, day int, rate float64) Document {
	t.Helper()
	data, err := os.ReadFile("../testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	c := &analyze.Capacity{}
	if err := json.Unmarshal(data, c); err != nil {
		t.Fatal(err)
	}
	for i := range c.Results {
		r := &c.Results[i].Run
		start := time.Date(2026, 3, day, 10, i, 0, 0, time.UTC)
		r.ID, r.Digest = fmt.Sprintf("%s-%d-%d", name, day, i), fmt.Sprintf("%064d", day*100+i)
		r.Start, r.End = start.Format(time.RFC3339), start.Add(time.Minute).Format(time.RFC3339)
	}
	for i := range c.Quantities {
		if q := &c.Quantities[i]; q.ID == "sweep.sustained.throughput" || q.ID == "throughput" {
			q.Value, q.Display = &rate, fmt.Sprintf("%.0f events/s", rate)
			low, high := rate*0.97, rate*1.02
			q.Interval = []*float64{&low, &high}
		}
	}
	if len(c.Answer) > 0 {
		c.Answer[0].Lead = fmt.Sprintf("%.0f events/s", rate)
	}
	return document(t, c)
}

func document(t testing.TB, c *analyze.Capacity) Document {
	t.Helper()
	files, err := render.Files(c, render.Options{Version: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	// What is published is what capacity.json holds.
	back := &analyze.Capacity{}
	if err := json.Unmarshal(files["capacity.json"], back); err != nil {
		t.Fatal(err)
	}
	return Document{Files: files, Capacity: back, Show: func(v float64, unit string) string { return fmt.Sprintf("%.4g %s", v, unit) }}
}

func publish(t testing.TB, dir string, docs ...Document) (last *Report) {
	t.Helper()
	for _, d := range docs {
		var err error
		if last, err = Publish(dir, d, Options{}); err != nil {
			t.Fatal(err)
		}
	}
	return last
}

// contents are the files of a site.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func same(t *testing.T, what string, a, b map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if text, ok := b[name]; !ok || text != a[name] {
			t.Errorf("%s: %s differs (there: %v)", what, name, ok)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%s: %d and %d files", what, len(a), len(b))
	}
}

// TestOrderOfPublication gives the same bytes in whatever order documents come,
// and how often.
func TestOrderOfPublication(t *testing.T) {
	docs := []Document{sample(t, "sweep", 2, 5000), sample(t, "sweep", 9, 5200), sample(t, "sweep", 16, 4900), sample(t, "run", 3, 700)}
	one, other := t.TempDir(), t.TempDir()
	publish(t, one, docs...)
	slices.Reverse(docs)
	publish(t, other, docs...)
	same(t, "other order", contents(t, one), contents(t, other))
	before := stamps(t, one)
	for _, d := range docs {
		if r := publish(t, one, d); r.State != Unchanged {
			t.Errorf("published again: %s", r.State)
		}
	}
	if after := stamps(t, one); !maps.Equal(before, after) {
		t.Error("a document that the site has already rewrote files")
	}
}

// stamps are when the files of a site were written.
func stamps(t *testing.T, dir string) map[string]time.Time {
	out := map[string]time.Time{}
	for name := range contents(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = info.ModTime()
	}
	return out
}

// TestSuperseded leaves the figures of an earlier version as they are: without
// their notes its files are those that were built, and its seal holds.
func TestSuperseded(t *testing.T) {
	dir := t.TempDir()
	old := sample(t, "sweep", 2, 5000)
	first := publish(t, dir, old)
	newest := publish(t, dir, sample(t, "sweep", 9, 5200))
	folder := path.Join(first.Document, first.Version)
	have := map[string][]byte{}
	for name, text := range contents(t, dir) {
		if rel, ok := strings.CutPrefix(name, folder+"/"); ok && rel != versionFile {
			have[rel] = Original(rel, []byte(text))
		}
	}
	if !maps.EqualFunc(have, old.Files, bytes.Equal) {
		t.Error("the files of a superseded version are not those that were built")
	}
	if list, _, err := check.Alone(have); err != nil || len(list) > 0 {
		t.Errorf("a superseded version is stale: %v %v", list, err)
	}
	for name, want := range map[string]string{"index.html": `href="../` + newest.Version + `/index.html"`, "index.md": "](../" + newest.Version + "/index.md)"} {
		text := contents(t, dir)[folder+"/"+name]
		if !strings.Contains(text, want) || !strings.Contains(text, "Superseded") {
			t.Errorf("%s does not point to the newest version", name)
		}
		if new := contents(t, dir)[path.Join(newest.Document, newest.Version, name)]; strings.Contains(new, "Superseded") {
			t.Errorf("%s of the newest version says that it is superseded", name)
		}
	}
	if lead := contents(t, dir)[path.Join(first.Document, latest, indexFile)]; !strings.Contains(lead, "url=../"+newest.Version+"/index.html") {
		t.Errorf("latest leads elsewhere: %s", lead)
	}
	// An older measurement that is published late does not become the newest.
	late := publish(t, dir, sample(t, "sweep", 5, 5100))
	if late.Newest != newest.Version || late.Versions != 3 {
		t.Errorf("a late publication: %+v", late)
	}
}

// TestRunsAgain tells a run that was measured again under its id, which takes the
// place of the first, from an analysis of the same evidence that says something
// else, which does not.
func TestRunsAgain(t *testing.T) {
	dir := t.TempDir()
	first := publish(t, dir, sample(t, "sweep", 2, 5000))
	analysed := publish(t, dir, sample(t, "sweep", 2, 4990))
	if analysed.State != Published || analysed.Versions != 2 || analysed.Newest != analysed.Version {
		t.Errorf("analysed again: %+v", analysed)
	}
	if text := contents(t, dir)[path.Join(first.Document, first.Version, "index.html")]; !strings.Contains(text, "analysed again since") {
		t.Error("the first analysis does not say that there is another")
	}
	again := sample(t, "sweep", 2, 4000)
	for i := range again.Capacity.Results {
		again.Capacity.Results[i].Run.Digest = strings.Repeat("f", 64)
	}
	again = document(t, again.Capacity)
	measured := publish(t, dir, again)
	if measured.State != Replaced || measured.Versions != 1 {
		t.Errorf("measured again: %+v", measured)
	}
	site := contents(t, dir)
	for name, text := range site {
		address := path.Join(first.Document, first.Version)
		switch inside := strings.HasPrefix(name, address+"/"); {
		case !inside && strings.Contains(text, first.Version):
			t.Errorf("%s points to what was replaced", name)
		case name == address+"/index.html" && !strings.Contains(text, "were measured again under the same ids"):
			t.Error("what was replaced does not say so")
		}
	}
	if site[path.Join(first.Document, first.Version, "index.html")] == "" {
		t.Error("the address of what was replaced is gone")
	}
	checkLinks(t, dir)
}

// TestOtherDate publishes one document under another date: the first address stays,
// says which date holds, and stands in no list.
func TestOtherDate(t *testing.T) {
	dir := t.TempDir()
	d := sample(t, "sweep", 2, 5000)
	first := publish(t, dir, d)
	d.Date = time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	second := publish(t, dir, d)
	if second.State != Replaced || second.Versions != 1 || second.Newest != second.Version || second.Version == first.Version {
		t.Errorf("%+v", second)
	}
	site := contents(t, dir)
	for name, want := range map[string]string{"index.html": "the same document is dated 20 March 2026 since", "index.md": "the same document is dated 20 March 2026 since", "capacity.json": `"headroom.capacity/1"`} {
		if !strings.Contains(site[path.Join(first.Document, first.Version, name)], want) {
			t.Errorf("%s at the first address does not hold %q", name, want)
		}
	}
	for _, name := range []string{path.Join(first.Document, "index.html"), feedFile, indexFile} {
		if strings.Contains(site[name], first.Version) {
			t.Errorf("%s lists the document twice", name)
		}
	}
	checkLinks(t, dir)
	if again := publish(t, dir, d); again.State != Unchanged {
		t.Errorf("once more: %+v", again)
	}
}

// TestDates refuses a date on which the document was not yet measured, and says of a
// later one when the measurement was.
func TestDates(t *testing.T) {
	dir := t.TempDir()
	d := sample(t, "sweep", 9, 5000)
	for _, early := range []time.Time{time.Date(2026, 3, 8, 0, 0, 0, 0, time.UTC), time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC)} {
		d.Date = early
		if _, err := Publish(dir, d, Options{}); !errors.Is(err, ErrEarly) || !strings.Contains(err.Error(), "9 March 2026, 10:0") {
			t.Errorf("dated %s: %v", early, err)
		}
	}
	if len(contents(t, dir)) > 0 {
		t.Error("something was written")
	}
	d.Date = time.Date(2026, 3, 9, 0, 0, 0, 0, time.UTC) // the day of the measurement
	publish(t, dir, d)
	d.Date = time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	r := publish(t, dir, d)
	site := contents(t, dir)
	for _, name := range []string{path.Join(r.Document, r.Version, "index.html"), path.Join(r.Document, r.Version, "index.md"), path.Join(r.Document, "index.html"), indexFile} {
		if !strings.Contains(site[name], "dated 1 April 2026, measured 9 March 2026, 10:0") {
			t.Errorf("%s does not say both dates", name)
		}
	}
	if list := site[path.Join(r.Document, "index.html")]; !strings.Contains(list, "<em>measured 2026-03-09 10:0") {
		t.Error("the list of versions does not say when the version was measured")
	}
}

// TestTitlesAlike keeps documents apart whose titles make one name.
func TestTitlesAlike(t *testing.T) {
	titled := func(title string, day int) Document {
		d := sample(t, "sweep", day, 5000)
		d.Capacity.Title = title
		return document(t, d.Capacity)
	}
	dir := t.TempDir()
	publish(t, dir, titled("負荷", 2), titled("負荷", 3))
	_, err := Publish(dir, titled("容量", 4), Options{})
	if !errors.Is(err, ErrTaken) {
		t.Errorf("another title: %v", err)
	}
	named := titled("容量", 4)
	named.Name = "document"
	if r := publish(t, dir, named); r.Versions != 3 {
		t.Errorf("a name says whose version it is: %+v", r)
	}
}

// TestWithdrawn marks whatever rests on a run that was withdrawn: versions that were
// published before it was, and other documents, too.
func TestWithdrawn(t *testing.T) {
	dir := t.TempDir()
	before, other := sample(t, "sweep", 2, 5000), sample(t, "sweep", 2, 5000)
	other.Name = "other"
	first := publish(t, dir, other, sample(t, "sweep", 9, 5100), before)
	for name, text := range contents(t, dir) {
		if strings.Contains(strings.ToLower(text), "withdrawn</strong>") {
			t.Errorf("%s says that something was withdrawn", name)
		}
	}
	c := sample(t, "sweep", 2, 5000).Capacity
	c.Results[0].Run.Withdrawn = "2026-04-01T00:00:00Z: <b>throttled</b>"
	after := publish(t, dir, document(t, c))
	if after.State != Published || len(after.Withdrawn) != 1 || after.Withdrawn[0].Digest != c.Results[0].Run.Digest {
		t.Errorf("%+v", after)
	}
	site := contents(t, dir)
	said := "2026-04-01T00:00:00Z: &lt;b&gt;throttled&lt;/b&gt;"
	for _, name := range []string{
		path.Join(first.Document, first.Version, "index.html"), path.Join(first.Document, after.Version, "index.html"), path.Join("other", first.Version, "index.html"),
		path.Join("other", "index.html"), indexFile,
	} {
		if !strings.Contains(site[name], said) {
			t.Errorf("%s does not say what was withdrawn", name)
		}
	}
	if strings.Contains(site[path.Join(first.Document, "index.html")], said) || strings.Count(site[path.Join(first.Document, "index.html")], ">withdrawn</span>") != 4 {
		t.Error("the newest version does not rest on a withdrawn run; two others do, in the list and in the trend")
	}
	if md := site[path.Join(first.Document, first.Version, "index.md")]; !strings.Contains(md, "> **Withdrawn.** ") || strings.Contains(md, "<b>") {
		t.Error("the Markdown of the first version does not say it, or not safely")
	}
	have := map[string][]byte{}
	for name := range before.Files {
		have[name] = Original(name, []byte(site[path.Join(first.Document, first.Version, name)]))
	}
	if list, _, err := check.Alone(have); err != nil || len(list) > 0 {
		t.Errorf("the first version is stale: %v %v", list, err)
	}
	checkLinks(t, dir)
}

// TestUntitled asks which document it is, where the title names no system.
func TestUntitled(t *testing.T) {
	d := sample(t, "run", 3, 700)
	d.Capacity.Untitled = true
	dir := t.TempDir()
	if _, err := Publish(dir, d, Options{}); !errors.Is(err, ErrUntitled) {
		t.Errorf("got %v", err)
	}
	if len(contents(t, dir)) > 0 {
		t.Error("something was written")
	}
	d.Name = "checkout"
	if r := publish(t, dir, d); r.Document != "checkout" {
		t.Errorf("%+v", r)
	}
}

// TestLinks follows every link of every page of the site.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, sample(t, "sweep", 2, 5000), sample(t, "sweep", 9, 5200), sample(t, "run", 3, 700), sample(t, "repeats", 4, 700))
	checkLinks(t, dir)
}

var link = regexp.MustCompile(`(?:href="|url=)([^"#]+)"`)

func checkLinks(t testing.TB, dir string) {
	t.Helper()
	seen := 0
	for name, text := range contents(t, dir) {
		if !strings.HasSuffix(name, ".html") && !strings.HasSuffix(name, ".xml") {
			continue
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			seen++
			if _, err := os.Stat(filepath.Join(dir, path.Dir(name), m[1])); err != nil {
				t.Errorf("%s: a link to %s: %v", name, m[1], err)
			}
		}
	}
	if seen == 0 {
		t.Error("the site has no links")
	}
}

// TestLeftOvers cleans up after a publication that was cut off, and makes what it
// had not made.
func TestLeftOvers(t *testing.T) {
	whole, dir := t.TempDir(), t.TempDir()
	a, b := sample(t, "sweep", 2, 5000), sample(t, "sweep", 9, 5200)
	publish(t, whole, a, b)
	publish(t, dir, a)
	half := filepath.Join(dir, newPrefix+"123")
	if err := os.MkdirAll(half, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(half, "index.html"), []byte("half a pa"), 0o644); err != nil {
		t.Fatal(err)
	}
	// The folder of a version is there, and nothing else of it yet.
	v, err := newVersion(b)
	if err != nil {
		t.Fatal(err)
	}
	if err := (store{dir}).add(v, b.Files); err != nil {
		t.Fatal(err)
	}
	checkLinks(t, dir)
	publish(t, dir, a)
	same(t, "after a cut", contents(t, whole), contents(t, dir))
}

func TestRefused(t *testing.T) {
	d := sample(t, "run", 3, 700)
	unnamed := d
	unnamed.Name = "latest"
	if _, err := Publish(t.TempDir(), unnamed, Options{}); !errors.Is(err, ErrName) {
		t.Errorf("the name latest: %v", err)
	}
	undated := *d.Capacity
	undated.Results = nil
	if _, err := Publish(t.TempDir(), Document{Files: d.Files, Capacity: &undated, Show: d.Show}, Options{}); !errors.Is(err, ErrNoDate) {
		t.Errorf("no date: %v", err)
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "index.html"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Publish(foreign, d, Options{}); !errors.Is(err, ErrForeign) || len(contents(t, foreign)) != 1 {
		t.Errorf("a page of somebody else: %v", err)
	}
	busy := t.TempDir()
	unlock, err := lock(busy)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Publish(busy, d, Options{}); !errors.Is(err, ErrBusy) {
		t.Errorf("a site that is held: %v", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	publish(t, busy, d)
	if _, ok := contents(t, busy)[lockName]; ok {
		t.Error("the lock stays")
	}
}

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"postgresql: capacity by concurrency": "postgresql-capacity-by-concurrency", "  Ünïcode & more ": "n-code-more", "": "document", "…": "document",
		"latest": "document", "../../etc": "etc", strings.Repeat("ab ", 40): strings.Trim(strings.Repeat("ab-", 22)[:maxName], "-"),
	} {
		if got := slug(title); got != want || !safeName(got) {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}

// TestFeedAddresses have the address of the site where it is known.
func TestFeedAddresses(t *testing.T) {
	dir := t.TempDir()
	d := sample(t, "run", 3, 700)
	r, err := Publish(dir, d, Options{URL: "https://example.test/capacity/", Title: "Ours"})
	if err != nil {
		t.Fatal(err)
	}
	publish(t, dir, sample(t, "run", 4, 710)) // keeps title and address
	feed := contents(t, dir)[feedFile]
	for _, want := range []string{`href="https://example.test/capacity/` + r.Document + "/" + r.Version + `/index.html"`, "<title>Ours</title>", "<updated>2026-03-04T10:00:00Z</updated>"} {
		if !strings.Contains(feed, want) {
			t.Errorf("the feed does not hold %s:\n%s", want, feed)
		}
	}
}
