package ingest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"headroom/runs"
)

// PerformanceInsights reads the output of aws pi.
var PerformanceInsights = &Importer{
	Name: "performance-insights",
	Doc: `Amazon RDS Performance Insights (aws pi get-resource-metrics)

Recognised by "AlignedStartTime" with "MetricList", or with "Keys", which is the
answer of aws pi describe-dimension-keys. Stamps are ISO or seconds of the epoch.

A stamp is the end of its period: the first one is AlignedStartTime plus the
period, unlike CloudWatch's. Values are average active sessions over the period.
The series without dimensions is the total; the others are the largest groups
only (10 unless asked otherwise, 25 at most), so that the rest is the total less
their sum. A datapoint without a value is a gap. The keys of
describe-dimension-keys are averages over the whole window: one point each, at
its end.`,
	Gives: []string{"points: pi.<metric>, pi.keys; entity: the dimension, as IO:WALSync"},
	Lacks: []string{"groups beyond the largest", "single sessions"},
	Sniff: func(head []byte) bool {
		return beginsJSON(head) && hasKeys(head, "AlignedStartTime") && (hasKeys(head, "MetricList") || hasKeys(head, "Keys", "Dimensions"))
	},
	Read: readPerformanceInsights,
}

// piSeries is one element of MetricList.
type piSeries struct {
	Key struct {
		Metric     string            `json:"Metric"`
		Dimensions map[string]string `json:"Dimensions"`
	} `json:"Key"`
	DataPoints []struct {
		Timestamp json.RawMessage `json:"Timestamp"`
		Value     *float64        `json:"Value"`
	} `json:"DataPoints"`
}

// piKey is one element of Keys.
type piKey struct {
	Dimensions map[string]string `json:"Dimensions"`
	Total      *float64          `json:"Total"`
}

// piReader holds what carries over from series to series.
type piReader struct {
	in   *Input
	sink Sink

	start, end json.RawMessage
	first      int64 // ns, the earliest datapoint of the document; 0: none
	period     int64 // ns, the longest that was derived; 0: none
	keys       []piKey
	gaps       int
}

func readPerformanceInsights(in *Input, sink Sink) error {
	r := &piReader{in: in, sink: sink}
	return in.eachJSON(func(w *jsonWalk) error {
		r.start, r.end, r.first, r.period, r.keys = nil, nil, 0, 0, nil
		err := w.object(func(name string) error {
			switch name {
			case "AlignedStartTime":
				return w.value(&r.start)
			case "AlignedEndTime":
				return w.value(&r.end)
			case "MetricList":
				return w.array(func() error { return r.series(w) })
			case "Keys":
				return w.array(func() error { return r.key(w) })
			case "NextToken":
				in.Note("the answer names a further page (NextToken)")
			}
			return w.skip()
		})
		if err != nil {
			return err
		}
		return r.document()
	})
}

// series writes one series of a document.
func (r *piReader) series(w *jsonWalk) error {
	var s piSeries
	if err := w.value(&s); err != nil {
		return err
	}
	points, stamps := make([]cwPoint, 0, len(s.DataPoints)), make([]cwPoint, 0, len(s.DataPoints))
	for _, d := range s.DataPoints {
		ns, err := awsStamp(r.in, d.Timestamp)
		if err != nil {
			return placeError(err)
		}
		if r.first == 0 || ns < r.first {
			r.first = ns
		}
		stamps = append(stamps, cwPoint{ns: ns})
		if d.Value == nil {
			r.gaps++
			continue
		}
		points = append(points, cwPoint{ns, *d.Value})
	}
	byTime := func(a, b cwPoint) int { return cmp.Compare(a.ns, b.ns) }
	slices.SortStableFunc(points, byTime)
	slices.SortStableFunc(stamps, byTime)
	period := commonStep(stamps)
	r.period = max(r.period, int64(period))
	p := runs.Point{
		Entity: piEntity(s.Key.Dimensions), Metric: "pi." + cutTag(firstSet(s.Key.Metric, "metric")), Kind: runs.Gauge, Unit: "1",
		Resolution: int64(period / time.Microsecond), Tags: piTags(s.Key.Dimensions),
	}
	for _, d := range points {
		p.Time, p.Value = micros(d.ns), d.value
		if err := r.sink.Point(&p); err != nil {
			return err
		}
	}
	return nil
}

func (r *piReader) key(w *jsonWalk) error {
	var k piKey
	if err := w.value(&k); err != nil {
		return err
	}
	if len(r.keys) < cwPoints {
		r.keys = append(r.keys, k)
	}
	return nil
}

// document checks how a document's stamps lie, and writes its keys.
func (r *piReader) document() error {
	var start, end int64
	var errs [2]error
	start, errs[0] = awsStamp(r.in, r.start)
	end, errs[1] = awsStamp(r.in, r.end)
	if err := errors.Join(errs[:]...); err != nil {
		if len(r.keys) > 0 {
			return placeError(fmt.Errorf("the aligned window: %w", err))
		}
		start, end = 0, 0
	}
	if r.period > 0 {
		r.in.Meta.Resolution = max(r.in.Meta.Resolution, r.period/int64(time.Microsecond))
		note := "stamps are the end of their period of %v"
		if start != 0 && r.first == start {
			note += ", though the first of them is AlignedStartTime: the period before it was asked for as well, or the stamps are of another making"
		}
		r.in.Note(note, time.Duration(r.period))
	}
	if r.gaps > 0 {
		r.in.Note("%d datapoints have no value: gaps, and not zero", r.gaps)
		r.gaps = 0
	}
	if len(r.keys) == 0 {
		return nil
	}
	r.in.Note("averages over the window of %v, not series", time.Duration(end-start))
	for _, k := range r.keys {
		if k.Total == nil {
			continue
		}
		err := r.sink.Point(&runs.Point{
			Time: micros(end), Entity: piEntity(k.Dimensions), Metric: "pi.keys", Kind: runs.Gauge, Unit: "1", Value: *k.Total,
			Resolution: max(end-start, 0) / int64(time.Microsecond), Tags: piTags(k.Dimensions),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// piEntity names a group by its dimensions: by its names, which say what its
// types and ids say again.
func piEntity(dimensions map[string]string) string {
	var names, all []string
	for _, d := range slices.Sorted(maps.Keys(dimensions)) {
		all = append(all, dimensions[d])
		if strings.HasSuffix(d, ".name") {
			names = append(names, dimensions[d])
		}
	}
	if len(names) == 0 {
		names = all
	}
	return cutTag(strings.Join(names, " "))
}

func piTags(dimensions map[string]string) string {
	tags := map[string]string{}
	for k, v := range dimensions {
		if len(tags) < maxTags {
			tags[k] = cutTag(v)
		}
	}
	return canonicalObject(tags)
}
