package analyze

import (
	"fmt"
	"slices"

	"headroom/detect"
)

// compareTreatments sets each treatment beside the control, over all repeats.
func (d *document) compareTreatments() {
	control, treatments := d.arms()
	if control == nil {
		return
	}
	slices.SortStableFunc(treatments, byStart)
	tests := ""
	for _, a := range treatments {
		for _, c := range a.group.cells {
			if cause := c.m.Result.Run.Labels[treatsLabel]; cause != "" {
				tests = cause
			}
		}
	}
	d.armsAnswer(control, treatments)
	t := d.armTable(control, treatments, tests)
	t.ID, t.Title = "arms", "Control and treatment"
	d.Tables = append(d.Tables, t)
}

// armTable is the comparison of arms; tests is the cause that the treatments take
// away, "" if none is named.
func (d *document) armTable(control *arm, treatments []*arm, tests string) Table {
	all := append([]*arm{control}, treatments...)
	t := Table{Columns: []Column{left("measure"), right(control.name)}}
	for _, a := range treatments {
		t.Columns = append(t.Columns, right(a.name), left("what "+a.name+" shows"))
	}
	t.Rows = append(t.Rows, d.passedRow(all))
	measures := slices.Clone(armMeasures)
	for _, cause := range causesOf(all) {
		measures = slices.Insert(measures, 1, armMeasure{"freeze.seconds." + cause, "freeze-seconds put down to " + cause, "s", "total", frozenBy(cause), 0})
	}
	for i := range measures {
		if row, ok := d.armRow(&measures[i], control, treatments); ok {
			t.Rows = append(t.Rows, row)
		}
	}
	for _, a := range all {
		t.Notes = append(t.Notes, a.withdrawnNotes()...)
	}
	for _, a := range treatments {
		t.Notes = append(t.Notes, d.replication(control, a, tests)...)
	}
	t.Notes = append(t.Notes, "Over all repeats, failed ones included. Compared by ranks (Mann & Whitney), two-sided at 5 %; that no difference is shown does not make two arms equal.")
	return t
}

// withdrawnNotes says which repeats of an arm are in no figure of it.
func (a *arm) withdrawnNotes() (notes []string) {
	var gone []string
	for _, c := range a.group.cells {
		if c.withdrawn() > 0 {
			gone = append(gone, c.m.Result.Run.ID)
		}
	}
	if len(gone) > 0 {
		notes = append(notes, fmt.Sprintf("Of %s, %s runs were withdrawn and are in no figure: %s. What is compared are the other %d.", a.name, NofM{len(gone), len(a.group.cells)}.words(), listed(gone), len(a.group.cells)-len(gone)))
	}
	return notes
}

func (d *document) passedRow(arms []*arm) Row {
	row := Row{Cells: []Cell{text("repeats passed")}}
	for i, a := range arms {
		passed := text("—")
		for _, c := range d.Configurations {
			if c.Name == a.group.entry().Name {
				passed = text(NofM{c.Passed, c.Of}.String())
			}
		}
		row.Cells = append(row.Cells, passed)
		if i > 0 {
			row.Cells = append(row.Cells, text(""))
		}
	}
	return row
}

// armRow is one measure of all arms. ok is false where no arm has it.
func (d *document) armRow(x *armMeasure, control *arm, treatments []*arm) (row Row, ok bool) {
	show := func(a *arm) Cell {
		q := a.armQuantity(x).counting(d.rateUnit())
		ok = ok || q.Value != nil
		d.Quantities = append(d.Quantities, q)
		if q.Value == nil {
			return Cell{Text: "—", ID: q.ID, In: &q.Scope, Note: q.Why}
		}
		return Cell{Text: q.Display, ID: q.ID, In: &q.Scope}
	}
	base, _ := control.values(x.of)
	had := len(d.Quantities)
	row.Cells = []Cell{text(x.title), show(control)}
	for _, a := range treatments {
		vs, _ := a.values(x.of)
		row.Cells = append(row.Cells, show(a))
		test := compareArms(x, base, vs)
		row.Cells = append(row.Cells, text(test.words(x.margin)))
		for _, q := range test.quantities(x, a, control) {
			d.Quantities = append(d.Quantities, q.counting(d.rateUnit()))
		}
	}
	if !ok {
		d.Quantities = d.Quantities[:had]
	}
	return row, ok
}

