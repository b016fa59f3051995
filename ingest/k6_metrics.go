package ingest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"headroom/runs"
)

// k6Reader is what the readers of k6's JSON and CSV outputs share: metrics,
// tags, requests and what is known of the whole file.
type k6Reader struct {
	in        *Input
	sink      Sink
	stamps    *Stamps
	metrics   map[string]*k6Metric
	before    *k6Metric  // of the line before, if quick read it
	sameTags  *k6Tags    // the tags of that line, and
	sameRest  []byte     // what followed its value
	tags      k6TagCache // by their text in the file
	traced    k6TagCache // by that and the text of their metadata
	canonical k6TagCache // by what they say
	raw       []byte     // the text of a row's tags
	words     intern     // that many sets of tags hold
	labels    []k6Label  // memory of plainTags
	requests  k6Requests
	row       runs.Point // made anew for every value, kept to be used again
	sample    runs.Sample

	samples, dropped int64
	noDuration       int64 // http_reqs lines without a duration
	uncounted        int64 // durations without an http_reqs line
	fragments        int64 // phases without either
	negative         int64 // durations below zero
	negativePhases   int64
	unjudged         int64 // requests of which nothing says how they ended
}

// k6Metric is one metric of a file.
type k6Metric struct {
	name       string
	point      string  // the name of its points
	field      k6Field // of a request, or k6NoField
	kind       string  // counter, gauge, rate, trend; "" if not known
	contains   string  // time, data, default
	thresholds []string
	sum        decimalSum
	values     int64

	begin  []byte    // what quick found its lines to begin with, and
	quoted []byte    // the name in it
	next   *k6Metric // the metric of the line that followed last time

	nan, infinite, empty int64 // values that are no numbers, and no points
}

// apart counts a value that is not a number: scripts can add NaN and infinities
// to their own metrics. It returns the reason if the text is none of those.
func (m *k6Metric) apart(text []byte) (reason string) {
	switch strings.ToLower(strings.TrimLeft(string(text), "+-")) {
	case "":
		m.empty++
	case "nan":
		m.nan++
	case "inf", "infinity":
		m.infinite++
	default:
		return "not a number: " + clip(string(text))
	}
	return ""
}

// k6Builtin are the metrics that k6 makes itself and that are counters; the
// rest of the counters are the script's own and count as claims
// (https://grafana.com/docs/k6/latest/using-k6/metrics/reference/).
var k6Builtin = map[string][2]string{ // name: kind, contents
	"http_reqs": {"counter", "default"}, "iterations": {"counter", "default"}, "dropped_iterations": {"counter", "default"},
	"data_sent": {"counter", "data"}, "data_received": {"counter", "data"},
	"ws_sessions": {"counter", "default"}, "ws_msgs_sent": {"counter", "default"}, "ws_msgs_received": {"counter", "default"},
	"grpc_streams": {"counter", "default"}, "grpc_streams_msgs_sent": {"counter", "default"}, "grpc_streams_msgs_received": {"counter", "default"},
	"browser_data_sent": {"counter", "data"}, "browser_data_received": {"counter", "data"},
	"checks_total": {"counter", "default"}, "checks_failed": {"rate", "default"}, "checks_succeeded": {"rate", "default"}, // in summaries
	"vus": {"gauge", "default"}, "vus_max": {"gauge", "default"}, "checks": {"rate", "default"},
	"iteration_duration": {"trend", "time"}, "group_duration": {"trend", "time"}, "grpc_req_duration": {"trend", "time"},
	"ws_connecting": {"trend", "time"}, "ws_session_duration": {"trend", "time"}, "ws_ping": {"trend", "time"},
}

const k6Dropped = "dropped_iterations"

func newK6Reader(in *Input, sink Sink) *k6Reader {
	k := &k6Reader{in: in, sink: sink, stamps: in.Stamps(), metrics: map[string]*k6Metric{}, words: intern{}}
	k.requests.emit, k.requests.window = k.request, k6Window
	in.Meta.Tool, in.Meta.Basis, in.Meta.LatencyUnit = "k6", basisRequest, "ms"
	return k
}

// metric returns the metric called name, known before or not.
func (k *k6Reader) metric(name string) *k6Metric {
	m := k.metrics[name]
	if m == nil {
		m = &k6Metric{name: cutTag(name), point: "k6." + cutTag(name), field: k6NoField}
		if f, ok := k6FieldOf[name]; ok {
			m.field = f
		}
		if b, ok := k6Builtin[name]; ok {
			m.kind, m.contains = b[0], b[1]
		}
		k.metrics[name] = m
	}
	return m
}

// maxMetrics bounds how many metrics one file may have.
const maxMetrics = 1 << 16

// maxDuration is the longest time, in ns, that a request may take: 11 days.
const maxDuration = 1e15

// value takes one value of a metric. It returns the reason if the value is not
// one; err ends the import.
func (k *k6Reader) value(m *k6Metric, ns int64, text []byte, tags *k6Tags) (reason string, err error) {
	switch {
	case m.field == k6Reqs || m.field == k6Failed:
		n, ok := scaled(text, 0)
		if !ok {
			return "not a number: " + clip(string(text)), nil
		}
		return "", k.requests.add(ns, tags, m.field, n)
	case m.field != k6NoField:
		n, ok := scaled(text, 6)
		if !ok || n > maxDuration || n < -maxDuration {
			return "not a number of milliseconds: " + clip(string(text)), nil
		}
		return "", k.requests.add(ns, tags, m.field, n)
	case m.name == k6Dropped:
		return k.drop(ns, text, tags)
	}
	return k.point(m, ns, text, tags)
}

