package cli

import (
	"io/fs"
	pathpkg "path"
	"path/filepath"
	"strings"

	"headroom/render/secrets"
)

// leaks looks for secrets in the files that will be published, and in whatever
// else lies in the folder: who publishes one by hand publishes all of it.
func leaks(env *Env, out string, files map[string][]byte) ([]secrets.Leak, error) {
	list := secrets.Scan(files)
	root := env.Path(out)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name := filepath.ToSlash(rel)
		dir, base := pathpkg.Split(name)
		if documentFile(strings.TrimSuffix(dir, "/"), base) && (dir == "" || dir == "figures/") {
			return nil // looked at as it will be published
		}
		data, err := readBounded(path)
		if err != nil {
			return err
		}
		list = append(list, secrets.Scan(map[string][]byte{name: data})...)
		return nil
	})
	if err != nil {
		return nil, lookf("%s: %w", out, pathless(err))
	}
	if list == nil {
		list = []secrets.Leak{}
	}
	return list, nil
}
