package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"headroom/runs"
)

// PsqlTables reads what psql prints for people: aligned and expanded tables.
var PsqlTables = &Importer{
	Name: "psql-tables",
	Doc: `Statistics views as psql prints them: aligned, or expanded (psql -x)

Tables of views of PostgreSQL, told by their columns as for postgres-stats; one
file can hold several. An empty cell is NULL. A table without a column
sampled_at is kept whole, and is no series. The format is for people: a value
that spans lines loses its line breaks' place, so record with psql --csv.`,
	Gives: []string{"snapshots/<view>", "points: postgres.<view>.<column>, where rows bear a stamp"},
	Lacks: PostgresStats.Lacks,
	Sniff: func(head []byte) bool {
		t := &psqlTables{}
		for n := 0; n < 400 && len(head) > 0; n++ {
			line, rest, _ := bytes.Cut(head, []byte("\n"))
			head = rest
			if n == 0 && len(bytes.TrimSpace(line)) == 0 {
				n--
				continue
			}
			if n == 0 && !isRecordLine(line) && !bytes.Contains(line, []byte(" | ")) {
				return false
			}
			if record := t.take(string(bytes.TrimRight(line, "\r"))); record != nil && findPGView(record.names) != nil {
				return true
			}
		}
		return t.record != nil && findPGView(t.record.names) != nil
	},
	Read: func(in *Input, sink Sink) error {
		r := &statsJSON{in: in, sink: sink, out: &cadence{sink: sink}, rows: map[string]*viewRows{}}
		t := &psqlTables{}
		l := in.Lines()
		unknown, read := 0, 0
		put := func(o *jsonObject) error {
			switch {
			case o == nil:
				return nil
			case findPGView(o.names) == nil:
				unknown++
				return nil
			}
			read++
			return r.tableRow(findPGView(o.names), o, l)
		}
		for l.Next() {
			if err := put(t.take(string(l.Bytes()))); err != nil {
				return err
			}
		}
		if err := l.Finish(); err != nil {
			return err
		}
		if l.Cut() {
			in.Meta.Cut = true
			in.Note("line %d, the last, is cut: its record was left out", l.Number())
		} else if err := put(t.record); err != nil {
			return err
		}
		if unknown > 0 {
			in.Note("records of no view that is known were left out: %d", unknown)
		}
		if read == 0 {
			return errors.New("holds no record of a statistics view that is known")
		}
		for _, key := range sortedViews(r.rows) {
			if err := r.rows[key].finish(); err != nil {
				return err
			}
		}
		return r.out.finish()
	},
}

func sortedViews(rows map[string]*viewRows) []string {
	keys := make([]string, 0, len(rows))
	for key := range rows {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// psqlTables puts records together from lines.
type psqlTables struct {
	record *jsonObject // an expanded one that may still grow
	names  []string    // the header of an aligned table
	above  string      // the line before
}

// isRecordLine reports whether a line begins a record of an expanded table.
func isRecordLine(line []byte) bool { return bytes.HasPrefix(line, []byte("-[ RECORD ")) }

// isRuler reports whether a line parts the header of an aligned table from its rows.
func isRuler(line string) bool {
	return strings.Contains(line, "-+-") && strings.Trim(line, "-+") == ""
}

// take reads a line and returns the record that it completes, nil if none.
func (t *psqlTables) take(line string) (done *jsonObject) {
	above := t.above
	t.above = line
	switch {
	case isRecordLine([]byte(line)):
		done, t.record, t.names = t.record, &jsonObject{}, nil
		return done
	case isRuler(line):
		done, t.record = t.record, nil
		t.names = lowerAll(strings.Split(above, "|"))
		return done
	case strings.TrimSpace(line) == "" || isRowCount(strings.TrimSpace(line)):
		done, t.record, t.names = t.record, nil, nil
		return done
	case t.record != nil:
		name, value, ok := strings.Cut(line, "|")
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		if n := len(t.record.values); ok && name == "" && n > 0 {
			t.record.values[n-1] += "\n" + value // a value of several lines
		} else if ok {
			t.record.names, t.record.values = append(t.record.names, name), append(t.record.values, value)
		}
	case t.names != nil:
		cells := strings.Split(line, "|")
		if len(cells) != len(t.names) {
			return nil
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		return &jsonObject{names: t.names, values: cells}
	}
	return nil
}

// tableRow writes a record with the stamp that it bears, if it bears one.
func (r *statsJSON) tableRow(view *pgView, o *jsonObject, l *Lines) error {
	ns := runs.Missing
	if i := slices.IndexFunc(o.names, func(name string) bool { return slices.Contains(snapshotStamps, name) }); i >= 0 {
		var err error
		if ns, err = r.in.Stamps().Parse(o.values[i]); err != nil {
			if errors.Is(err, ErrZone) {
				return &FileError{r.in.Name, fmt.Errorf("line %d: %w", l.Number(), err)}
			}
			return r.in.Bad(l.Number(), "%v", err)
		}
	}
	return r.row(view, ns, o)
}
