package analyze

import (
	"fmt"
	"maps"
	"slices"

	"headroom/detect"
	"headroom/stat"
)

// benchUnits are the measures that Go's own benchmarks report, and the
// quantities that they become.
var benchUnits = []struct{ unit, id, si string }{
	{"s/op", "bench.time", "s"}, {"B/op", "bench.bytes", "B"}, {"allocs/op", "bench.allocs", "1"},
}

// perEvent ends the id of a cost that is given by event and not by operation.
const perEvent = "_per_event"

// scope is where the quantities of a benchmark stand.
func (b *benchmark) scope() detect.Scope { return detect.Scope{Op: b.label} }

// events returns how many events one operation carries: as the benchmark
// reports, else as declared. note says where that is not sure; 0 is not known.
func (b *benchmark) events(declared float64) (n float64, note string) {
	reported := medianOf(b.values[unitEvents])
	switch {
	case reported > 0 && declared > 0 && reported != declared:
		return reported, fmt.Sprintf("it reports %s events per operation, %s are declared", Display(reported, "1"), Display(declared, "1"))
	case reported > 0:
		return reported, ""
	case declared > 0:
		return declared, "events per operation are declared; the benchmark does not report them (events/op)"
	}
	return 0, ""
}

// benchQuantities returns what the benchmarks of the run measured, each as the
// median over its repeats with the interval that benchstat prints.
func (m *Measured) benchQuantities() []Quantity {
	var out []Quantity
	for _, b := range m.benchmarks {
		out = append(out, b.quantities(m.protocol.Bench.EventsPerOp)...)
	}
	out = slices.Concat(out, m.stages(), m.geoMeans())
	short := m.short()
	for i := range out {
		if note := short[out[i].Scope.Op]; note != "" && out[i].ID != "bench.repeats" {
			out[i].Warnings = append(out[i].Warnings, note)
		}
	}
	return out
}

// wantRepeats is how often every benchmark should have been repeated: as declared,
// else as often as the one with the most repeats.
func (m *Measured) wantRepeats() int {
	want := m.protocol.Bench.Repeats
	if want > 0 {
		return want
	}
	for _, b := range m.benchmarks {
		n, _ := b.repeats()
		want = max(want, n)
	}
	return want
}

// short says by label which benchmarks lack repeats; the first of them under "",
// for what rests on all.
func (m *Measured) short() map[string]string {
	want := m.wantRepeats()
	notes := map[string]string{}
	for _, b := range m.benchmarks {
		n, _ := b.repeats()
		if n >= want {
			continue
		}
		note := fmt.Sprintf("%s has %d of %d repeats", b.label, n, want)
		for _, label := range []string{"", b.label} {
			if notes[label] == "" {
				notes[label] = note
			}
		}
	}
	return notes
}

func (b *benchmark) quantities(declared float64) []Quantity {
	n, _ := b.repeats()
	from := From{Tables: []string{"benchmarks"}, Method: "count@1"}
	out := []Quantity{quantity("bench.repeats", b.scope(), float64(n), "1", int64(n), from)}
	events, note := b.events(declared)
	known := map[string]bool{}
	for _, u := range benchUnits {
		known[u.unit] = true
		vs := b.values[u.unit]
		if len(vs) == 0 {
			continue
		}
		out = append(out, b.median(u.id, u.si, vs, 1))
		if events == 0 {
			continue
		}
		q := b.median(u.id+perEvent, u.si, vs, events)
		q.From.Params["events_per_op"] = events
		if note != "" {
			q.Warnings = append(q.Warnings, note)
		}
		out = append(out, q)
		if u.unit == "s/op" {
			out = append(out, eventRate(q))
		}
	}
	for _, unit := range b.units {
		if !known[unit] {
			out = append(out, b.median("bench.measure."+unit, unit, b.values[unit], 1))
		}
	}
	return out
}

// median returns the median of repeats over so many events, with the shortest
// interval of ranks that covers 95 %, as benchstat takes it.
func (b *benchmark) median(id, unit string, vs []float64, events float64) Quantity {
	from := From{Tables: []string{"benchmarks"}, Method: "median-of-repeats@1", Params: map[string]any{}}
	q := quantity(id, b.scope(), 0, unit, int64(len(vs)), from)
	center, iv, confidence, err := stat.MedianInterval(vs, stat.P95)
	if err != nil {
		return withhold(q, err.Error())
	}
	q = quantity(id, b.scope(), center/events, unit, int64(len(vs)), from)
	q.Interval = []*float64{nil, nil}
	if iv == nil {
		q.Warnings = append(q.Warnings, fmt.Sprintf("%s give no interval at 95 %%: it takes %d", countText(len(vs), "repeat"), stat.MinSamples(stat.P50, stat.P95, stat.TwoSided)))
		return q
	}
	lo, hi := iv.Lo/events, iv.Hi/events
	q.Interval = []*float64{&lo, &hi}
	q.From.Params["interval"], q.From.Params["confidence"] = "95 %, order statistics", confidence
	return q
}

// eventRate is how many events one core does in a second, by the time per event.
func eventRate(time Quantity) Quantity {
	from := time.From
	from.Method, from.Params = "inverse-of-median@1", maps.Clone(from.Params)
	q := quantity("bench.events_per_s", time.Scope, 0, "events/s", *time.N, from)
	if time.Value == nil || *time.Value <= 0 {
		return withhold(q, "the time per event is not known, or zero")
	}
	q = quantity(q.ID, q.Scope, 1 / *time.Value, q.Unit, *time.N, from)
	q.Warnings = time.Warnings
	return q
}

// benchCost returns a cost of a benchmark: by event where that is known, else by
// operation.
func (m *Measured) benchCost(id string, b *benchmark) *Quantity {
	if q := m.Result.Quantity(id+perEvent, b.scope()); q != nil {
		return q
	}
	return m.Result.Quantity(id, b.scope())
}
