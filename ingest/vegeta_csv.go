package ingest

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// VegetaCSV reads results of vegeta as CSV (vegeta encode -to csv).
var VegetaCSV = &Importer{
	Name: "vegeta-csv",
	Doc: `vegeta results as CSV (vegeta encode -to csv)

Recognised by rows of 6, 7, 9, 11 or 12 columns without a header that begin with
19 digits, a code of up to three, and three whole numbers. The columns are: when
the request was sent (ns since the Unix epoch), code, latency in ns, bytes out,
bytes in, error; then, as vegeta grew, body, attack and sequence number, method
and URL, headers. Rows stand in the order in which requests ended. Codes and the
load model are as of vegeta-json.`,
	Gives: []string{"samples: start, service, op, status, outcome, target, error, id, tags (attack, url)"},
	Lacks: []string{"when a request was due, the offered rate", "phases of a request", "op and target in files of fewer than 11 columns"},
	Load:  true,
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		return isVegetaRow(line)
	},
	Read: readVegetaCSV,
}

// isVegetaWidth reports whether a version of vegeta wrote that many columns.
func isVegetaWidth(n int) bool { return n == 6 || n == 7 || n == 9 || n == 11 || n == 12 }

// isVegetaRow reports whether a line, which may be cut, begins like a result.
func isVegetaRow(line []byte) bool {
	fields := bytes.SplitN(line, []byte(","), 6)
	if len(fields) < 6 || len(fields[0]) != 19 || len(fields[1]) > 3 {
		return false
	}
	for _, f := range fields[:5] {
		if !isDigits(f) {
			return false
		}
	}
	ns, ok := scaled(fields[0], 0)
	return ok && epochUnit(ns) == time.Nanosecond && isVegetaWidth(len(vegetaFields(string(line))))
}

// vegetaFields splits a line at the commas outside quotes; of a line that is
// cut it returns as many fields as there are.
func vegetaFields(line string) []string {
	var fields []string
	quoted, from := false, 0
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == ',' && !quoted:
			fields, from = append(fields, line[from:i]), i+1
		}
	}
	return append(fields, line[from:])
}

func readVegetaCSV(in *Input, sink Sink) error {
	v := newVegetaReader(in, sink)
	rows := in.csvRecords(isVegetaRow)
	for rows.next() {
		reason := ""
		var err error
		if rows.err != nil {
			reason = "not a CSV record: " + rows.err.Error()
		} else {
			var r vegetaResult
			if reason = parseVegetaRow(rows.fields, in.Stamps(), &r); reason == "" {
				reason, err = v.result(&r)
			}
		}
		if err != nil {
			return err
		}
		if reason != "" {
			if err := rows.bad(in, "%s", reason); err != nil {
				return err
			}
		}
	}
	v.close()
	return rows.l.Finish()
}

// parseVegetaRow reads a row. It returns the reason if it cannot be used.
func parseVegetaRow(fields []string, stamps *Stamps, r *vegetaResult) (reason string) {
	if !isVegetaWidth(len(fields)) {
		return fmt.Sprintf("%d fields where a result has 6, 7, 9, 11 or 12", len(fields))
	}
	ns, err := stamps.Epoch([]byte(fields[0]))
	if err != nil {
		return err.Error()
	}
	code, ok := scaled([]byte(fields[1]), 0)
	if !ok || !isDigits([]byte(fields[1])) || code > 999 {
		return fmt.Sprintf("the code is %q", clip(fields[1]))
	}
	latency, ok := scaled([]byte(fields[2]), 0)
	if !ok || strings.Contains(fields[2], ".") {
		return fmt.Sprintf("the latency is %q and no whole number of ns", clip(fields[2]))
	}
	*r = vegetaResult{start: ns, code: uint64(code), latency: latency, errorText: fields[5]}
	if len(fields) >= 9 {
		r.attack, r.seq = fields[7], strings.Clone(fields[8])
		if !isDigits([]byte(r.seq)) {
			return fmt.Sprintf("the sequence number is %q", clip(r.seq))
		}
	}
	if len(fields) >= 11 {
		r.method, r.url = fields[9], fields[10]
	}
	return ""
}
