package detect

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"headroom/runs"
)

// Evidence is what was recorded beside the requests, within a window. It is read
// once and shared by all detectors.
type Evidence struct {
	Series  []Series           // by metric, source and entity
	Visits  []Visit            // what the sampler of database sessions saw, in order of time
	Markers []runs.Marker      // in order of time; one event in two logs is one
	Stamps  map[string][]int64 // of each source of points: distinct instants in ns, ascending
	Steps   map[string]int64   // of each of these: the shortest interval that a point says it stands for, ns

	// Within is what was read: the window and a margin around it.
	Within Span
}

// margin is how far around the window evidence is read: a cause may be logged
// when it ends.
const margin = int64(10 * time.Second)

// coarsest is the longest interval that a point is expected to stand for: basic
// monitoring of a cloud gives one every five minutes. A point that is stamped so
// long after the window may still speak of it.
const coarsest = int64(5 * time.Minute)

// Series is one metric of one thing, in order of time.
type Series struct {
	Metric, Source, Entity, Unit string
	Kind                         runs.Kind
	Resolution                   int64  // ns between the source's points, 0 if not known
	Status                       string // what the source says that it lacks, "" if nothing
	At                           []int64
	Values                       []float64
}

// Visit is one look at the database's sessions.
type Visit struct {
	At       int64 // ns since the Unix epoch
	Sessions int   // client sessions, idle ones included
	Active   int   // that were running a statement
	Waiting  int   // of those, that waited
	Waits    map[string]int
	Blocked  int // that waited for a lock of another session
}

