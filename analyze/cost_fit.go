package analyze

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"headroom/detect"
	"headroom/runs"
	"headroom/stat"
)

// fitPrefix begins the names of the views that hold points to be fitted; the
// importers write them as a mapping declares (docs/formats/mapping.md).
const fitPrefix = "fit_"

// Bounds of what is fitted.
const (
	fitPointsMost = 1 << 18
	fitGroupsMost = 50
)

// fitPoints are measured costs by size: what is fitted by a line.
type fitPoints struct {
	name         string // of the file
	x, y         []float64
	group        []string
	xName, yName string
	groupName    string
	unit         string // of y
	budget       float64
	budgetKnown  bool
	why          string // they cannot be fitted
}

// readFit reads the points of one file.
func (l *ledger) readFit(ctx context.Context, run *runs.Run, view string) error {
	f := fitPoints{name: strings.TrimPrefix(view, fitPrefix), unit: "1"}
	err := run.ScanSnapshots(ctx, view, runs.Range{}, func(s *runs.Snapshot) error {
		x, okX := snapshotNumber(s, "x")
		y, okY := snapshotNumber(s, "y")
		switch {
		case !okX || !okY:
			f.why = "a point lacks its x or its y"
		case len(f.x) == fitPointsMost:
			f.why = fmt.Sprintf("there are more than %s points", Count(fitPointsMost))
		default:
			group, _ := s.Value("group")
			f.x, f.y, f.group = append(f.x, x), append(f.y, y), append(f.group, group)
		}
		f.names(s)
		return nil
	})
	l.fits = append(l.fits, f)
	return err
}

func (f *fitPoints) names(s *runs.Snapshot) {
	set := func(column string, into *string) {
		if v, ok := s.Value(column); ok {
			*into = v
		}
	}
	set("x_name", &f.xName)
	set("y_name", &f.yName)
	set("group_name", &f.groupName)
	set("y_unit", &f.unit)
	if v, ok := snapshotNumber(s, "budget"); ok {
		f.budget, f.budgetKnown = v, true
	}
}

// snapshotNumber reads a finite number of a row.
func snapshotNumber(s *runs.Snapshot, column string) (float64, bool) {
	text, ok := s.Value(column)
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && v-v == 0
}

// line fits the points, or says why they cannot be.
func (f *fitPoints) line() (stat.Line, string) {
	if f.why != "" {
		return stat.Line{}, f.why
	}
	l, err := stat.FitLine(f.x, f.y)
	if err != nil {
		return l, err.Error()
	}
	return l, ""
}

func (m *Measured) fitQuantities() []Quantity {
	var out []Quantity
	for i := range m.ledger.fits {
		out = append(out, m.ledger.fits[i].quantities()...)
	}
	return out
}

// quantities names the three costs apart (DETECTION 9.1): the average at the
// largest size, the marginal cost (the slope of the line with its intercept) and
// the slope of a line through the origin. They answer different questions.
func (f *fitPoints) quantities() []Quantity {
	l, why := f.line()
	from := From{Tables: []string{"snapshots/" + fitPrefix + f.name}, Method: "least-squares@1", Params: map[string]any{"x": f.xName, "y": f.yName}}
	if why == "" {
		from.Params["x_from"], from.Params["x_to"] = l.X.Lo, l.X.Hi
	}
	n := int64(len(f.x))
	give := func(name string, v float64, unit string) Quantity {
		q := quantity("fit."+f.name+"."+name, detect.Scope{}, v, unit, n, from)
		if why != "" {
			return withhold(q, why)
		}
		return q
	}
	points := quantity("fit."+f.name+".points", detect.Scope{}, float64(n), "1", n, from)
	marginal, origin := give("marginal", l.Slope, f.unit), give("through_origin", l.ThroughOrigin, f.unit)
	intercept, r2 := give("intercept", l.Intercept, f.unit), give("r2", l.R2, "1")
	if why != "" {
		return []Quantity{points, marginal, origin, intercept, r2}
	}
	marginal.Interval, intercept.Interval = ends(l.SlopeBounds), ends(l.InterceptBounds)
	average := f.average(give)
	out := append([]Quantity{points, average, marginal, origin, intercept, r2}, f.residuals(l, give))
	if f.budgetKnown {
		out = append(out, f.crossing(l, give))
	}
	return append(out, f.groups(from)...)
}

func ends(b *stat.Bounds) []*float64 {
	if b == nil {
		return nil
	}
	return []*float64{&b.Lo, &b.Hi}
}

