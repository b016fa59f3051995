package analyze

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"headroom/detect"
	"headroom/runs"
	"headroom/stat"
)

// ownSeries is a column of numbers of an own query that was asked again and
// again: the rows of a table, the size of a database.
type ownSeries struct {
	view, column string
	readings     series // by time
	why          string // it is no series
}

func (s *ownSeries) last() point { return s.readings[len(s.readings)-1] }

// Bounds of what is kept of own queries.
const (
	ownReadingsMost = 1 << 18 // readings of a column
	ownSeriesMost   = 64      // columns that have figures
)

// readOwn reads the columns of an own query that hold numbers in every row.
func (l *ledger) readOwn(ctx context.Context, run *runs.Run, view string) error {
	by := map[string]*ownSeries{}
	var order []string
	err := run.ScanSnapshots(ctx, view, runs.Range{}, func(s *runs.Snapshot) error {
		for i, column := range s.Columns {
			v, err := strconv.ParseFloat(s.Values[i], 64)
			if s.Values[i] == "" || err == nil && v-v != 0 {
				continue // NULL, or NaN: unknown
			}
			if strings.HasSuffix(column, "_ms") {
				v /= 1e3
			}
			c := by[column]
			if c == nil {
				c = &ownSeries{view: view, column: column}
				by[column] = c
				order = append(order, column)
			}
			switch {
			case err != nil:
				c.why = "words"
			case s.Time == runs.Missing:
				c.why = "its rows bear no stamp"
			case len(c.readings) == ownReadingsMost:
				c.why = fmt.Sprintf("it has more than %s readings", Count(ownReadingsMost))
			default:
				c.readings = append(c.readings, point{t: s.Time * 1000, v: v})
			}
		}
		return nil
	})
	for _, column := range order {
		c := by[column]
		if c.why == "words" {
			continue
		}
		slices.SortStableFunc(c.readings, func(a, b point) int { return compare(a.t, b.t) })
		for i := 1; i < len(c.readings) && c.why == ""; i++ {
			if c.readings[i].t == c.readings[i-1].t {
				c.why = "several of its rows have one stamp: they are of several things"
			}
		}
		if len(c.readings) > 0 || c.why != "" {
			l.own = append(l.own, *c)
		}
	}
	return err
}

// series finds the one series that counts something: the only one there is, else
// the only one whose column has the first of the names that any has.
func (l *ledger) series(what string, columns ...string) (*ownSeries, string) {
	var found []*ownSeries
	for i := range l.own {
		found = append(found, &l.own[i])
	}
	all := found
	for _, column := range columns {
		if len(all) < 2 {
			break
		}
		found = slices.DeleteFunc(slices.Clone(all), func(s *ownSeries) bool { return s.column != column })
		if len(found) > 0 {
			break
		}
	}
	switch {
	case len(all) == 0:
		return nil, "nobody counted " + what
	case len(found) == 0:
		return nil, fmt.Sprintf("none of the own queries has a column %s: which counts %s is not known", strings.Join(columns, " or "), what)
	case len(found) > 1:
		return nil, fmt.Sprintf("several own queries have a column %s: which counts %s is not known", found[0].column, what)
	}
	return found[0], found[0].why
}

// ownQuantities returns of each series where it began and ended, how fast it grew
// and for how many events, and its level at the end of each step.
func (m *Measured) ownQuantities(b costBase) []Quantity {
	var out []Quantity
	for i := range m.ledger.own {
		s := &m.ledger.own[i]
		if i == ownSeriesMost {
			m.Result.Warnings = append(m.Result.Warnings, fmt.Sprintf("series of own queries beyond the first %d have no figures: there are %d", ownSeriesMost, len(m.ledger.own)))
			break
		}
		out = append(out, m.ownGrowth(s, b)...)
		for _, step := range m.manifest.Steps {
			out = append(out, m.ownLevel(s, step))
		}
	}
	return out
}

func (s *ownSeries) id() string { return "sql." + s.view + "." + s.column }

func (s *ownSeries) unit() string { return unitOfColumn(s.column) }

