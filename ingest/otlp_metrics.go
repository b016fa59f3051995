package ingest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"headroom/runs"
)

// OTLPMetrics reads metrics of OpenTelemetry as JSON.
var OTLPMetrics = &Importer{
	Name: "otlp-metrics",
	Doc: `OpenTelemetry metrics as OTLP/JSON (the collector's file exporter)

Recognised by "resourceMetrics"; lines of logs and traces in the same file are
counted and left out. One request per line, or one document. A series is named by
its metric, its resource and its attributes.

A monotonic sum is a counter where its temporality is cumulative and a delta
where it is delta; other sums and gauges are gauges. Histograms and summaries
become count, sum, min, max, buckets and quantiles. A data point flagged "no
recorded value" is a gap. A start time that moves, or a counter that falls, is a
restart: it is counted and said, and the counter keeps its reset.

Whole numbers are texts of 64 bits, more than a table's real numbers hold: a
counter that begins above 2^53 is stored less its first value, so that its
increments stay exact, and that is said. Times in ms, us or ns become seconds,
By becomes bytes, % a share; a unit that is not known is kept out and said.`,
	Gives: []string{"points: otlp.<name>, otlp.<name>.count, .sum, .min, .max, .bucket, .quantile; entity: the attributes"},
	Lacks: []string{"exemplars", "logs and traces"},
	Sniff: func(head []byte) bool {
		return beginsJSON(head) && hasKeys(head, "resourceMetrics")
	},
	Read: readOTLPMetrics,
}

// otlpRequest is an ExportMetricsServiceRequest
// (https://github.com/open-telemetry/opentelemetry-proto). Members that are zero
// are not written.
type otlpRequest struct {
	Resource struct {
		Attributes []otlpAttribute `json:"attributes"`
	} `json:"resource"`
	Scopes []otlpScope `json:"scopeMetrics"`
	Old    []otlpScope `json:"instrumentationLibraryMetrics"` // before version 0.15
}

type otlpScope struct {
	Metrics []otlpMetric `json:"metrics"`
}

type otlpMetric struct {
	Name      string    `json:"name"`
	Unit      string    `json:"unit"`
	Gauge     *otlpData `json:"gauge"`
	Sum       *otlpData `json:"sum"`
	Histogram *otlpData `json:"histogram"`
	Exp       *otlpData `json:"exponentialHistogram"`
	Summary   *otlpData `json:"summary"`
}

type otlpData struct {
	Points      []otlpPoint     `json:"dataPoints"`
	Temporality json.RawMessage `json:"aggregationTemporality"` // a number, or its name
	Monotonic   bool            `json:"isMonotonic"`
}

type otlpPoint struct {
	Attributes []otlpAttribute `json:"attributes"`
	Start      json.RawMessage `json:"startTimeUnixNano"`
	Time       json.RawMessage `json:"timeUnixNano"`
	Int        json.RawMessage `json:"asInt"`
	Double     json.RawMessage `json:"asDouble"`
	Flags      int             `json:"flags"`

	Count     json.RawMessage   `json:"count"`
	Sum       json.RawMessage   `json:"sum"`
	Min       json.RawMessage   `json:"min"`
	Max       json.RawMessage   `json:"max"`
	Buckets   []json.RawMessage `json:"bucketCounts"`
	Bounds    []json.RawMessage `json:"explicitBounds"`
	Quantiles []struct {
		Quantile json.RawMessage `json:"quantile"`
		Value    json.RawMessage `json:"value"`
	} `json:"quantileValues"`
}

type otlpAttribute struct {
	Key   string                     `json:"key"`
	Value map[string]json.RawMessage `json:"value"`
}

// isDelta reports whether the temporality is delta.
func (d *otlpData) isDelta() bool {
	t := strings.Trim(string(d.Temporality), `"`)
	return t == "1" || t == "AGGREGATION_TEMPORALITY_DELTA"
}

// otlpReader holds what carries over from request to request.
type otlpReader struct {
	in     *Input
	out    *cadence
	series map[string]*otlpSeries

	empty    int            // data points without a value
	other    map[string]int // requests of other signals
	units    map[string]bool
	restarts map[string]int // by metric, in order of names
	rebased  map[string]bool
	odd      int
}

