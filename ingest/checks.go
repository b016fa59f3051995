package ingest

import (
	"fmt"
	"strings"

	"headroom/runs"
)

// pointChecks looks at the points of a file that is no load for what is wrong
// without being unreadable: counters that were reset, values that cannot be, and
// series that another file has as well.
type pointChecks struct {
	series map[seriesName]*seriesSpan

	resets, negative, absurd          int64
	firstReset, firstNeg, firstAbsurd string
}

type seriesName struct{ metric, entity, tags string }

// seriesSpan is the time that a series covers in a file, µs, and its last value.
type seriesSpan struct {
	first, last int64
	value       float64
}

// checkedSeries bounds how many series of a file are followed.
const checkedSeries = 1 << 16

func (c *pointChecks) point(p *runs.Point) {
	if c.series == nil {
		c.series = map[seriesName]*seriesSpan{}
	}
	name := seriesName{p.Metric, p.Entity, p.Tags}
	s := c.series[name]
	switch {
	case s != nil:
		// The kernel corrects idle times downwards by a little; a restart begins at
		// or near zero.
		if p.Kind == runs.Counter && p.Time >= s.last && p.Value < s.value/2 {
			c.resets++
			c.firstReset = firstSet(c.firstReset, p.Metric)
		}
		s.first, s.last, s.value = min(s.first, p.Time), max(s.last, p.Time), p.Value
	case len(c.series) < checkedSeries:
		c.series[name] = &seriesSpan{p.Time, p.Time, p.Value}
	}
	if p.Value < 0 && (p.Kind != runs.Gauge || p.Unit != "1") {
		c.negative++
		c.firstNeg = firstSet(c.firstNeg, p.Metric)
	}
	if isCPUShare(p) && (p.Value < 0 || p.Value > 1+shareRounding) {
		c.absurd++
		c.firstAbsurd = firstSet(c.firstAbsurd, p.Metric)
	}
}

// shareRounding is what the shares of a machine may exceed one by: tools round
// each of their parts.
const shareRounding = 0.02

// isCPUShare reports whether a point is a share of a whole machine's CPU.
func isCPUShare(p *runs.Point) bool {
	return p.Unit == "1" && p.Kind == runs.Gauge &&
		(strings.HasPrefix(p.Metric, "cpu.") || strings.HasPrefix(p.Metric, "rds.cpu.") || p.Metric == "cloudwatch.CPUUtilization")
}

// notes says what was found.
func (c *pointChecks) notes(in *Input) {
	if c.resets > 0 {
		in.Note("counters fall to less than half %s, first %s: they were reset, as by a restart", countOf(int(c.resets), "time"), clip(c.firstReset))
	}
	if c.negative > 0 {
		in.Note("%d values are below zero, first of %s: kept as they are", c.negative, clip(c.firstNeg))
	}
	if c.absurd > 0 {
		in.Note("%d shares of the CPU are not between 0 and 1, first of %s: kept as they are, and not to be believed", c.absurd, clip(c.firstAbsurd))
	}
}

// overlapNotes says which files have series in common at one time: pages that
// overlap, or two hosts whose names the files do not say.
func (g *ingestion) overlapNotes() []string {
	var notes []string
	for i, a := range g.sources {
		for _, b := range g.sources[i+1:] {
			if a.importer != b.importer || a.importer.Load {
				continue
			}
			shared := 0
			for name, span := range a.tally.checks.series {
				if o := b.tally.checks.series[name]; o != nil && span.first <= o.last && o.first <= span.last {
					shared++
				}
			}
			if shared > 0 {
				notes = append(notes, fmt.Sprintf("%s and %s have %d series in common at the same time: values that are in both are there twice, or the files are of two hosts", a.base, b.base, shared))
			}
		}
	}
	return notes
}
