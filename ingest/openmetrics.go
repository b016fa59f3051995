package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"headroom/runs"
)

// OpenMetrics reads what exporters print.
var OpenMetrics = &Importer{
	Name: "openmetrics",
	Doc: `OpenMetrics and Prometheus text: what an exporter's /metrics prints

Recognised by lines "# TYPE name counter" and the like, followed by lines "name
value" or "name{label="value"} value". Each line is a point; its kind is the type
that the exporter declares, and a series is named by its whole set of labels. A
timestamp behind the value is taken: seconds in OpenMetrics, milliseconds in the
older text. Usually there is none, and the file is one instant: the time of the
scrape must then be given (--start). Several scrapes one after another in one
file are --interval apart.

NaN and infinite values are no values: they are counted and left out. Buckets of
histograms and quantiles of summaries are points with their le and quantile
labels; exemplars are left out.`,
	Gives: []string{"points: prometheus.<name>, entity: the labels"},
	Lacks: []string{"the time of a scrape", "what happened between two scrapes"},
	Sniff: sniffOpenMetrics,
	Read:  readOpenMetrics,
}

// sniffOpenMetrics looks for a comment of the format and a sample that follows.
func sniffOpenMetrics(head []byte) bool {
	typed, first := false, true
	for line := range bytes.Lines(head) {
		whole := bytes.HasSuffix(line, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if line[0] == '#' {
			f := bytes.Fields(line)
			if len(f) >= 3 && (string(f[1]) == "TYPE" || string(f[1]) == "HELP" || string(f[1]) == "UNIT") {
				typed = true
			} else if first {
				return false
			}
			first = false
			continue
		}
		if !whole && len(head) >= HeadSize {
			return typed
		}
		_, err := parseExposed(line)
		return typed && err == nil
	}
	return typed
}

// omReader holds what carries over from line to line.
type omReader struct {
	in      *Input
	out     *cadence
	types   map[string]string // of metric families
	scrape  int64             // of those without stamps, from 0
	started map[string]bool   // families that this scrape has begun
	ended   bool              // "# EOF" was read
	odd     int
	undated bool
}

func readOpenMetrics(in *Input, sink Sink) error {
	r := &omReader{in: in, out: &cadence{sink: sink}, types: map[string]string{}, started: map[string]bool{}}
	l := in.Lines()
	for l.Next() {
		line := bytes.TrimSpace(l.Bytes())
		switch {
		case len(line) == 0:
		case line[0] == '#':
			r.comment(line)
		default:
			if err := r.sample(line, l); err != nil {
				return err
			}
		}
	}
	if err := l.Finish(); err != nil {
		return err
	}
	if r.undated {
		in.Meta.Zone = "start as given"
		in.Note("the samples have no stamps: they stand at the time that was given, %d scrapes", r.scrape+1)
	}
	if r.odd > 0 {
		in.Note("%d values are NaN or infinite, which is no value, and were left out", r.odd)
	}
	return r.out.finish()
}

// comment takes a line that begins with #. A family that is declared again
// begins the next scrape.
func (r *omReader) comment(line []byte) {
	f := bytes.Fields(line)
	if len(f) == 2 && string(f[1]) == "EOF" {
		r.ended = true
		return
	}
	if len(f) < 4 || string(f[1]) != "TYPE" {
		return
	}
	name := string(f[2])
	if r.ended || r.started[name] {
		r.scrape++
		clear(r.started)
		r.ended = false
	}
	if len(r.types) < cwPoints {
		r.types[name], r.started[name] = string(f[3]), true
	}
}

func (r *omReader) sample(line []byte, l *Lines) error {
	s, err := parseExposed(line)
	if err != nil {
		return r.in.BadAt(l, "%v", err)
	}
	if s.value-s.value != 0 {
		r.odd++
		return nil
	}
	p := promPoint(s.name, s.labels)
	r.kind(&p, s.name)
	ns, err := r.instant(s.stamp)
	if err != nil {
		return r.in.unplaced(l, err)
	}
	p.Time, p.TimeNS = runs.SplitNanos(ns)
	p.Value = s.value
	return r.out.point(&p)
}

// kind sets the kind of a point as its family was declared.
func (r *omReader) kind(p *runs.Point, name string) {
	declared, ok := r.types[name]
	for _, end := range []string{"_total", "_sum", "_count", "_bucket", "_created"} {
		if family, cut := strings.CutSuffix(name, end); cut && !ok {
			declared = r.types[family]
		}
	}
	switch declared {
	case "counter":
		p.Kind = runs.Counter
	case "gauge", "info", "stateset":
		p.Kind = runs.Gauge
	case "histogram", "summary":
		p.Kind = runs.Gauge // a quantile
		for _, end := range []string{"_sum", "_count", "_bucket"} {
			if strings.HasSuffix(name, end) {
				p.Kind = runs.Counter
			}
		}
	}
}

// instant returns the time of a sample, of its own or as given.
func (r *omReader) instant(stamp string) (int64, error) {
	if stamp != "" {
		return r.in.Stamps().Parse(stamp)
	}
	opt := &r.in.Opt
	switch {
	case opt.Start.IsZero():
		return 0, errNoScrapeTime
	case r.scrape > 0 && opt.Interval <= 0:
		return 0, fmt.Errorf("scrape %d: %w", r.scrape+1, ErrNoTimeAxis)
	}
	r.undated = true
	return opt.Start.Add(time.Duration(r.scrape) * opt.Interval).UnixNano(), nil
}

// errNoScrapeTime is the error for a file that is one instant, which is not known.
var errNoScrapeTime = fmt.Errorf("%w; of one scrape the start alone will do", ErrNoTimeAxis)

// exposed is one line of the text format.
type exposed struct {
	name   string
	labels map[string]string
	value  float64
	stamp  string // "" if there is none
}

// parseExposed reads a line "name{label="value",…} value [timestamp] [# exemplar]".
// https://prometheus.io/docs/instrumenting/exposition_formats/
func parseExposed(line []byte) (s exposed, err error) {
	text := string(line)
	end := strings.IndexAny(text, "{ \t")
	if end <= 0 || !isMetricName(text[:end]) {
		return s, fmt.Errorf("%q begins with no metric name", clip(text))
	}
	s.name, text = text[:end], text[end:]
	if strings.HasPrefix(text, "{") {
		if s.labels, text, err = parseLabels(text[1:]); err != nil {
			return s, fmt.Errorf("labels of %s: %w", clip(s.name), err)
		}
	}
	text, _, _ = strings.Cut(text, " # ") // an exemplar
	f := strings.Fields(text)
	if len(f) == 0 || len(f) > 2 {
		return s, fmt.Errorf("%q is no value, or one and a timestamp", clip(text))
	}
	if s.value, err = strconv.ParseFloat(f[0], 64); err != nil || strings.ContainsAny(f[0], "xX_") {
		return s, fmt.Errorf("%q is no value", clip(f[0]))
	}
	if len(f) == 2 {
		s.stamp = f[1]
	}
	return s, nil
}

func isMetricName(name string) bool {
	for i, c := range name {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// parseLabels reads labels up to the closing brace and returns what follows it.
func parseLabels(text string) (labels map[string]string, rest string, err error) {
	labels = map[string]string{}
	for {
		text = strings.TrimLeft(text, " \t,")
		if strings.HasPrefix(text, "}") {
			return labels, text[1:], nil
		}
		name, after, ok := strings.Cut(text, "=")
		after = strings.TrimLeft(after, " \t")
		if !ok || !strings.HasPrefix(after, `"`) {
			return nil, "", errors.New("a name and a quoted value were expected")
		}
		value, n, ok := unescapeLabel(after[1:])
		if !ok {
			return nil, "", errors.New("a value is not closed")
		}
		if len(labels) < maxTags {
			labels[strings.TrimSpace(name)] = value
		}
		text = after[1+n:]
	}
}

// unescapeLabel reads up to the closing quote; n counts it.
func unescapeLabel(text string) (value string, n int, ok bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return b.String(), i + 1, true
		case c == '\\' && i+1 < len(text):
			i++
			if text[i] == 'n' {
				b.WriteByte('\n')
			} else {
				b.WriteByte(text[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, false
}
