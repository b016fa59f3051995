package detect

import (
	"headroom/runs/ordered"
)

// onlyOne reports whether all requests have one name in a column, and which.
func (r *Requests) onlyOne(column int) (name string, only bool) {
	first := int64(-1)
	for c := range r.Chunks() {
		for _, id := range c.column(column) {
			if first < 0 {
				first = id
			}
			if id != first {
				return "", false
			}
		}
	}
	if first < 0 {
		return "", false
	}
	return r.names[first], true
}

// split returns the requests that are kept by their name in a column, where they
// are grouped, else all under "". They are copied, where the others are: by group,
// and in order of start within each.
func (r *Requests) split(column int, grouped bool, keep func(*Request) (bool, error)) (map[string]*Requests, error) {
	const group = requestColumns
	b := ordered.NewBuilder(r.table.Space(), requestColumns+1, group)
	sizes := map[int64]int{}
	for q := range r.All() {
		yes, err := keep(q)
		if err != nil {
			return nil, err
		}
		if !yes {
			continue
		}
		id := int64(0)
		if grouped {
			id = q.id(column)
		}
		sizes[id]++
		b.Add(q.Start, q.Wait, q.Service, int64(q.outcome), q.Events, int64(q.op), int64(q.target), int64(q.worker), id)
	}
	table := b.Table()
	out := map[string]*Requests{}
	for id, n := range sizes {
		g := &Requests{Scenario: r.Scenario, Response: r.Response, Dropped: r.Dropped, names: r.names, table: table, extent: r.extent, memo: newMemo()}
		g.from = table.Search(group, id, 0, table.Len())
		g.to, g.n = g.from+n, n
		name := ""
		if grouped {
			name = r.names[id]
		}
		out[name] = g
	}
	return out, nil
}

// id returns the number of the request's name in a column.
func (q *Request) id(column int) int64 {
	switch column {
	case colOp:
		return int64(q.op)
	case colTarget:
		return int64(q.target)
	}
	return int64(q.worker)
}
