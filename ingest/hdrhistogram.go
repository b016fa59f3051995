package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"headroom/internal/pattern"
	"headroom/runs"
	"headroom/stat"
)

// HdrHistogramLog reads interval logs of HdrHistogram
// (https://hdrhistogram.github.io/HdrHistogram/JavaDoc/org/HdrHistogram/HistogramLogReader.html).
var HdrHistogramLog = &Importer{
	Name: "hdrhistogram-log",
	Doc: `HdrHistogram interval log (.hlog, .hdr)

Recognised by "#[Histogram log format version", "#[StartTime:" or the legend
"StartTimestamp". An interval's stamp counts from BaseTime where there is one; else
it is absolute, unless it lies more than a year before StartTime: then it counts
from StartTime. A log whose first interval lies more than a day from its StartTime
has a clock that counts from something else, and is refused unless the start of its
first interval is given (--start). Tags become the op, and the tag of an untagged
log of YCSB is what it is "Logging for".

The unit of the values is not in the file. It is known of jHiccup (ns) and YCSB (us);
of others it must be given (--time-unit). Payloads of versions before V2 are
refused: HdrHistogram 2.1 and later copy them. Where a recorder limits values to
the highest it covers, the bucket of that limit has no upper bound: figures that
fall into it are "at least".`,
	Gives: []string{"histograms: by interval and tag"},
	Lacks: []string{"single requests", "the unit of its values", "the load model and the offered rate", "failures"},
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		if bytes.HasPrefix(line, []byte("#")) {
			return hdrMark.Match(head)
		}
		return bytes.HasPrefix(line, []byte(`"StartTimestamp","`)) || hdrData.Match(line) && bytes.Contains(line, []byte(",HIST"))
	},
	Read: readHdrHistogramLog,
}

var (
	hdrMark    = pattern.New(`(?m)^(#\[Histogram log format version|#\[StartTime: |"StartTimestamp",")`)
	hdrTime    = pattern.New(`^#\[(StartTime|BaseTime): ([\d.]+)`)
	hdrLogging = pattern.New(`^#\[Logging for: ([^\]]+)\]`)
	hdrLogged  = pattern.New(`^#\[Logged with ([^\]]+)\]`)
	hdrData    = pattern.New(`^(?:Tag=([^,]*),)?([\d.]+),([\d.]+),([\d.]+),(\S*)$`)
)

// Bounds of what a log may say of its clock.
const (
	hdrYear    = int64(365 * 24 * time.Hour)
	hdrSuspect = int64(24 * time.Hour)
)

type hdrReader struct {
	in   *Input
	sink Sink
	unit time.Duration // of the values; 0: not known yet

	start, base       int64 // ns since the epoch
	hasStart, hasBase bool
	known             bool  // how stamps become instants was decided
	offset            int64 // added to a stamp
	op                string

	rows, empty int64
	intervals   int64
	total       int64
	clipped     int64
	limit       int64
	last        string // the payload of the line before, untagged
	lastAt      string
	twice       int64
}

func readHdrHistogramLog(in *Input, sink Sink) error {
	r := &hdrReader{in: in, sink: sink, unit: in.Opt.TimeUnit}
	in.Meta.Basis, in.Meta.Model = basisRequest, runs.UnknownLoop
	lines := in.Lines()
	for lines.Next() {
		if err := r.line(lines); err != nil {
			return err
		}
	}
	if err := lines.Finish(); err != nil {
		return err
	}
	r.describe()
	return nil
}

func (r *hdrReader) line(l *Lines) error {
	line := bytes.TrimSpace(l.Bytes())
	switch {
	case len(line) == 0 || line[0] == '"':
		return nil
	case line[0] == '#':
		return r.comment(l, line)
	}
	m := hdrData.FindSubmatch(line)
	if m == nil {
		return r.in.BadAt(l, "neither a comment nor an interval: %q", clip(string(line)))
	}
	return r.interval(l, m)
}

// comment reads a line that says something of the log.
func (r *hdrReader) comment(l *Lines, line []byte) error {
	if m := hdrTime.FindSubmatch(line); m != nil {
		ns, ok := scaled(m[2], 9)
		if !ok || ns > math.MaxInt64/4 {
			return r.in.BadAt(l, "%q is no number of seconds that can be", clip(string(m[2])))
		}
		if string(m[1]) == "StartTime" {
			r.start, r.hasStart = ns, true
		} else {
			r.base, r.hasBase = ns, true
		}
		r.known = false
	}
	if m := hdrLogging.FindSubmatch(line); m != nil {
		r.op, r.in.Meta.Tool = cutTag(string(m[1])), "ycsb"
		r.produced(time.Microsecond, "YCSB")
	}
	if m := hdrLogged.FindSubmatch(line); m != nil {
		if version, ok := bytes.CutPrefix(m[1], []byte("jHiccup")); ok {
			r.in.Meta.Tool = "jhiccup"
			r.in.Meta.Version = cutTag(string(bytes.TrimPrefix(version, []byte(" version "))))
			r.produced(time.Nanosecond, "jHiccup")
		}
	}
	return nil
}

// produced takes the unit that a producer is known for, unless one was given.
func (r *hdrReader) produced(unit time.Duration, by string) {
	if r.unit == 0 {
		r.unit = unit
		r.in.Note("values are taken as %s, the unit of %s, which wrote the log", unitName(unit), by)
	}
}

