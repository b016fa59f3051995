package ingest

import (
	"fmt"
	"slices"

	"headroom/runs"
)

// PointField makes a series of points of one field.
type PointField struct {
	Field  string    `yaml:"field"`
	Metric string    `yaml:"metric"` // "": the field
	Kind   runs.Kind `yaml:"kind"`   // gauge, counter or delta; "": gauge
	Unit   string    `yaml:"unit"`   // a key of pointUnits; "": 1
	Entity string    `yaml:"entity"` // field that says what the value is about
	// Where keeps the rows of which every condition holds.
	Where []Condition `yaml:"where"`
}

// pointUnits are the units that a mapping can name, with the unit of the point
// and the factor to it.
var pointUnits = map[string]cwUnit{
	"": {"1", 1}, "1": {"1", 1}, "%": {"1", 0.01}, "1/s": {"1/s", 1}, "B": {"B", 1}, "KiB": {"B", 1 << 10}, "MiB": {"B", 1 << 20},
	"B/s": {"B/s", 1}, "s": {"s", 1}, "ms": {"s", 1e-3}, "us": {"s", 1e-6}, "ns": {"s", 1e-9}, "duration": {"s", 1},
}

// samples reports whether rows become samples.
func (m *Mapping) samples() bool {
	return m.Fit == nil && len(m.Points) == 0 || m.Latency != nil || m.Service != nil || m.Start != nil && m.End != nil
}

func (m *Mapping) checkPoints() (where []any, msg string) {
	for i, p := range m.Points {
		at := []any{"points", i}
		switch _, known := pointUnits[p.Unit]; {
		case p.Field == "":
			return at, "it names no field"
		case !known:
			return append(at, "unit"), fmt.Sprintf("unit is %q; it must be 1, %%, 1/s, B, KiB, MiB, B/s, s, ms, us, ns or duration", p.Unit)
		case p.Kind != "" && p.Kind != runs.Gauge && p.Kind != runs.Counter && p.Kind != runs.Delta:
			return append(at, "kind"), "the kind is gauge, counter or delta"
		}
		for _, c := range p.Where {
			if c.Field == "" || len(c.In) == 0 {
				return append(at, "where"), "a condition needs a field and the values that it may have"
			}
		}
	}
	return nil, ""
}

// genericPoint is a PointField with the places of its fields.
type genericPoint struct {
	field         PointField
	unit          cwUnit
	value, entity int
	where         []int
}

func placePoints(fields []PointField, at func(string) int) []genericPoint {
	var out []genericPoint
	for _, f := range fields {
		f.Metric = firstSet(f.Metric, f.Field)
		f.Kind = firstSet(f.Kind, runs.Gauge)
		p := genericPoint{field: f, unit: pointUnits[f.Unit], value: at(f.Field), entity: at(f.Entity)}
		for _, c := range f.Where {
			p.where = append(p.where, at(c.Field))
		}
		out = append(out, p)
	}
	return out
}

// holds reports whether every condition holds; places are those of its fields.
func holds(conditions []Condition, places []int, values []genericValue) bool {
	for i, c := range conditions {
		if !slices.Contains(c.In, string(values[places[i]])) {
			return false
		}
	}
	return true
}

// putPoints writes the points of a row. used is true if the row has any.
func (g *genericReader) putPoints(values []genericValue) (used bool, reason string, err error) {
	for i := range g.points {
		p := &g.points[i]
		if !holds(p.field.Where, p.where, values) || len(values[p.value]) == 0 {
			continue
		}
		ns, reason, err := g.rowTime(values)
		if reason != "" || err != nil {
			return used, reason, err
		}
		v, ok := pointValue(p, values[p.value])
		if !ok {
			return used, fmt.Sprintf("%s is %q and no number", clip(p.field.Field), clip(string(values[p.value]))), nil
		}
		used = true
		point := runs.Point{Metric: p.field.Metric, Kind: p.field.Kind, Unit: p.unit.unit, Value: v, Entity: g.word(values, p.entity)}
		point.Time, point.TimeNS = runs.SplitNanos(ns)
		if err := g.out.point(&point); err != nil {
			return used, "", err
		}
	}
	return used, "", nil
}

func pointValue(p *genericPoint, text genericValue) (float64, bool) {
	if p.field.Unit == "duration" {
		d := DurationField{Unit: "duration"}
		ns, ok := d.parse(text)
		return float64(ns) / 1e9, ok
	}
	v, ok := shifted(text, 0)
	return toUnit(v, p.unit.factor), ok && v-v == 0
}

// rowTime returns when a row is of: its start, else its end.
func (g *genericReader) rowTime(values []genericValue) (ns int64, reason string, err error) {
	if g.start != nil {
		return g.stamp("start", g.start, values, g.at.start)
	}
	return g.stamp("end", g.end, values, g.at.end)
}
