package site

import (
	"errors"
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
	Replaced  State = "replaced"  // of runs that were measured again under their ids
	Unchanged State = "unchanged" // the site had this version
)

// Report says what a publication did.
type Report struct {
	State    State  `json:"state"`
	Document string `json:"document"`
	Version  string `json:"version"` // folder of the version in the site
	Newest   string `json:"newest"`  // folder of the document's newest version
	Versions int    `json:"versions"`
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
	replaced, err := s.refresh(all, about)
	if err != nil {
		return nil, err
	}
	if report.State == Published && slices.ContainsFunc(replaced, v.replaces) {
		report.State = Replaced
	}
	list := all[v.Document]
	report.Version, report.Newest, report.Versions = v.folder, list[len(list)-1].folder, len(list)
	return report, nil
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
// trends and the feed, each by a rename, the first page last. Versions that were
// replaced are taken out of all, and of the site once nothing points to them.
func (s store) refresh(all map[string][]*Version, a about) (replaced []*Version, err error) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		var kept []*Version
		for _, o := range all[name] {
			if slices.ContainsFunc(all[name], func(v *Version) bool { return v.replaces(o) }) {
				replaced = append(replaced, o)
			} else {
				kept = append(kept, o)
			}
		}
		slices.SortFunc(kept, compare)
		all[name] = kept
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if err := s.document(a, all[name]); err != nil {
			return nil, err
		}
	}
	feed, err := feed(a, all)
	if err != nil {
		return nil, err
	}
	index, err := indexPage(a, all)
	if err != nil {
		return nil, err
	}
	err = errors.Join(s.write(noJekyll, nil), s.write(feedFile, feed), s.write(indexFile, index))
	for _, v := range replaced {
		err = errors.Join(err, s.remove(v))
	}
	return replaced, err
}

// document writes the pages of one document: the notes on its versions, then what
// leads to them.
func (s store) document(a about, list []*Version) error {
	newest := list[len(list)-1]
	for _, v := range list {
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
	page, err := documentPage(a, list)
	if err != nil {
		return err
	}
	lead, err := latestPage(newest)
	if err != nil {
		return err
	}
	return errors.Join(s.write(path.Join(newest.Document, latest, indexFile), lead), s.write(path.Join(newest.Document, indexFile), page))
}
