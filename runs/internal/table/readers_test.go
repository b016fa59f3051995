package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// randomRows returns n rows in which every column now and then stays as it was,
// changes a little or changes at will.
func randomRows(random *rand.Rand, n int) []row {
	all := make([]row, n)
	words := []string{"", "a", "ä", strings.Repeat("long ", 10), strings.Repeat("long ", 9), "\xff not UTF-8"}
	var r row
	for i := range all {
		r.At += int64(random.IntN(1000))
		switch random.IntN(8) {
		case 0:
			r.N, r.Maybe = int64(random.Uint64()>>random.IntN(63))-1, Missing
		case 1:
			r.N, r.Maybe = r.N+int64(random.IntN(100)), int64(random.IntN(1<<20))
		case 2:
			r.X = random.NormFloat64()
		case 3:
			r.Word, r.Note = words[random.IntN(len(words))], ""
		case 4:
			r.Note = words[random.IntN(len(words))]
		}
		all[i] = r
	}
	return all
}

// TestParquetGoReads: the library reads, by its own page reader, what was
// written, and finds bounds and page index as it would have written them.
func TestParquetGoReads(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 9, 300, 5000} {
		want := randomRows(random, n)
		p := write(t, want, limits{groupRows: 2048, groupText: groupText, partGroups: partGroups})
		file := openParquet(t, filepath.Join(p.Dir, p.Names[0]))
		var got []row
		for _, g := range file.RowGroups() {
			columns := make([][]parquet.Value, len(rows.Fields)+1)
			for i, c := range g.ColumnChunks() {
				columns[i] = chunkValues(t, c, g.NumRows())
				checkBounds(t, c, columns[i])
			}
			for i := range columns[0] {
				if run := columns[0][i].String(); run != "run-1" {
					t.Fatalf("row %d: run %q", i, run)
				}
				got = append(got, rowOf(columns, i))
			}
		}
		for i := range want {
			want[i].Word, want[i].Note = strings.ToValidUTF8(want[i].Word, "\uFFFD"), strings.ToValidUTF8(want[i].Note, "\uFFFD")
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d rows are not the %d that were written", len(got), n)
		}
	}
}

// FuzzWrite: whatever is written, parquet-go reads.
func FuzzWrite(f *testing.F) {
	f.Add(uint64(1), 100)
	f.Fuzz(func(t *testing.T, seed uint64, n int) {
		if n < 1 || n > 4000 {
			return
		}
		want := randomRows(rand.New(rand.NewPCG(seed, 0)), n)
		p := write(t, want, limits{groupRows: 1024, groupText: groupText, partGroups: partGroups})
		i := 0
		for _, g := range openParquet(t, filepath.Join(p.Dir, p.Names[0])).RowGroups() {
			numbers := chunkValues(t, g.ColumnChunks()[2], g.NumRows())
			words := chunkValues(t, g.ColumnChunks()[5], g.NumRows())
			for k := range numbers {
				if numbers[k].Int64() != want[i].N || words[k].String() != strings.ToValidUTF8(want[i].Word, "\uFFFD") {
					t.Fatalf("row %d: %v %v, want %+v", i, numbers[k], words[k], want[i])
				}
				i++
			}
		}
	})
}

func openParquet(t *testing.T, path string) *parquet.File {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func chunkValues(t *testing.T, c parquet.ColumnChunk, n int64) []parquet.Value {
	t.Helper()
	pages := c.Pages()
	defer pages.Close()
	var all []parquet.Value
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		values := make([]parquet.Value, page.NumValues())
		if k, err := page.Values().ReadValues(values); k != len(values) || err != nil && err != io.EOF {
			t.Fatalf("%d of %d values, %v", k, len(values), err)
		}
		for _, v := range values {
			all = append(all, v.Clone())
		}
	}
	if int64(len(all)) != n {
		t.Fatalf("%d values in a row group of %d rows", len(all), n)
	}
	return all
}

