package ingest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"headroom/runs"
)

// PrometheusJSON reads answers of the query API of Prometheus.
var PrometheusJSON = &Importer{
	Name: "prometheus-json",
	Doc: `Prometheus query result (/api/v1/query_range, /api/v1/query)

Recognised by "status" with "data" and "resultType", or by "status" with
"errorType": an answer that is an error is refused with what the server said. A
matrix (query_range, or raw scrapes of a range selector), a vector and a scalar
are read. A series is named by its whole set of labels; an expression has no
metric name, and becomes prometheus.query.

Values are texts; NaN and infinite ones are no values: they are counted and left
out. The step is not in the answer and is taken from the distances between
values. An outage of an exporter is a hole where the server has stale markers,
and up to five minutes of one repeated value where it has not.

The answer does not say which metrics are counters; those whose names end in
_total or _bucket are taken as such, all others as gauges (pg_locks_count is
one). What rate() made is extrapolated. Units are those that the names end in (_seconds,
_bytes), else the value is kept as it is.`,
	Gives: []string{"points: prometheus.<name>, entity: the labels"},
	Lacks: []string{"which metrics are counters, where their names do not say", "the query and its step"},
	Sniff: func(head []byte) bool {
		return beginsJSON(head) && hasKeys(head, "status") && (hasKeys(head, "data", "resultType") || hasKeys(head, "errorType", "error"))
	},
	Read: readPrometheusJSON,
}

// promSeries is one element of a result: values of a matrix, or value of a vector.
type promSeries struct {
	Metric     map[string]string `json:"metric"`
	Values     []promValue       `json:"values"`
	Value      promValue         `json:"value"`
	Histograms []json.RawMessage `json:"histograms"`
}

// promValue is a stamp in seconds, and a number as text.
type promValue []json.RawMessage

// promReader holds what carries over from series to series.
type promReader struct {
	in  *Input
	out *cadence

	odd        int // values that are NaN or infinite
	histograms int
	kinds      map[runs.Kind]int
}

func readPrometheusJSON(in *Input, sink Sink) error {
	r := &promReader{in: in, out: &cadence{sink: sink}, kinds: map[runs.Kind]int{}}
	if err := in.eachJSON(r.answer); err != nil {
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

// answer reads one answer of the server.
func (r *promReader) answer(w *jsonWalk) error {
	var status, kind, text string
	err := w.object(func(name string) error {
		switch name {
		case "status":
			return w.value(&status)
		case "errorType":
			return w.value(&kind)
		case "error":
			return w.value(&text)
		case "warnings", "infos":
			var all []string
			err := w.value(&all)
			for _, s := range all[:min(len(all), keepBad)] {
				r.in.Note("Prometheus says: %s", clip(s))
			}
			return err
		case "data":
			return r.data(w)
		}
		return w.skip()
	})
	if err == nil && status == "error" {
		return fmt.Errorf("%w: the server answered with an error and no data: %s: %s", ErrUnreadable, clip(kind), clip(text))
	}
	return err
}

func (r *promReader) data(w *jsonWalk) error {
	kind := ""
	return w.object(func(name string) error {
		switch name {
		case "resultType":
			return w.value(&kind)
		case "result":
			if kind == "scalar" {
				var v promValue
				if err := w.value(&v); err != nil {
					return err
				}
				return r.series(&promSeries{Value: v})
			}
			return w.array(func() error {
				var s promSeries
				if err := w.value(&s); err != nil {
					return err
				}
				return r.series(&s)
			})
		}
		return w.skip()
	})
}

func (r *promReader) series(s *promSeries) error {
	name := s.Metric["__name__"]
	p := promPoint(name, s.Metric)
	if s.Value != nil {
		s.Values = append(s.Values, s.Value)
	}
	r.histograms += len(s.Histograms)
	for _, v := range s.Values {
		if len(v) != 2 {
			return shapeError(fmt.Sprintf("a value of %s is no pair of time and value", clip(p.Metric)))
		}
		ns, err := awsStamp(r.in, v[0])
		if err != nil {
			return placeError(err)
		}
		text := strings.Trim(string(v[1]), `"`)
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return shapeError(fmt.Sprintf("%q is no value of %s", clip(text), clip(p.Metric)))
		}
		if value-value != 0 {
			r.odd++
			continue
		}
		p.Time, p.TimeNS = runs.SplitNanos(ns)
		p.Value = value
		r.kinds[p.Kind]++
		if err := r.out.point(&p); err != nil {
			return err
		}
	}
	return nil
}

func (r *promReader) notes() {
	if r.odd > 0 {
		r.in.Note("%d values are NaN or infinite, which is no value, and were left out", r.odd)
	}
	if r.histograms > 0 {
		r.in.Note("%d native histograms were left out", r.histograms)
	}
	if r.kinds[runs.Gauge] > 0 {
		r.in.Note("the answer does not say which metrics are counters: %d values are taken as gauges, %d as of counters, by the ends of their names", r.kinds[runs.Gauge], r.kinds[runs.Counter])
	}
}

// promPoint returns a point of a series, without time and value: metric, entity,
// kind and unit as its name and labels say.
func promPoint(name string, labels map[string]string) runs.Point {
	p := runs.Point{Metric: "prometheus." + cutTag(firstSet(name, "query")), Kind: runs.Gauge, Unit: "1"}
	base := name
	for _, end := range []string{"_total", "_bucket", "_sum", "_count"} {
		if b, ok := strings.CutSuffix(name, end); ok {
			base = b
			if end == "_total" || end == "_bucket" {
				p.Kind = runs.Counter
			}
			if end == "_count" || end == "_bucket" {
				base = "" // how many, whatever of
			}
		}
	}
	switch {
	case strings.HasSuffix(base, "_seconds"):
		p.Unit = "s"
	case strings.HasSuffix(base, "_bytes"):
		p.Unit = "B"
	}
	p.Entity, p.Tags = labelEntity(labels, "__name__")
	return p
}

// labelEntity names a series by its labels, "a=1,b=2" in the order of their
// names, and returns them as tags too. The label called except is left out.
func labelEntity(labels map[string]string, except string) (entity, tags string) {
	rest := make(map[string]string, len(labels))
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		if k == except || len(rest) >= maxTags {
			continue
		}
		v := cutTag(labels[k])
		rest[cutTag(k)] = v
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(cutTag(k) + "=" + v)
	}
	return b.String(), canonicalObject(rest)
}
