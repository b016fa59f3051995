package prose

import (
	"fmt"
	"slices"
	"strings"

	"headroom/analyze"
	"headroom/internal/near"
)

// binding is a document as its prose can name it.
type binding struct {
	c          *analyze.Capacity
	constants  map[string]string
	quantities index
	list       []analyze.Quantity // of the entries of quantities
	gates      index
	verdicts   []analyze.Verdict // of the entries of gates
	of         map[string]string // the configuration of a run
}

func newBinding(c *analyze.Capacity, constants map[string]string) *binding {
	b := &binding{c: c, constants: constants, of: map[string]string{}}
	b.quantities.what, b.gates.what = "quantity", "gate"
	free := [len(parts)]bool{0: len(c.Configurations) <= 1, 1: len(c.Results) == 1}
	b.quantities.free, b.gates.free = free, free
	labels := map[string]map[string]string{} // of configurations
	for _, k := range c.Configurations {
		labels[k.Name] = k.Labels
		for _, run := range k.Runs {
			b.of[run] = k.Name
		}
	}
	for _, q := range c.Quantities {
		b.quantity(q, q.Scope.Run, labels[q.Scope.Configuration])
	}
	for _, v := range c.Verdicts {
		b.verdict(v, v.Scope.Run, labels[v.Scope.Configuration])
	}
	for _, r := range c.Results {
		for _, q := range r.Quantities {
			b.quantity(q, r.Run.ID, labelsOf(r, q.Scope.Step))
		}
		for _, v := range r.Verdicts {
			b.verdict(v, r.Run.ID, labelsOf(r, v.Scope.Step))
		}
	}
	return b
}

func (b *binding) quantity(q analyze.Quantity, run string, labels map[string]string) {
	s := q.Scope
	b.quantities.entries = append(b.quantities.entries,
		entry{q.ID, [len(parts)]string{b.configuration(s.Configuration, run), run, s.Scenario, s.Step, s.Op, s.Source, s.Entity}, labels, len(b.list)})
	b.list = append(b.list, q)
}

func (b *binding) verdict(v analyze.Verdict, run string, labels map[string]string) {
	s := v.Scope
	b.gates.entries = append(b.gates.entries,
		entry{v.Gate, [len(parts)]string{b.configuration(s.Configuration, run), run, s.Scenario, s.Step, s.Op, s.Source, s.Entity}, labels, len(b.verdicts)})
	b.verdicts = append(b.verdicts, v)
}

// configuration is that of a scope, or that of its run.
func (b *binding) configuration(said, run string) string {
	if said != "" {
		return said
	}
	return b.of[run]
}

// labelsOf are the labels of a run, and those of a step of it: of the one that is
// named, or of the only one.
func labelsOf(r analyze.Result, step string) map[string]string {
	out := map[string]string{}
	for k, v := range r.Run.Labels {
		out[k] = v
	}
	for _, s := range r.Steps {
		if s.Name == step || len(r.Steps) == 1 {
			for k, v := range s.Labels {
				out[k] = v
			}
		}
	}
	return out
}

// quantityOf is the quantity that a name means; one that is withheld is an error.
func (b *binding) quantityOf(n name) (analyze.Quantity, error) {
	e, err := b.quantities.find(n)
	if err != nil {
		return analyze.Quantity{}, err
	}
	q := b.list[e.at]
	if q.Value == nil || q.Status == "withheld" {
		why := q.Why
		if why == "" {
			why = "no reason is given"
		}
		return q, unsupportedf("%s is withheld: %s", n.id, why)
	}
	return q, nil
}

// operand is one side of a comparison: a quantity, a constant, or an outcome.
type operand struct {
	said     string // what the author wrote
	text     string // how the page prints it
	value    float64
	unit     string
	bound    analyze.Bound
	quantity bool
}

// constantPrefix begins the name of a constant where a quantity may stand too.
const constantPrefix = "const:"

// operandOf reads "latency.p99 step=concurrency=64" or "const:limit".
func (b *binding) operandOf(said string) (operand, error) {
	if key, ok := strings.CutPrefix(said, constantPrefix); ok {
		text, err := b.constant(key)
		if err != nil {
			return operand{}, err
		}
		n, ok := readNumber(text)
		if !ok {
			return operand{}, fmt.Errorf("the constant %s is %q, which is no number with a unit", key, text)
		}
		return operand{said: said, text: text, value: n.value, unit: n.base}, nil
	}
	n, err := parseName(said)
	if err != nil {
		return operand{}, err
	}
	q, err := b.quantityOf(n)
	if err != nil {
		return operand{}, err
	}
	o := operand{said: said, text: q.Display, value: *q.Value, unit: unitOf(q.Unit), bound: q.Bound, quantity: true}
	if n.beside != "" {
		o.text, err = b.beside(q, n.beside)
	}
	return o, err
}

// beside writes a quantity so that it shows on which side of another value it is.
func (b *binding) beside(q analyze.Quantity, other string) (string, error) {
	limit, err := b.operandOf(other)
	if err != nil {
		return "", err
	}
	return beside(q.Display, *q.Value, limit.value)
}

// unitOf is the unit of a quantity; what is counted by the second is one unit,
// whatever is counted is told by the names.
func unitOf(unit string) string {
	if unit == "" {
		return "1"
	}
	return unit
}

func (b *binding) constant(key string) (string, error) {
	if v, ok := b.constants[key]; ok {
		return v, nil
	}
	var names []string
	for k := range b.constants {
		names = append(names, k)
	}
	slices.Sort(names)
	return "", fmt.Errorf("there is no constant %q%s", key, near.DidYouMean(key, names))
}

// mayBeHigher and mayBeLower tell where else the value may lie.
func (o operand) mayBeHigher() bool { return o.bound == analyze.Floor || o.bound == analyze.AtLeast }
func (o operand) mayBeLower() bool  { return o.bound == analyze.AtMost }

// bounded writes a quantity with the words of its bound, which are part of it.
func bounded(text string, bound analyze.Bound) string {
	switch bound {
	case analyze.Floor, analyze.AtLeast:
		return "at least " + text
	case analyze.AtMost:
		return "at most " + text
	case analyze.Ceiling:
		return text + " (ceiling)"
	}
	return text
}
