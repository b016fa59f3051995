package detect

// Earlier makes requests begin earlier by ns: those at the places, which are
// ascending and count from the first of r. r must be all requests that were loaded of
// a scenario; of equal starts those that came first stay first.
func (r *Requests) Earlier(places []int, by int64) {
	if len(places) == 0 {
		return
	}
	b := rows{extent: r.extent}
	var first int
	b.Builder, first = r.table.Rewrite(places[0], requestColumns, colStart)
	rest := *r
	rest.from = first
	place := first
	for q := range rest.All() {
		if len(places) > 0 && places[0] == place {
			q.Start -= by
			places = places[1:]
		}
		b.add(q)
		place++
	}
	b.into(r)
}
