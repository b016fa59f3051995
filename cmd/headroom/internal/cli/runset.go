package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"headroom/runs"
)

// namedRun is an opened run and the path that named it, as typed.
type namedRun struct {
	path string
	run  *runs.Run
}

// openRuns opens the runs that args name: run folders, and archives (folders of
// runs). One run given twice, even as a copy, is refused: it would count as two
// repeats.
func openRuns(env *Env, args []string) ([]namedRun, error) {
	var out []namedRun
	seen := map[string]string{}
	for _, arg := range args {
		paths, err := runPaths(env, arg)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			run, err := runs.Open(env.Path(path))
			if err != nil {
				return nil, looked(err)
			}
			if first, ok := seen[run.Digest()]; ok {
				return nil, usagef("%s: is the same run as %s; give it once", path, first)
			}
			seen[run.Digest()] = path
			out = append(out, namedRun{path, run})
		}
	}
	return out, nil
}

// runPaths returns the runs behind one argument, by paths that begin as it does.
func runPaths(env *Env, arg string) ([]string, error) {
	info, err := os.Stat(env.Path(arg))
	switch {
	case errors.Is(err, fs.ErrNotExist) && runs.Unsealed(env.Path(arg)):
		return nil, lookf("%s: is not sealed: it is being recorded still, or its recording died, and headroom runs recover %s makes a run of what it holds", arg, arg)
	case errors.Is(err, fs.ErrNotExist):
		return nil, lookf("%s: there is no such run", arg)
	case err != nil:
		return nil, lookf("%s: %w", arg, pathless(err))
	case !info.IsDir():
		return nil, lookf("%s: is a file, not a run; make a run of it with headroom ingest --out RUN %s, or give it to headroom report build", arg, arg)
	}
	found, err := listRuns(env, arg)
	if err == nil && len(found) == 0 {
		err = lookf("%s: holds no run (no run.json in it or in a folder of it)", arg)
	}
	return found, err
}

// listRuns lists the runs in a folder, or the folder itself if it is a run.
func listRuns(env *Env, dir string) ([]string, error) {
	found, err := runs.List(env.Path(dir))
	if err != nil {
		return nil, lookf("%s: %w", dir, pathless(err))
	}
	for i, path := range found {
		rel, err := filepath.Rel(env.Path(dir), path)
		if err != nil {
			return nil, err
		}
		found[i] = filepath.Join(dir, rel)
	}
	return found, nil
}

// pathless takes the path out of an error of package os, where the message
// names the file already, as it was typed.
func pathless(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
