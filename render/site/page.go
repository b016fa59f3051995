package site

import (
	"bytes"
	"html/template"
	"maps"
	"path"
	"slices"
	"strings"

	"headroom/analyze"
	"headroom/render/figure"
	"headroom/templates"
)

// listPage is what site.html.tmpl shows.
type listPage struct {
	Site, Title, Kind string
	CSS               template.CSS
	Feed, Home        string // relative addresses; Home "" on the first page
	Cards             []card // of the first page
	Newest            *card  // of the page of a document
	Versions          []row
	Trend             template.HTML
	TrendNotes        []string
	Heads             []string
	Trends            []trendRow
}

// card is a document at a glance.
type card struct {
	Title, Kind, When string
	Outcome           analyze.Outcome
	Answer, Detail    string
	Page, All         string // addresses
	Count             int    // of versions
	Withdrawn         string // which of its runs were withdrawn
}

// row is a version in the list of a document.
type row struct {
	Date, Answer, Page string
	Measured           string // where the date was given and is another
	Outcome            analyze.Outcome
	Runs               int
	Newest             bool
	Withdrawn          bool // it rests on a run that was withdrawn
	Note               string
}

// trendRow is a version in the table of headlines.
type trendRow struct {
	Date, Page string
	Newest     bool
	Withdrawn  bool
	Cells      []trendCell
}

// trendCell is a headline of a version: its name, which stands above the column where
// there is room, its figure, and its bound and interval.
type trendCell struct{ Head, Figure, Bound string }

// indexPage lists the documents, the one that was measured last first.
func indexPage(a about, all map[string][]*Version) ([]byte, error) {
	p := listPage{Site: a.Title, Title: a.Title, Feed: feedFile}
	newest := map[string][]*Version{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if n := len(all[name]); n > 0 {
			newest[name] = all[name][n-1:]
		}
	}
	for _, v := range newestFirst(newest) {
		c := cardOf(v, v.Document+"/")
		c.All, c.Count = v.Document+"/"+indexFile, len(all[v.Document])
		p.Cards = append(p.Cards, c)
	}
	return p.write()
}

func cardOf(v *Version, base string) card {
	return card{Title: v.Title, Kind: v.Kind, When: v.when(), Outcome: v.Outcome, Answer: v.Answer, Detail: v.Detail, Page: base + v.folder + "/" + indexFile, Withdrawn: v.withdrawnWords()}
}

// documentPage lists the versions of a document, newest first, and their trend.
func documentPage(a about, list []*Version) ([]byte, error) {
	newest := list[len(list)-1]
	c := cardOf(newest, "")
	p := listPage{Site: a.Title, Title: newest.Title, Kind: newest.Kind, Feed: "../" + feedFile, Home: "../" + indexFile, Newest: &c}
	all := seriesOf(list)
	for _, s := range all {
		p.Heads = append(p.Heads, s.name)
	}
	for i := len(list) - 1; i >= 0; i-- {
		v := list[i]
		r := row{Date: short(v.Date), Answer: v.Answer, Page: v.folder + "/" + indexFile, Outcome: v.Outcome, Runs: len(v.Runs), Newest: v == newest, Withdrawn: len(v.withdrawn) > 0}
		if !v.Measured.IsZero() {
			r.Measured = short(v.Measured)
		}
		if v != newest && v.sameEvidence(list[min(i+1, len(list)-1)]) {
			r.Note = "the same runs were analysed again"
		}
		p.Versions = append(p.Versions, r)
		t := trendRow{Date: r.Date, Page: r.Page, Newest: r.Newest, Withdrawn: r.Withdrawn}
		for _, s := range all {
			c := cellOf(s.at[i])
			c.Head = s.name
			t.Cells = append(t.Cells, c)
		}
		p.Trends = append(p.Trends, t)
	}
	var err error
	if p.Trend, p.TrendNotes, err = trend(list); err != nil {
		return nil, err
	}
	return p.write()
}

func cellOf(h *Headline) trendCell {
	if h == nil {
		return trendCell{Figure: "not in this version"}
	}
	c := trendCell{Figure: h.Display, Bound: h.bound()}
	if h.Range != "" {
		c.Bound = strings.TrimPrefix(c.Bound+", "+h.Range, ", ")
	}
	if h.Value == nil && h.Why != "" {
		c.Bound = h.Why
	}
	return c
}

func (p listPage) write() ([]byte, error) {
	var css strings.Builder
	for _, name := range []string{"page.css", "site.css"} {
		text, err := templates.FS.ReadFile(name)
		if err != nil {
			return nil, err
		}
		css.Write(text)
	}
	p.CSS = template.CSS(css.String() + figure.CSS())
	return execute("site.html.tmpl", p)
}

// latestPage leads to the newest version of a document.
func latestPage(newest *Version) ([]byte, error) {
	return execute("latest.html.tmpl", map[string]string{
		"Title": newest.Title, "To": path.Join("..", newest.folder, indexFile), "Date": day(newest.Date),
	})
}

func execute(name string, data any) ([]byte, error) {
	t, err := template.New(name).Option("missingkey=error").ParseFS(templates.FS, name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.ExecuteTemplate(&b, name, data)
	return b.Bytes(), err
}
