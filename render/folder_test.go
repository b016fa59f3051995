package render

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// list returns the files below a folder.
func list(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path) // a path below dir
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestBuildNewFolder(t *testing.T) {
	parent := t.TempDir()
	out := filepath.Join(parent, "deep", "page")
	if err := Build(samples(t)["sweep"], out, Options{}); err != nil {
		t.Fatal(err)
	}
	want := []string{"capacity.json", "figures/distribution-1.svg", "figures/sweep-1.svg", "figures/timeline-1.svg", "figures/waits-1.svg",
		"index.html", "index.md", "junit.xml", "summary.md"}
	if got := list(t, out); !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
	if left, _ := filepath.Glob(filepath.Join(parent, "deep", ".*")); len(left) > 0 {
		t.Errorf("left beside the folder: %v", left)
	}
	info, err := os.Stat(out)
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the folder's mode is %v, %v", info.Mode(), err)
	}
}

// TestBuildAgain replaces a document: its old figures go, other files stay.
func TestBuildAgain(t *testing.T) {
	out := filepath.Join(t.TempDir(), "page")
	all := samples(t)
	if err := Build(all["sweep"], out, Options{}); err != nil {
		t.Fatal(err)
	}
	foreign := []string{"CNAME", "figures/drawn-by-hand.svg", "notes/today.md"}
	for _, name := range foreign {
		path := filepath.Join(out, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := Build(all["run"], out, Options{}); err != nil {
		t.Fatal(err)
	}
	got := list(t, out)
	for _, name := range foreign {
		if !slices.Contains(got, name) {
			t.Errorf("%s, which is not ours, was removed", name)
		}
	}
	for _, name := range []string{"figures/sweep-1.svg", "figures/waits-1.svg"} {
		if slices.Contains(got, name) {
			t.Errorf("%s of the earlier document is left", name)
		}
	}
	want := files(t, all["run"])
	want[filePage] = nil // its footer names the version
	for name, data := range want {
		written, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Error(err)
		}
		if strings.HasSuffix(name, ".svg") && string(written) != string(data) {
			t.Errorf("%s is not that of the new document", name)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(out), ".*")); len(left) > 0 {
		t.Errorf("left beside the folder: %v", left)
	}
}

// TestBuildSparesForeignFolders refuses to overwrite what is not ours, and names
// it; a folder without such files is used.
func TestBuildSparesForeignFolders(t *testing.T) {
	c := samples(t)["withheld"]
	out := t.TempDir()
	index := filepath.Join(out, "index.html")
	if err := os.WriteFile(index, []byte("somebody's page"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Build(c, out, Options{}); err == nil || !strings.Contains(err.Error(), "index.html") {
		t.Errorf("got %v", err)
	}
	if got := list(t, out); len(got) != 1 {
		t.Errorf("a refused build left %v", got)
	}
	if err := os.WriteFile(filepath.Join(out, "capacity.json"), []byte(`{"schema":"other/1"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Build(c, out, Options{}); err == nil {
		t.Error("somebody else's capacity.json was taken for ours")
	}
	if err := Build(c, index, Options{}); err == nil || !strings.Contains(err.Error(), "is a file") {
		t.Errorf("building into a file: %v", err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "README"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Build(c, other, Options{}); err != nil {
		t.Errorf("a folder with a foreign README: %v", err)
	}
}

// TestBuildFailsWhole leaves an earlier document as it was when a build fails.
func TestBuildFailsWhole(t *testing.T) {
	out := filepath.Join(t.TempDir(), "page")
	c := samples(t)["run"]
	if err := Build(c, out, Options{}); err != nil {
		t.Fatal(err)
	}
	before := list(t, out)
	broken := *c
	broken.Caveats = nil
	if err := Build(&broken, out, Options{}); err == nil {
		t.Fatal("no error")
	}
	if after := list(t, out); !slices.Equal(before, after) {
		t.Errorf("a failed build changed the folder: %v", after)
	}
}

// TestFigureNames keeps paths from data inside the folder.
func TestFigureNames(t *testing.T) {
	c := *samples(t)["run"]
	f := c.Figures[0]
	c.Figures = nil
	for _, id := range []string{"../../escape", "timeline-1", "timeline-1", "", "A/B", strings.Repeat("x", 300), "figure-1"} {
		f.ID = id
		c.Figures = append(c.Figures, f)
	}
	var names []string
	for name := range files(t, &c) {
		if strings.HasPrefix(name, "figures/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	want := []string{"figures/figure-1.svg", "figures/figure-2.svg", "figures/figure-3.svg", "figures/figure-4.svg", "figures/figure-5.svg",
		"figures/figure-6.svg", "figures/timeline-1.svg"}
	if !slices.Equal(names, want) {
		t.Errorf("figures %v, want %v", names, want)
	}
}