// maxDrops is the most iterations that one line may report as dropped.
const maxDrops = 1 << 20

// drop records iterations that were due and for which no virtual user was
// free: one sample each, for they are demand that was not served.
func (k *k6Reader) drop(ns int64, text []byte, tags *k6Tags) (string, error) {
	n, ok := scaled(text, 0)
	if !ok || n < 0 || n > maxDrops {
		return fmt.Sprintf("not a number of dropped iterations from 0 to %d: %s", maxDrops, clip(string(text))), nil
	}
	for range n {
		s := &k.sample
		*s = k.in.NewSample()
		s.Start, s.StartNS = runs.SplitNanos(ns)
		k.label(s, tags)
		s.Outcome, s.Tags = runs.Dropped, tags.rest
		if err := k.sink.Sample(s); err != nil {
			return "", err
		}
	}
	k.dropped += n
	return "", nil
}

// point records a value of any other metric.
func (k *k6Reader) point(m *k6Metric, ns int64, text []byte, tags *k6Tags) (string, error) {
	exponent := 0
	if m.contains == "time" {
		exponent = -3
	}
	v, ok := shifted(text, exponent)
	if !ok {
		return m.apart(text), nil
	}
	if m.kind == "" || m.kind == "counter" {
		m.sum.add(text)
	}
	m.values++
	p := &k.row
	*p = runs.Point{
		Time: floorMicros(ns), Entity: tags.scenario, Metric: m.point, Kind: runs.Gauge,
		Value: v, Unit: "1", Tags: tags.points,
	}
	if m.kind == "counter" {
		p.Kind = runs.Delta
	}
	switch m.contains {
	case "time":
		p.Unit = "s"
	case "data":
		p.Unit = "B"
	}
	return "", k.sink.Point(p)
}

func floorMicros(ns int64) int64 {
	us, _ := runs.SplitNanos(ns)
	return us
}

// close hands on the last requests and says what the file tells as a whole.
func (k *k6Reader) close() error {
	if err := k.requests.flush(); err != nil {
		return err
	}
	k.claims()
	k.drops()
	count := func(n int64, format string) {
		if n > 0 {
			k.in.Note(format, n)
		}
	}
	count(k.noDuration, "%d requests (http_reqs) have no http_req_duration and are not counted")
	count(k.uncounted, "%d requests have an http_req_duration but no http_reqs line; they are counted")
	count(k.fragments, "%d groups of phase lines belong to no request of the file and were left out")
	count(k.negative, "%d requests have a negative duration: kept as measured, and part of no percentile")
	count(k.negativePhases, "%d phases of requests are negative: kept as measured")
	count(k.unjudged, "%d requests carry neither expected_response, http_req_failed nor a status; without an error they are taken as ok")
	return nil
}

// claims makes the sums of the script's own counters claims, and tells the
// thresholds that the file declares.
func (k *k6Reader) claims() {
	var declared, unknown []string
	for _, name := range slices.Sorted(maps.Keys(k.metrics)) {
		m := k.metrics[name]
		if n := m.nan + m.infinite + m.empty; n > 0 {
			k.in.Note("%s: of %d values %d are NaN, %d infinite and %d missing: they are apart, and in no statistic", clip(name), n+m.values, m.nan, m.infinite, m.empty)
		}
		for _, expr := range m.thresholds {
			declared = append(declared, name+": "+expr)
		}
		_, builtin := k6Builtin[name]
		switch {
		case m.field != k6NoField || builtin || m.values == 0:
		case m.kind == "":
			unknown = append(unknown, name)
			if k.in.Meta.Totals == nil {
				k.in.Meta.Totals = map[string]string{}
			}
			k.in.Meta.Totals[name] = m.sum.String()
		case m.kind == "counter":
			if k.in.Meta.Claims == nil {
				k.in.Meta.Claims = map[string]string{}
			}
			k.in.Meta.Claims[name] = m.sum.String()
		}
	}
	if n := k.samples - k.uncounted + k.noDuration; n > 0 {
		k.in.Meta.Printed = map[string]string{"http_reqs": strconv.FormatInt(n, 10)}
	}
	if len(declared) > 0 {
		k.in.Note("thresholds declared, their verdict is not in this file: %s", clipList(declared))
	}
	if len(unknown) > 0 {
		k.in.Note("metrics of a kind that the file does not say, taken as gauges: %s", clipList(unknown))
	}
}

// clipList joins foreign words for a note, the first few of them.
func clipList(words []string) string {
	const most = 12
	var b strings.Builder
	for i, w := range words {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(words)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(clip(w))
	}
	return b.String()
}

// drops says whether the file shows dropped iterations. k6 emits the metric
// only when an iteration is dropped, so that a file without it means none until its
// last record. Nothing in the file says whether k6 ended by itself there.
func (k *k6Reader) drops() {
	switch {
	case k.dropped > 0:
		k.in.Meta.DropsKnown = true
		k.in.Meta.Model = runs.OpenLoop // only arrival-rate executors drop
	case k.in.Meta.Cut:
		k.in.Note("no dropped_iterations up to where the file is cut; whether iterations were dropped after that is not known")
	default:
		k.in.Meta.DropsKnown = true
		k.in.Note("the file ends with a whole line and has no dropped_iterations, which k6 writes only when an iteration is dropped: none was until its last record")
	}
	if k.in.Meta.Model == "" {
		k.in.Meta.Model = runs.UnknownLoop
	}
}
