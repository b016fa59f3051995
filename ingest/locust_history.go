package ingest

import (
	"math"
	"strings"

	"headroom/runs"
)

// LocustHistory reads the statistics over time of locust --csv.
var LocustHistory = &Importer{
	Name: "locust-history",
	Doc: `Locust statistics over time (locust --csv PREFIX: PREFIX_stats_history.csv)

Recognised by the columns "Timestamp", "User Count" and "Total Request Count"
(before 1.0 without the user count). Rows Aggregated have the entity "", others
(--csv-full-history) "METHOD name": the first are the sum of the others. The
totals become counters, in which a decrease is a reset: rates are to be taken
from their differences. Percentiles become gauges of the ten seconds or so before
the row; N/A, and percentiles that are all 0, say that nothing was measured.
"Requests/s" and "Failures/s" lag by seconds and are left out. Locust writes the
file every few seconds, so one that was killed lacks its end.`,
	Gives: []string{"points: locust.*", "manifest: summaries"},
	Lacks: []string{"single requests", "percentiles over more or less than its window", "the last seconds of a run that was killed"},
	Load:  true,
	Sniff: func(head []byte) bool { return isLocust(head, "timestamp", "name", "requests/s", "failures/s") },
	Read:  readLocustHistory,
}

// locustHistory gathers what the totals say over time.
type locustHistory struct {
	t      *locustTable
	points cadence
	words  intern
	counts [2]locustTotal // requests and failures of the row Aggregated
	resets int
	last   map[string]float64
}

// locustTotal adds up a counter over its resets.
type locustTotal struct {
	last, atLeast float64
	seen          bool
}

// add takes the next value and reports whether the counter was reset.
func (c *locustTotal) add(v float64) (reset bool) {
	reset = c.seen && v < c.last
	switch {
	case !c.seen || reset:
		c.atLeast += v
	default:
		c.atLeast += v - c.last
	}
	c.last, c.seen = v, true
	return reset
}

func readLocustHistory(in *Input, sink Sink) error {
	h := &locustHistory{t: newLocustTable(in), points: cadence{sink: sink}, words: intern{}}
	for {
		ok, err := h.t.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		reason, err := h.row(in.Stamps())
		if err == nil && reason != "" {
			err = h.t.rows.bad(in, "%s", reason)
		}
		if err != nil {
			return err
		}
	}
	if err := h.points.finish(); err != nil {
		return err
	}
	m := &in.Meta
	m.Tool, m.LatencyUnit, m.Model, m.Basis = "locust", "ms", runs.ClosedLoop, basisRequest
	m.ModelAs = "Locust's users"
	if h.last != nil {
		m.Summaries = append(m.Summaries, runs.Summary{Source: in.Name, Values: h.last, Method: "the last row, since the last reset; " + locustMethod})
	}
	if h.resets > 0 {
		in.Note("the totals were reset %s: the file shows at least %.0f requests and %.0f failures, the last row %.0f and %.0f",
			countOf(h.resets, "time"), h.counts[0].atLeast, h.counts[1].atLeast, h.counts[0].last, h.counts[1].last)
	}
	return nil
}

// row writes the points of a row.
func (h *locustHistory) row(stamps *Stamps) (reason string, err error) {
	ns, err := stamps.Epoch([]byte(h.t.text("timestamp")))
	if err != nil {
		return err.Error(), nil
	}
	entity := h.words.word(h.t.series())
	put := func(metric string, kind runs.Kind, v float64, unit string) {
		if err == nil && v <= math.MaxInt64 {
			err = h.points.point(&runs.Point{Time: micros(ns), Entity: entity, Metric: metric, Kind: kind, Value: v, Unit: unit})
		}
	}
	if users, ok := h.t.number("user count", 0); ok && entity == "" {
		put("locust.users", runs.Gauge, users, "1")
	}
	for i, c := range []struct{ column, metric string }{{"total request count", "locust.requests"}, {"total failure count", "locust.failures"}} {
		v, ok := h.t.number(c.column, 0)
		if !ok {
			continue
		}
		put(c.metric, runs.Counter, v, "1")
		if entity == "" && h.counts[i].add(v) && i == 0 {
			h.resets++
		}
	}
	if !h.nothing() {
		for _, p := range locustPercentiles {
			if v, ok := h.t.number(p.column, -3); ok {
				put("locust.latency_"+p.name, runs.Gauge, v, "s")
			}
		}
		if v, ok := h.t.number("100%", -3); ok {
			put("locust.latency_max", runs.Gauge, v, "s")
		}
	}
	if entity == "" {
		h.totals()
	}
	return "", err
}

// nothing reports whether all percentiles of the row are 0 or N/A: then no
// request ended in its window.
func (h *locustHistory) nothing() bool {
	for _, column := range h.t.header {
		if !strings.HasSuffix(column, "%") {
			continue
		}
		if v, ok := h.t.number(column, 0); ok && v > 0 {
			return false
		}
	}
	return true
}

// totals keeps what the row says of the whole run so far.
func (h *locustHistory) totals() {
	h.last = map[string]float64{}
	for _, c := range []struct {
		column, name string
		power        int
	}{
		{"total request count", "requests", 0}, {"total failure count", "failed", 0},
		{"total average response time", "latency.mean", -3}, {"total min response time", "latency.min", -3}, {"total max response time", "latency.max", -3},
	} {
		if v, ok := h.t.number(c.column, c.power); ok && (c.power == 0 || h.last["requests"] > 0) {
			h.last[c.name] = v
		}
	}
}
