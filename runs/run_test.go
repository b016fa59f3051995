package runs

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// everyRun returns a run with rows in every table.
func everyRun(t testing.TB) *Run {
	t.Helper()
	w := newWriter(t, CreateOptions{})
	c := everyTable()
	if err := c.write(w); err != nil {
		t.Fatal(err)
	}
	return commit(t, w)
}

// rewrite changes run.json and seals the run again.
func rewrite(t *testing.T, r *Run, change func(m map[string]any)) {
	t.Helper()
	path := filepath.Join(r.Path(), "run.json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	change(m)
	if data, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	reseal(t, r)
}

// reseal writes SHA256SUMS anew, as someone who means harm would.
func reseal(t testing.TB, r *Run) {
	t.Helper()
	if err := os.Remove(filepath.Join(r.Path(), "SHA256SUMS")); err != nil {
		t.Fatal(err)
	}
	if err := writeSums(r.Path()); err != nil {
		t.Fatal(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	set := func(key string, v any) func(map[string]any) { return func(m map[string]any) { m[key] = v } }
	table := func(name string, rows, parts int) []any {
		return []any{map[string]any{"table": name, "rows": rows, "parts": parts}}
	}
	for name, c := range map[string]struct {
		change func(map[string]any)
		want   string
	}{
		"no schema":            {set("schema", 0), "schema is 0: want 1 to 1"},
		"newer schema":         {set("schema", 2), "schema 2, known up to 1: the run's format is newer"},
		"not a number":         {set("schema", "1"), "cannot unmarshal string"},
		"id with a path":       {set("id", "../../x"), `id "../../x" is not a run id`},
		"unknown state":        {set("state", "done"), `state "done"`},
		"source with a path":   {set("sources", []any{map[string]any{"file": "../secret"}}), `"../secret" is not the base name`},
		"table outside":        {set("tables", table("../other/samples", 1, 1)), "not a table of a run"},
		"absolute table":       {set("tables", table("/etc", 1, 1)), "not a table of a run"},
		"too many parts":       {set("tables", table("samples", 1, 1_000_000)), "not a table of a run"},
		"negative parts":       {set("tables", table("samples", 1, -1)), "not a table of a run"},
		"table listed twice":   {set("tables", append(table("samples", 1, 1), table("samples", 1, 1)...)), "not a table of a run"},
		"rows are not a count": {set("tables", table("samples", -5, 1)), "not a table of a run"},
	} {
		r := everyRun(t)
		rewrite(t, r, c.change)
		if _, err := Open(r.Path()); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "run "+r.Path()+": ") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestOpenWhatIsNoRun(t *testing.T) {
	if _, err := Open(t.TempDir()); !errors.Is(err, ErrNotRun) {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	r := everyRun(t)
	rewrite(t, r, func(m map[string]any) { m["schema"] = 7 })
	if _, err := Open(r.Path()); !errors.Is(err, ErrNewer) {
		t.Errorf("a newer run: %v", err)
	}
}

func TestOpenLooksOnlyInside(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"run.json", "SHA256SUMS", "samples/part-00000.parquet"} {
		r := everyRun(t)
		path := filepath.Join(r.Path(), name)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(secret, path); err != nil {
			t.Fatal(err)
		}
		err := openAndScan(r.Path())
		if err == nil || !strings.Contains(err.Error(), "escapes") {
			t.Errorf("%s led outside: %v", name, err)
		}
	}
	for _, line := range []string{"../secret", "/etc/passwd", "a/../../b", "./run.json", `a\b`, ""} {
		r := everyRun(t)
		f, err := os.OpenFile(filepath.Join(r.Path(), "SHA256SUMS"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(strings.Repeat("0", 64) + "  " + line + "\n"); err != nil {
			t.Fatal(err)
		}
		f.Close()
		if _, err := Open(r.Path()); err == nil || !strings.Contains(err.Error(), "is not a path inside the run") {
			t.Errorf("SHA256SUMS with %q: %v", line, err)
		}
	}
}

// openAndScan does all that a reader of a run does.
func openAndScan(path string) error {
	r, err := Open(path)
	if err != nil {
		return err
	}
	_, err = readAll(r, Range{})
	return err
}

func TestMissingPartIsAnError(t *testing.T) {
	r := everyRun(t)
	if err := os.Remove(filepath.Join(r.Path(), "points", "part-00000.parquet")); err != nil {
		t.Fatal(err)
	}
	if err := openAndScan(r.Path()); err == nil || !strings.Contains(err.Error(), "points/part-00000.parquet") {
		t.Errorf("got %v", err)
	}
}

func TestOtherRowsThanTheManifestSays(t *testing.T) {
	r := everyRun(t)
	rewrite(t, r, func(m map[string]any) { m["tables"].([]any)[0].(map[string]any)["rows"] = 13 })
	if err := openAndScan(r.Path()); err == nil || !strings.Contains(err.Error(), "activity: the parts hold 12 rows, the manifest says 13") {
		t.Errorf("got %v", err)
	}
}

func TestList(t *testing.T) {
	archive := t.TempDir()
	for _, name := range []string{"b", "a", ".hidden"} {
		w, err := Create(filepath.Join(archive, name), CreateOptions{ID: "x"})
		if err != nil {
			t.Fatal(err)
		}
		commit(t, w)
	}
	writing, err := Create(filepath.Join(archive, "c"), CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer writing.Abort()
	if err := os.Mkdir(filepath.Join(archive, "notes"), 0o777); err != nil {
		t.Fatal(err)
	}
	got, err := List(archive)
	if want := []string{filepath.Join(archive, "a"), filepath.Join(archive, "b")}; err != nil || !slices.Equal(got, want) {
		t.Errorf("List: %v, %v; want %v", got, err, want)
	}
	one := filepath.Join(archive, "a")
	if got, err := List(one); err != nil || !slices.Equal(got, []string{one}) {
		t.Errorf("List of a run: %v, %v", got, err)
	}
	if _, err := List(filepath.Join(archive, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("List of nothing: %v", err)
	}
}

func TestVerify(t *testing.T) {
	ctx := context.Background()
	r := everyRun(t)
	if err := r.Verify(ctx); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(r.Path(), filepath.FromSlash(name)) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Mkdir(in("derived"), 0o777))
	must(os.WriteFile(in("derived/seconds.parquet"), nil, 0o666))
	must(os.WriteFile(in("notes.jsonl"), nil, 0o666))
	if err := r.Verify(ctx); err != nil {
		t.Errorf("derived/ and notes.jsonl are not under the seal: %v", err)
	}
	must(flip(in("points/part-00000.parquet"), 100))
	must(flip(in("run.json"), 40))
	must(os.Remove(in("markers/part-00000.parquet")))
	must(os.WriteFile(in("samples/part-00001.parquet"), nil, 0o666))
	must(os.Remove(in("activity/part-00000.parquet")))
	must(os.Symlink("/etc/passwd", in("activity/part-00000.parquet")))
	err := r.Verify(ctx)
	var bad *VerifyError
	if !errors.As(err, &bad) {
		t.Fatalf("Verify: %v", err)
	}
	for name, c := range map[string][2][]string{
		"changed":  {bad.Changed, {"activity/part-00000.parquet", "points/part-00000.parquet", "run.json"}},
		"missing":  {bad.Missing, {"markers/part-00000.parquet"}},
		"unlisted": {bad.Unlisted, {"samples/part-00001.parquet"}},
	} {
		if !slices.Equal(c[0], c[1]) {
			t.Errorf("%s: %v, want %v", name, c[0], c[1])
		}
		for _, file := range c[1] {
			if !strings.Contains(err.Error(), file) {
				t.Errorf("the error does not name %s: %v", file, err)
			}
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if err := r.Verify(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// flip changes one bit of a file.
func flip(path string, at int) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	data[at%len(data)] ^= 1
	return os.WriteFile(path, data, 0o666)
}

// Whichever bit of run.json or SHA256SUMS changes, Open or Verify says so and
// names the file.
func TestEveryChangedBitShows(t *testing.T) {
	for _, name := range []string{"run.json", "SHA256SUMS"} {
		r := everyRun(t)
		path := filepath.Join(r.Path(), name)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		for at := range int(info.Size()) {
			if err := flip(path, at); err != nil {
				t.Fatal(err)
			}
			again, err := Open(r.Path())
			if err == nil {
				err = again.Verify(context.Background())
			}
			if err == nil || !strings.Contains(err.Error(), name) && name == "run.json" {
				t.Errorf("%s: byte %d: %v", name, at, err)
			}
			if err := flip(path, at); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Verify(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestUnsealedRun(t *testing.T) {
	r := everyRun(t)
	if err := os.Remove(filepath.Join(r.Path(), "SHA256SUMS")); err != nil {
		t.Fatal(err)
	}
	var bad *VerifyError
	if _, err := Open(r.Path()); !errors.As(err, &bad) || !slices.Equal(bad.Missing, []string{"SHA256SUMS"}) {
		t.Errorf("Open: %v", err)
	}
}