// ReadEvidence reads the points of the named metrics, the sessions and the
// markers of a run in one pass over each table. A name that ends in a dot takes
// every metric that begins so. The stamps of every other metric are kept as well,
// without values.
func ReadEvidence(ctx context.Context, run *runs.Run, window Span, metrics []string) (*Evidence, error) {
	e := newEvidence(window)
	wanted := metricSet(withInputs(metrics))
	within := runs.Range{Start: e.Within.Start / 1000, End: e.Within.End/1000 + 1}
	series := map[seriesKey]*Series{}
	late := runs.Range{Start: within.Start, End: (e.Within.End + coarsest) / 1000}
	err := run.ScanPoints(ctx, nil, late, func(p *runs.Point) error {
		if p.Time < within.End || p.Time-p.Resolution < window.End/1000 {
			e.point(p, wanted, series)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = run.ScanActivity(ctx, within, func(a *runs.Activity) error {
		e.session(a)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = run.ScanMarkers(ctx, nil, within, func(m *runs.Marker) error {
		e.marker(m)
		return nil
	})
	e.finish(series)
	return e, err
}

// NewEvidence makes evidence of rows in memory.
func NewEvidence(window Span, points []runs.Point, activity []runs.Activity, markers []runs.Marker) *Evidence {
	e := newEvidence(window)
	series := map[seriesKey]*Series{}
	for i := range points {
		e.point(&points[i], nil, series)
	}
	for i := range activity {
		e.session(&activity[i])
	}
	for i := range markers {
		e.marker(&markers[i])
	}
	e.finish(series)
	return e
}

func newEvidence(window Span) *Evidence {
	return &Evidence{Stamps: map[string][]int64{}, Steps: map[string]int64{}, Within: Span{window.Start - margin, window.End + margin}}
}

// metricSet tells whether a metric is among the named ones; a name that ends in a
// dot stands for all that begin so.
func metricSet(names []string) func(metric string) bool {
	exact, prefixes := map[string]bool{}, []string{}
	for _, n := range names {
		if strings.HasSuffix(n, ".") {
			prefixes = append(prefixes, n)
		} else {
			exact[n] = true
		}
	}
	return func(metric string) bool {
		return exact[metric] || slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(metric, p) })
	}
}

type seriesKey struct{ metric, source, entity string }

// point keeps a value if its metric is wanted; nil wants every metric.
func (e *Evidence) point(p *runs.Point, wanted func(string) bool, series map[seriesKey]*Series) {
	at := p.Nanos()
	if ts := e.Stamps[p.Source]; p.Resolution != 0 && (len(ts) == 0 || ts[len(ts)-1] != at) {
		e.Stamps[p.Source] = append(ts, at)
	}
	if step, known := e.Steps[p.Source]; p.Resolution > 0 && (!known || p.Resolution*1000 < step) {
		e.Steps[p.Source] = p.Resolution * 1000
	}
	if wanted != nil && !wanted(p.Metric) {
		return
	}
	key := seriesKey{p.Metric, p.Source, p.Entity}
	s := series[key]
	if s == nil {
		s = &Series{Metric: p.Metric, Source: p.Source, Entity: p.Entity, Unit: p.Unit, Kind: p.Kind, Resolution: p.Resolution * 1000}
		series[key] = s
		s.Status = statusOf(p)
	}
	s.At, s.Values = append(s.At, at), append(s.Values, p.Value)
}

// statusOf is what a cloud's answer says that a series lacks: "PartialData".
func statusOf(p *runs.Point) string {
	var tags struct{ Status string }
	if !strings.HasPrefix(p.Metric, "cloudwatch.") || json.Unmarshal([]byte(p.Tags), &tags) != nil {
		return ""
	}
	return tags.Status
}

func (e *Evidence) session(a *runs.Activity) {
	at := a.Time * 1000
	// A sampler's rows of one look may bear stamps of their own, microseconds apart.
	const oneLook = int64(50 * time.Millisecond)
	if n := len(e.Visits); n == 0 || at-e.Visits[n-1].At > oneLook {
		e.Visits = append(e.Visits, Visit{At: at, Waits: map[string]int{}})
	}
	v := &e.Visits[len(e.Visits)-1]
	if a.BackendType != "" && a.BackendType != "client backend" {
		return
	}
	v.Sessions++
	if a.State != "active" && a.State != "" {
		return
	}
	v.Active++
	if a.WaitType == "" || a.WaitType == "Client" || a.WaitType == "Activity" {
		return
	}
	v.Waiting++
	v.Waits[a.WaitType+":"+a.Wait]++
	if a.WaitType == "Lock" {
		v.Blocked++
	}
}

func (e *Evidence) marker(m *runs.Marker) {
	kept := *m
	kept.Detail = ""
	e.Markers = append(e.Markers, kept)
}

// logOf says whose log a kind of marker is from: what stands before its first dot. A
// run's own notes and the errors that a load generator dates are markers too, and show
// nothing of a database that logged nothing.
func logOf(kind string) string {
	name, _, _ := strings.Cut(kind, ".")
	return name
}

// inLog reports whether a marker of one of the kinds could stand in the log that a
// marker was recorded from.
func inLog(recorded string, kinds []string) bool {
	return slices.ContainsFunc(kinds, func(kind string) bool { return logOf(kind) == logOf(recorded) })
}

// unlogged says why markers of the kinds could not have been seen, "" if they could.
func (e *Evidence) unlogged(kinds []string) string {
	if len(e.Markers) == 0 {
		return "no log was recorded"
	}
	logs := map[string]bool{}
	for i := range e.Markers {
		if inLog(e.Markers[i].Kind, kinds) {
			return ""
		}
		logs[logOf(e.Markers[i].Kind)] = true
	}
	return "no log was recorded that " + strings.Join(kinds, ", ") + " could be in; what was recorded begins with " + strings.Join(slices.Sorted(maps.Keys(logs)), ", ")
}

func (e *Evidence) finish(series map[seriesKey]*Series) {
	for _, s := range series {
		s.sort()
		e.Series = append(e.Series, *s)
	}
	slices.SortFunc(e.Series, bySeries)
	e.derive()
	slices.SortFunc(e.Series, bySeries)
	for source, ts := range e.Stamps {
		slices.Sort(ts)
		e.Stamps[source] = slices.Compact(ts)
	}
	e.Markers = Once(e.Markers)
}

func bySeries(a, b Series) int {
	return cmp.Or(cmp.Compare(a.Metric, b.Metric), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Entity, b.Entity))
}

// Once sorts markers by time and keeps each event once. A server may log to two
// files of different formats: markers of two sources with one stamp, kind and
// message are one event, whatever else either format says of it. The slice is
// reused.
func Once(markers []runs.Marker) []runs.Marker {
	slices.SortStableFunc(markers, func(a, b runs.Marker) int { return compare(a.Time, b.Time) })
	type event struct {
		time          int64
		kind, message string
	}
	seen := map[event]string{}
	return slices.DeleteFunc(markers, func(m runs.Marker) bool {
		key := event{m.Time, m.Kind, m.Message}
		first, twice := seen[key]
		if !twice {
			seen[key] = m.Source
		}
		return twice && first != m.Source
	})
}

// sort puts the points in order of time. Two sources of one name, or one read
// twice, may give them interleaved. A level that a source gives twice for one
// instant, as overlapping pages do, is one; amounts may be alike by chance.
func (s *Series) sort() {
	if ascending(s.At) {
		return
	}
	order := make([]int, len(s.At))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return compare(s.At[i], s.At[j]) })
	if s.Kind != runs.Delta {
		order = slices.CompactFunc(order, func(i, j int) bool { return s.At[i] == s.At[j] && s.Values[i] == s.Values[j] })
	}
	at, values := make([]int64, len(order)), make([]float64, len(order))
	for k, i := range order {
		at[k], values[k] = s.At[i], s.Values[i]
	}
	s.At, s.Values = at, values
}

