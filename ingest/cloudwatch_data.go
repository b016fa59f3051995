package ingest

import (
	"encoding/json"
	"fmt"

	"headroom/runs"
)

// CloudWatchData reads the output of aws cloudwatch get-metric-data.
var CloudWatchData = &Importer{
	Name: "cloudwatch-metric-data",
	Doc: `Amazon CloudWatch series (aws cloudwatch get-metric-data)

Recognised by a JSON object with "MetricDataResults". Results come newest first
unless asked otherwise and are put in order; the pages of one answer, one after
another in a file, are joined by their Id, which names the series, since labels
need not differ. A datapoint that is absent was not emitted: it stays a gap, and
is not zero.

The period, the statistic and the unit are not in the output. The period is
derived from the distances between datapoints, and that is said. The unit is the
one that AWS documents for the metric that the label names; of others the values
are kept as they are. The stamp is the start of a period: the point is placed at
its end, and its resolution is the period. A result that is not complete
(PartialData, Forbidden, InternalError) is marked.

CPUUtilization is of the whole machine, and on EC2 measured outside the guest. An
average over a minute hides stalls of seconds: export the maximum as well.`,
	Gives: []string{"points: cloudwatch.<label>, entity: the Id"},
	Lacks: []string{"period, statistic, unit and dimensions of the query", "stalls shorter than the period"},
	Sniff: func(head []byte) bool { return beginsJSON(head) && hasKeys(head, "MetricDataResults") },
	Read:  readCloudWatchData,
}

// cwResult is one element of MetricDataResults.
type cwResult struct {
	ID         string            `json:"Id"`
	Label      string            `json:"Label"`
	StatusCode string            `json:"StatusCode"`
	Timestamps []json.RawMessage `json:"Timestamps"`
	Values     []*float64        `json:"Values"`
	Messages   []cwMessage       `json:"Messages"`
}

type cwMessage struct {
	Code  string `json:"Code"`
	Value string `json:"Value"`
}

func readCloudWatchData(in *Input, sink Sink) error {
	f := newCWFile(in)
	more := false
	err := in.eachJSON(func(w *jsonWalk) error {
		more = false
		return w.object(func(name string) error {
			switch name {
			case "MetricDataResults":
				return w.array(func() error { return f.result(w) })
			case "Messages":
				var messages []cwMessage
				err := w.value(&messages)
				f.messages("", messages)
				return err
			case "NextToken":
				var token *string
				err := w.value(&token)
				more = token != nil && *token != ""
				return err
			}
			return w.skip()
		})
	})
	if err != nil {
		return err
	}
	if more {
		in.Note("the last page names a further one (NextToken), which is not in this file")
	}
	return f.finish(sink)
}

func (f *cwFile) messages(of string, messages []cwMessage) {
	for _, m := range messages {
		f.in.Note("%sCloudWatch says %s: %s", of, clip(m.Code), clip(m.Value))
	}
}

// result takes one result of a page.
func (f *cwFile) result(w *jsonWalk) error {
	var r cwResult
	if err := w.value(&r); err != nil {
		return err
	}
	s := f.get(r.ID, func() *cwSeries {
		name, u := f.metricOf(r.Label)
		s := &cwSeries{
			metric: "cloudwatch." + cutTag(firstSet(firstSet(name, r.ID), "metric")), entity: cutTag(r.ID),
			kind: runs.Gauge, unit: u.unit, factor: u.factor, labels: map[string]string{},
		}
		if name != r.Label {
			s.labels["label"] = cutTag(r.Label)
		}
		return s
	})
	if r.StatusCode != "" && r.StatusCode != "Complete" {
		s.labels["status"] = cutTag(r.StatusCode)
		f.in.Note("%s [%s] is not complete: %s", clip(r.Label), clip(r.ID), clip(r.StatusCode))
	}
	f.messages(clip(r.ID)+": ", r.Messages)
	if len(r.Timestamps) == 0 && len(r.Values) == 0 {
		f.in.Note("%s [%s] has no datapoints: nothing was emitted, which is not zero", clip(r.Label), clip(r.ID))
	}
	if len(r.Timestamps) != len(r.Values) {
		return shapeError(fmt.Sprintf("result %q has %d stamps and %d values", clip(r.ID), len(r.Timestamps), len(r.Values)))
	}
	for i, raw := range r.Timestamps {
		ns, err := awsStamp(f.in, raw)
		if err != nil {
			return placeError(err)
		}
		if v := r.Values[i]; v != nil {
			if err := f.add(s, ns, *v); err != nil {
				return err
			}
		}
	}
	return nil
}
