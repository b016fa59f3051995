package figure

import (
	"maps"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"headroom/analyze"
)

// maxStacked is how many columns a stack has: about two pixels each.
const maxStacked = 400

// cumulated puts the series of a panel that are stacked on top of each other, the
// first at the bottom: it returns the series with their upper ends as Y, and by
// their index the lower ends. Of more than maxStacked places, neighbours are
// drawn as the one whose total is largest, so that a peak stays.
func cumulated(list []analyze.Series) (out []analyze.Series, floors map[int][]float64) {
	total := map[float64]float64{}
	for _, s := range list {
		if s.Mark == "stack" {
			for k, x := range s.X {
				total[x] += max(s.Y[k], 0)
			}
		}
	}
	if len(total) == 0 {
		return list, nil
	}
	kept := tallest(total)
	out, floors = slices.Clone(list), map[int][]float64{}
	top := map[float64]float64{}
	for i, s := range out {
		if s.Mark != "stack" {
			continue
		}
		var x, y, floor []float64
		for k, v := range s.X {
			to, ok := kept[v]
			if !ok {
				continue
			}
			floor = append(floor, top[v])
			top[v] += max(s.Y[k], 0)
			x, y = append(x, to), append(y, top[v])
		}
		s.X, s.Y, s.Gap = x, y, s.Gap*float64(groupOf(len(total)))
		out[i], floors[i] = s, floor
	}
	return out, floors
}

// groupOf is how many neighbours are drawn as one.
func groupOf(n int) int { return (n + maxStacked - 1) / maxStacked }

// tallest maps the places that are drawn to where: the tallest of each group to
// the group's first.
func tallest(total map[float64]float64) map[float64]float64 {
	places := slices.Sorted(maps.Keys(total))
	kept := map[float64]float64{}
	for group := range slices.Chunk(places, groupOf(len(places))) {
		best := group[0]
		for _, x := range group {
			if total[x] > total[best] {
				best = x
			}
		}
		kept[best] = group[0]
	}
	return kept
}

// fillStack fills what lies between the lower and the upper ends of a stacked
// series, each value from its place to the next.
func (t trace) fillStack(c draw.Canvas, trX, trY func(float64) vg.Length) {
	c.SetColor(t.ink)
	for _, seg := range t.segs {
		var path vg.Path
		add := func(x, y float64) {
			p := vg.Point{X: trX(x), Y: trY(y)}
			if len(path) == 0 {
				path.Move(p)
			} else {
				path.Line(p)
			}
		}
		end := func(i int) float64 {
			if i+1 < len(seg) {
				return seg[i+1].x
			}
			return seg[i].x + t.last
		}
		for i, q := range seg {
			add(q.x, q.y)
			add(end(i), q.y)
		}
		for i := len(seg) - 1; i >= 0; i-- {
			add(end(i), seg[i].floor)
			add(seg[i].x, seg[i].floor)
		}
		path.Close()
		c.Fill(path)
	}
}
