package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"headroom/runs"
)

// PsqlCounts reads counts taken from the system before or after the load.
var PsqlCounts = &Importer{
	Name: "psql-counts",
	Doc: `Counts from the system: a CSV of one row

A header and exactly one row, as "psql --csv -c 'select now() as at, count(*) as
rows, sum(quantity) as quantity from events'" prints it. Every column is a
number, but for at most one that is a stamp: of whatever name if it reads as a
date and time, or a number of the epoch called sampled_at, at, now, ts or time.
Numbers are kept as they are written. An empty cell, which is how psql prints
NULL, is missing and not zero.

Whether the counts were taken before or after the load is said when they are
given, or follows from their stamps.`,
	Gives: []string{"manifest: before, after"},
	Lacks: []string{"what changed in between"},
	Sniff: func(head []byte) bool {
		if columns, ok := csvHeader(head); len(head) >= HeadSize || ok && findPGView(columns) != nil || bytes.HasPrefix(head, []byte(heyHeader)) {
			return false
		}
		_, _, err := readCounts(head)
		return err == nil
	},
	Read: func(in *Input, _ Sink) error {
		text, err := io.ReadAll(io.LimitReader(in.R, HeadSize))
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		c, line, err := readCounts(text)
		if err != nil {
			return &SyntaxError{in.Name, line, plainly(err.Error()) + "; " + countsForm}
		}
		return c.fold(in)
	},
}

// countsRow is the one row of a counts file.
type countsRow struct {
	values map[string]string
	stamp  string   // "" if there is none
	empty  []string // columns of NULL
	cut    string   // the last column, if the file ends in it; it may lack digits
}

// stampNames are the names of columns that hold the time at which a row was taken.
var stampNames = []string{"sampled_at", "at", "now", "ts", "time", "timestamp", "clock_timestamp", "taken_at", "captured_at", "sample_time"}

// countsForm says what counts from the system look like.
const countsForm = `counts are a header and one row of numbers, as psql --csv -c 'select now() as at, count(*) as rows from …' prints them, or one JSON object of them`

// readCounts reads a header and one row. Of an error it returns the line too.
func readCounts(text []byte) (c countsRow, line int64, err error) {
	var none countsRow
	in := NewInput("", bytes.NewReader(text), Options{})
	r := in.csvRecords(func([]byte) bool { return false })
	var table [][]string
	cut := false
	for r.next() {
		switch {
		case r.err != nil:
			return none, r.line, r.err
		case len(table) == 2 && len(r.fields) == 1 && r.fields[0] == "(1 row)": // of psql -A
			continue
		case len(table) == 2:
			return none, r.line, errors.New("a second row")
		}
		table = append(table, slices.Clone(r.fields))
		cut, line = r.l.Cut(), r.line
	}
	if len(table) < 2 {
		return none, max(line, 1), errors.New("there is no row below the header")
	}
	c, err = countsOf(table[0], table[1], cut)
	return c, line, err
}

// countsOf pairs the names of the header with the numbers of the row. If the file
// is cut, the last of them is not taken.
func countsOf(names, row []string, cut bool) (countsRow, error) {
	c := countsRow{values: map[string]string{}}
	if len(row) != len(names) {
		return c, fmt.Errorf("a row of %d columns under a header of %d", len(row), len(names))
	}
	for i, name := range names {
		name, value := strings.TrimSpace(name), strings.TrimSpace(row[i])
		_, twice := c.values[name]
		switch {
		case name == "" || !utf8.ValidString(name) || twice || slices.Contains(c.empty, name):
			return c, fmt.Errorf("column %d of the header, %q, is no name of its own", i+1, clip(name))
		case isNumber(name) || isDate([]byte(name)):
			return c, fmt.Errorf("the header holds %s: there is no header", clip(name))
		case cut && i == len(names)-1 && strings.Trim(value, "0123456789+-.:TZ ") == "":
			c.cut = name
		case isDate([]byte(value)) || slices.Contains(stampNames, strings.ToLower(name)) && value != "":
			if c.stamp != "" {
				return c, fmt.Errorf("column %s is a second stamp", clip(name))
			}
			c.stamp = value
		case value == "":
			c.empty = append(c.empty, name)
		case !isNumber(value):
			return c, fmt.Errorf("column %s, %q, is no number", clip(name), clip(value))
		default:
			c.values[name] = value
		}
	}
	if len(c.values) == 0 && c.cut == "" {
		return c, errors.New("no column holds a number")
	}
	return c, nil
}

func isNumber(text string) bool {
	_, ok := rational(text)
	return ok
}

// fold puts the counts where the manifest takes them from. A stamp whose zone is
// not known is left out, since the counts hold without it.
func (c *countsRow) fold(in *Input) error {
	counts := &runs.Counts{Source: in.Name, Values: c.values}
	if c.stamp != "" {
		ns, err := in.Stamps().Parse(c.stamp)
		switch {
		case errors.Is(err, ErrZone):
			in.Note("when the counts were taken is not known: %v", err)
		case err != nil:
			return &FileError{in.Name, err}
		default:
			counts.At = stampText(micros(ns))
		}
	}
	if c.cut != "" {
		in.Meta.Cut = true
		in.Note("the file ends without a newline: column %q may lack digits and was left out", c.cut)
	}
	if len(c.values) == 0 {
		return &FileError{in.Name, errors.New("it ends without a newline, and its one number may lack digits")}
	}
	if len(c.empty) > 0 {
		in.Note("empty, and so missing: %q", c.empty)
	}
	in.Meta.Counts = counts
	return nil
}
