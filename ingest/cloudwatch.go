package ingest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"headroom/runs"
)

// cwSeries is one series of CloudWatch while its pages are read: datapoints come
// in no order, and a period only shows when all of them are there.
type cwSeries struct {
	metric, entity, unit string
	kind                 runs.Kind
	factor               float64 // to the unit
	labels               map[string]string
	points               []cwPoint
}

// cwPoint is one datapoint: the start of its period, in ns, and its value.
type cwPoint struct {
	ns    int64
	value float64
}

// cwPoints bounds the datapoints of one file; a page of the API has 100,800 at most.
const cwPoints = 4 << 20

// cwFile gathers the series of one file, in order of appearance.
type cwFile struct {
	in     *Input
	series map[string]*cwSeries
	order  []*cwSeries
	points int
	twice  int // the same datapoint again
	differ int // another value for the same time
}

func newCWFile(in *Input) *cwFile {
	return &cwFile{in: in, series: map[string]*cwSeries{}}
}

// get returns the series with a key, which is made by the first who asks.
func (f *cwFile) get(key string, make func() *cwSeries) *cwSeries {
	s := f.series[key]
	if s == nil {
		s = make()
		f.series[key] = s
		f.order = append(f.order, s)
	}
	return s
}

func (f *cwFile) add(s *cwSeries, ns int64, value float64) error {
	if f.points++; f.points > cwPoints {
		return fmt.Errorf("%w: more than %d datapoints", ErrTooLarge, cwPoints)
	}
	s.points = append(s.points, cwPoint{ns, value})
	return nil
}

// finish writes the points, series by series and oldest first. What CloudWatch
// stamps is the start of the period; a point stands at the end of what it covers.
func (f *cwFile) finish(sink Sink) error {
	periods := map[time.Duration]bool{}
	longest := time.Duration(0)
	for _, s := range f.order {
		f.sort(s)
		period := commonStep(s.points)
		if len(s.points) == 1 {
			f.in.Note("%s%s: one datapoint, so that its period is not known; it stands at the start of it", s.metric, clip(inBrackets(s.entity)))
		}
		if period > 0 {
			periods[period] = true
			longest = max(longest, period)
		}
		if err := s.write(sink, period); err != nil {
			return err
		}
	}
	if len(periods) > 0 {
		var each []string
		for _, p := range sortedDurations(periods) {
			each = append(each, p.String())
		}
		f.in.Note("the period is not in the file: %s, derived from the distances between datapoints", strings.Join(each, ", "))
		f.in.Note("CloudWatch stamps the start of a period; points were placed at its end")
		f.in.Meta.Resolution = int64(longest / time.Microsecond)
	}
	if f.twice > 0 {
		f.in.Note("%d datapoints are there more than once (pages that overlap) and were read once", f.twice)
	}
	if f.differ > 0 {
		f.in.Note("%d datapoints have another value for the same time; the first was kept", f.differ)
	}
	return nil
}

func sortedDurations(set map[time.Duration]bool) []time.Duration {
	var all []time.Duration
	for d := range set {
		all = append(all, d)
	}
	slices.Sort(all)
	return all
}

func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return " [" + text + "]"
}

// sort puts the datapoints in order and leaves out those that are there twice.
func (f *cwFile) sort(s *cwSeries) {
	slices.SortStableFunc(s.points, func(a, b cwPoint) int { return cmp.Compare(a.ns, b.ns) })
	s.points = slices.CompactFunc(s.points, func(a, b cwPoint) bool {
		switch {
		case a.ns != b.ns:
			return false
		case a.value == b.value:
			f.twice++
		default:
			f.differ++
		}
		return true
	})
}

// commonStep returns the longest duration of which every distance between sorted
// datapoints is a multiple, which is the period unless every second datapoint is
// missing; 0 if there are not two.
func commonStep(points []cwPoint) time.Duration {
	step := int64(0)
	for i := 1; i < len(points); i++ {
		a, b := points[i].ns-points[i-1].ns, step
		for b != 0 {
			a, b = b, a%b
		}
		step = a
	}
	return time.Duration(step)
}

func (s *cwSeries) write(sink Sink, period time.Duration) error {
	p := runs.Point{
		Entity: s.entity, Metric: s.metric, Kind: s.kind, Unit: s.unit,
		Resolution: int64(period / time.Microsecond), Tags: canonicalObject(s.labels),
	}
	for _, d := range s.points {
		p.Time, p.Value = micros(d.ns+int64(period)), toUnit(d.value, s.factor)
		if err := sink.Point(&p); err != nil {
			return err
		}
	}
	return nil
}

