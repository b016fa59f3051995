package ingest

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"headroom/runs"
)

// SeriesCSV reads exported time series: a stamp and numbers.
var SeriesCSV = &Importer{
	Name: "series-csv", Mapped: genericCSVName,
	Doc: `Time series as CSV: a stamp and one or more columns of numbers

Recognised by a header whose first column is called timestamp, time, datetime,
date or ts and whose other columns hold numbers, as the NAB collection, Grafana
and many monitoring systems export them. Each column becomes series.<column>.

Stamps are dates or epoch numbers. Where they name no zone it must be given
(--timezone): local times of a place with summer time are not UTC, and an hour
that is written twice, or a stamp that many rows share, shows it. Rows that share
a stamp are all kept, and said; so are distances that are not the usual one. An
empty cell, NaN and null are gaps, and not zero. Names that end in _bytes,
_seconds or _ms give the unit; other values are kept as they are.`,
	Gives: []string{"points: series.<column>"},
	Lacks: []string{"the unit, and whether a value is a level, a mean or an amount", "whether a stamp is the start or the end of its interval"},
	Sniff: sniffSeriesCSV,
	Read:  readSeriesCSV,
}

// seriesStamps are what the column of the time is called, in lower case. Names
// that those who query a database use belong to psql-series.
var seriesStamps = []string{"timestamp", "time", "datetime", "date", "ts"}

// seriesMax is the most columns that are read.
const seriesMax = 1 << 10

func sniffSeriesCSV(head []byte) bool {
	line, whole := firstLine(head)
	if !whole {
		return false
	}
	columns, ok := seriesHeader(splitSeries(line))
	if !ok {
		return false
	}
	at := bytes.Index(head, line) + len(line)
	line, _ = firstLine(head[at:])
	row := splitSeries(line)
	if len(row) != len(columns) || !isDate([]byte(row[0])) && !isDigits([]byte(strings.Replace(row[0], ".", "", 1))) {
		return false
	}
	numbers := 0
	for _, v := range row[1:] {
		switch _, err := strconv.ParseFloat(v, 64); {
		case err == nil:
			numbers++
		case !isGap(v):
			return false
		}
	}
	return numbers > 0
}

// splitSeries parts a line of plain or quoted cells.
func splitSeries(line []byte) []string {
	cells := strings.Split(string(line[:min(len(line), 64<<10)]), ",")
	for i := range cells {
		cells[i] = strings.Trim(strings.TrimSpace(cells[i]), `"`)
	}
	return cells
}

// seriesHeader returns the columns of a header, if it is one of a time series.
// Columns of load generators are refused: their rows are requests.
func seriesHeader(columns []string) ([]string, bool) {
	if len(columns) < 2 || len(columns) > seriesMax || !slices.Contains(seriesStamps, strings.ToLower(columns[0])) || columns[0] == "timeStamp" {
		return nil, false
	}
	for _, c := range columns[1:] {
		c = strings.ToLower(c)
		if c == "" || isNumber(c) || slices.Contains([]string{"elapsed", "latency", "label", "success", "responsecode", "user count"}, c) {
			return nil, false
		}
	}
	return columns, true
}

func isGap(v string) bool {
	return v == "" || v == "-" || strings.EqualFold(v, "nan") || strings.EqualFold(v, "null")
}

// seriesReader holds what carries over from row to row.
type seriesReader struct {
	in      *Input
	out     *cadence
	metrics []runs.Point // of the columns but the first
	factors []float64

	rows, gaps, twice, back int64
	last                    int64 // ns
	steps                   map[int64]int64
}

