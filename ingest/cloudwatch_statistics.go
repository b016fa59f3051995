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

// CloudWatchStatistics reads the output of aws cloudwatch get-metric-statistics.
var CloudWatchStatistics = &Importer{
	Name: "cloudwatch-metric-statistics",
	Doc: `Amazon CloudWatch statistics (aws cloudwatch get-metric-statistics)

Recognised by a JSON object with "Datapoints". They come in no order and are put
in order; what is absent stays a gap, and is not zero. Each statistic becomes a
metric: the average is cloudwatch.<label>, the others have their name behind it,
as cloudwatch.CPUUtilization.maximum. Sum and SampleCount are amounts of the
period, not rates.

The period and the dimensions are not in the output: the period is derived from
the distances between datapoints, and that is said. The stamp is the start of a
period: the point is placed at its end.`,
	Gives: []string{"points: cloudwatch.<label>, cloudwatch.<label>.<statistic>"},
	Lacks: []string{"period and dimensions of the query", "stalls shorter than the period"},
	Sniff: func(head []byte) bool {
		return beginsJSON(head) && hasKeys(head, "Datapoints", "Timestamp") && !hasKeys(head, "MetricDataResults")
	},
	Read: readCloudWatchStatistics,
}

func readCloudWatchStatistics(in *Input, sink Sink) error {
	f := newCWFile(in)
	err := in.eachJSON(func(w *jsonWalk) error {
		label := ""
		var early []map[string]json.RawMessage // datapoints that come before the label
		labelled := false
		err := w.object(func(name string) error {
			switch name {
			case "Label":
				labelled = true
				return w.value(&label)
			case "Datapoints":
				return w.array(func() error {
					var d map[string]json.RawMessage
					if err := w.value(&d); err != nil {
						return err
					}
					if labelled {
						return f.datapoint(label, d)
					}
					if early = append(early, d); len(early) > cwPoints {
						return fmt.Errorf("%w: more than %d datapoints", ErrTooLarge, cwPoints)
					}
					return nil
				})
			}
			return w.skip()
		})
		for _, d := range early {
			err := f.datapoint(label, d)
			if isShape(err) {
				err = w.bad(err)
			}
			if err != nil {
				return err
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return f.finish(sink)
}

// datapoint takes one datapoint apart: each statistic is a series.
func (f *cwFile) datapoint(label string, d map[string]json.RawMessage) error {
	ns, err := awsStamp(f.in, d["Timestamp"])
	if err != nil {
		return placeError(err)
	}
	unit := ""
	_ = json.Unmarshal(d["Unit"], &unit) // without one, the values are kept as they are
	values := map[string]json.RawMessage{}
	if extended := d["ExtendedStatistics"]; extended != nil {
		if err := json.Unmarshal(extended, &values); err != nil {
			return shapeError("ExtendedStatistics: " + err.Error())
		}
	}
	for _, name := range []string{"Average", "Maximum", "Minimum", "Sum", "SampleCount"} {
		if v := d[name]; v != nil {
			values[name] = v
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		v, err := strconv.ParseFloat(string(values[name]), 64)
		if err != nil {
			return shapeError(fmt.Sprintf("%s is %q and no number", clip(name), clip(string(values[name]))))
		}
		s := f.get(label+"\x00"+name, func() *cwSeries { return f.statistic(label, name, unit) })
		if err := f.add(s, ns, v); err != nil {
			return err
		}
	}
	return nil
}

// statistic makes the series of one statistic of a metric.
func (f *cwFile) statistic(label, name, unit string) *cwSeries {
	u, known := cwUnits[unit]
	if !known {
		u = cwUnit{"1", 1}
		f.in.Note("the unit %q of %s is kept as it is", clip(unit), clip(name))
	}
	s := &cwSeries{metric: "cloudwatch." + cutTag(firstSet(label, "metric")), kind: runs.Gauge, unit: u.unit, factor: u.factor}
	switch name {
	case "Average":
		return s
	case "Sum":
		s.kind = runs.Delta
	case "SampleCount":
		s.kind, s.unit, s.factor = runs.Delta, "1", 1
	}
	s.metric += "." + strings.ToLower(cutTag(name))
	return s
}
