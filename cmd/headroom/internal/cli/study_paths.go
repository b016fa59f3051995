package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// mostMatches bounds how many folders the patterns of one configuration match.
const mostMatches = 10000

// find returns the paths of the runs that the patterns of a configuration match,
// in each of the study's places, sorted, each once. Nothing outside of a place is
// found, whatever links lie in it.
func (l *loadedStudy) find(env *Env, configuration int) ([]string, error) {
	var out []string
	for k, place := range l.places {
		found, err := findIn(env, place, l.Selections[configuration].Runs)
		switch {
		case err == errTooMany:
			return nil, wrong(l.Errorf(configuration, "its paths match more than %d folders", mostMatches))
		case err != nil && k == 0:
			return nil, unlooked(l.Errorf(configuration, "%v", err))
		case err != nil:
			return nil, looked(err)
		}
		out = append(out, found...)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

var errTooMany = fmt.Errorf("too many matches")

func findIn(env *Env, place string, patterns []string) ([]string, error) {
	root, err := os.OpenRoot(env.Path(place))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, pathless(err))
	}
	defer root.Close()
	var out []string
	for _, pattern := range patterns {
		matches, err := fs.Glob(root.FS(), filepath.ToSlash(filepath.Clean(pattern)))
		if err != nil {
			return nil, err
		}
		for _, m := range matches {
			if info, err := root.Stat(m); err != nil || !info.IsDir() {
				continue // a link that leads out, or a file
			}
			runs, err := listRuns(env, filepath.Join(place, m))
			if err != nil {
				return nil, err
			}
			for _, r := range runs {
				rel, err := filepath.Rel(place, r)
				if err != nil {
					return nil, err
				}
				if _, err := root.Stat(rel); err == nil {
					out = append(out, r)
				}
			}
			if len(out) > mostMatches {
				return nil, errTooMany
			}
		}
	}
	return out, nil
}

// insideOf returns the path of a file of a study, as typed; a link that leads out
// of the study's folder is an error.
func insideOf(env *Env, dir, file string) (string, error) {
	root, err := os.OpenRoot(env.Path(dir))
	if err != nil {
		return "", pathless(err)
	}
	defer root.Close()
	if _, err := root.Stat(filepath.FromSlash(file)); err != nil {
		return "", pathless(err)
	}
	return filepath.Join(dir, filepath.FromSlash(file)), nil
}
