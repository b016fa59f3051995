package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"headroom/runs"
)

// K6Summary reads the JSON summaries of k6 in its three forms.
var K6Summary = &Importer{
	Name: "k6-summary",
	Doc: `k6 end-of-test summary (k6 run --summary-export FILE, or handleSummary)

Recognised by an object with "metrics" that hold metrics of k6, with
"root_group", or with "results" and k6's "config". Three forms are read: the
flat one of --summary-export, in which a threshold that is true was crossed; the
one that handleSummary gets, in which {"ok": true} means not crossed; and the
newer machine-readable one, which has no thresholds. Each threshold is recorded
with how many samples its metric had: k6 calls a threshold without samples
passed. The summary's own totals and percentiles (linear interpolation, R-7) are
kept to be compared with the samples. A summary that is cut gives the metrics
before the cut.`,
	Gives: []string{"manifest: thresholds, summaries"},
	Lacks: []string{"single requests, and when they were"},
	Sniff: sniffK6Summary,
	Read:  readK6Summary,
}

// k6SummaryMetric is one metric of a summary, in any of the forms.
type k6SummaryMetric struct {
	Name       string                     `json:"name"`
	Type       string                     `json:"type"`
	Contains   string                     `json:"contains"`
	Values     map[string]json.RawMessage `json:"values"`
	Thresholds map[string]json.RawMessage `json:"thresholds"`
}

// k6Summary gathers a summary while it is read.
type k6Summary struct {
	in       *Input
	metrics  map[string]*k6SummaryMetric
	version  string
	duration float64 // s; 0 if not said
	other    bool    // something that only k6 writes was seen
}

func sniffK6Summary(head []byte) bool {
	if head = bytes.TrimSpace(head); len(head) == 0 || head[0] != '{' {
		return false
	}
	s := k6Summary{metrics: map[string]*k6SummaryMetric{}}
	_ = s.read(bytes.NewReader(head)) // a head may end anywhere
	if s.other {
		return true
	}
	for name := range s.metrics {
		_, builtin := k6Builtin[name]
		if _, request := k6FieldOf[name]; builtin || request {
			return true
		}
	}
	return false
}

func readK6Summary(in *Input, _ Sink) error {
	s := k6Summary{in: in, metrics: map[string]*k6SummaryMetric{}}
	if err := s.read(io.LimitReader(in.R, MaxLine)); err != nil {
		in.Meta.Cut = true
		in.Note("the summary is cut or damaged (%v): the %d metrics before that were read", clip(plainly(err.Error())), len(s.metrics))
	}
	in.Meta.Tool, in.Meta.Version, in.Meta.LatencyUnit = "k6", s.version, "ms"
	for _, name := range slices.Sorted(maps.Keys(s.metrics)) {
		if err := s.metric(name, s.metrics[name]); err != nil {
			return err
		}
	}
	s.total()
	return nil
}

// read walks the top level of the document.
func (s *k6Summary) read(r io.Reader) error {
	d := jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true))
	return members(d, func(name string) error {
		switch name {
		case "metrics":
			return members(d, func(metric string) error { return s.add(d, metric) })
		case "results":
			return members(d, func(name string) error { return s.results(d, name) })
		case "root_group":
			s.other = true
		case "state":
			var state struct{ TestRunDurationMs float64 }
			err := decodeValue(d, &state)
			s.duration = state.TestRunDurationMs / 1000
			return err
		case "config":
			var config struct {
				Duration  float64
				Execution string
			}
			err := decodeValue(d, &config)
			s.duration, s.other = config.Duration, s.other || config.Execution != ""
			return err
		case "metadata":
			var metadata struct {
				Version string `json:"k6_version"`
			}
			err := decodeValue(d, &metadata)
			s.version, s.other = metadata.Version, s.other || metadata.Version != ""
			return err
		}
		return d.SkipValue()
	})
}

// members reads an object; member is called for each name and reads its value.
func members(d *jsontext.Decoder, member func(name string) error) error {
	tok, err := d.ReadToken()
	if err != nil {
		return err
	}
	if tok.Kind() != jsontext.KindBeginObject {
		return fmt.Errorf("an object was expected at byte %d", d.InputOffset())
	}
	for d.PeekKind() == jsontext.KindString {
		tok, err := d.ReadToken()
		if err != nil {
			return err
		}
		if err := member(tok.String()); err != nil {
			return err
		}
	}
	_, err = d.ReadToken()
	return err
}

