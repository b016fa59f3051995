package analyze

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"headroom/detect"
	"headroom/stat"
)

// sweepShape says how throughput follows the knob from step to step, what was busy
// meanwhile, and what law the curve obeys.
func (d *document) sweepShape(g *group, s Sweep, cells [][]*cell) {
	t := Table{ID: tableID("shape", g, d), Title: tableTitle("How throughput follows "+g.key, g, d), Columns: []Column{
		left("from → to"), right("elasticity"), left("throughput"), right("p99"), left("busiest meanwhile"), right("busy workers"), left("reading"),
	}}
	for i, e := range s.Elasticity {
		a, b := s.Steps[i], s.Steps[i+1]
		busiest := busiestOf(cells[i+1])
		row := Row{Cells: []Cell{
			text(fmt.Sprintf("%g → %g", a.N, b.N)), text("—"), text(orDash(ElasticityWord(e))), text("—"),
			text("not recorded"), cells[i+1][0].show("littles.busy_ratio"), text(reading(e, b, busiest)),
		}}
		if !math.IsNaN(e) {
			row.Cells[1] = Cell{Text: Display(e, "1"), ID: fmt.Sprintf("sweep.elasticity.%g_%g", a.N, b.N), In: scopeOf(g)}
		}
		if a.P99 != nil && b.P99 != nil && *a.P99 > 0 {
			row.Cells[3] = text("× " + Display(*b.P99 / *a.P99, "1"))
		}
		if busiest != nil {
			row.Cells[4] = text(busiest.text())
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) == 0 {
		return
	}
	t.Notes = append(t.Notes, "Elasticity is ln(X2/X1)/ln(N2/N1): from 0.8 up throughput follows, from 0.2 it is sublinear, within 0.2 of zero it is flat, below retrograde. Busy workers is Little's law: 0.95 to 1.02 means that the generator kept its workers waiting for replies.")
	t.Notes = append(t.Notes, growthText(s, g.key))
	t.Notes = append(t.Notes, d.law(g, s, cells)...)
	d.Tables = append(d.Tables, t)
	d.followed(g, s)
}

func scopeOf(g *group) *detect.Scope { s := g.scope(); return &s }

func orDash(s string) string {
	if s == "" {
		return "—"
	}
	return s
}

// The shares of a resource's time at which it is at its limit, or is not what
// limits (DETECTION 6.2).
const (
	saturatedAt = 0.90
	idleBelow   = 0.70
)

// reading tells saturation from serialisation where throughput stopped following,
// and "it got slower" from "it fell over".
func reading(e float64, next SweepStep, busiest *busy) string {
	if math.IsNaN(e) || e >= 0.2 && next.Errors == 0 {
		return ""
	}
	word := bend(e, next.Errors)
	switch {
	case busiest == nil:
		return word + "; the cause cannot be told, since no resource was recorded"
	case busiest.share >= saturatedAt:
		return word + ": saturation of " + busiest.what
	case busiest.share < idleBelow && e < 0.2:
		return word + ": serialisation on something that is no utilisation (a lock, a single writer, a pool), as far as resources were recorded"
	}
	return word + "; " + busiest.what + " is neither idle nor at its limit"
}

// bend says what a step did beside the one before it, by the elasticity of its
// throughput and its failed and dropped requests (docs/analyses.md, "How a sweep
// bends"). Where the elasticity is not known nothing says that throughput grew.
func bend(e float64, errors int64) string {
	switch {
	case errors > 0 || e <= -0.2:
		return "it fell over"
	case e >= 0.2:
		return "the p99 passed its limit while throughput still grew"
	}
	return "it got slower"
}

// law fits the Universal Scalability Law to the sweep and says what it allows to
// say. A sweep whose host was disturbed differently from step to step is no curve.
func (d *document) law(g *group, s Sweep, cells [][]*cell) []string {
	u, why := fitLaw(g, s, cells)
	if why != "" {
		return []string{"No scalability law was fitted: " + why + "."}
	}
	d.lawQuantities(g, *u)
	parts := []string{fmt.Sprintf("Universal Scalability Law: %s by one, %s serialised, %s of agreement between each two, R² %s",
		d.rate(u.Gamma), Percent(u.Alpha), Display(u.Beta, "1"), Display(u.R2, "1"))}
	n, x, status := u.Peak()
	if status == stat.PeakInside {
		parts = append(parts, fmt.Sprintf("peak of the model at %s %s, %s", g.key, Display(n, "1"), d.rate(x)))
	} else {
		parts = append(parts, string(status))
	}
	return []string{strings.Join(parts, "; ") + "."}
}

// fitLaw fits the law to the steps without errors, or says why not.
func fitLaw(g *group, s Sweep, cells [][]*cell) (law *stat.USL, why string) {
	var ns, xs []float64
	for _, step := range s.Steps {
		if step.Throughput != nil && step.Errors == 0 && step.N >= 1 && *step.Throughput > 0 {
			ns, xs = append(ns, step.N), append(xs, *step.Throughput)
		}
	}
	if why := unturned(g, cells); why != "" {
		return nil, why
	}
	if why := notOneCurve(cells); why != "" {
		return nil, why
	}
	if len(ns) < stat.MinUSL {
		return nil, fmt.Sprintf("it takes %d steps without errors, there are %d", stat.MinUSL, len(ns))
	}
	u, err := stat.FitUSL(ns, xs)
	if err != nil {
		return nil, err.Error()
	}
	return &u, ""
}

// lawQuantities gives the law's coefficients, and its peak only where the sweep
// passed it.
func (d *document) lawQuantities(g *group, u stat.USL) {
	from := From{Tables: []string{"samples"}, Method: "usl@1", Params: map[string]any{"steps": len(u.N), "r2": u.R2}}
	give := func(name string, v float64, unit string, iv *stat.Bounds) {
		q := quantity("sweep.usl."+name, g.scope(), v, unit, int64(len(u.N)), from).counting(d.rateUnit())
		if unseen := unseenSteps(g); unseen > 0 {
			q.Warnings = append(q.Warnings, fmt.Sprintf("foreign CPU was not recorded in %d of %d steps: whether all lie on one curve is not known", unseen, len(g.cells)))
		}
		if iv != nil {
			lo, hi := iv.Lo, iv.Hi
			q.Interval = []*float64{&lo, &hi}
		}
		d.Quantities = append(d.Quantities, q)
	}
	var alpha, beta, gamma *stat.Bounds
	if u.Intervals != nil {
		alpha, beta, gamma = &u.Intervals.Alpha, &u.Intervals.Beta, &u.Intervals.Gamma
	}
	give("gamma", u.Gamma, "events/s", gamma)
	give("alpha", u.Alpha, "1", alpha)
	give("beta", u.Beta, "1", beta)
	n, _, status := u.Peak()
	q := quantity("sweep.usl.peak", g.scope(), n, "1", int64(len(u.N)), from)
	if status != stat.PeakInside {
		q = withhold(q, string(status))
	}
	d.Quantities = append(d.Quantities, q)
}

// oneCurve is by how much of the host the foreign CPU of two steps may differ for
// them to lie on one curve.
const oneCurve = 0.10

// unseenSteps counts the steps whose foreign CPU nobody recorded.
func unseenSteps(g *group) (n int) {
	for _, c := range g.cells {
		if cont, _ := c.m.contentionOf(c.window()); cont.Foreign == nil || cont.Cores <= 0 {
			n++
		}
	}
	return n
}

// notOneCurve says why the steps are no single curve, "" if nothing is known
// against it.
func notOneCurve(cells [][]*cell) string {
	var foreign []float64
	cores := 0.0
	for _, cs := range cells {
		for _, c := range cs {
			cont, _ := c.m.contentionOf(c.window())
			if cont.Foreign != nil && cont.Cores > 0 {
				foreign, cores = append(foreign, *cont.Foreign), cont.Cores
			}
		}
	}
	if len(foreign) < 2 {
		return ""
	}
	lo, hi := slices.Min(foreign), slices.Max(foreign)
	if hi-lo <= oneCurve*cores {
		return ""
	}
	return fmt.Sprintf("foreign CPU went from %s to %s of %g cores between steps, so that they are not one curve", Display(lo, "1"), Display(hi, "1"), cores)
}
