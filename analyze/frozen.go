package analyze

import (
	"fmt"
	"slices"

	"headroom/detect"
)

// countMetrics are series that are counted over a window, beside levels; the first
// that was recorded counts.
var countMetrics = []string{"sql.wal_files", "postgres.server.wal_files"}

// The series that show what a disk did in a frozen second; the first that was
// recorded counts.
var (
	sizeMetrics  = []string{"rds.physical_disk.request_size", "rds.disk.request_size", "disk.request_size"}
	queueMetrics = []string{"rds.physical_disk.queue", "rds.disk.queue", "disk.queue"}
)

// collapsed is the share of its calm median under which the size of disk requests
// has collapsed: a batch of large writes became single pages.
const collapsed = 0.25

// finest is the coarsest step, in ns, that can set one second beside another.
const finest = int64(1_000_000_000)

// beneath gives what the database and its disk did while requests froze, beside
// what they did while none did: maintenance by the log, the size of disk requests
// and their queue, WAL segments that had to be made anew.
func (m *Measured) beneath() []Quantity {
	if m.beside == nil {
		return nil
	}
	out := m.maintenance()
	frozen, load := m.frozenSeconds()
	out = append(out, m.frozenDisk(frozen, load)...)
	return append(out, m.walFiles()...)
}

// frozenSeconds are the freeze-seconds of the load, counted from the window's
// start, by the published rule. ok is false where nobody could look.
func (m *Measured) frozenSeconds() (seconds map[int64]bool, ok bool) {
	seconds = map[int64]bool{}
	for i := range m.units {
		u := &m.units[i]
		q := m.Result.Quantity("freeze.seconds", u.scope)
		if u.probe || u.scope.Step != "" || q == nil || q.Value == nil {
			continue
		}
		ok = true
		at, _ := q.From.Params["at"].([]int64)
		for _, s := range at {
			seconds[s] = true
		}
	}
	return seconds, ok
}

// frozenDisk sets the disk's request size and queue in frozen seconds beside
// those in calm ones.
func (m *Measured) frozenDisk(frozen map[int64]bool, could bool) []Quantity {
	var out []Quantity
	for _, of := range []struct {
		name    string
		metrics []string
	}{{"io.size", sizeMetrics}, {"io.queue", queueMetrics}} {
		for _, s := range m.firstOf(of.metrics) {
			in := m.bySecond(s, frozen)
			from := From{Tables: []string{"points", "samples"}, Window: m.window.text(), Params: map[string]any{
				"metric": s.Metric, "resolution": float64(s.Step()) / 1e9,
			}}
			give := func(id string, values []float64, method string, value func([]float64) float64) {
				from.Method = method
				q := quantity(of.name+id, detect.Scope{Source: s.Source, Entity: s.Entity}, 0, s.Unit, int64(len(values)), from)
				switch {
				case s.Step() > finest:
					q = withhold(q, fmt.Sprintf("recorded every %s: too coarse to set one second beside another", Display(float64(s.Step())/1e9, "s")))
				case !could:
					q = withhold(q, "whether a second was frozen is not known")
				case len(values) == 0:
					q = withhold(q, "no such second was recorded")
				default:
					q = m.holed(quantity(q.ID, q.Scope, value(values), s.Unit, int64(len(values)), from), s)
				}
				out = append(out, q)
			}
			give(".calm_median", in.calm, "median-of-calm-seconds@1", medianOf)
			if len(frozen) > 0 {
				give(".frozen_median", in.frozen, "median-of-frozen-seconds@1", medianOf)
				give(".frozen_max", in.frozen, "maximum@1", slices.Max[[]float64])
			}
			if of.name == "io.size" && len(frozen) > 0 {
				from.Params["under"] = collapsed
				out = append(out, m.collapse(s, in, from, could))
			}
		}
	}
	return out
}

// collapse counts the seconds in which the size of disk requests collapsed.
func (m *Measured) collapse(s *detect.Series, in seconds, from From, could bool) Quantity {
	from.Method = "seconds-under-calm-median@1"
	q := quantity("io.collapse_seconds", detect.Scope{Source: s.Source, Entity: s.Entity}, 0, "s", int64(len(in.all)), from)
	if s.Step() > finest || !could || len(in.calm) == 0 {
		return withhold(q, "no calm second to compare with was recorded finely enough")
	}
	usual, n := medianOf(in.calm), 0
	for _, v := range in.all {
		if v < collapsed*usual {
			n++
		}
	}
	return m.holed(quantity(q.ID, q.Scope, float64(n), "s", int64(len(in.all)), from), s)
}

// holed warns of a figure whose series has a hole in the window: what happened in
// it is not in the figure.
func (m *Measured) holed(q Quantity, s *detect.Series) Quantity {
	if hole := m.hole(s.At, s.Step()); hole != "" {
		q.Warnings = append(q.Warnings, hole)
	}
	return q
}

