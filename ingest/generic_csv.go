package ingest

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// GenericCSV reads delimited files whose columns a mapping declares.
var GenericCSV = &Importer{
	Name: genericCSVName,
	Doc: `CSV with a declared mapping

Chosen only with a mapping (--map), which says which column is the start or the
end, the latency, the status and so on, and in which unit; see
docs/formats/mapping.md. The header, or the mapping's list of columns, tells
where they are; a column that the mapping names and the file lacks is an error.`,
	Gives: []string{"samples: what the mapping names", "points: what the mapping names"},
	Lacks: []string{"what the mapping does not name"},
	Load:  true,
	Sniff: func([]byte) bool { return false },
	Read:  readGenericCSV,
}

func readGenericCSV(in *Input, sink Sink) error {
	g, err := newGenericReader(in, sink, genericCSVName)
	if err != nil {
		return err
	}
	header := g.m.Columns
	comma := ','
	if g.m.Delimiter != "" {
		comma, _ = utf8.DecodeRuneInString(g.m.Delimiter)
	}
	rows := in.csvRecords(func(line []byte) bool { return strings.Count(string(line), string(comma)) >= len(header)-1 })
	rows.comma, rows.comment = comma, g.m.Comment
	var at []int
	if header != nil {
		if at, err = columnsOf(g.fields, header); err != nil {
			return err
		}
	}
	values := make([]genericValue, len(g.fields))
	last := ""
	for rows.next() {
		if header == nil && rows.err == nil {
			header = trimmed(rows.fields)
			if at, err = columnsOf(g.fields, header); err != nil {
				return err
			}
			continue
		}
		reason := ""
		switch {
		case rows.err != nil:
			reason = "not a CSV record: " + rows.err.Error()
		case len(rows.fields) != len(header):
			reason = fmt.Sprintf("%d fields where there are %d columns", len(rows.fields), len(header))
		default:
			for i, column := range at {
				values[i] = []byte(strings.TrimSpace(rows.fields[column]))
			}
			reason, err = g.row(values)
		}
		if err != nil {
			return &SyntaxError{in.Name, rows.line, err.Error()}
		}
		if reason != "" {
			if err := rows.bad(in, "%s", reason); err != nil {
				return err
			}
		} else if rows.l.Cut() {
			last = "the last line has no newline; it was read as whole"
		}
	}
	if last != "" {
		in.Note("%s", last)
	}
	if err := rows.l.Finish(); err != nil {
		return err
	}
	return g.close()
}

func trimmed(fields []string) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = strings.TrimSpace(strings.Clone(f))
	}
	return out
}

// columnsOf finds the columns by their names.
func columnsOf(fields, header []string) ([]int, error) {
	at := make([]int, len(fields))
	for i, name := range fields {
		if at[i] = slices.Index(header, name); at[i] < 0 {
			return nil, fmt.Errorf("%w: it has no column %q; its columns are %s", ErrMapping, clip(name), clipList(header))
		}
	}
	return at, nil
}
