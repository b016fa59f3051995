package rescan

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func newCache(t testing.TB) (*cache, string) {
	t.Helper()
	dir := t.TempDir()
	c, err := openCache("", dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.close)
	return c, dir
}

// An entry that is not exactly the one that was stored under its key is not
// there, and never an error.
func TestDamagedEntriesAreNotThere(t *testing.T) {
	c, dir := newCache(t)
	key, other := keyOf("a"), keyOf("b")
	for k, v := range map[string]string{key: `"of a"`, other: `"of b"`} {
		if err := c.store(k, []byte(v)); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, place(key))
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := os.ReadFile(filepath.Join(dir, place(other)))
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, content []byte, want bool) {
		t.Helper()
		if err := os.WriteFile(file, content, 0o666); err != nil {
			t.Fatal(err)
		}
		var got string
		if ok := c.load(key, &got); ok != want || ok && got != "of a" {
			t.Errorf("%s: loaded %v, %q", what, ok, got)
		}
	}
	check("whole", whole, true)
	for n := range whole {
		check("cut", whole[:n], false)
		flipped := bytes.Clone(whole)
		flipped[n] ^= 0x10
		check("flipped", flipped, false)
	}
	check("longer", append(bytes.Clone(whole), 0), false)
	check("of another key", foreign, false)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Base(place(other)), file); err != nil {
		t.Fatal(err)
	}
	if c.load(key, new(string)) {
		t.Error("a link was followed")
	}
	var got int
	if c.load(other, &got) {
		t.Error("a value of another kind was taken")
	}
}

// What a killed writer left does not keep the next from writing.
func TestLeftoverOfAKilledWriter(t *testing.T) {
	c, dir := newCache(t)
	key := keyOf("a")
	name := place(key)
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.Dir(name), "."+filepath.Base(name)), make([]byte, 5000), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := c.store(key, []byte(`7`)); err != nil {
		t.Fatal(err)
	}
	var got int
	if !c.load(key, &got) || got != 7 {
		t.Errorf("got %d", got)
	}
}

// The default cache stays in the archive.
func TestCacheFolder(t *testing.T) {
	archive, elsewhere := t.TempDir(), t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(archive, derivedName)); err != nil {
		t.Fatal(err)
	}
	if _, err := openCache(archive, ""); !errors.Is(err, ErrCache) || strings.Contains(err.Error(), archive) {
		t.Errorf("derived is a link out of the archive: %v", err)
	}
	if left, _ := os.ReadDir(elsewhere); len(left) > 0 {
		t.Errorf("written elsewhere: %v", left)
	}
	file := filepath.Join(archive, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := openCache(archive, file); !errors.Is(err, ErrCache) {
		t.Errorf("a file as a cache: %v", err)
	}
	var none *cache
	if err := none.store(keyOf("a"), []byte(`1`)); err != nil || none.load(keyOf("a"), new(int)) || none.history() != nil {
		t.Error("no cache keeps nothing")
	}
}
