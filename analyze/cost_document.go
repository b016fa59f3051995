package analyze

import (
	"fmt"
	"slices"
	"strings"

	"headroom/detect"
)

// costs adds what the runs have cost to the document: the table, the fits with
// their figures, and how costs changed from run to run.
func (d *document) costs() {
	for _, m := range d.runs {
		if m.noLoad() {
			d.decide(m.costEntry())
			d.costAnswer(m)
		}
		for i := range m.ledger.fits {
			d.fitFigure(m, &m.ledger.fits[i])
		}
	}
	d.reductions()
	d.upkeep()
	byRun, shown := d.costsByRun()
	for _, t := range []Table{byRun, d.costTable(shown)} {
		if len(t.Rows) > 0 {
			d.Tables = append(d.Tables, t)
		}
	}
	d.limits()
}

// costGates are those by which a run without requests is judged.
var costGates = []string{"counted", "linear", "setting", "keeps-up", "cleared"}

// costEntry judges a run without requests by what it counted.
func (m *Measured) costEntry() Configuration {
	c := Configuration{Name: m.name(), Labels: m.manifest.Labels, Runs: []string{m.Result.Run.ID}, Of: 1}
	var outcomes []Outcome
	var said []string
	for _, name := range costGates {
		v := m.Result.verdict(name, detect.Scope{})
		if v == nil {
			continue
		}
		v.Required = true
		outcomes = append(outcomes, v.Outcome)
		text := name + " " + string(v.Outcome)
		if v.Display != "" {
			text += ": " + v.Display
		}
		said = append(said, text)
	}
	c.Outcome, c.Text = Worst(outcomes...), strings.Join(said, "; ")
	if len(outcomes) == 0 { // sizes alone: nothing was asked
		c.Outcome, c.Text = Unknown, "nothing here has a gate"
		if len(m.Result.Quantities) > 0 {
			c.Outcome, c.Text = Pass, "counted, without a limit"
		}
	}
	if c.Outcome == Pass {
		c.Passed = 1
	}
	return c
}

// reductions compares the commits of a batch with those of the earliest run that
// counted them: counts may be compared whatever the host did meanwhile.
//
// Steps of one curve are no versions of one thing: their costs differ by setting.
func (d *document) reductions() {
	if slices.Contains([]string{"sweep", "ladder", "soak", "repeats"}, d.Protocol) {
		return
	}
	for _, c := range []struct{ id, reduced string }{
		{"commits.per_batch", "commits.reduction"}, {"wal.bytes_per_event", "wal.reduction"}, {"alloc.bytes_per_event", "alloc.reduction"},
	} {
		d.reduction(c.id, c.reduced)
	}
}

// reduction compares a cost of each run with the first that was to have it. Where
// that one's was lost there is nothing to compare with, and a later run is no
// first.
func (d *document) reduction(id, reduced string) {
	var with []*Measured
	for _, m := range d.runs {
		if m.Result.Quantity(id, detect.Scope{}) != nil {
			with = append(with, m)
		}
	}
	slices.SortStableFunc(with, func(a, b *Measured) int { return strings.Compare(a.Result.Run.Start, b.Result.Run.Start) })
	for i, m := range with {
		if i == 0 {
			continue
		}
		q := quantity(reduced, detect.Scope{Run: m.Result.Run.ID}, 0, "1", -1,
			From{Method: "share-less-than-first@1", Params: map[string]any{"of": id, "first": with[0].Result.Run.ID}})
		first, okFirst := with[0].Result.value(id, detect.Scope{})
		now, okNow := m.Result.value(id, detect.Scope{})
		switch {
		case !okFirst || !okNow:
			q = withhold(q, id+" is not known of both runs")
		case first <= 0:
			q = withhold(q, id+" of the first run is 0")
		default:
			q = quantity(q.ID, q.Scope, 1-now/first, q.Unit, -1, q.From)
			q.Display = Percent(*q.Value)
		}
		d.Quantities = append(d.Quantities, q)
	}
}

// costRows are the quantities that the table of costs shows, in its order: those
// whose id begins so.
var costRows = []string{"costs.events", "commits", "wal.", "calls.", "growth.", "alloc.", "stored.bytes", "stored.events", "sql.", "fit.", "prune.", "price."}

// costTableMost bounds the rows of the table.
const costTableMost = 300

