package site

import (
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// Atom 1.0 (RFC 4287), as far as the feed needs it.
type (
	atomFeed struct {
		XMLName   xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		Title     string      `xml:"title"`
		ID        string      `xml:"id"`
		Updated   string      `xml:"updated"`
		Author    string      `xml:"author>name"`
		Generator string      `xml:"generator"`
		Links     []atomLink  `xml:"link"`
		Entries   []atomEntry `xml:"entry"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr"`
		Type string `xml:"type,attr,omitempty"`
		Href string `xml:"href,attr"`
	}
	atomEntry struct {
		Title   string   `xml:"title"`
		ID      string   `xml:"id"`
		Updated string   `xml:"updated"`
		Link    atomLink `xml:"link"`
		Summary string   `xml:"summary"`
	}
)

// maxEntries bounds the feed; the pages of the documents have all versions.
const maxEntries = 100

// feed is the Atom feed of all versions, newest first. Entries are dated by their
// measurement.
func feed(a about, all map[string][]*Version) ([]byte, error) {
	list := newestFirst(all)
	base := strings.TrimSuffix(a.URL, "/")
	if base != "" {
		base += "/"
	}
	f := atomFeed{Title: a.Title, ID: uuid("site", a.URL, a.Title), Updated: time.Unix(0, 0).UTC().Format(time.RFC3339), Author: "headroom", Generator: "headroom"}
	f.Links = []atomLink{{"self", "application/atom+xml", base + feedFile}, {"alternate", "text/html", base + indexFile}}
	if len(list) > 0 {
		f.Updated = list[0].Date.Format(time.RFC3339)
	}
	for _, v := range list[:min(len(list), maxEntries)] {
		f.Entries = append(f.Entries, atomEntry{
			Title: v.Title + ": " + day(v.Date), ID: uuid("version", v.Document, v.Body, v.Date.Format(time.RFC3339)), Updated: v.Date.Format(time.RFC3339),
			Link:    atomLink{"alternate", "text/html", base + path.Join(v.Document, v.folder, indexFile)},
			Summary: strings.TrimSpace(string(v.Outcome) + ": " + strings.TrimSpace(v.withdrawnWords()+" "+v.Answer+" "+v.Detail)),
		})
	}
	out, err := xml.MarshalIndent(f, "", "  ")
	return append([]byte(xml.Header), append(out, '\n')...), err
}

// newestFirst lists the versions of all documents.
func newestFirst(all map[string][]*Version) []*Version {
	var list []*Version
	for _, vs := range all {
		list = append(list, vs...)
	}
	slices.SortFunc(list, func(a, b *Version) int {
		if c := compare(b, a); c != 0 {
			return c
		}
		return strings.Compare(a.Document, b.Document)
	})
	return list
}

// uuid is a name that stays the same: a UUID of version 8 (RFC 9562), made of a
// digest.
func uuid(parts ...string) string {
	b := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}