// ownGrowth compares the last reading with the first. The rate is over the time
// between their own stamps; a slope over all readings stands beside it, since
// sizes grow in steps.
func (m *Measured) ownGrowth(s *ownSeries, b costBase) []Quantity {
	from := From{Tables: []string{"snapshots/" + s.view}, Method: "first-and-last@1"}
	n, unit := int64(len(s.readings)), s.unit()
	give := func(id, unit string, v float64, why string) Quantity {
		q := quantity(s.id()+id, detect.Scope{}, v, unit, n, from)
		if why != "" {
			return withhold(q, why)
		}
		return q
	}
	if s.why != "" {
		return []Quantity{give(".last", unit, 0, s.why)}
	}
	first, last := s.readings[0], s.last()
	from.Window = []string{detect.Instant(first.t), detect.Instant(last.t)}
	out := []Quantity{give(".first", unit, first.v, ""), give(".last", unit, last.v, "")}
	if unit == "1" { // what is counted has its column's name: rows/s
		unit = s.column
	}
	seconds := float64(last.t-first.t) / 1e9
	rate, ok := stat.Per(last.v-first.v, seconds)
	if !ok {
		return append(out, give(".growth", unit+"/s", 0, "one reading: growth takes two"))
	}
	out = append(out, give(".growth", unit+"/s", rate, ""))
	if slope, ok := s.slope(); ok {
		q := give(".slope", unit+"/s", slope, "")
		q.From.Method = "theil-sen@1"
		out = append(out, q)
	}
	return append(out, m.ownPerEvent(s, b)...)
}

// slope is the Theil-Sen slope over all readings, which one step up or down does
// not move.
func (s *ownSeries) slope() (float64, bool) {
	if len(s.readings) < 3 || len(s.readings) > 4096 {
		return 0, false
	}
	x, y := make([]float64, len(s.readings)), make([]float64, len(s.readings))
	for i, p := range s.readings {
		x[i], y[i] = float64(p.t-s.readings[0].t)/1e9, p.v
	}
	line, err := stat.FitTheilSen(x, y, stat.P95)
	if err != nil {
		return 0, false
	}
	return line.Slope, true
}

// ownPerEvent is the growth for each event of the load, where the first and the
// last reading bracket it.
func (m *Measured) ownPerEvent(s *ownSeries, b costBase) []Quantity {
	if m.sent() == 0 {
		return nil
	}
	start, end := m.window.Start, m.window.End
	if spans := m.loadIntervals(); len(m.manifest.Steps) > 0 {
		start, end = spans[0].Start, spans[0].End
		for _, w := range spans {
			start, end = min(start, w.Start), max(end, w.End)
		}
	}
	from := From{Tables: []string{"snapshots/" + s.view}, Method: "first-and-last@1", Window: []string{detect.Instant(s.readings[0].t), detect.Instant(s.last().t)}}
	id := s.id() + ".per_event"
	if s.readings[0].t > start || s.last().t < end {
		return []Quantity{withhold(quantity(id, detect.Scope{}, 0, s.unit(), -1, from), "its readings do not bracket the load")}
	}
	grew := new(big.Rat).SetFloat64(s.last().v)
	return []Quantity{b.perEvent(id, grew.Sub(grew, new(big.Rat).SetFloat64(s.readings[0].v)), "", s.unit(), from)}
}

// ownLevel is what a series had come to at the end of a step: of the readings
// after the step's start and before the next step, the one nearest to its end.
func (m *Measured) ownLevel(s *ownSeries, step runs.Step) Quantity {
	w := m.stepWindow(step)
	from := From{Tables: []string{"snapshots/" + s.view}, Window: w.text(), Method: "nearest-to-step-end@1"}
	q := quantity(s.id(), detect.Scope{Step: stepName(step)}, 0, s.unit(), -1, from)
	if s.why != "" {
		return withhold(q, s.why)
	}
	until := w.End + w.Len()
	for _, other := range m.manifest.Steps {
		if o := m.stepWindow(other); o.Start > w.Start {
			until = min(until, o.Start)
		}
	}
	var best *point
	for i := range s.readings {
		p := &s.readings[i]
		if p.t <= w.Start || p.t > max(until, w.End) {
			continue
		}
		if best == nil || away(p.t, w.End) < away(best.t, w.End) {
			best = p
		}
	}
	if best == nil {
		return withhold(q, "no reading was taken in the step, or between it and the next")
	}
	from.Params = map[string]any{"read_at": detect.Instant(best.t)}
	return quantity(q.ID, q.Scope, best.v, q.Unit, -1, from)
}

// unread reports whether a series that was read at other steps has no level at the
// cell's.
func (c *cell) unread() bool {
	for _, q := range c.m.Result.Quantities {
		if q.Scope == c.interval() && strings.HasPrefix(q.ID, "sql.") && q.Value == nil && c.m.readElsewhere(q.ID) {
			return true
		}
	}
	return false
}

func (m *Measured) readElsewhere(id string) bool {
	return slices.ContainsFunc(m.Result.Quantities, func(q Quantity) bool { return q.ID == id && q.Scope.Step != "" && q.Value != nil })
}

// away is how far apart two instants are.
func away(a, b int64) int64 { return max(a-b, b-a) }

// unitOfColumn tells the unit of a column by how its name ends, as those who query
// databases write it.
func unitOfColumn(column string) string {
	if column == "size" || strings.HasSuffix(column, "_size") || strings.HasSuffix(column, "bytes") {
		return "B"
	}
	if strings.HasSuffix(column, "_ms") {
		return "s"
	}
	return "1"
}
