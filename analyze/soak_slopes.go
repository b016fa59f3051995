package analyze

import (
	"fmt"
	"strings"

	"headroom/stat"
)

// soakSlope is what of a soak's steps may rise or fall as time goes on.
type soakSlope struct {
	id, what, unit string // unit of a level
	of             func(c *cell) *Quantity
}

// fewestForSlope is how many steps a slope takes: through two any line goes.
const fewestForSlope = 3

// soakSlopes gives the slopes over the steps of a soak (Theil & Sen, DETECTION 5.5):
// of throughput, p99, and what one's own queries counted. It returns what a reader is
// told of them. A slope of steps of which one lacks the value is withheld, since that
// step may have been the one that fell.
func (d *document) soakSlopes(g *group, own []string) (notes []string) {
	list := []soakSlope{
		{"soak.throughput.slope", "throughput", "events/s", func(c *cell) *Quantity { return c.quantity("throughput") }},
		{"soak.p99.slope", "p99", "s", func(c *cell) *Quantity { return c.quantity("latency.p99") }},
	}
	for _, column := range own {
		list = append(list, soakSlope{"soak." + column + ".slope", column, "", func(c *cell) *Quantity { return c.ownAtEnd(column) }})
	}
	var said []string
	for _, x := range list {
		q := d.soakSlope(g, x)
		d.Quantities = append(d.Quantities, q)
		if q.Value == nil {
			said = append(said, x.what+" withheld ("+q.Why+")")
			continue
		}
		said = append(said, fmt.Sprintf("%s %s%s", x.what, q.Display, trendWord(q)))
	}
	return []string{"Slopes over the steps, by Theil and Sen: " + strings.Join(said, "; ") + "."}
}

// trendWord says what the interval of a slope leaves open.
func trendWord(q Quantity) string {
	if *q.Interval[0] <= 0 && *q.Interval[1] >= 0 {
		return " (no trend shown: the 95 % interval holds 0)"
	}
	return ""
}

func (d *document) soakSlope(g *group, x soakSlope) Quantity {
	from := From{Tables: []string{"samples"}, Method: "theil-sen@1", Params: map[string]any{"interval": "95 %", "x": "start of a step"}}
	var at, level []float64
	unit := x.unit
	for _, c := range g.cells {
		if q := x.of(c); q != nil && q.Value != nil {
			at, level = append(at, float64(c.window().Start-g.cells[0].window().Start)/1e9), append(level, *q.Value)
			unit = q.Unit
		}
	}
	n := int64(len(level))
	q := quantity(x.id, g.scope(), 0, unit+"/s", n, from)
	switch {
	case len(level) < len(g.cells):
		return withhold(q, fmt.Sprintf("%d of %d steps lack it", len(g.cells)-len(level), len(g.cells)))
	case len(level) < fewestForSlope:
		return withhold(q, fmt.Sprintf("it takes %d steps, there are %d", fewestForSlope, len(level)))
	}
	line, err := stat.FitTheilSen(at, level, stat.P95)
	if err != nil {
		return withhold(q, err.Error())
	}
	q = quantity(x.id, g.scope(), line.Slope, unit+"/s", n, from)
	lo, hi := line.SlopeBounds.Lo, line.SlopeBounds.Hi
	q.Interval = []*float64{&lo, &hi}
	shown := unit
	if unit == "events/s" {
		shown = d.rateUnit()
	}
	q.Display = Display(line.Slope*3600, shown) + " an hour"
	return q
}
