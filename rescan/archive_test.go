package rescan

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// smallRun is a run that is quickly made.
func smallRun(t testing.TB, path, id string) {
	write(t, path, id, nil, "run 2s 20/s p50=8ms")
}

func TestListNestedArchive(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	smallRun(t, filepath.Join(dir, "2026/august/r1"), "r1")
	smallRun(t, filepath.Join(dir, "2026/r2"), "r2")
	smallRun(t, filepath.Join(dir, "damaged"), "r3")
	smallRun(t, filepath.Join(dir, "lacking"), "r4")
	smallRun(t, filepath.Join(dir, "derived/r5"), "r5")
	smallRun(t, filepath.Join(dir, "other/derived/r6"), "r6")
	smallRun(t, filepath.Join(outside, "r7"), "r7")
	must(t, os.CopyFS(filepath.Join(dir, "copy/r2"), os.DirFS(filepath.Join(dir, "2026/r2"))))
	must(t, os.Symlink(outside, filepath.Join(dir, "way-out")))
	must(t, os.Symlink("2026", filepath.Join(dir, "way-in")))
	must(t, os.Symlink("nowhere", filepath.Join(dir, "broken")))
	must(t, os.Mkdir(filepath.Join(dir, ".r8.headroom-writing"), 0o777))
	manifest := filepath.Join(dir, "damaged/run.json")
	text, err := os.ReadFile(manifest)
	must(t, err)
	must(t, os.WriteFile(manifest, []byte(strings.Replace(string(text), `"r3"`, `"rX"`, 1)), 0o666))
	must(t, os.Remove(filepath.Join(dir, "lacking/samples/part-00000.parquet")))

	a, err := List(t.Context(), dir)
	must(t, err)
	var got []string
	for _, e := range a.Runs {
		line := e.Path
		if e.Err != nil {
			line += ": " + e.Err.Error()
		}
		got = append(got, line)
	}
	want := []string{
		"2026/august/r1", "2026/r2",
		"damaged: not as it was sealed: changed: run.json",
		"lacking: not as it was sealed: missing: samples/part-00000.parquet",
		"other/derived/r6",
		"way-out: is a link that leads out of the archive; it is not followed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("runs:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	wantNotes := []string{
		"r8 is being recorded, or its writer died: it was not looked at (headroom runs recover)",
		"copy/r2 is the same run as 2026/r2, and counts once",
	}
	if !slices.Equal(a.Notes, wantNotes) {
		t.Errorf("notes %q", a.Notes)
	}
}

// A run that is changed below its seal is found where bytes are read, and a link
// to an archive is the archive.
func TestVerifyReadsBytes(t *testing.T) {
	dir := t.TempDir()
	smallRun(t, filepath.Join(dir, "archive/r1"), "r1")
	part := filepath.Join(dir, "archive/r1/samples/part-00000.parquet")
	data, err := os.ReadFile(part)
	must(t, err)
	must(t, os.Symlink("archive", filepath.Join(dir, "link")))
	first, _ := scan(t, filepath.Join(dir, "link"), Options{})
	if first.Outcome != Unchanged || len(first.Runs) != 1 || first.Runs[0].Error != "" {
		t.Fatalf("as it was sealed: %+v", first)
	}
	data[len(data)/2] ^= 1
	must(t, os.WriteFile(part, data, 0o666))
	r, _ := scan(t, filepath.Join(dir, "archive"), Options{Verify: true})
	if want := "not as it was sealed: changed: samples/part-00000.parquet"; r.Outcome != CouldNotLook || r.Runs[0].Error != want {
		t.Errorf("%s, %q", r.Outcome, r.Runs[0].Error)
	}
}
