package table

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
)

// Parts are the files of one table.
type Parts struct {
	Dir     string   // nothing outside it is read
	Names   []string // inside Dir, in order
	Instant string   // the column by which row groups are left out; "" reads all
	Rows    int64    // of all files together, compared with what is found; 0: not compared
	// Declared are the columns that the table has today. A file may lack one
	// that is optional, because it was added later, if it has no column that is
	// not declared: else it is a name that was damaged.
	Declared []string
}

// Range is a half-open interval of instants; the zero Range is all of time.
type Range struct{ Start, End int64 }

// All reports whether the range is all of time.
func (r Range) All() bool { return r == Range{} }

// Contains reports whether an instant lies in the range.
func (r Range) Contains(us int64) bool { return r.All() || us >= r.Start && us < r.End }

// Group is a row group that is being read.
type Group struct {
	Rows int
	// Least is the least instant of the row group, Later that of all row groups
	// after it that are read too (math.MaxInt64 if there are none), according to
	// the files' statistics; math.MinInt64 where those are missing.
	Least, Later int64

	d     *Decoder
	file  *File
	index int

	declared []string
	part     string
	reads    *Reads // nil: nobody counts
}

// place is where a row group is found.
type place struct {
	part, group int
	least       int64
}

// Groups calls fn for every row group that may hold a row within the range,
// going by the statistics of the instant column.
func (p Parts) Groups(ctx context.Context, within Range, fn func(*Group) error) error {
	if len(p.Names) == 0 {
		return ctx.Err()
	}
	places, err := p.find(ctx, within)
	if err != nil {
		return err
	}
	d, err := NewDecoder()
	if err != nil {
		return err
	}
	defer d.Close()
	later := make([]int64, len(places)+1)
	later[len(places)] = math.MaxInt64
	for i, at := range slices.Backward(places) {
		later[i] = min(at.least, later[i+1])
	}
	reads := readsOf(ctx)
	var file *File
	defer func() { file.Close() }()
	for i, at := range places {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i == 0 || at.part != places[i-1].part {
			file.Close()
			if file, err = Open(p.Dir, p.Names[at.part]); err != nil {
				return err
			}
		}
		rows := int(file.meta.RowGroups[at.group].NumRows)
		if err := fn(&Group{Rows: rows, Least: at.least, Later: later[i+1], d: d, file: file, index: at.group, declared: p.Declared, part: p.Names[at.part], reads: reads}); err != nil {
			return err
		}
	}
	return nil
}

// find lists the row groups to be read, from the footers alone.
func (p Parts) find(ctx context.Context, within Range) ([]place, error) {
	var places []place
	var rows int64
	for part, name := range p.Names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		file, err := Open(p.Dir, name)
		if err != nil {
			return nil, err
		}
		rows += file.meta.NumRows
		for group := range file.meta.RowGroups {
			least, greatest := file.bounds(group, p.Instant)
			if within.All() || greatest >= within.Start && least < within.End {
				places = append(places, place{part, group, least})
			}
		}
		file.Close()
	}
	if p.Rows != 0 && rows != p.Rows {
		return nil, fmt.Errorf("%s: the parts hold %d rows, the manifest says %d", filepath.Join(p.Dir, filepath.Dir(p.Names[0])), rows, p.Rows)
	}
	return places, nil
}

// Read decodes a column of the row group into c. An optional column that was
// added to the format after the file was written is null in all its rows.
func (g *Group) Read(name string, typ Type, optional bool, c *Column) error {
	if _, there := g.file.column[name]; !there && optional && g.file.only(g.declared) {
		c.null(typ, g.Rows)
		return nil
	}
	g.reads.add(Chunk{g.part, g.index, name})
	return g.d.decode(g.file, g.index, name, typ, c)
}

// only reports whether the file has no column but the declared ones.
func (p *File) only(declared []string) bool {
	for name := range p.column {
		if name != RunColumn && !slices.Contains(declared, name) {
			return false
		}
	}
	return true
}

// Filter chooses rows by a Text column.
type Filter struct {
	Column string
	Match  func(string) bool
}

// Scan calls fn for every row of a table within the range that the filter (nil:
// none) lets pass, in the order of the files. Each is read into row and valid
// until fn returns; its strings stay valid.
func Scan[R any](ctx context.Context, p Parts, t *Table[R], within Range, only *Filter, row *R, fn func(*R) error) error {
	s := scanner[R]{table: t, columns: make([]Column, len(t.Fields)), filter: -1, within: within, row: row, fn: fn}
	if only != nil {
		s.filter, s.match = t.index(only.Column), only.Match
		if s.filter < 0 {
			return fmt.Errorf("%s: no column %s", t.Name, only.Column)
		}
	}
	return p.Groups(ctx, within, s.group)
}

type scanner[R any] struct {
	table   *Table[R]
	columns []Column
	filter  int // index of the filter's column, -1: none
	match   func(string) bool
	pass    []bool // by dictionary index of that column
	within  Range
	row     *R
	fn      func(*R) error
}

func (s *scanner[R]) group(g *Group) error {
	if s.filter >= 0 {
		if err := s.read(g, s.filter); err != nil {
			return err
		}
		s.pass = s.pass[:0]
		for _, text := range s.columns[s.filter].Dict {
			s.pass = append(s.pass, s.match(text))
		}
		if !slices.Contains(s.pass, true) {
			return nil
		}
	}
	for i := range s.table.Fields {
		if i == s.filter {
			continue
		}
		if err := s.read(g, i); err != nil {
			return err
		}
	}
	for i := range g.Rows {
		if s.filter >= 0 && !s.pass[s.columns[s.filter].Codes[i]] {
			continue
		}
		if !s.within.All() && !s.within.Contains(s.columns[0].Ints[i]) {
			continue
		}
		s.set(s.row, i)
		if err := s.fn(s.row); err != nil {
			return err
		}
	}
	return nil
}

func (s *scanner[R]) read(g *Group, i int) error {
	f := &s.table.Fields[i]
	return g.Read(f.Name, f.Type, f.Optional, &s.columns[i])
}

// set fills row with row i of the row group.
func (s *scanner[R]) set(row *R, i int) {
	for k := range s.table.Fields {
		f, c := &s.table.Fields[k], &s.columns[k]
		switch f.Type {
		case Instant, Integer:
			*f.Int(row) = c.Ints[i]
		case Real:
			*f.Real(row) = c.Reals[i]
		default:
			*f.Text(row) = c.Dict[c.Codes[i]]
		}
	}
}
