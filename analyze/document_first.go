package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// StudyFirst is what gives first, as the author ranks it.
type StudyFirst struct {
	Title  string
	Ranked []StudyRanked
}

// StudyRanked is one thing that holds a system back, with the figures that show it,
// the one that ranks it first.
type StudyRanked struct {
	What    string
	Figures []NamedOperand
	Lever   string // what would help, or has helped
}

// NamedOperand is a figure with what a reader calls it.
type NamedOperand struct {
	As string
	Operand
}

// ranking is the author's order of what gives first, each with its figures: those
// are the document's, so that no place in the order rests on a word.
func (b *builder) ranking() {
	list := b.study.First.Ranked
	if len(list) == 0 {
		return
	}
	t := Table{ID: "ranked", Title: cmp.Or(b.study.First.Title, "Ranked by the author"), Columns: []Column{
		right("rank"), left("what"), left("shown by"), right("figure"), left("lever"),
	}}
	for i, r := range list {
		for k, f := range r.Figures {
			lever := ""
			if k == 0 {
				lever = r.Lever
			}
			t.Rows = append(t.Rows, Row{Cells: []Cell{text(strconv.Itoa(i + 1)), text(r.What), text(f.As), b.operandCell(r.What, f.Operand), text(lever)}})
		}
	}
	t.Notes = append(t.Notes, "The order is the author's; the figures are the document's.")
	at := slices.IndexFunc(b.Tables, func(t Table) bool { return t.ID == "bottlenecks" })
	if at < 0 {
		at = len(b.Tables)
	}
	b.Tables = slices.Insert(b.Tables, at, append([]Table{t}, b.eliminateByWall()...)...)
}

// operandCell shows the quantity of the document, or of a run, that an operand
// means; one that is not there is warned of.
func (b *builder) operandCell(of string, o Operand) Cell {
	if o.Run == "" && b.quantityNamed(o.ID) != nil {
		return b.showNamed(o.ID)
	}
	if q := b.quantityOn(o); q != nil {
		s := q.Scope
		return Cell{Text: q.Display, ID: q.ID, In: &s, Note: q.Why}
	}
	var found *Quantity
	run, n := "", 0
	for _, m := range b.runs {
		if o.Run != "" && o.Run != m.Result.Run.ID && o.Run != m.manifest.Labels["run"] {
			continue
		}
		for i := range m.Result.Quantities {
			if q := &m.Result.Quantities[i]; o.matches(q) {
				found, run, n = q, m.Result.Run.ID, n+1
			}
		}
	}
	if n == 1 {
		return showQuantity(found, run)
	}
	why := "there is no " + o.text()
	if n > 1 {
		why = fmt.Sprintf("there are %d of %s: say of which run, scenario or op", n, o.text())
	}
	b.Warnings = append(b.Warnings, fmt.Sprintf("what gives first: %s: %s", of, why))
	return Cell{Text: "—", Note: why}
}

// quantityOn is a quantity of the document about one run or one kind of request.
func (b *builder) quantityOn(o Operand) *Quantity {
	for i := range b.Quantities {
		q := &b.Quantities[i]
		if q.ID == o.ID && q.Scope.Op == o.Op && (o.Run == "" || q.Scope.Run == o.Run) && (o.Run != "" || o.Op != "") {
			return q
		}
	}
	return nil
}
