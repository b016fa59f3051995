package ordered

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// build makes a table of rows of a key and its place in the record.
func build(space *Space, waiting int, keys []int64) *Table {
	b := NewBuilder(space, 2, 0)
	b.waiting = waiting
	for i, k := range keys {
		b.Add(k, int64(i))
	}
	return b.Table()
}

// all reads the rows of a table.
func all(t *Table, from, to int) (keys, places []int64) {
	for r := t.Read(from, to); r.Next() > 0; {
		keys, places = r.Column(0, keys), r.Column(1, places)
	}
	return keys, places
}

var keys = rapid.Custom(func(t *rapid.T) []int64 {
	value := rapid.SampledFrom([]*rapid.Generator[int64]{
		rapid.Int64(), rapid.Int64Range(0, 20), rapid.Int64Range(-1<<33, 1<<33),
		rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 0}),
	}).Draw(t, "kind")
	ks := rapid.SliceOfN(value, 0, 3000).Draw(t, "keys")
	if rapid.Bool().Draw(t, "nearly sorted") {
		slices.Sort(ks)
		for i := range len(ks) / 10 {
			ks[10*i], ks[min(10*i+7, len(ks)-1)] = ks[min(10*i+7, len(ks)-1)], ks[10*i]
		}
	}
	return ks
})

// Whatever the order of the rows and however few are held back, in memory or in
// the file, a table holds them as a stable sort leaves them.
func TestTableEqualsStableSort(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		ks := keys.Draw(t, "keys")
		space := NewSpace(rapid.SampledFrom([]int64{0, 5000, 1 << 30}).Draw(t, "limit"), dir)
		defer space.Close()
		table := build(space, rapid.SampledFrom([]int{2, 10, 1000, 1 << 17}).Draw(t, "waiting"), ks)
		order := make([]int64, len(ks))
		for i := range order {
			order[i] = int64(i)
		}
		slices.SortStableFunc(order, func(a, b int64) int {
			switch {
			case ks[a] < ks[b]:
				return -1
			case ks[a] > ks[b]:
				return 1
			}
			return 0
		})
		sorted := make([]int64, len(ks))
		for i, at := range order {
			sorted[i] = ks[at]
		}
		from := rapid.IntRange(0, len(ks)).Draw(t, "from")
		to := rapid.IntRange(from, len(ks)).Draw(t, "to")
		got, places := all(table, from, to)
		if !slices.Equal(got, sorted[from:to]) || !slices.Equal(places, order[from:to]) {
			t.Fatalf("rows %d to %d: %v at %v, want %v at %v", from, to, got, places, sorted[from:to], order[from:to])
		}
		v := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-5, 25)).Draw(t, "search")
		want, _ := slices.BinarySearch(sorted[from:to], v)
		if n := table.Search(0, v, from, to); n != from+want {
			t.Fatalf("first of %d at %d, want %d", v, n, from+want)
		}
		if space.Err() != nil {
			t.Fatal(space.Err())
		}
	})
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}

// A stream gives ends in order, of requests that come in order of their starts.
func TestStreamEqualsStableSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		starts := slices.Sorted(slices.Values(keys.Draw(t, "starts")))
		back := rapid.Int64Range(0, 1000).Draw(t, "back")
		var want, got []Pair
		s := NewStream(func(ps []Pair) { got = append(got, ps...) })
		s.room = rapid.SampledFrom([]int{1, 50, streamRoom}).Draw(t, "room")
		for i, start := range starts {
			if start < math.MinInt64/2 || start > math.MaxInt64/2 {
				continue
			}
			p := Pair{start + rapid.Int64Range(-back, 100_000).Draw(t, "took"), int64(i)}
			want = append(want, p)
			s.Add(p.Key, p.Value, start-back)
		}
		s.Close()
		slices.SortStableFunc(want, func(a, b Pair) int { return int(min(max(a.Key-b.Key, -1), 1)) })
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// In memory a space holds what it may and no more; the rest is in the file, which
// has no name or loses it when the space is closed.
func TestSpaceIsBounded(t *testing.T) {
	dir := t.TempDir()
	space := NewSpace(10_000, filepath.Join(dir, "no such folder", "in it"), dir)
	table := build(space, 1000, make([]int64, 100_000))
	if space.used > 10_000 || space.Spilled() == 0 {
		t.Errorf("%d bytes in memory, %d in the file", space.used, space.Spilled())
	}
	if got, _ := all(table, 0, table.Len()); len(got) != 100_000 {
		t.Errorf("%d rows", len(got))
	}
	if err := space.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}

// Where the file cannot be made or read, the number of rows and their order stay,
// and the error is told.
func TestErrorsOfTheFileAreKept(t *testing.T) {
	space := NewSpace(1000, filepath.Join(t.TempDir(), "no such folder", "in it"))
	table := build(space, 100, make([]int64, 10_000))
	if got, _ := all(table, 0, table.Len()); len(got) != 10_000 || !slices.IsSorted(got) {
		t.Errorf("%d rows", len(got))
	}
	if err := space.Err(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
	space = NewSpace(0, t.TempDir())
	table = build(space, 100, make([]int64, 10_000))
	space.file.Close()
	if got, _ := all(table, 0, table.Len()); len(got) != 10_000 || space.Err() == nil {
		t.Errorf("%d rows after the file was closed, error %v", len(got), space.Err())
	}
}
