package md

import (
	"os"
	"path/filepath"
	"testing"
)

// casesDir is the folder of fault cases: HEADROOM_CASES, or ../shared/cases
// beside the folder of go.mod.
func casesDir(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("HEADROOM_CASES"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	for err == nil {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	cases := filepath.Join(dir, "..", "shared", "cases")
	if _, err := os.Stat(cases); err != nil {
		t.Skipf("no folder of cases at %s; HEADROOM_CASES names another", cases)
	}
	return cases
}
