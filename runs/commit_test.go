package runs

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestDerivedID(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	late, early := sampleAt(1_700_000_001_999_999, 5), sampleAt(1_700_000_000_999_999, 5)
	writeSamples(t, w, []Sample{late, early})
	w.Manifest().Sources = []Source{{File: "b", SHA256: "bb"}, {File: "a", SHA256: "aa"}}
	sum := sha256.Sum256([]byte("aa\nbb"))
	want := "20231114T221320Z" + hex.EncodeToString(sum[:4])
	r := commit(t, w)
	if got := r.Manifest().ID; got != want {
		t.Errorf("id %s, want %s: the second of the first start and the sources' digests", got, want)
	}
	if r.Manifest().First != "2023-11-14T22:13:20.999999Z" {
		t.Errorf("first %s", r.Manifest().First)
	}
}

func TestDerivedIDWithoutSamples(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	for _, at := range []int64{1_700_000_005_000_000, -1, 1_700_000_000_000_000} {
		if err := w.Point(&Point{Time: at, Metric: "m", Kind: Gauge}); err != nil {
			t.Fatal(err)
		}
	}
	m := commit(t, w).Manifest()
	if !strings.HasPrefix(m.ID, "19691231T235959Z") || m.First != "" || m.Last != "" {
		t.Errorf("id %s, first %q, last %q; want the first point's second and no first, last", m.ID, m.First, m.Last)
	}
}

func TestGivenID(t *testing.T) {
	w := newWriter(t, CreateOptions{ID: "sweep-1.rate_800"})
	writeSamples(t, w, []Sample{sampleAt(1, 1)})
	if got := commit(t, w).Manifest().ID; got != "sweep-1.rate_800" {
		t.Errorf("id %s", got)
	}
}

// A run of rows without a time has no date in its id.
func TestUndatedID(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	if err := w.Benchmark(&Benchmark{Name: "Decode", Unit: "ns/op", Value: 5, Procs: 1}); err != nil {
		t.Fatal(err)
	}
	if got := commit(t, w).Manifest().ID; !strings.HasPrefix(got, "undated-") || len(got) != len("undated-")+8 {
		t.Errorf("id %s", got)
	}
}

func TestFirstAndLast(t *testing.T) {
	for name, c := range map[string]struct {
		samples     []Sample
		first, last string
	}{
		"wait and service count": {
			[]Sample{func() Sample { s := sampleAt(1_000_000, 2_500); s.Wait = 1_000; s.StartNS = 999; return s }()},
			"1970-01-01T00:00:01.000000Z", "1970-01-01T00:00:01.000004Z",
		},
		"a sample that was never sent ends when it was due": {
			[]Sample{sampleAt(5_000_000, Missing)}, "1970-01-01T00:00:05.000000Z", "1970-01-01T00:00:05.000000Z",
		},
		"a negative service time ends no earlier than it starts": {
			[]Sample{sampleAt(5_000_000, -7_000)}, "1970-01-01T00:00:05.000000Z", "1970-01-01T00:00:05.000000Z",
		},
		"an endless service time is clamped": {
			[]Sample{sampleAt(5_000_000, 1<<63-1)}, "1970-01-01T00:00:05.000000Z", "2262-04-11T23:47:16.854775Z",
		},
	} {
		w := newWriter(t, CreateOptions{})
		writeSamples(t, w, c.samples)
		if m := commit(t, w).Manifest(); m.First != c.first || m.Last != c.last {
			t.Errorf("%s: first %s, last %s; want %s, %s", name, m.First, m.Last, c.first, c.last)
		}
	}
}

func TestManifestNamesFilesOnly(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	w.Manifest().Sources = []Source{{File: "/home/me/samples.json"}}
	if _, err := w.Commit(); err == nil || !strings.Contains(err.Error(), "is not the base name of a file") {
		t.Errorf("Commit: %v", err)
	}
}

// The same rows make the same bytes, wherever the run is written.
func TestSameBytes(t *testing.T) {
	digest := func() string {
		w := newWriter(t, CreateOptions{Tool: "headroom 1.2.3 linux/amd64"})
		c := everyTable()
		if err := c.write(w); err != nil {
			t.Fatal(err)
		}
		w.Manifest().Labels = map[string]string{"b": "2", "a": "1", "c": "3"}
		return commit(t, w).Digest()
	}
	if a, b := digest(), digest(); a != b {
		t.Errorf("digests %s and %s", a, b)
	}
}

func TestFilesOfARun(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	c := everyTable()
	if err := c.write(w); err != nil {
		t.Fatal(err)
	}
	r := commit(t, w)
	data, err := os.ReadFile(filepath.Join(r.Path(), "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	if r.Digest() != hex.EncodeToString(sum[:]) {
		t.Error("the digest is not the SHA-256 of SHA256SUMS")
	}
	line := regexp.MustCompile(`^[0-9a-f]{64}  (\S+)$`)
	var names []string
	for _, l := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		m := line.FindStringSubmatch(l)
		if m == nil {
			t.Fatalf("line %q is not what sha256sum reads", l)
		}
		names = append(names, m[1])
	}
	want := "activity/part-00000.parquet benchmarks/part-00000.parquet histograms/part-00000.parquet markers/part-00000.parquet points/part-00000.parquet run.json samples/part-00000.parquet"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("files %s, want %s", got, want)
	}
	if left := list(t, filepath.Dir(r.Path())); len(left) != 1 {
		t.Errorf("beside the run: %v", left)
	}
}