// decide tells, by the first interval after a stamp of the log, what is added to
// the stamps of intervals.
func (r *hdrReader) decide(stamp int64) error {
	given, ok := r.in.start()
	switch {
	case r.hasBase:
		r.offset = r.base
	case !r.hasStart && epochUnit(stamp/1e9) == time.Second:
		r.offset = 0
	case !r.hasStart && !ok:
		return fmt.Errorf("%w: the log has no StartTime", ErrNoTimeAxis)
	case r.hasStart && stamp < r.start-hdrYear:
		r.offset = r.start
	}
	first := stamp + r.offset
	suspect := !r.hasStart && !r.hasBase && epochUnit(first/1e9) != time.Second ||
		r.hasStart && (first-r.start > hdrSuspect || r.start-first > hdrSuspect) || epochUnit(first/1e9) != time.Second
	switch {
	case ok && suspect:
		r.offset = given*1000 - stamp
		r.in.placed("intervals are")
	case suspect:
		return fmt.Errorf("%w: its first interval lies %.3f s (%.2f days) after its StartTime, so that its stamps count from something else (a monotonic clock, most likely); give the start of the first interval (--start)",
			ErrNoTimeAxis, float64(first-r.start)/1e9, float64(first-r.start)/float64(24*time.Hour))
	default:
		r.in.Meta.Zone = "Unix epoch, by format"
	}
	r.known = true
	return nil
}

func (r *hdrReader) interval(l *Lines, m [][]byte) error {
	stamp, ok1 := scaled(m[2], 9)
	length, ok2 := scaled(m[3], 9)
	if !ok1 || !ok2 || stamp > math.MaxInt64/4 || length > maxDuration {
		return r.in.BadAt(l, "%q is no start, or %q no length, in seconds", clip(string(m[2])), clip(string(m[3])))
	}
	h, err := stat.DecodeHistogram(m[5])
	if errors.Is(err, stat.ErrOldHistogram) {
		return &FileError{r.in.Name, fmt.Errorf("line %d: %w", l.Number(), err)}
	}
	if err != nil {
		return r.in.BadAt(l, "%v", err)
	}
	if !r.known {
		if err := r.decide(stamp); err != nil {
			return &FileError{r.in.Name, fmt.Errorf("line %d: %w", l.Number(), err)}
		}
	}
	if r.unit == 0 && h.N() > 0 {
		return &FileError{r.in.Name, fmt.Errorf("%w: line %d: the unit of its values is not in the file (%s); give it (--time-unit us|ns|ms)", ErrUsage, l.Number(), ratioOf(m[4], h))}
	}
	return r.buckets(h, stamp+r.offset, length, r.tag(m))
}

// tag returns the op of an interval, and counts those that come untagged and
// tagged with the same values.
func (r *hdrReader) tag(m [][]byte) string {
	if m[1] == nil {
		r.last, r.lastAt = string(m[5]), string(m[2])
		return r.op
	}
	if r.last == string(m[5]) && r.lastAt == string(m[2]) {
		r.twice++
	}
	return cutTag(string(m[1]))
}

// ratioOf says how an interval's column of maxima compares with its values.
func ratioOf(column []byte, h *stat.Histogram) string {
	b := h.Buckets()
	max := jsonNumber(column).scaled(0)
	if len(b) == 0 || !(max > 0) {
		return "nothing in it tells"
	}
	return fmt.Sprintf("its largest value is %d, and %s in the column Interval_Max", b[len(b)-1].High, strconv.FormatFloat(max, 'f', -1, 64))
}

// buckets writes the histogram of one interval.
func (r *hdrReader) buckets(h *stat.Histogram, start, length int64, op string) error {
	r.intervals++
	r.total += h.N()
	if h.N() == 0 {
		r.empty++
		return nil
	}
	res, unit := h.Resolution(), int64(r.unit)
	row := runs.Histogram{Start: micros(start), Length: length, Scenario: r.in.NewSample().Scenario, Op: op}
	for _, b := range h.Buckets() {
		if b.High > math.MaxInt64/unit/2 {
			r.in.Note("a value of %d %s is too long to be one, and was left out", b.Low, unitName(r.unit))
			continue
		}
		row.Low, row.High, row.Count = b.Low*unit, (b.High+1)*unit-1, b.Count
		if b.High >= res.Highest && !growing(res.Highest) {
			row.High = math.MaxInt64 // at the recorder's limit: not bounded
			r.clipped += b.Count
			r.limit = res.Highest
		}
		r.rows++
		if err := r.sink.Histogram(&row); err != nil {
			return err
		}
	}
	return nil
}

// growing reports whether a highest value is one of a histogram that grows with
// its values, and so limits none: one less than a power of two.
func growing(highest int64) bool { return highest&(highest+1) == 0 || highest == 2 }

// describe says what the log tells as a whole.
func (r *hdrReader) describe() {
	in := r.in
	in.Meta.LatencyUnit = map[time.Duration]string{time.Nanosecond: "ns", time.Microsecond: "µs", time.Millisecond: "ms", time.Second: "s"}[r.unit]
	if in.Meta.Resolution == 0 && r.intervals > 0 {
		in.Meta.Resolution = resolutionOf(time.Millisecond)
	}
	if r.empty > 0 {
		in.Note("%d of %d intervals are empty", r.empty, r.intervals)
	}
	if r.twice > 0 {
		in.Note("%d intervals occur untagged and with a tag, with the same values: they are the same requests twice, and must not be added up", r.twice)
	}
	if r.clipped > 0 {
		in.Note("%d of %d values lie in the bucket of the recorder's limit, %d %s: how long they took is not known, only that it was at least that; their bucket has no upper bound", r.clipped, r.total, r.limit, unitName(r.unit))
	}
	if strings.TrimSpace(r.op) != "" {
		in.Note("untagged intervals are of %s", clip(r.op))
	}
}
