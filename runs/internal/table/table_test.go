package table

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// row is a row of a table with a column of every type.
type row struct {
	At         int64
	N, Maybe   int64
	X          float64
	Word, Note string
}

var rows = &Table[row]{Name: "rows", Fields: []Field[row]{
	{Name: "at", Type: Instant, Int: func(r *row) *int64 { return &r.At }},
	{Name: "n", Type: Integer, Int: func(r *row) *int64 { return &r.N }},
	{Name: "maybe", Type: Integer, Optional: true, Int: func(r *row) *int64 { return &r.Maybe }},
	{Name: "x", Type: Real, Real: func(r *row) *float64 { return &r.X }},
	{Name: "word", Type: Text, Text: func(r *row) *string { return &r.Word }},
	{Name: "note", Type: Document, Optional: true, Text: func(r *row) *string { return &r.Note }},
}}

// someRows returns n rows with nulls, repeated and distinct words.
func someRows(n int) []row {
	all := make([]row, n)
	for i := range all {
		all[i] = row{At: int64(i) * 1000, N: int64(i*i) - 7, Maybe: Missing, X: float64(i) / 3, Word: []string{"", "a", "bb"}[i%3]}
		if i%5 == 0 {
			all[i].Maybe, all[i].Note = int64(-i), fmt.Sprintf(`{"i":%d}`, i)
		}
	}
	return all
}

// write writes rows with the given limits and returns the parts.
func write(t testing.TB, all []row, l limits) Parts {
	t.Helper()
	dir := t.TempDir()
	w := NewWriter(rows, filepath.Join(dir, "rows"), "test 1")
	w.limits = l
	w.Metadata = map[string]string{"b": "2", "a": "1"}
	for i := range all {
		if err := w.Append(&all[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	n, err := w.Seal("run-1")
	if err != nil {
		t.Fatal(err)
	}
	p := Parts{Dir: dir, Instant: "at"}
	for i := range n {
		p.Names = append(p.Names, filepath.Join("rows", PartName(i)))
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "rows")); err != nil || len(entries) != n {
		t.Fatalf("%d files of %d parts, %v", len(entries), n, err)
	}
	return p
}

var usual = limits{groupRows, groupText, partGroups}

func read(p Parts, within Range) ([]row, error) {
	var got []row
	err := Scan(context.Background(), p, rows, within, nil, new(row), func(r *row) error {
		got = append(got, *r)
		return nil
	})
	return got, err
}

func TestPartsAndRowGroups(t *testing.T) {
	want := someRows(11_000)
	p := write(t, want, limits{groupRows: 2048, groupText: groupText, partGroups: 2})
	if len(p.Names) != 3 {
		t.Errorf("%d parts, want 3 of two row groups of 2048 rows at most", len(p.Names))
	}
	got, err := read(p, Range{})
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%d rows, %v", len(got), err)
	}
	got, err = read(p, Range{2_000_000, 9_000_000})
	if err != nil || !reflect.DeepEqual(got, want[2000:9000]) {
		t.Errorf("in a window: %d rows, %v", len(got), err)
	}
	var groups []int
	err = p.Groups(context.Background(), Range{2_000_000, 2_048_000}, func(g *Group) error {
		groups = append(groups, g.Rows)
		return nil
	})
	if err != nil || !reflect.DeepEqual(groups, []int{2048}) {
		t.Errorf("row groups read for a window in the first: %v, %v", groups, err)
	}
}

func TestTextClosesRowGroups(t *testing.T) {
	want := someRows(3072)
	for i := range want {
		want[i].Word = fmt.Sprintf("%01000d", i)
	}
	p := write(t, want, limits{groupRows: groupRows, groupText: 1 << 20, partGroups: partGroups})
	n := 0
	err := p.Groups(context.Background(), Range{}, func(*Group) error { n++; return nil })
	if err != nil || n != 3 {
		t.Errorf("%d row groups, %v; want 3: more than a megabyte of text closes one", n, err)
	}
	if got, err := read(p, Range{}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%d rows, %v", len(got), err)
	}
}

func TestMetadata(t *testing.T) {
	p := write(t, someRows(5), usual)
	f, err := Open(p.Dir, p.Names[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Metadata("a") != "1" || f.Metadata("b") != "2" || f.Metadata("c") != "" {
		t.Errorf("metadata %v", f.meta.KeyValueMetadata)
	}
	if want := "test version 1(build )"; f.meta.CreatedBy != want {
		t.Errorf("created by %q, want %q", f.meta.CreatedBy, want)
	}
}

func TestRunColumn(t *testing.T) {
	p := write(t, someRows(3000), limits{groupRows: 2048, groupText: groupText, partGroups: partGroups})
	type only struct{ Run string }
	declared := &Table[only]{Name: "rows", Fields: []Field[only]{{Name: RunColumn, Type: Text, Text: func(o *only) *string { return &o.Run }}}}
	n := 0
	err := Scan(context.Background(), p, declared, Range{}, nil, new(only), func(o *only) error {
		if n++; o.Run != "run-1" {
			t.Fatalf("row %d: run %q", n, o.Run)
		}
		return nil
	})
	if err != nil || n != 3000 {
		t.Errorf("%d rows, %v", n, err)
	}
}

func TestScanFilterNeedsAColumn(t *testing.T) {
	p := write(t, someRows(5), usual)
	err := Scan(context.Background(), p, rows, Range{}, &Filter{Column: "none"}, new(row), func(*row) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "no column none") {
		t.Errorf("got %v", err)
	}
}

func TestEmptyWriterMakesNothing(t *testing.T) {
	dir := t.TempDir()
	w := NewWriter(rows, filepath.Join(dir, "rows"), "test 1")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n, err := w.Seal("run-1"); n != 0 || err != nil {
		t.Errorf("%d parts, %v", n, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("files %v, %v", entries, err)
	}
}

// A column added to the format later is null in files written before; one that
// every row must have is an error there.
func TestAColumnAddedLaterIsNull(t *testing.T) {
	parts := write(t, someRows(10), limits{groupRows, groupText, partGroups})
	parts.Declared = append(rows.Names(), "extra", "remark")
	type grown struct {
		At, Extra int64
		Word      string
	}
	fields := []Field[grown]{
		{Name: "at", Type: Instant, Int: func(r *grown) *int64 { return &r.At }},
		{Name: "extra", Type: Integer, Optional: true, Int: func(r *grown) *int64 { return &r.Extra }},
		{Name: "remark", Type: Text, Optional: true, Text: func(r *grown) *string { return &r.Word }},
	}
	var r grown
	n := 0
	scan := func() error {
		return Scan(context.Background(), parts, &Table[grown]{Name: "rows", Fields: fields}, Range{}, nil, &r, func(r *grown) error {
			n++
			if r.Extra != Missing || r.Word != "" {
				t.Errorf("row %d: %+v", n, r)
			}
			return nil
		})
	}
	if err := scan(); err != nil || n != 10 {
		t.Fatalf("%d rows, %v", n, err)
	}
	parts.Declared = []string{"at", "extra", "remark"}
	if err := scan(); err == nil {
		t.Error("a file with a column that is not declared was read as one of an older version")
	}
	fields[1].Optional = false
	if err := scan(); err == nil || !strings.Contains(err.Error(), "no such column") {
		t.Errorf("a required column that is not there: %v", err)
	}
}
