package rollup

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"headroom/runs"
	"headroom/runs/internal/table"
)

// cachedRun returns a run whose seconds are in its derived folder, the options
// they belong to and the seconds.
func cachedRun(t *testing.T) (*runs.Run, Options, []Second) {
	t.Helper()
	var samples []runs.Sample
	for i := range int64(100) {
		samples = append(samples, sample(t0+i*77_777, i*3_000_000))
	}
	r := newRun(t, t.TempDir(), samples)
	opt, err := Options{Anchor: t0}.defaults()
	if err != nil {
		t.Fatal(err)
	}
	want := seconds(t, r, opt)
	if got, ok := load(context.Background(), r, opt); !ok || !reflect.DeepEqual(got, want) {
		t.Fatalf("the cache holds %+v, %v", got, ok)
	}
	return r, opt, want
}

func cachePath(r *runs.Run, opt Options) string { return filepath.Join(r.Path(), fileName(opt)) }

// forge puts a table with other values in the place of the cache.
func forge(t *testing.T, r *runs.Run, opt Options, stamps map[string]string) {
	t.Helper()
	dir := t.TempDir()
	w := table.NewWriter(secondsTable(opt), filepath.Join(dir, "table"), "headroom")
	w.Metadata = stamps
	if err := w.Append(&Second{Scenario: "forged", Over: []int64{1, 2}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Seal("r"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "table", table.PartName(0)), cachePath(r, opt)); err != nil {
		t.Fatal(err)
	}
}

func TestCacheOfSomethingElseIsNotUsed(t *testing.T) {
	for name, change := range map[string]func(map[string]string){
		"another version":     func(s map[string]string) { s[stampVersion] = "0" },
		"another run":         func(s map[string]string) { s[stampRun] = strings.Repeat("0", 64) },
		"other options":       func(s map[string]string) { s[stampOptions] = Options{}.String() },
		"no stamp":            func(s map[string]string) { clear(s) },
		"the measure: itself": nil,
	} {
		r, opt, want := cachedRun(t)
		s := maps.Clone(stamps(r, opt))
		if change != nil {
			change(s)
		}
		forge(t, r, opt, s)
		got := seconds(t, r, opt)
		if used := len(got) == 1 && got[0].Scenario == "forged"; used != (change == nil) {
			t.Errorf("%s: used is %v", name, used)
		}
		if change == nil {
			continue
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v", name, got)
		}
		if again, ok := load(context.Background(), r, opt); !ok || !reflect.DeepEqual(again, want) {
			t.Errorf("%s: the cache was not made again", name)
		}
	}
}

func TestChangedOptionsAreComputed(t *testing.T) {
	r, opt, want := cachedRun(t)
	for name, change := range map[string]func(*Options){
		"anchor":     func(o *Options) { o.Anchor += 500_000 },
		"window":     func(o *Options) { o.Window = runs.Range{Start: t0, End: t0 + 3e6} },
		"basis":      func(o *Options) { o.Basis = Response },
		"thresholds": func(o *Options) { o.Thresholds = []time.Duration{time.Millisecond} },
	} {
		other := opt
		change(&other)
		got := seconds(t, r, other)
		if reflect.DeepEqual(got, want) && name != "basis" {
			t.Errorf("%s: the same seconds", name)
		}
		if _, err := os.Stat(cachePath(r, other)); err != nil || cachePath(r, other) == cachePath(r, opt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := seconds(t, r, opt); !reflect.DeepEqual(got, want) {
		t.Errorf("other options changed the first ones: %+v", got)
	}
}

func TestDamagedCacheIsMadeAgain(t *testing.T) {
	r, opt, want := cachedRun(t)
	path := cachePath(r, opt)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += 7 {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 0x55
		for _, data := range [][]byte{damaged, whole[:at]} {
			if err := os.WriteFile(path, data, 0o666); err != nil {
				t.Fatal(err)
			}
			if got, ok := load(context.Background(), r, opt); ok && !reflect.DeepEqual(got, want) {
				t.Fatalf("byte %d, %d bytes: %+v", at, len(data), got)
			}
		}
	}
	if got := seconds(t, r, opt); !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v", got)
	}
	if again, err := os.ReadFile(path); err != nil || !reflect.DeepEqual(again, whole) {
		t.Errorf("the cache made again differs: %v", err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("left in the derived folder: %v, %v", left, err)
	}
}

// Where nothing can be kept, the seconds are computed every time.
func TestNoPlaceForACache(t *testing.T) {
	r, opt, want := cachedRun(t)
	derivedPath := filepath.Join(r.Path(), derived)
	elsewhere := t.TempDir()
	for name, block := range map[string]func() error{
		"a file in its place": func() error { return os.WriteFile(derivedPath, nil, 0o666) },
		"a link out":          func() error { return os.Symlink(elsewhere, derivedPath) },
	} {
		if err := os.RemoveAll(derivedPath); err != nil {
			t.Fatal(err)
		}
		if err := block(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := seconds(t, r, opt); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v", name, got)
			}
		}
	}
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) != 0 {
		t.Errorf("written outside the run: %v, %v", left, err)
	}
	if err := r.Verify(context.Background()); err == nil {
		t.Error("a link in the place of derived went unnoticed")
	}
}

func TestCacheIsNotUnderTheSeal(t *testing.T) {
	r, _, _ := cachedRun(t)
	if err := r.Verify(context.Background()); err != nil {
		t.Error(err)
	}
}