// costTable lists the costs of every run, but for those that the table of costs by
// run has, by its columns.
func (d *document) costTable(shown []string) Table {
	t := Table{ID: "costs", Title: "Costs, growth and keeping up", Columns: d.runColumn(left("cost"), left("scope"), right("value"), left("bound"), left("counted by"))}
	rows := 0
	for _, m := range d.runs {
		for _, begin := range costRows {
			for i := range m.Result.Quantities {
				q := &m.Result.Quantities[i]
				if !strings.HasPrefix(q.ID, begin) || isCounted(q, shown) || isReading(q) {
					continue
				}
				if rows++; rows > costTableMost {
					continue
				}
				t.Rows = append(t.Rows, Row{Cells: d.runCell(m, text(costName(q)), text(scopeText(q.Scope)), showQuantity(q, m.Result.Run.ID), text(string(q.Bound)), text(q.From.Method))})
				if q.Value == nil {
					t.Rows[len(t.Rows)-1].Mark = "unknown"
				}
			}
		}
	}
	for i := range d.Quantities {
		q := &d.Quantities[i]
		if strings.HasSuffix(q.ID, ".reduction") || strings.HasPrefix(q.ID, "prune.") {
			s := q.Scope
			cells := []Cell{text(costName(q)), text(d.runName(s.Run)), {Text: q.Display, ID: q.ID, In: &s, Note: q.Why}, text(string(q.Bound)), text(q.From.Method)}
			if len(d.runs) > 1 {
				cells = append([]Cell{text("document")}, cells...)
			}
			t.Rows = append(t.Rows, Row{Cells: cells})
		}
	}
	if rows > costTableMost {
		t.Notes = append(t.Notes, fmt.Sprintf("The first %d of %s costs; capacity.json has them all.", costTableMost, Count(int64(rows))))
	}
	if len(t.Rows) > 0 {
		t.Notes = append(t.Notes, "Counts and times are different evidence: what is counted may be quoted from a noisy host. A counter that was reset, and a reading that is missing, give no figure. The average cost at the largest size, the marginal cost (slope with its intercept) and the slope through the origin answer different questions.")
	}
	return t
}

// isReading reports whether a quantity is one reading of an own query, or another
// way to state its growth: those are drawn, and in the appendix.
func isReading(q *Quantity) bool {
	if !strings.HasPrefix(q.ID, "sql.") {
		return false
	}
	for _, end := range []string{".first", ".last", ".slope"} {
		if strings.HasSuffix(q.ID, end) {
			return true
		}
	}
	return q.Scope.Step != "" || q.Value == nil
}

// costName is an id in words.
func costName(q *Quantity) string {
	name := strings.NewReplacer("_", " ", ".per ", " per ", ".", ", ").Replace(q.ID)
	for _, group := range []string{"wal", "fpi"} {
		name = strings.ReplaceAll(" "+name+" ", " "+group+" ", " "+strings.ToUpper(group)+" ")
		name = strings.ReplaceAll(name, " "+group+",", " "+strings.ToUpper(group)+",")
		name = strings.TrimSpace(name)
	}
	return name
}

// fitFigure draws the points of a fit with its two lines, and what the first line
// leaves below: a run of one sign there is a curve.
func (d *document) fitFigure(m *Measured, f *fitPoints) {
	l, why := f.line()
	if why != "" {
		return
	}
	points := Series{Name: "measured", Mark: "dots", Role: "other", X: f.x, Y: f.y}
	ends := []float64{l.X.Lo, l.X.Hi}
	fitted := Series{Name: "fitted, marginal cost " + Display(l.Slope, f.unit), Mark: "line", Role: "p50", X: ends, Y: []float64{l.At(ends[0]), l.At(ends[1])}}
	origin := Series{Name: "through the origin, " + Display(l.ThroughOrigin, f.unit), Mark: "line", Role: "p99", X: ends, Y: []float64{l.ThroughOrigin * ends[0], l.ThroughOrigin * ends[1]}}
	residuals := Series{Name: "residual", Mark: "dots", Role: "other", X: f.x, Y: l.Residuals}
	upper := Panel{Series: []Series{points, fitted, origin}}
	if f.budgetKnown {
		upper.Lines = []HLine{{f.budget, "budget " + Display(f.budget, f.unit)}}
	}
	id := "cost-fit"
	if n := d.figures("cost-fit"); n > 0 {
		id = fmt.Sprintf("cost-fit-%d", n+1)
	}
	title := fmt.Sprintf("%s by %s", f.yName, f.xName)
	if len(d.runs) > 1 {
		title += ": " + m.name()
	}
	d.Figures = append(d.Figures, Figure{
		ID: id, Kind: "cost-fit", Title: title,
		Alt: fmt.Sprintf("%s by %s at %s, with the fitted line (marginal cost %s, intercept %s, R² %s) and the line through the origin (%s); the residuals below.",
			f.yName, f.xName, countText(len(f.x), "point"), Display(l.Slope, f.unit), Display(l.Intercept, f.unit), Display(l.R2, "1"), Display(l.ThroughOrigin, f.unit)),
		X: Axis{Label: f.xName, Unit: "1"}, Y: []Axis{{Label: f.yName, Unit: f.unit}, {Label: "residual", Unit: f.unit}},
		Panels: []Panel{upper, {Series: []Series{residuals}, Lines: []HLine{{0, "fitted line"}}}},
		Notes:  []string{fmt.Sprintf("%s. R² %s. Do not extrapolate beyond twice %s.", CountOf(int64(len(f.x)), "point"), Display(l.R2, "1"), Display(l.X.Hi, "1"))},
	})
}

// figures counts the figures of a kind.
func (d *document) figures(kind string) int {
	n := 0
	for _, f := range d.Figures {
		if f.Kind == kind {
			n++
		}
	}
	return n
}