// quantities gives the numbers of a test.
func (t armTest) quantities(x *armMeasure, a, control *arm) []Quantity {
	if t.ranks == nil {
		return nil
	}
	scope := detect.Scope{Configuration: a.group.entry().Name + " against " + control.group.entry().Name}
	n := int64(t.ranks.N[0] + t.ranks.N[1])
	from := From{Method: "rank-sum@1", Params: map[string]any{"least_p": t.least}}
	out := []Quantity{
		quantity("arms."+x.id+".p", scope, t.ranks.P, "1", n, from),
		quantity("arms."+x.id+".shift", scope, t.ranks.Shift, x.unit, n, From{Method: "hodges-lehmann@1"}),
	}
	if t.equal != nil {
		q := quantity("arms."+x.id+".ratio", scope, t.equal.Ratio, "1", n, From{Method: "tost@1", Params: map[string]any{"margin": x.margin, "interval": "90 %"}})
		lo, hi := t.equal.Interval.Lo, t.equal.Interval.Hi
		q.Interval = []*float64{&lo, &hi}
		out = append(out, q)
	}
	for i := range out {
		out[i].Bound = ComparisonOnly
	}
	return out
}

// replication says what the treatment of a cause shows of it. A treatment that is
// said to take a cause away, and under which as many seconds freeze, shows that
// they were not that cause's: the attribution did not replicate. One under which
// fewer freeze, by the ranks of the repeats, is the arm that an attribution asks
// for.
func (d *document) replication(control, a *arm, cause string) []string {
	if cause == "" {
		return nil
	}
	if !isCause(cause) {
		d.holding(control, a, cause)
		return nil
	}
	before, ok1 := control.values(ofCell("freeze.seconds"))
	after, ok2 := a.values(ofCell("freeze.seconds"))
	if !ok1 || !ok2 {
		return []string{fmt.Sprintf("What %s shows of %s is not known: freezes were not looked for in every repeat.", a.name, cause)}
	}
	r := replicate(before, after)
	for i, m := range d.runs {
		if control.holds(m) {
			marked := *m // another document may be made of the same runs
			marked.Result.Findings = slices.Clone(m.Result.Findings)
			r.mark(marked.Result.Findings, cause, a.name)
			d.runs[i] = &marked
		}
	}
	sentence := r.sentence(cause, control.name, a.name)
	verdict := map[string]string{detect.Attributed: blamed, detect.DidNotReplicate: unreplicated}[r.status]
	if verdict == "" {
		verdict = suspected
	}
	d.treated = append(d.treated, suspicion{what: cause, test: control.name + " against " + a.name, result: sentence, verdict: verdict,
		of: slices.Concat(control.group.runIDs(), a.group.runIDs())})
	return []string{sentence}
}

// holds reports whether a run is one of the arm's.
func (a *arm) holds(m *Measured) bool {
	return slices.ContainsFunc(a.group.cells, func(c *cell) bool { return c.m.Result.Run.ID == m.Result.Run.ID })
}

// replication is what a treatment did to the seconds that froze.
type replication struct {
	before, after float64
	test          armTest
	status        string // detect.Attributed, detect.DidNotReplicate, or "" for neither
}

// replicate compares the freeze-seconds of the control's repeats with the
// treatment's.
func replicate(before, after []float64) replication {
	r := replication{before: sumUp("total", before), after: sumUp("total", after), test: compareArms(&armMeasure{}, before, after)}
	perRun := func(sum float64, n int) float64 { return sum / float64(max(n, 1)) }
	b, t := perRun(r.before, len(before)), perRun(r.after, len(after))
	switch {
	case r.before == 0: // nothing to take away
	case t >= b:
		r.status = detect.DidNotReplicate
	case r.test.ranks != nil && r.test.ranks.P <= significance:
		r.status = detect.Attributed
	}
	return r
}

func (r replication) sentence(cause, control, treatment string) string {
	numbers := fmt.Sprintf("%s with %s, %s with %s, which is said to take %s away (%s)",
		countText(int(r.before), "freeze-second"), control, countText(int(r.after), "freeze-second"), treatment, cause, r.test.words(0))
	switch r.status {
	case detect.DidNotReplicate:
		return numbers + ": as many or more, so " + cause + " did not replicate as their cause."
	case detect.Attributed:
		return numbers + ": fewer, so the freezes go with " + cause + "."
	}
	if r.before == 0 {
		return numbers + ": the control had none, so the treatment shows nothing."
	}
	return numbers + ": fewer, and too few repeats, or too unequal ones, to rule out chance."
}

// mark gives the control's freezes that are put down to the cause the status that
// the treatment showed: none becomes weaker or stronger by an arm that shows
// nothing.
func (r replication) mark(findings []detect.Finding, cause, treatment string) {
	for i := range findings {
		a := findings[i].Attribution
		if a == nil || a.Cause != cause || findings[i].Detector != "freeze" || r.status == "" {
			continue
		}
		if r.status == detect.Attributed && a.Status != detect.MostLikely {
			continue // the evidence of the run itself does not carry so far
		}
		marked := *a
		marked.Status = r.status
		marked.Evidence = append(slices.Clone(a.Evidence), fmt.Sprintf("%s: %g freeze-seconds against %g of the control", treatment, r.after, r.before))
		findings[i].Attribution = &marked
	}
}
