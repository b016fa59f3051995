package site

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
)

// Options of a publication.
type Options struct {
	// Title of the site; "" keeps that which it has, at first "Capacity documents".
	Title string
	// URL is where the site is served, for the feed to have whole addresses; ""
	// keeps that which it has, at first none: addresses are relative then.
	URL string
}

// State says what became of a document.
type State string

// The states.
const (
	Published State = "published" // a new version
	Replaced  State = "replaced"  // in place of one of runs with the same ids, or of another date
	Unchanged State = "unchanged" // the site had this version
)

// Report says what a publication did.
type Report struct {
	State    State  `json:"state"`
	Document string `json:"document"`
	Version  string `json:"version"` // folder of the version in the site
	Newest   string `json:"newest"`  // folder of the document's newest version
	Versions int    `json:"versions"`
	// Withdrawn are the runs of this version that somebody withdrew, as far as the
	// documents of the site know.
	Withdrawn []Withdrawal `json:"withdrawn,omitempty"`
}

// Publish puts a document into the site in the folder dir, which is made if there
// is none. It does not wait: [ErrBusy] says that another publisher has the site.
// A document that the site has already changes nothing. What the document may not
// say is not Publish's to judge.
func Publish(dir string, d Document, opt Options) (report *Report, err error) {
	v, err := newVersion(d)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	unlock, err := lock(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	s := store{dir}
	about, err := s.about(opt)
	if err != nil {
		return nil, err
	}
	if err := s.sweep(); err != nil {
		return nil, err
	}
	all, err := s.versions()
	if err != nil {
		return nil, err
	}
	if d.Name == "" && taken(all[v.Document], v.Title) {
		return nil, fmt.Errorf("%q (%s): %w", v.Title, v.Document, ErrTaken)
	}
	report = &Report{State: Published, Document: v.Document}
	if had := sameVersion(all[v.Document], v); had != nil {
		report.State, v = Unchanged, had
	} else {
		for _, o := range all[v.Document] {
			if v.sameRuns(o) {
				v.Revision = max(v.Revision, o.Revision+1)
			}
		}
		if err := s.add(v, d.Files); err != nil {
			return nil, err
		}
		all[v.Document] = append(all[v.Document], v)
	}
	if report.State == Published && slices.ContainsFunc(all[v.Document], v.replaces) {
		report.State = Replaced
	}
	current, err := s.refresh(all, about)
	if err != nil {
		return nil, err
	}
	list := current[v.Document]
	report.Withdrawn = v.withdrawn
	report.Version, report.Newest, report.Versions = v.folder, list[len(list)-1].folder, len(list)
	return report, nil
}

// taken reports whether no version that stands under a name has the title that the
// name is made of: the document there is another, or has got another title.
func taken(list []*Version, title string) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(v *Version) bool { return v.Title == title })
}

// sameVersion finds the version that says the same under the same date.
func sameVersion(list []*Version, v *Version) *Version {
	for _, o := range list {
		if o.Body == v.Body && o.Date.Equal(v.Date) && slices.Equal(o.Runs, v.Runs) {
			return o
		}
	}
	return nil
}

// refresh makes all that is made of the versions: notes on their pages, lists,
// trends and the feed, each by a rename, the first page last. It returns the
// versions without those that were replaced: an address that was published stays
// for good, with a note, but lists and trends have what took its place.
func (s store) refresh(all map[string][]*Version, a about) (current map[string][]*Version, err error) {
	mark(all)
	current = map[string][]*Version{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		current[name] = slices.DeleteFunc(slices.Clone(all[name]), func(o *Version) bool {
			return slices.ContainsFunc(all[name], func(v *Version) bool { return v.replaces(o) })
		})
		slices.SortFunc(current[name], compare)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if err := s.document(a, all[name], current[name]); err != nil {
			return nil, err
		}
	}
	feed, err := feed(a, current)
	if err != nil {
		return nil, err
	}
	index, err := indexPage(a, current)
	if err != nil {
		return nil, err
	}
	return current, errors.Join(s.write(noJekyll, nil), s.write(feedFile, feed), s.write(indexFile, index))
}

// document writes the pages of one document: the notes on its versions, then what
// leads to those that are current.
func (s store) document(a about, all, current []*Version) error {
	newest := current[len(current)-1]
	for _, v := range all {
		for name, note := range map[string]func(*Version, *Version) string{indexFile: noteHTML, "index.md": noteMarkdown} {
			name = path.Join(v.Document, v.folder, name)
			data, err := s.read(name, maxPage)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			if err := s.write(name, noted(path.Base(name), data, note(v, newest))); err != nil {
				return err
			}
		}
	}
	page, err := documentPage(a, current)
	if err != nil {
		return err
	}
	lead, err := latestPage(newest)
	if err != nil {
		return err
	}
	return errors.Join(s.write(path.Join(newest.Document, latest, indexFile), lead), s.write(path.Join(newest.Document, indexFile), page))
}