// otlpSeries is what is known of a counter.
type otlpSeries struct {
	start string
	base  *big.Int // what is taken off its values; nil: nothing
	last  float64
}

// otlpSeriesMax bounds how many counters are followed.
const otlpSeriesMax = 1 << 18

func readOTLPMetrics(in *Input, sink Sink) error {
	r := &otlpReader{
		in: in, out: &cadence{sink: sink}, series: map[string]*otlpSeries{}, other: map[string]int{},
		units: map[string]bool{}, restarts: map[string]int{}, rebased: map[string]bool{},
	}
	err := in.eachJSON(func(w *jsonWalk) error {
		return w.object(func(name string) error {
			switch name {
			case "resourceMetrics":
				return w.array(func() error { return r.request(w) })
			case "resourceLogs", "resourceSpans":
				r.other[name]++
			}
			return w.skip()
		})
	})
	if err != nil {
		return err
	}
	if err := r.out.finish(); err != nil {
		return err
	}
	if r.out.resolution > 0 {
		in.Meta.Resolution = r.out.resolution
	}
	r.notes()
	return nil
}

func (r *otlpReader) request(w *jsonWalk) error {
	var q otlpRequest
	if err := w.value(&q); err != nil {
		return err
	}
	for _, scope := range append(q.Scopes, q.Old...) {
		for i := range scope.Metrics {
			if err := r.metric(&scope.Metrics[i], q.Resource.Attributes); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *otlpReader) metric(m *otlpMetric, resource []otlpAttribute) error {
	unit, factor := r.unit(m.Unit)
	for _, kind := range []struct {
		data *otlpData
		put  func(*otlpSink, *otlpPoint) error
	}{{m.Gauge, r.gauge}, {m.Sum, r.sum}, {m.Histogram, r.histogram}, {m.Exp, r.histogram}, {m.Summary, r.histogram}} {
		if kind.data == nil {
			continue
		}
		for i := range kind.data.Points {
			p := &kind.data.Points[i]
			if p.Flags&1 != 0 {
				r.empty++
				continue
			}
			s, err := r.sinkOf(m, kind.data, p, resource)
			if err != nil {
				return err
			}
			s.point.Unit, s.factor = unit, factor
			if err := kind.put(s, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// otlpSink is where the values of one data point go.
type otlpSink struct {
	point  runs.Point
	data   *otlpData
	name   string
	tags   map[string]string
	factor float64
}

func (r *otlpReader) sinkOf(m *otlpMetric, d *otlpData, p *otlpPoint, resource []otlpAttribute) (*otlpSink, error) {
	ns, err := awsStamp(r.in, p.Time)
	if err != nil {
		return nil, placeError(fmt.Errorf("%s: %w", clip(m.Name), err))
	}
	s := &otlpSink{data: d, name: "otlp." + cutTag(firstSet(m.Name, "metric")), tags: map[string]string{}}
	for _, list := range [][]otlpAttribute{resource, p.Attributes} {
		for _, a := range list {
			for _, kind := range slices.Sorted(maps.Keys(a.Value)) { // one of stringValue, intValue, …
				if len(s.tags) < maxTags {
					s.tags[a.Key] = strings.Trim(string(a.Value[kind]), `"`)
				}
			}
		}
	}
	s.point.Time, s.point.TimeNS = runs.SplitNanos(ns)
	s.point.Entity, s.point.Tags = labelEntity(s.tags, "")
	return s, nil
}

// put writes one value of a data point.
func (r *otlpReader) put(s *otlpSink, metric string, kind runs.Kind, v float64) error {
	if v-v != 0 {
		r.odd++
		return nil
	}
	s.point.Metric, s.point.Kind, s.point.Value = metric, kind, v
	return r.out.point(&s.point)
}

func (r *otlpReader) gauge(s *otlpSink, p *otlpPoint) error {
	v, _, ok := p.number()
	if !ok {
		r.empty++
		return nil
	}
	return r.put(s, s.name, runs.Gauge, toUnit(v, s.factor))
}

func (r *otlpReader) sum(s *otlpSink, p *otlpPoint) error {
	v, whole, ok := p.number()
	switch {
	case !ok:
		r.empty++
		return nil
	case s.data.isDelta():
		return r.put(s, s.name, runs.Delta, toUnit(v, s.factor))
	case !s.data.Monotonic:
		return r.put(s, s.name, runs.Gauge, toUnit(v, s.factor))
	}
	return r.put(s, s.name, runs.Counter, toUnit(r.counter(s, p, v, whole), s.factor))
}

// counter follows a counter: it finds restarts, and takes the first value off one
// that is too large for a real number.
func (r *otlpReader) counter(s *otlpSink, p *otlpPoint, v float64, whole *big.Int) float64 {
	key := s.name + "\x00" + s.point.Entity
	c, start := r.series[key], strings.Trim(string(p.Start), `"`)
	if c == nil {
		c = &otlpSeries{start: start, last: v}
		if whole != nil && whole.CmpAbs(big.NewInt(1<<53)) > 0 {
			c.base = whole
			r.rebased[s.name] = true
		}
		if len(r.series) < otlpSeriesMax {
			r.series[key] = c
		}
	} else if c.start != start || v < c.last {
		r.restarts[s.name]++
		c.start, c.base = start, nil
	}
	c.last = v
	if c.base == nil || whole == nil {
		return v
	}
	f, _ := new(big.Float).SetInt(new(big.Int).Sub(whole, c.base)).Float64()
	return f
}

// histogram writes what a histogram or a summary counts.
func (r *otlpReader) histogram(s *otlpSink, p *otlpPoint) error {
	kind := runs.Counter
	if s.data.isDelta() {
		kind = runs.Delta
	}
	unit := s.point.Unit
	for _, v := range []struct {
		text   json.RawMessage
		name   string
		kind   runs.Kind
		unit   string
		factor float64
	}{
		{p.Count, ".count", kind, "1", 1}, {p.Sum, ".sum", kind, unit, s.factor},
		{p.Min, ".min", runs.Gauge, unit, s.factor}, {p.Max, ".max", runs.Gauge, unit, s.factor},
	} {
		if f, ok := otlpFloat(v.text); ok {
			s.point.Unit = v.unit
			if err := r.put(s, s.name+v.name, v.kind, toUnit(f, v.factor)); err != nil {
				return err
			}
		}
	}
	for i, text := range p.Buckets {
		le := "+Inf"
		if i < len(p.Bounds) {
			le = string(p.Bounds[i])
		}
		s.point.Unit = "1"
		if err := r.labelled(s, s.name+".bucket", kind, "le", le, text, 1); err != nil {
			return err
		}
	}
	for _, q := range p.Quantiles {
		s.point.Unit = unit
		if err := r.labelled(s, s.name+".quantile", runs.Gauge, "quantile", firstSet(string(q.Quantile), "0"), q.Value, s.factor); err != nil {
			return err
		}
	}
	return nil
}

// labelled writes a value under one further label.
func (r *otlpReader) labelled(s *otlpSink, metric string, kind runs.Kind, name, label string, text json.RawMessage, factor float64) error {
	v, ok := otlpFloat(text)
	if !ok {
		return nil
	}
	s.tags[name] = label
	s.point.Entity, s.point.Tags = labelEntity(s.tags, "")
	err := r.put(s, metric, kind, toUnit(v, factor))
	delete(s.tags, name)
	return err
}

// number returns the value of a data point; whole is set if it is an integer.
func (p *otlpPoint) number() (v float64, whole *big.Int, ok bool) {
	if p.Int != nil {
		text := strings.Trim(string(p.Int), `"`)
		if whole, ok = new(big.Int).SetString(text, 10); ok && len(text) <= 20 {
			v, _ = new(big.Float).SetInt(whole).Float64()
			return v, whole, true
		}
		return 0, nil, false
	}
	v, ok = otlpFloat(p.Double)
	return v, nil, ok
}

func otlpFloat(text json.RawMessage) (float64, bool) {
	v, err := strconv.ParseFloat(strings.Trim(string(text), `"`), 64)
	if err != nil {
		return math.NaN(), false
	}
	return v, true
}
