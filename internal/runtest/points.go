package runtest

import (
	"slices"
	"time"

	"headroom/runs"
)

// seriesKey names a series of points.
type seriesKey struct{ metric, entity, source string }

func keyOf(p *runs.Point) seriesKey { return seriesKey{p.Metric, p.Entity, p.Source} }

// points plants a metric that is value, or goes from value to "to".
func (b *builder) points(s *statement) { b.plant(s, runs.Kind(s.text("kind", "gauge"))) }

// counter plants a counter that grows by value a second.
func (b *builder) counter(s *statement) {
	b.growing[seriesKey{s.text("metric", ""), s.text("entity", ""), s.text("source", "points")}] = true
	b.plant(s, runs.Counter)
}

func (b *builder) plant(s *statement, kind runs.Kind) {
	step := s.duration("step", "1s")
	from, until := s.duration("from", "0s"), s.duration("until", (time.Duration(b.length())+1).String())
	value := s.number("value", "-")
	to := s.number("to", s.text("value", "0"))
	p := runs.Point{
		Metric: s.text("metric", ""), Unit: s.text("unit", "1"), Kind: kind,
		Entity: s.text("entity", ""), Source: s.text("source", "points"), Resolution: step / 1000,
	}
	if step <= 0 || s.err != nil {
		s.fail("step must be positive")
		return
	}
	// A later line of the same metric replaces what an earlier one said of its span.
	b.run.Points = slices.DeleteFunc(b.run.Points, func(q runs.Point) bool {
		t := q.Time*1000 - b.run.Start
		return q.Metric == p.Metric && q.Entity == p.Entity && q.Source == p.Source && t >= from && t < until
	})
	for t := from; t < until; t += step {
		p.Time = (b.run.Start + t) / 1000
		p.Value = value + (to-value)*float64(t-from)/float64(max(until-from-step, 1))
		b.run.Points = append(b.run.Points, p)
	}
}

// grow turns what is added a second into what a counter reads. Points are in
// order of time.
func (b *builder) grow() {
	read := map[seriesKey]float64{}
	for i := range b.run.Points {
		p := &b.run.Points[i]
		if key := keyOf(p); b.growing[key] {
			read[key] += p.Value * float64(p.Resolution) / 1e6
			p.Value = read[key]
		}
	}
}