// decodeValue reads the next value into v. A value of another shape is left out.
func decodeValue(d *jsontext.Decoder, v any) error {
	raw, err := d.ReadValue()
	if err == nil {
		_ = json.Unmarshal(raw, v)
	}
	return err
}

// add reads one member of "metrics": the metric itself, flat or with its values
// apart.
func (s *k6Summary) add(d *jsontext.Decoder, name string) error {
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	m := &k6SummaryMetric{}
	if json.Unmarshal(raw, m) != nil || len(s.metrics) >= maxMetrics {
		return nil
	}
	if m.Values == nil { // flat: its values stand beside "thresholds"
		_ = json.Unmarshal(raw, &m.Values)
		delete(m.Values, "thresholds")
	}
	s.metrics[name] = m
	return nil
}

// results reads one member of "results": the list of metrics, or that of checks.
func (s *k6Summary) results(d *jsontext.Decoder, name string) error {
	if name == "checks" && d.PeekKind() == jsontext.KindBeginObject {
		return members(d, func(name string) error { return s.results(d, name) })
	}
	if name != "metrics" || d.PeekKind() != jsontext.KindBeginArray {
		return d.SkipValue()
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == jsontext.KindBeginObject {
		m := &k6SummaryMetric{}
		if err := decodeValue(d, m); err != nil {
			return err
		}
		if m.Name != "" && len(s.metrics) < maxMetrics {
			s.metrics[m.Name] = m
		}
	}
	_, err := d.ReadToken()
	return err
}

// number returns a value of a metric; NaN if it has none.
func (m *k6SummaryMetric) number(names ...string) float64 { return m.scaled(0, names...) }

// scaled returns a value of a metric times 10^exponent; NaN if it has none.
func (m *k6SummaryMetric) scaled(exponent int, names ...string) float64 {
	for _, name := range names {
		if raw, ok := m.Values[name]; ok && startsNumber(raw) {
			if v, ok := shifted(raw, exponent); ok {
				return v
			}
		}
	}
	return math.NaN()
}

// metric records the thresholds and the values of one metric.
func (s *k6Summary) metric(name string, m *k6SummaryMetric) error {
	for _, expr := range slices.Sorted(maps.Keys(m.Thresholds)) {
		crossed, ok := crossed(m.Thresholds[expr])
		if !ok {
			s.in.Note("threshold %s of %s has no verdict that can be read", clip(expr), clip(name))
			continue
		}
		s.in.Meta.Thresholds = append(s.in.Meta.Thresholds, runs.Threshold{
			Metric: name, Expr: expr, Crossed: crossed, Samples: s.samplesOf(name), Source: s.in.Name,
		})
	}
	values := map[string]float64{}
	for _, key := range slices.Sorted(maps.Keys(m.Values)) {
		exponent := 0
		if m.isTime(name) && key != "count" {
			exponent = -3
		}
		if v := m.scaled(exponent, key); !math.IsNaN(v) {
			values[summaryKey(key)] = v
		}
	}
	if len(values) > 0 {
		s.in.Meta.Summaries = append(s.in.Meta.Summaries, runs.Summary{Source: s.in.Name, Of: "k6." + name, Values: values, Method: "R-7"})
	}
	base, _, sub := strings.Cut(name, "{")
	if _, builtin := k6Builtin[base]; !sub && !builtin && s.kind(name, m) == "counter" {
		if _, request := k6FieldOf[base]; !request {
			if s.in.Meta.Totals == nil {
				s.in.Meta.Totals = map[string]string{}
			}
			s.in.Meta.Totals[name] = string(m.Values["count"])
		}
	}
	return nil
}

// crossed reads a threshold's verdict. The flat form says true for crossed; the
// form with "ok" says so of the opposite.
func crossed(raw json.RawMessage) (crossed, ok bool) {
	if json.Unmarshal(raw, &crossed) == nil {
		return crossed, true
	}
	var verdict struct{ OK *bool }
	if json.Unmarshal(raw, &verdict) == nil && verdict.OK != nil {
		return !*verdict.OK, true
	}
	return false, false
}

// kind tells the kind of a metric, from its values where the form does not say.
func (s *k6Summary) kind(name string, m *k6SummaryMetric) string {
	if m.Type != "" {
		return m.Type
	}
	has := func(key string) bool { _, ok := m.Values[key]; return ok }
	switch {
	case has("passes") || has("matches"):
		return "rate"
	case has("avg") || has("med"):
		return "trend"
	case has("count"):
		return "counter"
	case has("value"):
		return "gauge"
	}
	return ""
}

// isTime reports whether the metric's values are milliseconds.
func (m *k6SummaryMetric) isTime(name string) bool {
	if m.Contains != "" {
		return m.Contains == "time"
	}
	base, _, _ := strings.Cut(name, "{")
	field, request := k6FieldOf[base]
	return k6Builtin[base][1] == "time" || request && field != k6Reqs && field != k6Failed
}

// samplesOf returns how many samples a metric had, Missing if the summary does
// not tell.
func (s *k6Summary) samplesOf(name string) int64 {
	m := s.metrics[name]
	if m == nil {
		return runs.Missing
	}
	base, tags, _ := strings.Cut(name, "{")
	n := m.number("count", "total")
	if math.IsNaN(n) {
		n = m.number("passes") + m.number("fails")
	}
	if of := map[string]string{"iteration_duration": "iterations"}[base]; math.IsNaN(n) && of != "" && tags == "" {
		n = s.value(of, "count")
	}
	if _, request := k6FieldOf[base]; math.IsNaN(n) && request {
		switch {
		case tags == "":
			n = s.value("http_reqs", "count")
		case tags == "expected_response:true}":
			n = s.value("http_reqs", "count") - s.value("http_req_failed", "passes", "matches")
		case s.value("http_reqs", "count") == 0:
			n = 0
		}
	}
	if math.IsNaN(n) || n != math.Trunc(n) || math.Abs(n) > 1<<53 {
		return runs.Missing
	}
	return int64(n)
}

func (s *k6Summary) value(metric string, keys ...string) float64 {
	if m := s.metrics[metric]; m != nil {
		return m.number(keys...)
	}
	return math.NaN()
}

// total records the summary of the whole run under the names that headroom uses.
func (s *k6Summary) total() {
	values := map[string]float64{}
	put := func(key string, v float64) {
		if !math.IsNaN(v) {
			values[key] = v
		}
	}
	put("requests", s.value("http_reqs", "count"))
	if m := s.metrics["http_reqs"]; m != nil {
		if n, ok := rational(string(m.Values["count"])); ok {
			s.in.Meta.Printed = map[string]string{"http_reqs": decimalText(n)}
		}
	}
	put("failed", s.value("http_req_failed", "passes", "matches")) // "passes" counts what is true: a failure
	put("iterations", s.value("iterations", "count"))
	put("dropped", s.value(k6Dropped, "count"))
	if _, ok := values["dropped"]; !ok && !s.in.Meta.Cut && s.metrics["iterations"] != nil {
		put("dropped", 0) // k6 lists the metric only when an iteration was dropped
	}
	if s.duration > 0 {
		put("duration", s.duration)
	}
	if m := s.metrics["http_req_duration"]; m != nil && values["requests"] > 0 {
		for _, key := range slices.Sorted(maps.Keys(m.Values)) {
			if name := summaryKey(key); name != "count" {
				put("latency."+name, m.scaled(-3, key))
			}
		}
	}
	if len(values) > 0 {
		s.in.Meta.Summaries = append(s.in.Meta.Summaries, runs.Summary{Source: s.in.Name, Of: "", Values: values, Method: "R-7"})
	}
}

// summaryKey turns k6's name of a value into headroom's: "p(99.9)" and "p99.9"
// are p999, "med" is p50, "avg" is mean.
func summaryKey(key string) string {
	switch key {
	case "avg":
		return "mean"
	case "med":
		return "p50"
	}
	if p, ok := strings.CutPrefix(key, "p"); ok {
		p = strings.TrimSuffix(strings.TrimPrefix(p, "("), ")")
		if p = strings.ReplaceAll(p, ".", ""); p != "" && isDigit(p[0]) {
			return "p" + p
		}
	}
	return key
}