// toUnit multiplies a value by a factor to its unit. Factors below one are whole
// parts, so that 41 percent are 0.41 and not the float beside it.
func toUnit(v, factor float64) float64 {
	if factor < 1 {
		return v / math.Round(1/factor)
	}
	return v * factor
}

// awsStamp reads a stamp of the AWS command line: RFC 3339, seconds of the epoch
// as a number that may have an exponent, or the form of HTTP dates.
func awsStamp(in *Input, raw json.RawMessage) (int64, error) {
	text := strings.Trim(string(bytes.TrimSpace(raw)), `"`)
	if len(text) > 5 && text[3] == ',' {
		for _, zone := range []string{" GMT", " UTC"} {
			if t, ok := strings.CutSuffix(text, zone); ok {
				text = t + " +0000"
			}
		}
		return in.Stamps().Layout("Mon, 02 Jan 2006 15:04:05 -0700", text)
	}
	if strings.ContainsAny(text, "eE") && isNumber(text) {
		if r, ok := rational(text); ok {
			text = decimalText(r)
		}
	}
	return in.Stamps().Parse(text)
}

// cwUnits are the units of get-metric-statistics
// (https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDatum.html):
// the unit of the point, and the factor to it.
var cwUnits = map[string]cwUnit{
	"Percent": {"1", 0.01}, "Seconds": {"s", 1}, "Milliseconds": {"s", 1e-3}, "Microseconds": {"s", 1e-6},
	"Bytes": {"B", 1}, "Bits": {"B", 0.125}, "Count": {"1", 1}, "None": {"1", 1},
	"Bytes/Second": {"B/s", 1}, "Bits/Second": {"B/s", 0.125}, "Count/Second": {"1/s", 1},
}

type cwUnit struct {
	unit   string
	factor float64
}

// cwMetricUnits are the units of metrics that AWS documents, for the output of
// get-metric-data, which has none
// (https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/rds-metrics.html).
var cwMetricUnits = map[string]cwUnit{
	"CPUUtilization": cwUnits["Percent"], "BurstBalance": cwUnits["Percent"], "EBSIOBalance%": cwUnits["Percent"],
	"EBSByteBalance%": cwUnits["Percent"], "ReadIOPS": cwUnits["Count/Second"], "WriteIOPS": cwUnits["Count/Second"],
	"ReadLatency": cwUnits["Seconds"], "WriteLatency": cwUnits["Seconds"], "ReplicaLag": cwUnits["Seconds"],
	"ReadThroughput": cwUnits["Bytes/Second"], "WriteThroughput": cwUnits["Bytes/Second"],
	"NetworkReceiveThroughput": cwUnits["Bytes/Second"], "NetworkTransmitThroughput": cwUnits["Bytes/Second"],
	"TransactionLogsGeneration": cwUnits["Bytes/Second"], "TransactionLogsDiskUsage": cwUnits["Bytes"],
	"FreeableMemory": cwUnits["Bytes"], "FreeStorageSpace": cwUnits["Bytes"], "SwapUsage": cwUnits["Bytes"],
	"NetworkIn": cwUnits["Bytes"], "NetworkOut": cwUnits["Bytes"], "DiskReadBytes": cwUnits["Bytes"], "DiskWriteBytes": cwUnits["Bytes"],
	"DiskQueueDepth": cwUnits["Count"], "DatabaseConnections": cwUnits["Count"], "Deadlocks": cwUnits["Count/Second"],
	"CPUCreditBalance": cwUnits["Count"], "CPUCreditUsage": cwUnits["Count"], "RequestCount": cwUnits["Count"],
	"TargetResponseTime": cwUnits["Seconds"], "Latency": cwUnits["Seconds"], "MaximumUsedTransactionIDs": cwUnits["Count"],
}

// metricOf returns the metric that a label names, and its unit. AWS puts the
// resource in front where one query gives several series, so that a metric that
// is known is the last word. It notes what it does not know.
func (f *cwFile) metricOf(label string) (string, cwUnit) {
	if words := strings.Fields(label); len(words) > 0 {
		name := words[len(words)-1]
		if u, ok := cwMetricUnits[name]; ok {
			return name, u
		}
	}
	f.in.Note("%q: the unit is not in the file and the metric is not known; values are kept as they are", clip(label))
	return label, cwUnit{"1", 1}
}
