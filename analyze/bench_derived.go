package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"headroom/detect"
)

// Derived asks for a figure that is made of others, under a name of its own: one
// over another (times slower, headroom, a share), or the sum of several. It
// becomes the quantity "derived.NAME" of the document.
type Derived struct {
	Name string `json:"name"`
	// Label is what a reader calls it; "" is the name in words.
	Label string `json:"label,omitempty"`
	// Over is divided by Under. Both must have one unit.
	Over  Operand `json:"over,omitzero"`
	Under Operand `json:"under,omitzero"`
	// Sum are added up; none asks for a ratio.
	Sum []Operand `json:"sum,omitempty"`
}

// Operand names a quantity of a run: by its id, and by the run, scenario, step or
// op where it is not the only one of that id.
type Operand struct {
	Run      string `json:"run,omitempty"` // id of the run, or what its label "run" says
	Scenario string `json:"scenario,omitempty"`
	Step     string `json:"step,omitempty"`
	Op       string `json:"op,omitempty"` // kind of request, or benchmark
	ID       string `json:"id"`
}

// text names an operand.
func (o Operand) text() string {
	s := scopeText(detect.Scope{Scenario: o.Scenario, Step: o.Step, Op: o.Op})
	if s == "run" {
		s = ""
	} else {
		s = " of " + s
	}
	if o.Run != "" {
		s += " in " + o.Run
	}
	return o.ID + s
}

// matches reports whether the operand means a quantity. An op or a step that is
// not named is the whole.
func (o Operand) matches(q *Quantity) bool {
	return q.ID == o.ID && q.Scope.Op == o.Op && q.Scope.Step == o.Step && (o.Scenario == "" || o.Scenario == q.Scope.Scenario)
}

// find returns the quantity that an operand means; why says why there is none.
func (d *document) find(o Operand) (q *Quantity, why string) {
	n := 0
	for _, m := range d.runs {
		if o.Run != "" && o.Run != m.Result.Run.ID && o.Run != m.manifest.Labels["run"] {
			continue
		}
		for i := range m.Result.Quantities {
			c := &m.Result.Quantities[i]
			if o.matches(c) && !m.probes[c.Scope.Scenario] {
				q, n = c, n+1
			}
		}
	}
	switch {
	case n == 0:
		return nil, "there is no " + o.text()
	case n > 1:
		return nil, fmt.Sprintf("there are %d of %s: say of which run, scenario or op", n, o.text())
	case q.Value == nil:
		return nil, o.text() + " is withheld: " + q.Why
	}
	return q, ""
}

// derived adds the figures that were asked for, and their table. One whose parts
// are not there is withheld, and says what is missing.
func (d *document) derived() {
	if len(d.protocol.Derived) == 0 {
		return
	}
	t := Table{ID: "derived", Title: "Ratios and sums", Columns: []Column{left("figure"), right("value"), left("made of"), left("id")}}
	for _, want := range d.protocol.Derived {
		q, made := d.derive(want)
		d.Quantities = append(d.Quantities, q)
		cell := Cell{Text: q.Display, ID: q.ID, In: &detect.Scope{}}
		if q.Value == nil {
			cell.Text, cell.Note = "—", q.Why
		}
		t.Rows = append(t.Rows, Row{Cells: []Cell{text(want.label()), cell, text(made), text(q.ID)}})
	}
	d.Tables = append(d.Tables, t)
}

// label is what a reader calls the figure: its label, or its name in words.
func (want Derived) label() string {
	return cmp.Or(want.Label, strings.NewReplacer(".", ", ", "_", " ", "-", " ").Replace(want.Name))
}

func (d *document) derive(want Derived) (q Quantity, made string) {
	from := From{Method: "ratio@1"}
	operands := []Operand{want.Over, want.Under}
	sep := " / "
	if len(want.Sum) > 0 {
		from.Method, operands, sep = "sum@1", want.Sum, " + "
	}
	q = quantity("derived."+want.Name, detect.Scope{}, 0, "1", -1, from)
	var parts []*Quantity
	for i, o := range operands {
		if i > 0 {
			made += sep
		}
		made += o.text()
		part, why := d.find(o)
		if part == nil {
			return withhold(q, why), made
		}
		parts = append(parts, part)
		q.From.Tables = unique(append(q.From.Tables, part.From.Tables...))
		q.Warnings = unique(append(q.Warnings, part.Warnings...))
	}
	for _, p := range parts[1:] {
		if p.Unit != parts[0].Unit {
			return withhold(q, fmt.Sprintf("%s is in %s and %s in %s", parts[0].ID, parts[0].Unit, p.ID, p.Unit)), made
		}
	}
	return fill(q, want, parts), made
}

// fill computes a derived figure of parts in one unit.
func fill(q Quantity, want Derived, parts []*Quantity) Quantity {
	v, unit := 0.0, "1"
	bound := NoBound
	if len(want.Sum) > 0 {
		unit = parts[0].Unit
		for _, p := range parts {
			v += *p.Value
			bound = sumBound(bound, p.Bound)
		}
	} else {
		if *parts[1].Value == 0 {
			return withhold(q, want.Under.text()+" is zero")
		}
		v, bound = *parts[0].Value / *parts[1].Value, ratioBound(parts[0].Bound, parts[1].Bound)
	}
	out := quantity(q.ID, q.Scope, v, unit, -1, q.From)
	out.Bound, out.Warnings = bound, q.Warnings
	return out
}

// lean says in which direction the true value may lie from a figure with a bound:
// 1 above, -1 below, 0 neither; 2 where only comparison is allowed.
func lean(b Bound) int {
	switch b {
	case Floor, AtLeast:
		return 1
	case Ceiling, AtMost:
		return -1
	case ComparisonOnly:
		return 2
	}
	return 0
}

// ratioBound keeps the direction in which a ratio may be wrong: of a floor over a
// plain figure at least, of a plain figure over a floor at most; of two floors it
// is a comparison and nothing else.
func ratioBound(over, under Bound) Bound {
	a, b := lean(over), lean(under)
	switch {
	case a == 0 && b == 0:
		return NoBound
	case a == 2 || b == 2 || a == b:
		return ComparisonOnly
	case a == 1 || b == -1:
		return AtLeast
	}
	return AtMost
}

// sumBound keeps the direction in which a sum may be wrong.
func sumBound(a, b Bound) Bound {
	x, y := lean(a), lean(b)
	switch {
	case slices.Contains([]int{x, y}, 2), x*y < 0:
		return ComparisonOnly
	case x+y > 0:
		return AtLeast
	case x+y < 0:
		return AtMost
	}
	return NoBound
}
