package figure

import (
	"fmt"
	"math"

	"headroom/analyze"
	"headroom/render/label"
)

// largest is the magnitude beyond which a value has no place on any axis: the
// arithmetic of an axis stays finite up to it.
const largest = 1e150

// Finite returns the figure without the points that no axis and no JSON can
// hold: not a number, infinite, beyond 1e150, or without a partner in the other
// coordinate. A series is broken where a point is missing, never bridged, and
// the notes of the figure say how many were left out. A figure without such
// points is returned as it is.
func Finite(f analyze.Figure) analyze.Figure {
	panels := make([]analyze.Panel, 0, len(f.Panels))
	notes := f.Notes[:len(f.Notes):len(f.Notes)]
	for _, p := range f.Panels {
		var series []analyze.Series
		for _, s := range p.Series {
			parts, left := finiteParts(s)
			series = append(series, parts...)
			if left > 0 {
				notes = append(notes, leftOut(s.Name, left, "not a finite number"))
			}
		}
		p.Series = series
		p.Spans = finiteSpans(p.Spans)
		p.Lines = finiteLines(p.Lines)
		p.Heat = finiteHeat(p.Heat)
		panels = append(panels, p)
	}
	f.Panels, f.Notes = panels, notes
	return f
}

// leftOut is the sentence about points that are not drawn.
func leftOut(name string, n int, why string) string {
	noun := "points"
	if n == 1 {
		noun = "point"
	}
	if name = label.Clean(name, label.Cell); name != "" {
		name += ": "
	}
	return fmt.Sprintf("%s%d %s left out (%s).", name, n, noun, why)
}

// finiteParts cuts a series at its missing points. A series that loses all of
// them stays, empty, so that its name and panel do.
func finiteParts(s analyze.Series) (parts []analyze.Series, left int) {
	n := min(len(s.X), len(s.Y))
	left = max(len(s.X), len(s.Y)) - n
	part := func(from, to int) analyze.Series {
		q := s
		q.X, q.Y = s.X[from:to:to], s.Y[from:to:to]
		q.Text = nil
		if from < len(s.Text) {
			q.Text = s.Text[from:min(to, len(s.Text))]
		}
		return q
	}
	from := 0
	for i := 0; i <= n; i++ {
		if i < n && isFinite(s.X[i]) && isFinite(s.Y[i]) {
			continue
		}
		if i < n {
			left++
		}
		if i > from {
			parts = append(parts, part(from, i))
		}
		from = i + 1
	}
	if len(parts) == 0 {
		parts = append(parts, part(0, 0))
	}
	return parts, left
}

func isFinite(v float64) bool { return math.Abs(v) <= largest } // false for NaN

func finiteSpans(in []analyze.Span) (out []analyze.Span) {
	for _, s := range in {
		if isFinite(s.X0) && isFinite(s.X1) {
			out = append(out, s)
		}
	}
	return out
}

func finiteLines(in []analyze.HLine) (out []analyze.HLine) {
	for _, l := range in {
		if isFinite(l.Y) {
			out = append(out, l)
		}
	}
	return out
}

// finiteHeat drops a grid whose edges or columns have no place on an axis.
func finiteHeat(h *analyze.Heat) *analyze.Heat {
	if h == nil {
		return nil
	}
	for _, list := range [][]float64{h.X, h.Edges, {h.DX}} {
		for _, v := range list {
			if !isFinite(v) {
				return nil
			}
		}
	}
	return h
}
