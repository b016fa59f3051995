package figure

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"headroom/analyze"
)

// trace is a series on the plane of its panel. It is a plot.Plotter.
type trace struct {
	name string
	mark string
	ink  ink
	dash int       // which of dashes
	segs [][]point // broken at gaps and at points without a place
	base float64   // where bars begin, on the plane
	few  bool      // each point gets a dot
	end  bool      // its last point has its name
	last float64   // how long the last of steps lasts, on the plane
}

// dashes tell lines of one ink apart.
var dashes = [][]vg.Length{nil, {7, 4}, {2, 4}, {9, 3, 2, 3}}

func dashOf(round int) []vg.Length { return dashes[round%len(dashes)] }

type point struct {
	x, y  float64
	floor float64 // of a stacked series: its lower end
	text  string
}

// newTrace places the points of a series, whose lower ends are given if it is
// stacked, and returns how many had no place, by reason.
func newTrace(s analyze.Series, floor []float64, i ink, x, y scale) (t trace, left map[string]int) {
	t = trace{name: s.Name, mark: s.Mark, ink: i, base: y.low}
	if z := y.at(0); z > y.low && z <= y.high { // false where zero has no place
		t.base = z
	}
	left = map[string]int{}
	var seg []point
	end := func() {
		if len(seg) > 0 {
			t.segs = append(t.segs, seg)
		}
		seg = nil
	}
	for k := range s.X {
		p := point{x: x.at(s.X[k]), y: y.at(s.Y[k])}
		switch {
		case math.IsNaN(p.x):
			left[x.why]++
			end()
			continue
		case math.IsNaN(p.y):
			left[y.why]++
			end()
			continue
		case k > 0 && s.Gap > 0 && s.X[k]-s.X[k-1] > s.Gap:
			end()
		}
		if k < len(floor) {
			p.floor = y.at(floor[k])
		}
		if k < len(s.Text) {
			p.text = s.Text[k]
		}
		seg = append(seg, p)
	}
	end()
	if x.time && (s.Mark == "steps" || s.Mark == "stack") {
		t.last = bucket(s)
	}
	t.few = !x.time && s.Mark != "steps" && s.Mark != "stack" && t.count() <= fewPoints
	return t, left
}