func readSeriesCSV(in *Input, sink Sink) error {
	r := &seriesReader{in: in, out: &cadence{sink: sink}, steps: map[int64]int64{}}
	rows := in.csvRecords(func([]byte) bool { return true })
	for rows.next() {
		if rows.err != nil {
			if err := rows.bad(in, "not a CSV record: %v", rows.err); err != nil {
				return err
			}
			continue
		}
		fields := trimmed(rows.fields)
		if r.metrics == nil {
			columns, ok := seriesHeader(fields)
			if !ok {
				return fmt.Errorf("%w: it has no header of a stamp and columns of numbers", ErrUnreadable)
			}
			r.header(columns)
			continue
		}
		if reason, err := r.row(fields); err != nil {
			return &FileError{in.Name, fmt.Errorf("line %d: %w", rows.line, err)}
		} else if reason != "" {
			if err := rows.bad(in, "%s", reason); err != nil {
				return err
			}
		}
	}
	if rows.l.Cut() {
		in.Note("the last line has no newline; it was read as whole")
	}
	if err := rows.l.Finish(); err != nil {
		return err
	}
	if err := r.out.finish(); err != nil {
		return err
	}
	r.notes()
	return nil
}

func (r *seriesReader) header(columns []string) {
	r.metrics = make([]runs.Point, 0, len(columns)-1)
	for _, c := range columns[1:] {
		p := runs.Point{Metric: "series." + cutTag(c), Kind: runs.Gauge, Unit: "1"}
		factor := 1.0
		for _, u := range []struct {
			end, unit string
			factor    float64
		}{{"_bytes", "B", 1}, {"_seconds", "s", 1}, {"_ms", "s", 1e-3}} {
			if strings.HasSuffix(strings.ToLower(c), u.end) {
				p.Unit, factor = u.unit, u.factor
			}
		}
		r.metrics, r.factors = append(r.metrics, p), append(r.factors, factor)
	}
}

func (r *seriesReader) row(fields []string) (reason string, err error) {
	if len(fields) != len(r.metrics)+1 {
		return fmt.Sprintf("%d fields where there are %d columns", len(fields), len(r.metrics)+1), nil
	}
	ns, err := r.in.Stamps().Parse(fields[0])
	if err != nil {
		if isShape(placeError(err)) {
			return err.Error(), nil
		}
		return "", err
	}
	values := make([]float64, len(r.metrics))
	for i, text := range fields[1:] {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil && !isGap(text) {
			return fmt.Sprintf("%q is no value of %s", clip(text), clip(r.metrics[i].Metric)), nil
		}
		values[i] = v
		if isGap(text) || v-v != 0 {
			values[i] = math.NaN()
		}
	}
	r.step(ns)
	for i := range r.metrics {
		if values[i] != values[i] {
			r.gaps++
			continue
		}
		p := &r.metrics[i]
		p.Time, p.TimeNS = runs.SplitNanos(ns)
		p.Value = toUnit(values[i], r.factors[i])
		if err := r.out.point(p); err != nil {
			return "", err
		}
	}
	return "", nil
}

// seriesSteps bounds how many different distances are counted.
const seriesSteps = 1 << 12

func (r *seriesReader) step(ns int64) {
	if r.rows++; r.rows > 1 {
		switch d := ns - r.last; {
		case d == 0:
			r.twice++
		case d < 0:
			r.back++
		case len(r.steps) < seriesSteps || r.steps[d] > 0:
			r.steps[d]++
		}
	}
	r.last = ns
}

func (r *seriesReader) notes() {
	usual, other := int64(0), int64(0)
	for d, n := range r.steps {
		if n > r.steps[usual] || n == r.steps[usual] && d < usual {
			usual = d
		}
	}
	for d, n := range r.steps {
		if d != usual {
			other += n
		}
	}
	if usual > 0 {
		r.in.Meta.Resolution = usual / int64(time.Microsecond)
	}
	if other > 0 {
		r.in.Note("%d distances between rows are not the usual %v: gaps stay gaps", other, time.Duration(usual))
	}
	if r.twice > 0 {
		r.in.Note("%d rows share the stamp of the row before them; all were kept. Where many do, local times were written over a change of the clock", r.twice)
	}
	if r.back > 0 {
		r.in.Note("%d rows are earlier than the row before them", r.back)
	}
	if r.gaps > 0 {
		r.in.Note("%d cells are empty or no number: gaps, and not zero", r.gaps)
	}
	if slices.ContainsFunc(r.metrics, func(p runs.Point) bool { return p.Unit == "1" }) {
		r.in.Note("values are kept as they are: the file does not name their unit")
	}
}
