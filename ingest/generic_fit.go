package ingest

import (
	"fmt"
	"strconv"

	"headroom/runs"
)

// FitFields declares that the rows of a file are measured costs by size, to be
// fitted by a line. Such rows need no time, and are neither samples nor points.
type FitFields struct {
	X FitField `yaml:"x"` // the size: events, rows
	Y FitField `yaml:"y"` // what it cost
	// Group names a field by whose values the points are summed up apart; "": none.
	Group string `yaml:"group"`
	// Budget is what may be spent, in the unit of Y; nil: no limit.
	Budget *float64 `yaml:"budget"`
}

// FitField is a field of numbers.
type FitField struct {
	Field string `yaml:"field"`
	Unit  string `yaml:"unit"` // a key of pointUnits, but no duration; "": 1
	Name  string `yaml:"name"` // in words; "": the field
}

// fitView begins the name of the view that the points of a file are kept as.
const fitView = "fit_"

func (f *FitFields) check() (where []any, msg string) {
	for _, a := range []struct {
		name  string
		field FitField
	}{{"x", f.X}, {"y", f.Y}} {
		at := []any{"fit", a.name}
		if a.field.Field == "" {
			return at, "it names no field"
		}
		if _, known := pointUnits[a.field.Unit]; !known || a.field.Unit == "duration" {
			return append(at, "unit"), fmt.Sprintf("unit is %q; it must be 1, %%, 1/s, B, KiB, MiB, B/s, s, ms, us or ns", a.field.Unit)
		}
	}
	return nil, ""
}

// alone reports what a mapping with a fit must not have besides: its rows are
// nothing else.
func (m *Mapping) alone() (where []any, msg string) {
	if m.Start != nil || m.End != nil || m.Latency != nil || m.Service != nil || m.Wait != nil || len(m.Points) > 0 {
		return []any{"fit"}, "rows that are fitted are neither samples nor points; leave out times, or the fit"
	}
	return m.Fit.check()
}

// genericFit is a FitFields with the places of its fields.
type genericFit struct {
	x, y, group int
	columns     []string
	constants   []string // of the columns after x, y and group
}

// fitColumns are the columns of the view: the point, and what is the same in all.
var fitColumns = []string{"x", "y", "group", "x_name", "x_unit", "y_name", "y_unit", "group_name", "budget"}

func placeFit(f *FitFields, at func(string) int) *genericFit {
	if f == nil {
		return nil
	}
	budget := ""
	if f.Budget != nil {
		budget = strconv.FormatFloat(toUnit(*f.Budget, pointUnits[f.Y.Unit].factor), 'g', -1, 64)
	}
	return &genericFit{
		x: at(f.X.Field), y: at(f.Y.Field), group: at(f.Group), columns: fitColumns,
		constants: []string{
			cutTag(firstSet(f.X.Name, f.X.Field)), pointUnits[f.X.Unit].unit,
			cutTag(firstSet(f.Y.Name, f.Y.Field)), pointUnits[f.Y.Unit].unit, cutTag(f.Group), budget,
		},
	}
}

// putFit writes the point of a row. It returns the reason if the row is none.
func (g *genericReader) putFit(values []genericValue) (reason string, err error) {
	fit := g.m.Fit
	x, ok := shifted(values[g.fit.x], 0)
	if !ok || x-x != 0 {
		return fmt.Sprintf("%s is %q and no number", clip(fit.X.Field), clip(string(values[g.fit.x]))), nil
	}
	y, ok := shifted(values[g.fit.y], 0)
	if !ok || y-y != 0 {
		return fmt.Sprintf("%s is %q and no number", clip(fit.Y.Field), clip(string(values[g.fit.y]))), nil
	}
	text := func(v float64, unit string) string {
		return strconv.FormatFloat(toUnit(v, pointUnits[unit].factor), 'g', -1, 64)
	}
	s := runs.Snapshot{View: fitView + viewName(g.in.Name), Time: runs.Missing, Columns: g.fit.columns}
	if len(s.View) > 63 {
		s.View = s.View[:63]
	}
	s.Values = append([]string{text(x, fit.X.Unit), text(y, fit.Y.Unit), g.word(values, g.fit.group)}, g.fit.constants...)
	return "", g.sink.Snapshot(&s)
}