// bucket is how long one value of steps lasts: the least distance between them, if
// all others are multiples of it; else 0, for it is not known.
func bucket(s analyze.Series) float64 {
	least := math.Inf(1)
	for k := 1; k < len(s.X); k++ {
		if d := s.X[k] - s.X[k-1]; d > 0 {
			least = min(least, d)
		}
	}
	for k := 1; k < len(s.X); k++ {
		if n := (s.X[k] - s.X[k-1]) / least; math.Abs(n-math.Round(n)) > 1e-6 {
			return 0
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

func (t trace) count() (n int) {
	for _, seg := range t.segs {
		n += len(seg)
	}
	return n
}

// Plot implements plot.Plotter.
func (t trace) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	width := vg.Length(1.6)
	if t.mark == "steps" || t.count() > 400 || t.ink == "max" {
		width = 1.1
	}
	style := draw.LineStyle{Color: t.ink, Width: width, Dashes: dashOf(t.dash)}
	lines := t.lines(trX, trY)
	switch t.mark {
	case "stack":
		t.fillStack(c, trX, trY)
	case "rings":
		strokeRings(c, t.ink, lines)
	case "dots":
		size := vg.Length(4)
		if t.few {
			size = 6
		}
		c.StrokeLines(dotStyle(t.ink, size), dots(lines)...)
	case "bars":
		c.StrokeLines(draw.LineStyle{Color: t.ink, Width: barWidth(lines)}, bars(lines, trY(t.base))...)
	default:
		strokeLines(c, style, lines, t.few)
	}
}

// lines returns the lines of the trace on the canvas.
func (t trace) lines(trX, trY func(float64) vg.Length) (lines [][]vg.Point) {
	for _, seg := range t.segs {
		pts := make([]vg.Point, 0, len(seg))
		for i, q := range seg {
			if t.mark == "steps" && i > 0 {
				pts = append(pts, vg.Point{X: trX(q.x), Y: trY(seg[i-1].y)})
			}
			pts = append(pts, vg.Point{X: trX(q.x), Y: trY(q.y)})
		}
		if end := seg[len(seg)-1]; t.last > 0 {
			pts = append(pts, vg.Point{X: trX(end.x + t.last), Y: trY(end.y)})
		}
		lines = append(lines, pts)
	}
	return lines
}

// ringSize is half the width of a ring: a dot fits into it.
const ringSize vg.Length = 5.5

// strokeRings draws an open square on its corner around each point, so that the
// dot of another series at the same place is seen within it.
func strokeRings(c draw.Canvas, i ink, lines [][]vg.Point) {
	style := draw.LineStyle{Color: i, Width: 1.6}
	for _, d := range dots(lines) {
		c.StrokeLines(style, ringAt(d[0]))
	}
}

func ringAt(p vg.Point) []vg.Point {
	return []vg.Point{{X: p.X - ringSize, Y: p.Y}, {X: p.X, Y: p.Y + ringSize}, {X: p.X + ringSize, Y: p.Y},
		{X: p.X, Y: p.Y - ringSize}, {X: p.X - ringSize, Y: p.Y}}
}

// fewPoints is up to how many points of a line each gets a dot: they are settings
// that were measured, not seconds.
const fewPoints = 40

// strokeLines draws lines, and dots at each of a few points and at those that
// stand alone, which no line would show.
func strokeLines(c draw.Canvas, style draw.LineStyle, lines [][]vg.Point, few bool) {
	var drawn, alone [][]vg.Point
	for _, l := range lines {
		if len(l) == 1 {
			alone = append(alone, l)
		} else {
			drawn = append(drawn, thin(l))
		}
	}
	c.StrokeLines(style, drawn...)
	if few {
		alone = lines
	}
	c.StrokeLines(dotStyle(style.Color.(ink), 5), dots(alone)...)
}

// dotStyle draws a dot: a line without length whose round ends make a circle.
func dotStyle(i ink, size vg.Length) draw.LineStyle { return draw.LineStyle{Color: i, Width: size} }

// dots returns a line without length at each point, one for points that cover
// each other.
func dots(lines [][]vg.Point) [][]vg.Point {
	seen := map[[2]int]bool{}
	var out [][]vg.Point
	for _, l := range lines {
		for _, p := range l {
			key := [2]int{int(math.Round(p.X.Points() * 2)), int(math.Round(p.Y.Points() * 2))}
			if !seen[key] {
				seen[key] = true
				out = append(out, []vg.Point{p, p})
			}
		}
	}
	return out
}

// bars returns a line from the base to each point, the farthest of a column of
// pixels only.
func bars(lines [][]vg.Point, base vg.Length) [][]vg.Point {
	var out [][]vg.Point
	for _, l := range lines {
		for _, p := range thin(l) {
			if p.Y != base {
				out = append(out, []vg.Point{{X: p.X, Y: base}, p})
			}
		}
	}
	return out
}

// barWidth leaves a fifth of the distance between bars free.
func barWidth(lines [][]vg.Point) vg.Length {
	var xs []float64
	for _, l := range lines {
		for _, p := range l {
			xs = append(xs, p.X.Points())
		}
	}
	slices.Sort(xs)
	width := 24.0
	for i := 1; i < len(xs); i++ {
		if d := xs[i] - xs[i-1]; d > 0 {
			width = min(width, d*0.8)
		}
	}
	return vg.Length(max(width, 1))
}

// thin keeps of each pixel column the first, the lowest, the highest and the
// last point, in their order: what is drawn is the same, however many points
// there were, and a single high one stays.
func thin(pts []vg.Point) []vg.Point {
	out := make([]vg.Point, 0, len(pts))
	for from := 0; from < len(pts); {
		column := math.Floor(pts[from].X.Points())
		to := from + 1
		for to < len(pts) && math.Floor(pts[to].X.Points()) == column {
			to++
		}
		low, high := from, from
		for i := from; i < to; i++ {
			if pts[i].Y < pts[low].Y {
				low = i
			}
			if pts[i].Y > pts[high].Y {
				high = i
			}
		}
		keep := []int{from, low, high, to - 1}
		slices.Sort(keep)
		for _, i := range slices.Compact(keep) {
			out = append(out, pts[i])
		}
		from = to
	}
	return out
}
