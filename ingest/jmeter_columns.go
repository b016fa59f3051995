package ingest

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"

	"headroom/runs"
)

// errSpreadsheet is wrapped by the refusal of a file whose stamps lost digits.
var errSpreadsheet = fmt.Errorf("%w", ErrUnreadable)

// isRefusal reports whether an error about one stamp holds for the whole file.
func isRefusal(err error) bool {
	return errors.Is(err, ErrZone) || errors.Is(err, ErrNoTimeAxis) || errors.Is(err, errSpreadsheet) || errors.Is(err, errMixedUnits)
}

// The names of JMeter's columns that are read; see
// https://jmeter.apache.org/usermanual/listeners.html, "CSV Log format".
const (
	jmeterStamp   = "timeStamp"
	jmeterElapsed = "elapsed"
	jmeterLabel   = "label"
	jmeterSuccess = "success"
	jmeterCode    = "responseCode"
)

// jmeterKnown are all columns that JMeter itself writes. What else a header has
// are variables of the test, which become tags.
var jmeterKnown = []string{
	jmeterStamp, jmeterElapsed, jmeterLabel, jmeterCode, "responseMessage", "threadName", "dataType", jmeterSuccess,
	"failureMessage", "bytes", "sentBytes", "grpThreads", "allThreads", "URL", "Filename", "Latency", "Encoding",
	"SampleCount", "ErrorCount", "Hostname", "IdleTime", "Connect",
}

// jmeterDelimiters are what may part the fields (the property
// jmeter.save.saveservice.default_delimiter).
const jmeterDelimiters = ",;\t|"

// The layouts of files without a header that can be told: what JMeter 2, 3 and 5
// write by default. Their eighth column says true or false.
var jmeterLayouts = []struct {
	columns []string
	numbers []int // columns that hold whole numbers, besides elapsed
}{
	{[]string{jmeterStamp, jmeterElapsed, jmeterLabel, jmeterCode, "responseMessage", "threadName", "dataType", jmeterSuccess,
		"bytes", "grpThreads", "allThreads", "Latency"}, []int{8, 9, 10, 11}},
	{[]string{jmeterStamp, jmeterElapsed, jmeterLabel, jmeterCode, "responseMessage", "threadName", "dataType", jmeterSuccess,
		"failureMessage", "bytes", "sentBytes", "grpThreads", "allThreads", "Latency", "IdleTime", "Connect"}, []int{9, 10, 11, 12, 13, 14, 15}},
	{[]string{jmeterStamp, jmeterElapsed, jmeterLabel, jmeterCode, "responseMessage", "threadName", "dataType", jmeterSuccess,
		"failureMessage", "bytes", "sentBytes", "grpThreads", "allThreads", "URL", "Latency", "IdleTime", "Connect"}, []int{9, 10, 11, 12, 14, 15, 16}},
}

// jmeterHeader returns the columns that a line names and what parts them, or nil
// if it is no header.
func jmeterHeader(line []byte) (columns []string, comma rune) {
	for _, c := range jmeterDelimiters {
		fields := jmeterFields(line, c)
		if slices.Contains(fields, jmeterElapsed) && (slices.Contains(fields, jmeterSuccess) || slices.Contains(fields, jmeterCode)) {
			return fields, c
		}
	}
	return nil, 0
}

// jmeterFields splits a line as CSV; of one that is no CSV nothing is returned.
func jmeterFields(line []byte, comma rune) []string {
	r := csv.NewReader(bytes.NewReader(line))
	r.Comma = comma
	fields, err := r.Read()
	if err != nil {
		return nil
	}
	return trimmed(fields)
}

// jmeterRow reports whether a line is a row of a file without a header, and what
// parts its fields: a stamp, a time, and among the others true or false.
func jmeterRow(line []byte) (fields []string, comma rune) {
	for _, c := range jmeterDelimiters {
		fields := jmeterFields(line, c)
		if len(fields) < 8 || len(fields) > 24 || !isJMeterStamp(fields[0]) || !isDigits([]byte(fields[1])) {
			continue
		}
		if said := fields[5:min(len(fields), 9)]; slices.Contains(said, "true") || slices.Contains(said, "false") {
			return fields, c
		}
	}
	return nil, 0
}

func isJMeterStamp(s string) bool {
	if isMillis(s) || isDate([]byte(s)) {
		return true
	}
	return slices.ContainsFunc(jmeterDates, func(d struct{ form, layout, name string }) bool { return fitsForm(s, d.form) })
}