// firstOf returns the series of the first of the metrics that was recorded.
func (m *Measured) firstOf(metrics []string) []*detect.Series {
	for _, metric := range metrics {
		list := m.beside.Of(metric)
		var out []*detect.Series
		for i := range list {
			out = append(out, &list[i])
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// seconds are the values of a series in the window, by whether requests froze.
type seconds struct{ all, frozen, calm []float64 }

// bySecond tells the points of frozen seconds from those of calm ones: a point
// belongs to the second that the middle of what it stands for lies in. Neighbours
// of frozen seconds are neither.
func (m *Measured) bySecond(s *detect.Series, frozen map[int64]bool) seconds {
	var out seconds
	at, values := s.Levels()
	for i, t := range at {
		middle := t - s.Step()/2
		if !m.window.Contains(middle) {
			continue
		}
		k := (middle - m.window.Start) / 1e9
		out.all = append(out.all, values[i])
		switch {
		case frozen[k]:
			out.frozen = append(out.frozen, values[i])
		case !frozen[k-1] && !frozen[k+1]:
			out.calm = append(out.calm, values[i])
		}
	}
	return out
}

// maintenance counts what the database's log says that it did by itself.
func (m *Measured) maintenance() []Quantity {
	if !m.logRecorded() {
		return nil
	}
	vacuums, checkpoints, dirtied := 0, 0, []float64{}
	for i := range m.evidence.markers {
		mark := &m.evidence.markers[i]
		if !m.window.Contains(mark.Time * 1000) {
			continue
		}
		switch mark.Kind {
		case "postgres.autovacuum":
			vacuums++
			if v, ok := detect.Attr(mark, "buffers_dirtied"); ok {
				dirtied = append(dirtied, v)
			}
		case "postgres.checkpoint.start":
			checkpoints++
		}
	}
	from := From{Tables: []string{"markers"}, Window: m.window.text(), Method: "count@1"}
	count := func(id string, n int, setting string) Quantity {
		q := quantity(id, detect.Scope{}, float64(n), "1", -1, from)
		if _, known := m.manifest.Settings[setting]; n == 0 && !known {
			q.Warnings = append(q.Warnings, "by the server's log, which shows none unless "+setting+" lets it")
		}
		if m.logUnread() {
			return withhold(q, unreadLog)
		}
		return q
	}
	from.Method = "maximum@1"
	most := quantity("vacuum.pages_dirtied_max", detect.Scope{}, 0, "pages", int64(len(dirtied)), from)
	switch {
	case m.logUnread():
		most = withhold(most, unreadLog)
	case len(dirtied) == 0:
		most = withhold(most, "no vacuum that ended in the window says how many pages it dirtied")
	default:
		most = quantity(most.ID, most.Scope, slices.Max(dirtied), "pages", int64(len(dirtied)), from)
	}
	from.Method = "count@1"
	return []Quantity{
		count("vacuum.completions", vacuums, "log_autovacuum_min_duration"), most,
		count("checkpoint.starts", checkpoints, "log_checkpoints"),
	}
}

// unreadLog says why what a log tells is not known.
const unreadLog = "no line of the server's log could be read"

// logRecorded reports whether a log of a PostgreSQL server is among the sources.
func (m *Measured) logRecorded() bool {
	return slices.ContainsFunc(m.Result.Sources, func(s SourceInfo) bool {
		return isServerLog(s.Format)
	})
}

// logUnread reports whether nothing could be read of any of these logs: what they
// tell is missing, not zero.
func (m *Measured) logUnread() bool {
	return !slices.ContainsFunc(m.Result.Sources, func(s SourceInfo) bool {
		return isServerLog(s.Format) && (s.Rows > 0 || s.Bad == 0)
	})
}

// walFiles counts the WAL segments that were added within the window: those that
// were not recycled in time had to be made, and synced, while requests waited.
func (m *Measured) walFiles() []Quantity {
	var out []Quantity
	for _, s := range m.firstOf(countMetrics) {
		added, n, last := 0.0, 0, 0.0
		for i, t := range s.At {
			if t < m.window.Start || t > m.window.End {
				continue
			}
			if n > 0 {
				added += max(s.Values[i]-last, 0)
			}
			last = s.Values[i]
			n++
		}
		from := From{Tables: []string{"points"}, Window: m.window.text(), Method: "sum-of-increases@1", Params: map[string]any{"metric": s.Metric, "resolution": float64(s.Step()) / 1e9}}
		q := m.holed(quantity("wal.files_added", detect.Scope{Source: s.Source}, added, "1", int64(n), from), s)
		if n < 2 {
			q = withhold(q, "it takes two looks within the window")
		}
		out = append(out, q)
	}
	return out
}
