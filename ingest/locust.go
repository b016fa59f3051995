package ingest

import (
	"fmt"
	"slices"
	"strings"
)

// locustTable reads one of Locust's CSV files by the names of its columns.
type locustTable struct {
	in     *Input
	rows   *csvRecords
	header []string
	fields []string
}

// locustHeader returns the columns of a head's first line in lower case, or nil
// if it has no comma. Versions before 1.0 write some names in quotes and others
// in other words; see locustNames.
func locustHeader(line []byte) []string {
	if !strings.Contains(string(line), ",") {
		return nil
	}
	header := strings.Split(strings.ToLower(string(line)), ",")
	for i, h := range header {
		h = strings.TrimSpace(strings.Trim(strings.TrimSpace(h), `"`))
		if name, ok := locustNames[h]; ok {
			h = name
		}
		header[i] = h
	}
	return header
}

// locustNames are the words of versions before 1.0 for columns of today.
var locustNames = map[string]string{
	"# requests": "request count", "# failures": "failure count", "requests": "request count", "failures": "failure count",
	"average content size": "average content size", "average content size (bytes)": "average content size",
}

// isLocust reports whether a head's first line has all of the columns.
func isLocust(head []byte, columns ...string) bool {
	line, _ := firstLine(head)
	header := locustHeader(line)
	for _, c := range columns {
		if !slices.Contains(header, c) {
			return false
		}
	}
	return len(header) > 0
}

func newLocustTable(in *Input) *locustTable {
	return &locustTable{in: in, rows: in.csvRecords(func(line []byte) bool { return strings.Count(string(line), ",") >= 3 })}
}

// next reads a row, as many fields as there are columns. A row that cannot be
// read is reported and passed over.
func (t *locustTable) next() (bool, error) {
	for t.rows.next() {
		reason := ""
		switch {
		case t.rows.err != nil:
			reason = "not a CSV record: " + t.rows.err.Error()
		case t.header == nil:
			t.header = locustHeader([]byte(strings.Join(t.rows.fields, ",")))
			continue
		case len(t.rows.fields) != len(t.header):
			reason = fmt.Sprintf("%d fields where there are %d columns", len(t.rows.fields), len(t.header))
		case t.rows.l.Cut() && len(t.rows.back) == 0:
			reason = "the last line has no end"
		default:
			t.fields = t.rows.fields
			return true, nil
		}
		if err := t.rows.bad(t.in, "%s", reason); err != nil {
			return false, err
		}
	}
	return false, t.rows.l.Finish()
}

// text returns a field of the row; "" if there is no such column.
func (t *locustTable) text(column string) string {
	if i := slices.Index(t.header, column); i >= 0 && i < len(t.fields) {
		return t.fields[i]
	}
	return ""
}

// number returns a field of the row, times 10^exponent. "N/A" is none.
func (t *locustTable) number(column string, exponent int) (float64, bool) {
	text := t.text(column)
	if !startsNumber([]byte(text)) {
		return 0, false
	}
	v, ok := shifted([]byte(text), exponent)
	return v, ok && v >= 0
}

// series returns what the row is about: "METHOD name", or "" for all requests
// together, a row that is called Aggregated (Total before 1.0).
func (t *locustTable) series() string {
	method := t.text("type")
	if method == "" {
		method = t.text("method")
	}
	name := t.text("name")
	if (method == "" || method == "None") && (name == "Aggregated" || name == "Total") {
		return ""
	}
	return strings.TrimSpace(method + " " + name)
}

// locustPercentiles are the percentiles that have a name here.
var locustPercentiles = []struct{ column, name string }{
	{"50%", "p50"}, {"75%", "p75"}, {"90%", "p90"}, {"95%", "p95"}, {"99%", "p99"}, {"99.9%", "p999"},
}

// locustMethod says how Locust's own percentiles are made.
const locustMethod = "latency.p* of times rounded to two digits; requests and latency include failures"