// ascending reports whether each instant comes after the one before.
func ascending(at []int64) bool {
	for i := 1; i < len(at); i++ {
		if at[i] <= at[i-1] {
			return false
		}
	}
	return true
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Step returns what a point of the series stands for, in ns: its resolution, or
// the median distance between its points; 0 if neither is known.
func (s *Series) Step() int64 {
	if s.Resolution > 0 || len(s.At) < 2 {
		return s.Resolution
	}
	gaps := make([]int64, len(s.At)-1)
	for i := range gaps {
		gaps[i] = s.At[i+1] - s.At[i]
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

// Levels returns the series as levels: a gauge as it is, a delta as amount a
// second, a counter as what was added a second since the point before (none over
// a reset).
func (s *Series) Levels() (at []int64, values []float64) {
	switch s.Kind {
	case runs.Counter:
		for i := 1; i < len(s.At); i++ {
			if d := s.Values[i] - s.Values[i-1]; d >= 0 && s.At[i] > s.At[i-1] {
				at, values = append(at, s.At[i]), append(values, d/seconds(s.At[i]-s.At[i-1]))
			}
		}
		return at, values
	case runs.Delta:
		if step := s.Step(); step > 0 {
			for i := range s.At {
				at, values = append(at, s.At[i]), append(values, s.Values[i]/seconds(step))
			}
		}
		return at, values
	}
	return s.At, s.Values
}

// levelUnit is the unit of what Levels returns.
func (s *Series) levelUnit() string {
	switch {
	case s.Unit == "" || s.Kind != runs.Counter && s.Kind != runs.Delta:
		return s.Unit
	case s.Unit == "1":
		return "1/s"
	case s.Unit == "s": // seconds of each second
		return "1"
	}
	return s.Unit + "/s"
}

// Of returns the series of a metric.
func (e *Evidence) Of(metric string) []Series {
	lo, _ := slices.BinarySearchFunc(e.Series, metric, func(s Series, m string) int { return strings.Compare(s.Metric, m) })
	hi := lo
	for hi < len(e.Series) && e.Series[hi].Metric == metric {
		hi++
	}
	return e.Series[lo:hi]
}

// Attr returns a numeric attribute of a marker.
func Attr(m *runs.Marker, name string) (float64, bool) {
	if m.Attrs == "" {
		return 0, false
	}
	var attrs map[string]any
	if json.Unmarshal([]byte(m.Attrs), &attrs) != nil {
		return 0, false
	}
	v, ok := attrs[name].(float64)
	return v, ok
}
