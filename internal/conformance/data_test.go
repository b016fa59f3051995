package conformance

import (
	"os"
	"path/filepath"
	"testing"
)

// dataFolder returns the folder named by the environment variable, or
// ../shared/sub beside the module. If the variable is set the folder must be
// there; if only the default is absent the test is skipped, and says so.
func dataFolder(t *testing.T, variable, sub string) string {
	t.Helper()
	dir, set := os.LookupEnv(variable)
	if !set {
		dir = filepath.Join(moduleRoot(t), "..", "shared", sub)
	}
	info, err := os.Stat(dir)
	switch {
	case err == nil && info.IsDir():
		return dir
	case set:
		t.Fatalf("%s names %q, which is not a folder: %v", variable, dir, err)
	default:
		t.Skipf("not checked: no folder %s; set %s to one", dir, variable)
	}
	return ""
}

// moduleRoot returns the nearest folder above that holds go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}
