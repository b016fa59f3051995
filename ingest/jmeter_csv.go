package ingest

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
)

// JMeterCSV reads JTL files that are CSV.
var JMeterCSV = &Importer{
	Name: "jmeter-csv",
	Doc: `JMeter results as CSV (jmeter -n -t PLAN -l FILE.jtl)

Recognised by a header with "elapsed" and "success" or "responseCode", parted by
commas, semicolons, tabs or bars, or by rows that begin with a stamp and a time
and say true or false. Columns are found by name; those that JMeter does not
write are variables of the test and become tags. Without a header the defaults of
JMeter 2, 3 and 5 are told by their columns; of any other the columns must be
given. The stamp is when the sample began, as JMeter ships; a file written with
sampleresult.timestamp.start=false says the end and does not show it. Dates are
in the zone of JMeter's host, which must be given (--timezone). A sample is ok as
JMeter decided, whatever its status. Transaction controllers span the requests in
them and are a scenario of their own, "transactions". Headers inside the file,
from files put one behind the other, are passed over. Stamps that a spreadsheet
rounded are refused.`,
	Gives: []string{"samples: start, service, connecting, waiting, scenario, op, status, outcome, error, worker, tags (url, generator, variables)", "manifest: load (threads, model)"},
	Lacks: []string{"when a request was due", "whether stamps are the end of a sample", "requests inside of a sample (redirects, embedded resources)", "columns that were switched off"},
	Load:  true,
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		if columns, _ := jmeterHeader(line); columns != nil {
			return true
		}
		row, _ := jmeterRow(line)
		return row != nil
	},
	Read: readJMeterCSV,
}

func readJMeterCSV(in *Input, sink Sink) error {
	r := bufio.NewReaderSize(in.R, HeadSize)
	in.R = r
	head, _ := r.Peek(HeadSize) // an error shows again when it is read
	j := newJMeterReader(in, sink)
	columns, comma, err := j.columns(head)
	if err != nil {
		return err
	}
	rows := in.csvRecords(func(line []byte) bool { return len(line) > 0 && isDigit(line[0]) })
	rows.comma = comma
	headers, extra, whole := 0, int64(0), false
	var m jmeterSample
	for rows.next() {
		reason := ""
		whole = false
		switch {
		case rows.err != nil:
			reason = "not a CSV record: " + rows.err.Error()
		case len(rows.fields) > 0 && strings.TrimSpace(rows.fields[0]) == columns.names[0] && slices.Equal(trimmed(rows.fields), columns.names):
			headers++
			continue
		default:
			if reason = columns.sample(rows.fields, &m); reason != "" {
				err = spreadsheetError(m.stamp) // which may be why
				break
			}
			if len(rows.fields) > len(columns.names) {
				extra++
			}
			reason, err = j.sample(&m)
			whole = reason == ""
		}
		if err != nil {
			return &FileError{in.Name, fmt.Errorf("line %d: %w", rows.line, err)}
		}
		if reason != "" {
			if err := rows.bad(in, "%s", reason); err != nil {
				return err
			}
		}
	}
	if whole && rows.l.Cut() {
		in.Note("the last line has no newline; it was read as whole")
	}
	if headers > 1 {
		in.Note("the header is repeated %s: files were put one behind the other", countOf(headers-1, "time"))
	}
	if extra > 0 {
		in.Note("%d rows have more fields than there are columns: what is beyond was left out", extra)
	}
	j.close()
	return rows.l.Finish()
}

// columns finds the columns and what parts them from the first line.
func (j *jmeterReader) columns(head []byte) (*jmeterColumns, rune, error) {
	line, _ := firstLine(head)
	names, comma := jmeterHeader(line)
	if names == nil {
		row, c := jmeterRow(line)
		if row == nil {
			return nil, 0, &SyntaxError{j.in.Name, 1, "neither a header of JMeter (with elapsed and success or responseCode) nor a row"}
		}
		layout, err := jmeterLayout(row, c)
		if err != nil {
			return nil, 0, err
		}
		names, comma = layout, c
		j.in.Note("no header: its %d columns were read as JMeter writes them by default", len(names))
	}
	columns := newJMeterColumns(names)
	if !columns.has(jmeterStamp) {
		j.clock = &rowClock{in: j.in}
	}
	return columns, comma, nil
}
