package analyze

import (
	"fmt"
	"math/big"

	"headroom/runs"
)

// sizeColumns are the columns of relation sizes, with what each is a size of:
// "" is the relation itself.
var sizeColumns = []struct{ names, part string }{
	{"bytes", ""}, {"size", ""}, {"main_bytes", ""}, {"table_bytes", ".table"}, {"index_bytes", ".indexes"}, {"total_bytes", ".total"},
}

// growthMost bounds the relations that have a figure of their own.
const growthMost = 200

// growthCosts returns by how much each relation grew for each event, and tables
// and indexes together where the rows say which is which (relkind). Sizes grow in
// steps, and may shrink: a size is no counter.
func (m *Measured) growthCosts(b costBase) []Quantity {
	v := m.ledger.views["relation_sizes"]
	if v == nil || !v.before && !v.after {
		return nil
	}
	if why := v.missing(); why != "" {
		return []Quantity{amountOf("growth.bytes_per_event", nil, why, "B", v.from(nil, "size-difference@1"))}
	}
	var out []Quantity
	kinds := map[string]*sizeSum{"tables": {}, "indexes": {}}
	names := v.names()
	for i, key := range names {
		o := v.objects[key]
		name := relationName(o)
		for _, c := range sizeColumns {
			grew, why := v.difference(o, c.names)
			if grew == nil && why == "" {
				continue
			}
			if c.part == "" {
				kinds[kindOf(o)].add(grew, why)
			}
			if i < growthMost {
				out = append(out, growthQuantity(b, "growth."+name+c.part, grew, why, v.from(o, "size-difference@1")))
			}
		}
	}
	for _, kind := range []string{"tables", "indexes"} {
		if s := kinds[kind]; s != nil && s.n > 0 {
			out = append(out, growthQuantity(b, "growth."+kind, s.v, s.why, v.from(v.any(), "size-difference@1")))
		}
	}
	if len(names) > growthMost {
		m.Result.Warnings = append(m.Result.Warnings, fmt.Sprintf("relations beyond the first %d have no figure of their own: there are %s", growthMost, Count(int64(len(names)))))
	}
	return out
}

func growthQuantity(b costBase, id string, grew *big.Rat, why string, from From) Quantity {
	q := b.perEvent(id+".bytes_per_event", grew, why, "B", from)
	if grew != nil && grew.Sign() < 0 {
		q.Warnings = append(q.Warnings, "it shrank: something was cut off or rewritten meanwhile")
	}
	return q
}

// sizeSum adds amounts up; one that is not known makes the whole unknown.
type sizeSum struct {
	v   *big.Rat
	n   int
	why string
}

func (s *sizeSum) add(v *big.Rat, why string) {
	switch {
	case s == nil:
		return
	case v == nil:
		s.v, s.why = nil, why
	case s.n == 0:
		s.v = new(big.Rat).Set(v)
	case s.v != nil:
		s.v.Add(s.v, v)
	}
	s.n++
}

// difference is the size after less the size before. Both are nil and "" where the
// rows have no such column at all.
func (v *costView) difference(o *around, column string) (*big.Rat, string) {
	size := func(s *runs.Snapshot) (*big.Rat, bool) {
		if s == nil {
			return nil, false
		}
		text, ok := s.Value(column)
		if !ok {
			return nil, false
		}
		n, isNumber := new(big.Rat).SetString(text)
		if !isNumber {
			return nil, true
		}
		return n, true
	}
	before, hasBefore := size(o.before)
	after, hasAfter := size(o.after)
	switch {
	case !hasBefore && !hasAfter:
		return nil, ""
	case o.ambiguous:
		return nil, "two rows are of one relation"
	case o.before == nil:
		return nil, "the relation was not there before the load"
	case o.after == nil:
		return nil, "the relation was not there after the load"
	case before == nil || after == nil:
		return nil, fmt.Sprintf("its %s is no number in both readings", column)
	}
	return after.Sub(after, before), ""
}

func relationName(o *around) string {
	for _, s := range []*runs.Snapshot{o.after, o.before} {
		if s == nil {
			continue
		}
		if name, ok := s.Value("relname"); ok {
			if schema, ok := s.Value("schemaname"); ok && schema != "public" {
				name = schema + "." + name
			}
			return name
		}
	}
	return "-"
}

// kindOf tells tables from indexes, as pg_class.relkind does; "" if the row does
// not say.
func kindOf(o *around) string {
	for _, s := range []*runs.Snapshot{o.after, o.before} {
		if s == nil {
			continue
		}
		switch kind, _ := s.Value("relkind"); kind {
		case "r", "t", "m", "table":
			return "tables"
		case "i", "index":
			return "indexes"
		}
	}
	return ""
}

// storedSizes returns what is stored, and how many bytes an event takes, of sizes
// that were read once: how much everything holds, over everything that is held.
func (m *Measured) storedSizes() []Quantity {
	v := m.ledger.views["relation_sizes"]
	if v == nil || v.before && v.after || len(v.last) == 0 {
		return nil
	}
	from := From{Tables: []string{"snapshots/" + v.name}, Method: "sizes-over-rows@1"}
	bytes, why := v.stored()
	if v.damaged != "" {
		bytes, why = nil, v.damaged
	}
	total := amountOf("stored.bytes", bytes, why, "B", from)
	if bytes != nil {
		total.Display = decimal(bytes) + " B"
	}
	series, whyEvents := m.storedEvents()
	var events *big.Rat
	if series != nil {
		from.Tables = append(from.Tables, "snapshots/"+series.view)
		events = new(big.Rat).SetFloat64(series.last().v)
		if events != nil && events.Sign() <= 0 {
			whyEvents = "no event is stored"
		}
	}
	out := []Quantity{total, amountOf("stored.events", events, whyEvents, "1", from)}
	if whyEvents != "" {
		events = nil
	}
	return append(out, divided("stored.bytes_per_event", bytes, why, events, whyEvents, "B", from))
}

// stored adds up the sizes of all relations: the totals where the rows have any,
// else tables and indexes.
func (v *costView) stored() (*big.Rat, string) {
	for _, columns := range [][]string{{"total_bytes"}, {"table_bytes", "index_bytes"}, {"bytes"}, {"size"}, {"main_bytes"}} {
		total, complete := new(big.Rat), true
		for _, s := range v.last {
			for _, c := range columns {
				text, _ := s.Value(c)
				n, ok := new(big.Rat).SetString(text)
				if !ok {
					complete = false
					continue
				}
				total.Add(total, n)
			}
		}
		if complete {
			return total, ""
		}
	}
	return nil, "a relation has no size"
}

// storedEvents finds the series that counts what is stored.
func (m *Measured) storedEvents() (*ownSeries, string) {
	return m.ledger.series("what is stored", "events", "rows")
}
