package analyze

import "headroom/detect"

// Quantity returns the quantity of that id and scope, or nil.
func (r *Result) Quantity(id string, s detect.Scope) *Quantity {
	for i := range r.Quantities {
		if q := &r.Quantities[i]; q.ID == id && q.Scope == s {
			return q
		}
	}
	return nil
}

// quantityKey is what a quantity is found by.
type quantityKey struct {
	id    string
	scope detect.Scope
}

// index returns the quantities as Quantity finds them, for whoever looks for most of
// them. It holds until one is added.
func (r *Result) index() map[quantityKey]*Quantity {
	index := make(map[quantityKey]*Quantity, len(r.Quantities))
	for i := range r.Quantities {
		q := &r.Quantities[i]
		if k := (quantityKey{q.ID, q.Scope}); index[k] == nil {
			index[k] = q
		}
	}
	return index
}

// value returns the value of a quantity, and whether there is one.
func (r *Result) value(id string, s detect.Scope) (float64, bool) {
	if q := r.Quantity(id, s); q != nil && q.Value != nil {
		return *q.Value, true
	}
	return 0, false
}
