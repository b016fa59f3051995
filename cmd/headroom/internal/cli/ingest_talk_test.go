package cli

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"headroom/ingest"
)

// TestFileNames is short where that is enough to tell files apart.
func TestFileNames(t *testing.T) {
	got := fileNames([]ingest.FileReport{{Path: "/long/k6.json"}, {Path: "a/vmstat.txt"}, {Path: "b/vmstat.txt"}, {Path: "-"}})
	for i, want := range []string{"k6.json", "a/vmstat.txt", "b/vmstat.txt", "standard input"} {
		if got[i] != want {
			t.Errorf("%q, want %q", got[i], want)
		}
	}
}

// TestTalk names each file once, what was noticed about it under it, on lines
// that end where a terminal does.
func TestTalk(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "vmstat.txt"), []byte(vmstatLines(3)), 0o666))
	must(t, os.WriteFile(filepath.Join(dir, "counts.csv"), []byte("rows\n1\n"), 0o666))
	for width, want := range map[int]string{
		0: `counts.csv: psql-counts, 1 row
  holds counts of neither before nor after the load, and is kept as a snapshot: give it with --before or --after if it is one
`,
		50: `counts.csv: psql-counts, 1 row
  holds counts of neither before nor after the
    load, and is kept as a snapshot: give it with
    --before or --after if it is one
`,
	} {
		env := newTestEnv("")
		env.Getenv = func(string) string { return "dumb" } // no progress
		env.Width = func(io.Writer) int { return width }
		args := []string{"ingest", "--out", filepath.Join(t.TempDir(), "r"), filepath.Join(dir, "counts.csv"), filepath.Join(dir, "vmstat.txt")}
		if status := Main(t.Context(), &env.Env, args); status != 0 {
			t.Fatalf("status %d: %s", status, env.err.String())
		}
		if got := env.err.String(); len(got) < len(want) || got[:len(want)] != want {
			t.Errorf("width %d:\n%s\nwant first:\n%s", width, got, want)
		}
	}
}
