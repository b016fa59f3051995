package site

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"headroom/analyze"
	"headroom/render"
	"headroom/render/label"
)

// versionSchema is the schema of version.json.
const versionSchema = "headroom.version/1"

// Document is a document to be published.
type Document struct {
	// Name is the folder of the document in the site: at most 64 lower case
	// letters, digits and hyphens. "" makes one of the title, unless that was made
	// of the protocol alone: see ErrUntitled.
	Name string
	// Date dates the version; zero takes the start of the last of its runs.
	Date time.Time
	// Files are the files that were built, by their path: all of them are
	// published.
	Files map[string][]byte
	// Capacity is what capacity.json among the files holds.
	Capacity *analyze.Capacity
	// Show writes the end of an interval: the pages of a document show its
	// quantities as they were written, and its intervals only as numbers.
	Show func(value float64, unit string) string
}

// Version is what a site knows of a published version, from its version.json.
type Version struct {
	Schema   string    `json:"schema"`
	Document string    `json:"document"` // folder in the site
	Title    string    `json:"title"`
	Kind     string    `json:"kind,omitempty"`
	Date     time.Time `json:"date"` // start of the last run, or as it was given
	// Measured is the start of the last run, where the date was given and is another.
	Measured time.Time       `json:"measured,omitzero"`
	Until    time.Time       `json:"until"`    // end of the last run, else Date
	Revision int             `json:"revision"` // of the analysis of the same runs, from 1
	Outcome  analyze.Outcome `json:"outcome"`
	Answer   string          `json:"answer"` // first statement of the document
	Detail   string          `json:"detail"`
	// Body is the SHA-256 of capacity.json up to its seal: what the document says,
	// whichever version of headroom wrote it.
	Body      string     `json:"body"`
	Runs      []RunRef   `json:"runs"`
	Headlines []Headline `json:"headlines"`
	// Withdrawn are those of its runs that were withdrawn when it was built.
	Withdrawn []Withdrawal `json:"withdrawn,omitempty"`

	folder    string       // in that of the document
	withdrawn []Withdrawal // those of its runs that any version of the site knows to be withdrawn
}

// RunRef names a run that a version was made from.
type RunRef struct {
	ID     string `json:"id"`
	Digest string `json:"digest"`
}

// ErrUntitled says that the title of a document names no system, so that nothing
// says of which document of the site it is a version.
var ErrUntitled = errors.New("nothing says which document this is: its title was made of the protocol alone, and other systems have it too")

// ErrNoDate says that a document has no date of its own.
var ErrNoDate = errors.New("no run of the document says when it was measured")

// ErrEarly says that a date was given on which the document was not yet measured.
var ErrEarly = errors.New("its last run began later")

// ErrTaken says that the name made of a title is that of another document: titles
// that differ only in what no name holds make one.
var ErrTaken = errors.New("the site has another document by the name that is made of this title")

// ErrName says that the name of a document is no name of a folder.
var ErrName = errors.New("a name is 1 to 64 lower case letters, digits and hyphens, and not \"latest\"")

// newVersion describes a document that is to be published.
func newVersion(d Document) (*Version, error) {
	c := d.Capacity
	v := &Version{
		Schema: versionSchema, Document: d.Name, Title: label.Clean(c.Title, label.Title), Kind: kindTitle(c.Kind), Revision: 1,
		Outcome: outcome(c.Outcome), Body: bodyOf(d.Files["capacity.json"]), Runs: []RunRef{}, Headlines: headlines(c, d.Show),
	}
	if v.Document == "" && c.Untitled {
		return nil, fmt.Errorf("%q: %w", v.Title, ErrUntitled)
	}
	if v.Document == "" {
		v.Document = slug(c.Title)
	}
	if !safeName(v.Document) {
		return nil, fmt.Errorf("%q: %w", label.Clean(v.Document, label.Cell), ErrName)
	}
	if len(c.Answer) > 0 {
		v.Answer, v.Detail = label.Clean(c.Answer[0].Lead, label.Title), label.Clean(c.Answer[0].Statement(), label.Line)
	}
	for _, r := range c.Results {
		v.Runs = append(v.Runs, RunRef{r.Run.ID, r.Run.Digest})
		if why := r.Run.Withdrawn; why != "" {
			v.Withdrawn = append(v.Withdrawn, withdrawal(r.Run.ID, r.Run.Digest, why))
		}
		if start, err := time.Parse(time.RFC3339Nano, r.Run.Start); err == nil && start.After(v.Date) {
			v.Date = start.UTC()
		}
		if end, err := time.Parse(time.RFC3339Nano, r.Run.End); err == nil && end.After(v.Until) {
			v.Until = end.UTC()
		}
	}
	slices.SortFunc(v.Runs, func(a, b RunRef) int { return strings.Compare(a.ID+"\x00"+a.Digest, b.ID+"\x00"+b.Digest) })
	if d.Date = d.Date.UTC(); !d.Date.IsZero() && !d.Date.Equal(v.Date) {
		if before(d.Date, v.Date) {
			return nil, fmt.Errorf("%s, at %s: %w", day(d.Date), day(v.Date.Truncate(time.Second)), ErrEarly)
		}
		v.Date, v.Measured = d.Date, v.Date.Truncate(time.Second)
	}
	if v.Date.IsZero() {
		return nil, ErrNoDate
	}
	v.Date = v.Date.Truncate(time.Second)
	if v.Until = v.Until.Truncate(time.Second); v.Until.Before(v.Date) {
		v.Until = v.Date
	}
	v.folder = v.Date.Format("2006-01-02-150405") + "-" + v.Body[:8]
	return v, nil
}