// average is the cost y/x of the largest size that was measured: of several points
// of that size, of their mean.
func (f *fitPoints) average(give func(string, float64, string) Quantity) Quantity {
	largest := slices.Max(f.x)
	sum, n := 0.0, 0.0
	for i, x := range f.x {
		if x == largest {
			sum, n = sum+f.y[i], n+1
		}
	}
	v, ok := stat.Per(sum/n, largest)
	q := give("average", v, f.unit)
	q.From.Params = withParam(q.From, "at", largest).Params
	if !ok {
		return withhold(q, "the largest size is not above 0")
	}
	return q
}

// residuals is the root of the mean square of what the line leaves.
func (f *fitPoints) residuals(l stat.Line, give func(string, float64, string) Quantity) Quantity {
	sum := 0.0
	for _, r := range l.Residuals {
		sum += r * r
	}
	left := math.Sqrt(sum / float64(max(l.N-2, 1)))
	if left < 1e-9*max(slices.Max(f.y), -slices.Min(f.y)) { // the line takes it all; what is left are roundings
		left = 0
	}
	q := give("residual", left, f.unit)
	if l.N < 3 {
		return withhold(q, "two points leave no residual")
	}
	return q
}

// crossing is the size at which the line reaches the budget. Beyond twice the
// largest size that was measured the line says nothing.
func (f *fitPoints) crossing(l stat.Line, give func(string, float64, string) Quantity) Quantity {
	x, ok := l.Crossing(f.budget)
	q := give("budget_crossed_at", x, "1")
	q.From.Params = withParam(q.From, "budget", f.budget).Params
	switch {
	case !ok && l.Slope <= 0:
		return withhold(q, "the line does not rise")
	case !ok:
		return withhold(q, "the line reaches the budget outside of what was measured, or beyond twice the largest size")
	}
	if x > l.X.Hi {
		q.Warnings = append(q.Warnings, "beyond the largest size that was measured, by the line alone")
	}
	return q
}

// groups sums up the points of each group, by the group's value.
func (f *fitPoints) groups(from From) []Quantity {
	if f.groupName == "" {
		return nil
	}
	members := map[string][]int{}
	var names []string
	for i, g := range f.group {
		if members[g] == nil {
			names = append(names, g)
		}
		members[g] = append(members[g], i)
	}
	slices.SortFunc(names, func(a, b string) int {
		x, errX := strconv.ParseFloat(a, 64)
		y, errY := strconv.ParseFloat(b, 64)
		if errX == nil && errY == nil && x != y {
			return cmp.Compare(x, y)
		}
		return strings.Compare(a, b)
	})
	if len(names) > fitGroupsMost {
		return nil
	}
	var out []Quantity
	for i, name := range names {
		out = append(out, f.oneGroup(i+1, name, members[name], from)...)
	}
	return out
}

// oneGroup sums up the k-th group; its value stands with where the figures are from.
func (f *fitPoints) oneGroup(k int, name string, members []int, from From) []Quantity {
	from = withParam(from, f.groupName, name)
	id, n := fmt.Sprintf("fit.%s.group.%d", f.name, k), int64(len(members))
	sum := 0.0
	ys := make([]float64, len(members))
	for j, i := range members {
		sum += f.x[i]
		ys[j] = f.y[i]
	}
	from.Method = "mean@1"
	out := []Quantity{quantity(id+".x_mean", detect.Scope{}, sum/float64(n), "1", n, from)}
	slices.Sort(ys)
	for _, l := range latencyIDs {
		if l.name != "p50" && l.name != "p99" {
			continue
		}
		from.Method = string(stat.NearestRank)
		q := quantity(id+"."+l.name, detect.Scope{}, 0, f.unit, n, from)
		if ok, note := stat.Support(l.p, len(ys)); !ok {
			out = append(out, withhold(q, note))
			continue
		}
		v, _ := stat.Quantile(ys, l.p)
		out = append(out, quantity(q.ID, q.Scope, v, f.unit, n, from))
	}
	from.Method = "maximum@1"
	return append(out, quantity(id+".max", detect.Scope{}, ys[len(ys)-1], f.unit, n, from))
}

// verdict says whether the cost is linear.
func (f *fitPoints) verdict() *Verdict {
	v := &Verdict{Outcome: Unknown, Want: "R² ≥ 0.98 and no curvature"}
	l, why := f.line()
	if why != "" {
		v.Why = why
		return v
	}
	if l.R2-l.R2 == 0 {
		v.Got, v.Display = l.R2, "R² "+DisplayBeside(l.R2, 0.98, "1")
	}
	judged := l.Linearity(f.x, f.y)
	v.Why = judged.Why
	switch {
	case judged.Linear:
		v.Outcome, v.Why = Pass, ""
	case l.N >= 4 && l.R2-l.R2 == 0:
		v.Outcome = Fail
	}
	return v
}
