package rescan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"headroom/runs"
)

// derivedName is the folder of an archive, or of a run, that holds what can be
// made again.
const derivedName = "derived"

// maxRuns bounds the runs of an archive.
const maxRuns = 1_000_000

// Archive is a folder of runs, listed.
type Archive struct {
	Dir  string  // with links resolved
	Runs []Entry // in order of path
	// Notes says what was left out: copies, runs that are being recorded.
	Notes []string
}

// Entry is a run of an archive, or what keeps a folder from being one.
type Entry struct {
	Path    string // from the archive's folder, with slashes; "." for itself
	ID      string
	Digest  string
	State   runs.State
	Samples int64
	Err     error // it could not be looked at

	seal string // digest of its seal, where that could be read, whatever became of the files
}

// List walks the folder dir and everything below it for runs. Inside a run, in
// the archive's derived folder and in folders whose names begin with a dot it
// does not look. Links are not followed: where one leads to a folder inside the
// archive, that is found by its own path; one that leads out of it is an Entry
// that could not be looked at. Of two copies of a run the first in order counts.
func List(ctx context.Context, dir string) (*Archive, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	a := &Archive{Dir: real}
	seen := map[string]string{}
	err = filepath.WalkDir(real, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rel, relErr := filepath.Rel(real, path)
		if relErr != nil {
			return relErr
		}
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil && rel == ".":
			return err
		case err != nil:
			a.Runs = append(a.Runs, Entry{Path: rel, Err: withoutPath(err)})
			return skip(d)
		case d.Type()&fs.ModeSymlink != 0:
			a.link(path, rel)
			return nil
		case !d.IsDir():
			return nil
		}
		return a.folder(path, rel, d.Name(), seen)
	})
	if err != nil {
		return nil, err
	}
	if len(a.Runs) > maxRuns {
		return nil, fmt.Errorf("%s: more than %d runs; scan its folders one by one", dir, maxRuns)
	}
	return a, nil
}

// skip leaves out a folder that cannot be read.
func skip(d fs.DirEntry) error {
	if d != nil && d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// folder enters a run, or says whether the walk goes on below.
func (a *Archive) folder(path, rel, name string, seen map[string]string) error {
	if recorded, ok := strings.CutSuffix(name, ".headroom-writing"); ok && len(recorded) > 1 && recorded[0] == '.' {
		a.Notes = append(a.Notes, fmt.Sprintf("%s is being recorded, or its writer died: it was not looked at (headroom runs recover)",
			filepath.ToSlash(filepath.Join(filepath.Dir(rel), recorded[1:]))))
		return fs.SkipDir
	}
	if rel != "." && name[0] == '.' || rel == derivedName {
		return fs.SkipDir
	}
	if info, err := os.Lstat(filepath.Join(path, "run.json")); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	e := Entry{Path: rel}
	run, err := runs.Open(path)
	if err == nil {
		e.seal = run.Digest()
		err = run.VerifyManifest()
	}
	if err != nil {
		e.Err = withoutRun(err, path)
		a.Runs = append(a.Runs, e)
		return fs.SkipDir
	}
	if first, twice := seen[run.Digest()]; twice {
		a.Notes = append(a.Notes, fmt.Sprintf("%s is the same run as %s, and counts once", rel, first))
		return fs.SkipDir
	}
	seen[run.Digest()] = rel
	m := run.Manifest()
	e.ID, e.Digest, e.State = m.ID, run.Digest(), m.State
	for _, t := range m.Tables {
		if t.Table == "samples" {
			e.Samples = t.Rows
		}
	}
	a.Runs = append(a.Runs, e)
	return fs.SkipDir
}

// link refuses a link to a folder outside the archive.
func (a *Archive) link(path, rel string) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return // it leads nowhere: there is no run behind it
	}
	info, err := os.Stat(target)
	if err != nil || !info.IsDir() {
		return
	}
	if inside, err := filepath.Rel(a.Dir, target); err == nil && filepath.IsLocal(inside) {
		return
	}
	a.Runs = append(a.Runs, Entry{Path: rel, Err: errors.New("is a link that leads out of the archive; it is not followed")})
}

// Largest returns the samples of the largest run.
func (a *Archive) Largest() int64 {
	var n int64
	for _, e := range a.Runs {
		n = max(n, e.Samples)
	}
	return n
}

// find returns the entry with a digest, nil if the archive has no such run.
func (a *Archive) find(digest string) *Entry {
	for i := range a.Runs {
		if e := &a.Runs[i]; e.Digest == digest && e.Err == nil {
			return e
		}
	}
	return nil
}

// broken returns the entry of a run that is in the archive and not as it was
// sealed, nil if there is none.
func (a *Archive) broken(digest string) *Entry {
	for i := range a.Runs {
		if e := &a.Runs[i]; e.seal == digest && e.Err != nil {
			return e
		}
	}
	return nil
}

// at is the folder of an entry.
func (a *Archive) at(e *Entry) string { return filepath.Join(a.Dir, filepath.FromSlash(e.Path)) }

// withoutPath takes the path out of an error of package os: where an archive
// stands is no part of a report.
func withoutPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// withoutRun takes the path of the run out of an error of package runs.
func withoutRun(err error, path string) error {
	return errors.New(strings.ReplaceAll(strings.TrimPrefix(err.Error(), "run "+path+": "), path, filepath.Base(path)))
}
