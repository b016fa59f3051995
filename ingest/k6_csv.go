package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// K6CSV reads the output of k6 run --out csv
// (https://grafana.com/docs/k6/latest/results-output/real-time/csv/).
var K6CSV = &Importer{
	Name: "k6-csv",
	Doc: `k6 CSV (k6 run --out csv=FILE)

Recognised by its header, metric_name,timestamp,metric_value, after which come
whatever system tags were on, then extra_tags and, in newer versions, metadata;
columns are found by their names. Requests, drops and other metrics become what
they become from k6-json. The file does not say in which unit K6_CSV_TIME_FORMAT
wrote its timestamps: it is told by magnitude, said in the manifest, and a file
that mixes two is refused. The default is whole seconds, and then no order and
no gap within a second can be told. The file does not say which of the script's
own metrics are counters: name one with --claim to use its sum.`,
	Gives: []string{"samples: start, wait, service, phases, scenario, op, status, outcome, error", "points: k6.*"},
	Lacks: []string{"times finer than K6_CSV_TIME_FORMAT, by default a second", "the kind of the script's own metrics", "the load model and the offered rate", "thresholds"},
	Load:  true,
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		return bytes.HasPrefix(line, []byte("metric_name,timestamp,metric_value"))
	},
	Read: readK6CSV,
}

// k6CSVFixed is how many columns come before the tags.
const k6CSVFixed = 3

func readK6CSV(in *Input, sink Sink) error {
	k := newK6Reader(in, sink)
	var header []string
	rows := in.csvRecords(func(line []byte) bool { return bytes.Count(line, []byte(",")) >= len(header)-1 })
	for rows.next() {
		if header == nil && rows.err == nil {
			if header = slices.Clone(rows.fields); len(header) < k6CSVFixed {
				return &SyntaxError{in.Name, rows.line, "the header names fewer than three columns"}
			}
			continue
		}
		reason, err := k.csvRow(header, rows)
		if err == nil && reason != "" {
			err = rows.bad(in, "%s", reason)
		}
		if err != nil {
			return err
		}
	}
	if err := rows.l.Finish(); err != nil {
		return err
	}
	switch {
	case k.stamps.unit == 0 && k.stamps.digits > 0:
		k.stamps.fraction(9) // rfc3339_nano, which drops trailing zeros
	case k.stamps.Resolution() == time.Second:
		in.Note("timestamps are whole seconds: nothing finer than a second can be told of when requests ended")
	}
	return k.close()
}

func (k *k6Reader) csvRow(header []string, rows *csvRecords) (reason string, err error) {
	if rows.err != nil {
		return "not a CSV record: " + rows.err.Error(), nil
	}
	if len(rows.fields) != len(header) {
		return fmt.Sprintf("%d fields where the header names %d", len(rows.fields), len(header)), nil
	}
	name := rows.fields[0]
	m := k.metrics[name]
	if m == nil {
		if name == "" || len(k.metrics) >= maxMetrics {
			return "the row names no metric, or one too many", nil
		}
		m = k.metric(strings.Clone(name))
	}
	ns, err := k.stamps.Parse(rows.fields[1])
	if errors.Is(err, errMixedUnits) {
		return "", &SyntaxError{k.in.Name, rows.line, err.Error()}
	}
	if err != nil {
		return err.Error(), nil
	}
	return k.value(m, ns, []byte(rows.fields[2]), k.csvTags(header, rows.fields))
}

// csvTags returns the tags of a row. Rows are told apart by what the tags say,
// for k6 writes the pairs of extra_tags in a different order on every row.
func (k *k6Reader) csvTags(header, fields []string) *k6Tags {
	k.raw = k.raw[:0]
	for _, f := range fields[k6CSVFixed:] {
		k.raw = append(append(k.raw, f...), 0)
	}
	if t := k.tags.lookup(k.raw); t != nil {
		return t
	}
	tags := map[string]string{}
	for i, name := range header[k6CSVFixed:] {
		text := strings.Clone(fields[i+k6CSVFixed])
		switch {
		case text == "":
		case name == "extra_tags" || name == "metadata":
			splitPairs(text, tags)
		default:
			tags[name] = text
		}
	}
	t := k.canonicalTags(tags)
	k.tags.store(string(k.raw), t)
	return t
}

// splitPairs reads "k=v&k2=v2", which k6 does not escape: what follows an & and
// has no = of its own belongs to the value before it.
func splitPairs(text string, into map[string]string) {
	last := ""
	for _, part := range strings.Split(text, "&") {
		name, value, ok := strings.Cut(part, "=")
		switch {
		case ok:
			into[name] = value
			last = name
		case last != "":
			into[last] += "&" + part
		}
	}
}