// jmeterLayout returns the columns of a file without a header, by a row of it.
func jmeterLayout(row []string, comma rune) ([]string, error) {
next:
	for _, l := range jmeterLayouts {
		if len(row) != len(l.columns) || row[7] != "true" && row[7] != "false" {
			continue
		}
		for _, i := range l.numbers {
			if !isDigits([]byte(row[i])) {
				continue next
			}
		}
		return l.columns, nil
	}
	return nil, fmt.Errorf("%w: no header; delimiter looks like %s; give the columns (--as %s --map MAP.yaml, with delimiter and columns)",
		ErrMapping, delimiterName(comma), genericCSVName)
}

func delimiterName(c rune) string {
	if c == '\t' {
		return "a tab"
	}
	return string(c)
}

// jmeterColumns finds the fields of a row.
type jmeterColumns struct {
	names []string
	at    map[string]int
	tags  []int // columns that become tags

	// Where the columns of every row are; -1: nowhere.
	stamp, elapsed, label, code, message, failed, thread, success, allThreads, sampleCount, latency, connect int
}

func newJMeterColumns(names []string) *jmeterColumns {
	c := &jmeterColumns{names: names, at: map[string]int{}}
	for i, n := range names {
		if _, twice := c.at[n]; twice {
			continue
		}
		c.at[n] = i
		if n == "Hostname" || n == "URL" || n != "" && !slices.Contains(jmeterKnown, n) {
			c.tags = append(c.tags, i)
		}
	}
	c.stamp, c.elapsed, c.label, c.code = c.place(jmeterStamp), c.place(jmeterElapsed), c.place(jmeterLabel), c.place(jmeterCode)
	c.message, c.failed, c.thread, c.success = c.place("responseMessage"), c.place("failureMessage"), c.place("threadName"), c.place(jmeterSuccess)
	c.allThreads, c.sampleCount, c.latency, c.connect = c.place("allThreads"), c.place("SampleCount"), c.place("Latency"), c.place("Connect")
	return c
}

// place returns where a column is, -1 if there is none of the name.
func (c *jmeterColumns) place(name string) int {
	if i, ok := c.at[name]; ok {
		return i
	}
	return -1
}

func (c *jmeterColumns) has(name string) bool { _, ok := c.at[name]; return ok }

// jmeterText returns the field at a place, "" if there is no such column.
func jmeterText(fields []string, place int) string {
	if place < 0 || place >= len(fields) {
		return ""
	}
	return fields[place]
}

// sample reads a row. It returns the reason if it cannot be used.
func (c *jmeterColumns) sample(fields []string, m *jmeterSample) (reason string) {
	if len(fields) < len(c.names) {
		return fmt.Sprintf("%d fields where there are %d columns", len(fields), len(c.names))
	}
	*m = jmeterSample{
		stamp: jmeterText(fields, c.stamp), label: jmeterText(fields, c.label), code: jmeterText(fields, c.code),
		message: jmeterText(fields, c.message), failed: jmeterText(fields, c.failed), thread: jmeterText(fields, c.thread),
		success: jmeterText(fields, c.success), allThreads: jmeterText(fields, c.allThreads), sampleCount: jmeterText(fields, c.sampleCount),
		tags: m.tags[:0],
	}
	if m.elapsed, reason = jmeterMillis(jmeterElapsed, jmeterText(fields, c.elapsed)); reason != "" {
		return reason
	}
	if m.elapsed == runs.Missing {
		return "there is no elapsed time"
	}
	if m.latency, reason = jmeterMillis("Latency", jmeterText(fields, c.latency)); reason != "" {
		return reason
	}
	if m.connect, reason = jmeterMillis("Connect", jmeterText(fields, c.connect)); reason != "" {
		return reason
	}
	for _, i := range c.tags {
		if fields[i] != "null" {
			m.tags = append(m.tags, jmeterTagName(c.names[i]), fields[i])
		}
	}
	return ""
}

// jmeterTagName is the name of a column as a tag; the quotes that JMeter puts
// around the names of variables are not part of them.
func jmeterTagName(column string) string {
	switch column {
	case "Hostname":
		return "generator"
	case "URL":
		return "url"
	}
	return cutTag(strings.Trim(column, `"`))
}

// jmeterMillis reads a duration in whole ms; "" and "null" are none.
func jmeterMillis(name, text string) (ns int64, reason string) {
	if text = strings.TrimSpace(text); text == "" || text == "null" {
		return runs.Missing, ""
	}
	ns, ok := scaled([]byte(text), 6)
	if !ok || ns > maxDuration || ns < -maxDuration {
		return 0, fmt.Sprintf("%s is %q and no whole number of ms", name, clip(text))
	}
	return ns, ""
}