// before reports whether a date that was given lies before an instant: a day does if
// all of it does.
func before(given, at time.Time) bool {
	if midnight(given) {
		given = given.Add(24*time.Hour - 1)
	}
	return given.Before(at)
}

// when says in words when a version was measured, and which date it was given.
func (v *Version) when() string {
	if v.Measured.IsZero() {
		return "measured " + day(v.Date)
	}
	return "dated " + day(v.Date) + ", measured " + day(v.Measured)
}

// bodyOf is the digest of a capacity.json up to its seal.
func bodyOf(capacity []byte) string {
	body := capacity
	if s, ok := render.ReadSeal(capacity); ok {
		body = s.Body
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// slug makes a name of a title: words of letters and digits, joined by hyphens.
func slug(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= maxName {
			break
		}
	}
	name := strings.Trim(b.String(), "-")
	if name == "" || name == latest {
		return "document"
	}
	return name
}

const maxName = 64

func safeName(s string) bool {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-') {
			return false
		}
	}
	return s != "" && s != latest && len(s) <= maxName
}

// outcome makes anything that is no verdict unknown.
func outcome(o analyze.Outcome) analyze.Outcome {
	if o == analyze.Pass || o == analyze.Fail {
		return o
	}
	return analyze.Unknown
}

func kindTitle(name string) string {
	for _, k := range render.Kinds {
		if k.Name == name {
			return k.Title
		}
	}
	return "Capacity"
}

// parseVersion reads a version.json; folder and document are where it was found.
func parseVersion(data []byte, document, folder string) (*Version, error) {
	v := &Version{}
	if err := json.Unmarshal(data, v); err != nil {
		return nil, err
	}
	if v.Schema != versionSchema {
		return nil, fmt.Errorf("schema %q, want %q", label.Clean(v.Schema, label.Cell), versionSchema)
	}
	if len(v.Body) != 2*sha256.Size || v.Date.IsZero() {
		return nil, errors.New("body or date are missing")
	}
	v.Document, v.folder, v.Outcome = document, folder, outcome(v.Outcome)
	v.clean()
	return v, nil
}

// clean makes the texts fit to be shown: whoever can write the site wrote them.
func (v *Version) clean() {
	v.Title, v.Kind = label.Clean(v.Title, label.Title), label.Clean(v.Kind, label.Cell)
	v.Answer, v.Detail = label.Clean(v.Answer, label.Title), label.Clean(v.Detail, label.Line)
	v.Headlines = v.Headlines[:min(len(v.Headlines), maxHeadlines)]
	for i, w := range v.Withdrawn {
		v.Withdrawn[i] = withdrawal(w.ID, w.Digest, w.Why)
	}
	for i := range v.Headlines {
		h := &v.Headlines[i]
		for _, text := range []*string{&h.ID, &h.Of, &h.Unit, &h.Display, &h.Range} {
			*text = label.Clean(*text, label.Cell)
		}
		h.Why = label.Clean(h.Why, label.Line)
	}
}

func (v *Version) json() ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}

// compare orders versions by the date of their measurement; those of one
// measurement by their revision.
func compare(a, b *Version) int {
	if c := a.Date.Compare(b.Date); c != 0 {
		return c
	}
	if c := a.Until.Compare(b.Until); c != 0 {
		return c
	}
	if c := a.Revision - b.Revision; c != 0 {
		return c
	}
	return strings.Compare(a.folder, b.folder)
}

// sameRuns reports whether two versions are of the same runs by their ids.
func (v *Version) sameRuns(o *Version) bool {
	return len(v.Runs) > 0 && slices.EqualFunc(v.Runs, o.Runs, func(a, b RunRef) bool { return a.ID == b.ID })
}

// sameEvidence reports whether the runs have the same content, too.
func (v *Version) sameEvidence(o *Version) bool { return slices.Equal(v.Runs, o.Runs) }

// replaces reports whether v takes the place of an older revision o in lists and
// trends: a run that was measured again under its id, or the same document under
// another date. A new analysis of the same evidence takes nothing's place. Either
// way the address and the figures that were published stay, and point to the new
// ones.
func (v *Version) replaces(o *Version) bool {
	return v.Revision > o.Revision && v.sameRuns(o) && (!v.sameEvidence(o) || v.Body == o.Body)
}
