package analyze

import (
	"fmt"
	"math"
	"slices"

	"headroom/stat"
)

// lawCurve is the scalability law through a sweep, as a line over the settings that
// were measured and no further; empty if none was fitted.
func lawCurve(u *stat.USL) Series {
	if u == nil {
		return Series{}
	}
	const points = 60
	s := Series{Name: "scalability law", Mark: "line", Role: "other"}
	low, high := math.Log(slices.Min(u.N)), math.Log(slices.Max(u.N))
	for i := range points + 1 {
		n := math.Exp(low + (high-low)*float64(i)/points)
		s.X, s.Y = append(s.X, n), append(s.Y, u.At(n))
	}
	return s
}

// seriesFigure draws the repeats of a configuration side by side: those that
// passed, and apart from them those that did not, with the medians over the
// passing ones, which are what is quoted.
func (d *document) seriesFigure(g *group, outcomes []Outcome, s Repeats) Figure {
	f := Figure{
		ID: tableID("series", g, d), Kind: "series", Title: tableTitle("Repeats side by side", g, d),
		X: Axis{Label: "repeat", Unit: "1"},
		Y: []Axis{{Label: "throughput", Unit: d.rateUnit()}, {Label: "p99", Unit: "s"}, {Label: "worst request", Unit: "s"}},
	}
	for i, id := range []string{"throughput", "latency.p99", "latency.max"} {
		passed := Series{Name: "passed", Mark: "dots", Role: []string{"throughput", "p99", "max"}[i]}
		others := Series{Name: "did not pass", Mark: "dots", Role: "failed"}
		for k, c := range g.cells {
			v, ok := c.value(id)
			if !ok {
				continue
			}
			to := &passed
			if outcomes[k] != Pass {
				to = &others
			}
			to.X, to.Y = append(to.X, float64(k+1)), append(to.Y, v)
		}
		p := Panel{}
		for _, series := range []Series{passed, others} {
			if len(series.X) > 0 {
				p.Series = append(p.Series, series)
			}
		}
		if sum, ok := s.Over[id]; ok && i < 2 {
			p.Lines = append(p.Lines, HLine{sum.Median, "median " + Display(sum.Median, f.Y[i].Unit)})
		}
		if i > 0 {
			f.Y[i].Scale = scaleOf(p)
		}
		f.Panels = append(f.Panels, p)
	}
	f.Alt = fmt.Sprintf("Throughput, p99 and the worst request of %s; %s passed.", CountOf(int64(len(g.cells)), "repeat"), s.String())
	f.Notes = append(f.Notes, "Medians are over the passing repeats. "+s.String()+" passed.")
	return f
}

// wideSpread is how many times its least the greatest value of a panel is before a
// linear axis presses the small ones onto zero.
const wideSpread = 10

// scaleOf is the scale of a panel of durations: logarithmic where they are spread
// widely, else linear, from zero.
func scaleOf(p Panel) string {
	least, most := math.Inf(1), 0.0
	for _, s := range p.Series {
		for _, y := range s.Y {
			least, most = min(least, y), max(most, y)
		}
	}
	if least > 0 && most > wideSpread*least {
		return "log"
	}
	return ""
}

// pairsFigure draws both sides of each interleaved pair, and the ratio within the
// pair, which is what may be quoted.
func (d *document) pairsFigure(label string, pairs []cellPair) Figure {
	base, other := pairs[0].before.labels[label], pairs[0].after.labels[label]
	f := Figure{
		ID: "pairs", Kind: "pairs", Title: fmt.Sprintf("%s against %s, pair by pair", other, base),
		X: Axis{Label: "pair", Unit: "1"},
		Y: []Axis{{Label: "throughput", Unit: d.rateUnit()}, {Label: "ratio within the pair", Unit: "1"}},
	}
	sides := []Series{{Name: base, Mark: "dots", Role: "other"}, {Name: other, Mark: "dots", Role: "throughput"}}
	ratio := Series{Name: "ratio", Mark: "dots", Role: "throughput"}
	for _, p := range pairs {
		b, okB := p.before.value("throughput")
		a, okA := p.after.value("throughput")
		for i, v := range []float64{b, a} {
			if []bool{okB, okA}[i] {
				sides[i].X, sides[i].Y = append(sides[i].X, p.number), append(sides[i].Y, v)
			}
		}
		if okA && okB && b > 0 {
			ratio.X, ratio.Y = append(ratio.X, p.number), append(ratio.Y, a/b)
		}
	}
	f.Panels = []Panel{{Series: sides}, {Series: []Series{ratio}, Lines: []HLine{{1, "no difference"}}}}
	f.Alt = fmt.Sprintf("Throughput of %s and of %s in %s, and their ratio within each.", base, other, countText(len(pairs), "pair"))
	f.Notes = append(f.Notes, "The host may have changed between pairs: only ratios within a pair compare.")
	return f
}
