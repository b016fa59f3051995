package rescan

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"headroom/analyze"
	"headroom/detect"
)

// noise is the relative difference up to which two figures are the same: what
// another processor's rounding may make of one sum.
const noise = 1e-9

// same compares figures.
func same(a, b float64) bool {
	return a == b || math.Abs(a-b) <= noise*max(math.Abs(a), math.Abs(b))
}

// samePointer compares figures that may be absent.
func samePointer(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return same(*a, *b)
}

type scoped struct {
	id    string
	scope detect.Scope
}

// compareQuantities compares published quantities with those of now.
func compareQuantities(c *Changes, old, now []analyze.Quantity) {
	found := map[scoped]*analyze.Quantity{}
	for i := range now {
		found[scoped{now[i].ID, now[i].Scope}] = &now[i]
	}
	for i := range old {
		q := &old[i]
		n := found[scoped{q.ID, q.Scope}]
		delete(found, scoped{q.ID, q.Scope})
		change := Change{ID: q.ID, Scope: q.Scope, Old: said(q)}
		switch {
		case n == nil:
			change.Why = "it is not measured any more"
			c.CouldNotLook = append(c.CouldNotLook, change)
		case q.Value != nil && n.Value == nil:
			change.New, change.Why = said(n), n.Why
			c.CouldNotLook = append(c.CouldNotLook, change)
		case sameQuantity(q, n):
			c.Unchanged++
		default:
			change.New = said(n)
			if change.New == change.Old {
				change.Old, change.New = exactly(q), exactly(n)
			}
			c.Changed = append(c.Changed, change)
		}
	}
	c.New += len(found)
}

// sameQuantity reports whether a page would print the same of two quantities.
func sameQuantity(a, b *analyze.Quantity) bool {
	if a.Unit != b.Unit || a.Bound != b.Bound || a.Status != b.Status || !samePointer(a.Value, b.Value) || len(a.Interval) != len(b.Interval) {
		return false
	}
	for i := range a.Interval {
		if !samePointer(a.Interval[i], b.Interval[i]) {
			return false
		}
	}
	return (a.N == nil) == (b.N == nil) && (a.N == nil || *a.N == *b.N)
}

// said is a quantity as it is printed, with its bound.
func said(q *analyze.Quantity) string {
	if q.Bound == analyze.NoBound {
		return q.Display
	}
	return q.Display + " (" + string(q.Bound) + ")"
}

// exactly is a quantity with every digit, its number of samples and interval,
// where what is printed does not show the difference.
func exactly(q *analyze.Quantity) string {
	number := func(v *float64) string {
		if v == nil {
			return "none"
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}
	parts := []string{number(q.Value)}
	if q.Unit != "" && q.Unit != "1" {
		parts[0] += " " + q.Unit
	}
	if q.N != nil {
		parts = append(parts, fmt.Sprintf("n %d", *q.N))
	}
	for i, v := range q.Interval {
		parts = append(parts, [2]string{"from ", "to "}[i%2]+number(v))
	}
	return strings.Join(parts, ", ")
}

// compareVerdicts compares published verdicts with those of now.
func compareVerdicts(c *Changes, old, now []analyze.Verdict) {
	found := map[scoped]*analyze.Verdict{}
	for i := range now {
		found[scoped{now[i].Gate, now[i].Scope}] = &now[i]
	}
	for i := range old {
		v := &old[i]
		n := found[scoped{v.Gate, v.Scope}]
		delete(found, scoped{v.Gate, v.Scope})
		change := Change{ID: v.Gate, Scope: v.Scope, Old: string(v.Outcome)}
		switch {
		case n == nil:
			change.Why = "it is not judged any more"
			c.CouldNotLook = append(c.CouldNotLook, change)
		case v.Outcome == n.Outcome:
			c.Unchanged++
		case n.Outcome == analyze.Unknown:
			change.New, change.Why = string(n.Outcome), n.Why
			c.CouldNotLook = append(c.CouldNotLook, change)
		default:
			change.New = string(n.Outcome)
			c.Changed = append(c.Changed, change)
		}
	}
	c.New += len(found)
}

// compareSentences compares the sentences of the first screen: the first of a role
// and configuration with the first of the same, and so on.
func compareSentences(c *Changes, old, now []analyze.Sentence) {
	type about struct{ role, of string }
	said := map[about][]analyze.Sentence{}
	for _, s := range now {
		at := about{s.Role, s.Of}
		said[at] = append(said[at], s)
	}
	for _, s := range old {
		at := about{s.Role, s.Of}
		change := Change{ID: s.Role, Old: strings.TrimSpace(s.Lead + " " + s.Text)}
		if len(said[at]) == 0 {
			change.Why = "it is not said any more"
			c.CouldNotLook = append(c.CouldNotLook, change)
			continue
		}
		n := said[at][0]
		said[at] = said[at][1:]
		if s == n {
			c.Unchanged++
			continue
		}
		change.New = strings.TrimSpace(n.Lead + " " + n.Text)
		c.Changed = append(c.Changed, change)
	}
	for _, left := range said {
		c.New += len(left)
	}
}

// blindTo enters everything of a document that cannot be looked at.
func blindTo(c *Comparison, quantities []analyze.Quantity, verdicts []analyze.Verdict, sentences []analyze.Sentence, why string) {
	for i := range quantities {
		q := &quantities[i]
		c.Quantities.CouldNotLook = append(c.Quantities.CouldNotLook, Change{ID: q.ID, Scope: q.Scope, Old: said(q), Why: why})
	}
	for _, v := range verdicts {
		c.Verdicts.CouldNotLook = append(c.Verdicts.CouldNotLook, Change{ID: v.Gate, Scope: v.Scope, Old: string(v.Outcome), Why: why})
	}
	for _, s := range sentences {
		c.Sentences.CouldNotLook = append(c.Sentences.CouldNotLook, Change{ID: s.Role, Old: strings.TrimSpace(s.Lead + " " + s.Text), Why: why})
	}
}