// checkBounds compares the page index of a chunk with its values.
func checkBounds(t *testing.T, c parquet.ColumnChunk, values []parquet.Value) {
	t.Helper()
	index, err := c.ColumnIndex()
	if err != nil {
		t.Fatal(err)
	}
	offsets, err := c.OffsetIndex()
	if err != nil || index.NumPages() != 1 || offsets.NumPages() != 1 || offsets.FirstRowIndex(0) != 0 {
		t.Fatalf("%d pages in the column index, %v", index.NumPages(), err)
	}
	nulls := int64(0)
	compare := c.Type().Compare
	for _, v := range values {
		if v.IsNull() {
			nulls++
		} else if compare(v, index.MinValue(0)) < 0 || compare(v, index.MaxValue(0)) > 0 {
			t.Fatalf("%v lies outside %v to %v", v, index.MinValue(0), index.MaxValue(0))
		}
	}
	if index.NullCount(0) != nulls || index.NullPage(0) != (nulls == int64(len(values))) {
		t.Errorf("%d nulls, null page %v; there are %d in %d", index.NullCount(0), index.NullPage(0), nulls, len(values))
	}
}

func rowOf(columns [][]parquet.Value, i int) row {
	text := func(v parquet.Value) string {
		if v.IsNull() {
			return ""
		}
		return v.String()
	}
	r := row{At: columns[1][i].Int64(), N: columns[2][i].Int64(), Maybe: Missing, X: columns[4][i].Double()}
	if v := columns[3][i]; !v.IsNull() {
		r.Maybe = v.Int64()
	}
	r.Word, r.Note = text(columns[5][i]), text(columns[6][i])
	return r
}

// The bounds of a text in the page index are short, and bounds.
func TestShortBounds(t *testing.T) {
	for _, text := range []string{"", "short", "exactly 16 bytes", "a text of more than sixteen bytes", strings.Repeat("\xff", 20), "fifteen bytes..\xff and more"} {
		least, greatest := shortLeast([]byte(text)), shortGreatest([]byte(text))
		if string(least) > text || string(greatest) < text || len(least) > indexText {
			t.Errorf("%q lies outside %q to %q", text, least, greatest)
		}
	}
	if got := string(shortGreatest([]byte("fifteen bytes..\xff and more"))); got != "fifteen bytes./" {
		t.Errorf("got %q", got)
	}
}

// Statistics of integers are what the reader chooses row groups by.
func TestBoundsOfIntegers(t *testing.T) {
	p := write(t, someRows(100), usual)
	f, err := Open(p.Dir, p.Names[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := f.meta.RowGroups[0].Columns[f.column["maybe"]].MetaData.Statistics
	if s.NullCount != 80 || int64(binary.LittleEndian.Uint64(s.MinValue)) != -95 || int64(binary.LittleEndian.Uint64(s.MaxValue)) != 0 {
		t.Errorf("%+v", s)
	}
}

// A column of texts that are nearly all different is read as it was written, and
// its bytes do not depend on where the texts lie in memory.
func TestTextsApart(t *testing.T) {
	want := make([]row, 3*apartTexts)
	for i := range want {
		want[i] = row{Maybe: Missing, Word: "word " + strconv.Itoa(i-i%7/6), Note: strconv.Itoa(i)}
	}
	want[0].Word = strings.Repeat("long ", MaxText)[:MaxText+1]
	want[1].Word = ""
	copied := slices.Clone(want)
	for i := range copied {
		copied[i].Word, copied[i].Note = strings.Clone(want[i].Word), strings.Clone(want[i].Note)
	}
	first, second := write(t, want, usual), write(t, copied, usual)
	got, err := read(first, Range{})
	want[0].Word = Cut(want[0].Word, MaxText)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%d rows are not the %d that were written, %v", len(got), len(want), err)
	}
	a, errA := os.ReadFile(filepath.Join(first.Dir, first.Names[0]))
	b, errB := os.ReadFile(filepath.Join(second.Dir, second.Names[0]))
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("the same texts elsewhere in memory make other bytes: %v %v", errA, errB)
	}
}
