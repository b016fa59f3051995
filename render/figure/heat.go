package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"headroom/analyze"
	"headroom/render/label"
)

// heatLevels are the inks of counts, from few to many.
var heatLevels = []ink{"h1", "h2", "h3", "h4", "h5"}

// heat draws a grid of counts behind the lines of a panel. It is a plot.Plotter.
type heat struct {
	*analyze.Heat
	x, y scale
	most int64
}

// newHeat returns the grid of a panel, nil if it has none that can be drawn.
func newHeat(h *analyze.Heat, x, y scale) *heat {
	if h == nil || len(h.Edges) < 2 || len(h.Counts) != len(h.X)*(len(h.Edges)-1) || !(h.DX > 0) || len(h.Counts) > maxPoints {
		return nil
	}
	most := int64(0)
	for _, n := range h.Counts {
		most = max(most, n)
	}
	if most == 0 {
		return nil
	}
	return &heat{h, x, y, most}
}

// level is the step of a count on a logarithmic scale that ends at the largest: 0
// for none, so that a single request is seen.
func (h *heat) level(n int64) int {
	if n <= 0 {
		return 0
	}
	if h.most == 1 {
		return len(heatLevels)
	}
	share := math.Log(float64(n)) / math.Log(float64(h.most))
	return 1 + min(int(share*float64(len(heatLevels))), len(heatLevels)-1)
}

// least is the lowest count of a level.
func (h *heat) least(level int) int64 {
	for n := int64(math.Floor(math.Pow(float64(h.most), float64(level-1)/float64(len(heatLevels))))); ; n++ {
		if h.level(n) >= level || n >= h.most {
			return max(n, 1)
		}
	}
}

// Plot implements plot.Plotter. Neighbours of one level are one rectangle, and a
// level is one path.
func (h *heat) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	bins := len(h.Edges) - 1
	paths := make([]vg.Path, len(heatLevels))
	for bin := range bins {
		for i := 0; i < len(h.X); {
			level := h.level(h.Counts[i*bins+bin])
			to := i + 1
			for to < len(h.X) && math.Abs(h.X[to]-h.X[to-1]-h.DX) < h.DX/2 && h.level(h.Counts[to*bins+bin]) == level {
				to++
			}
			if level > 0 {
				r := vg.Rectangle{
					Min: vg.Point{X: trX(h.x.at(h.X[i])), Y: trY(h.y.at(h.Edges[bin]))},
					Max: vg.Point{X: trX(h.x.at(h.X[to-1] + h.DX)), Y: trY(h.y.at(h.Edges[bin+1]))},
				}
				paths[level-1] = append(paths[level-1], r.Path()...)
			}
			i = to
		}
	}
	for i, path := range paths {
		if len(path) > 0 {
			c.SetColor(heatLevels[i])
			c.Fill(path)
		}
	}
}

// legend names the levels that are used.
func (h *heat) legend() (out []entry) {
	used := map[int]bool{}
	for _, n := range h.Counts {
		used[h.level(n)] = true
	}
	for level := 1; level <= len(heatLevels); level++ {
		if !used[level] {
			continue
		}
		name := fmt.Sprintf("%d+", h.least(level))
		if len(out) == 0 {
			name += " " + label.Clean(h.Unit, label.Cell)
		}
		out = append(out, entry{heatLevels[level-1], "bars", 0, name})
	}
	return out
}

// atEdges is what an axis must show of a grid.
func atEdges(h *analyze.Heat, horizontal bool) []float64 {
	switch {
	case h == nil || len(h.X) == 0:
		return nil
	case horizontal:
		return []float64{slices.Min(h.X), slices.Max(h.X)}
	}
	return h.Edges
}
