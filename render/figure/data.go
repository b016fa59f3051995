package figure

import (
	"encoding/json"
	"math"

	"headroom/analyze"
	"headroom/render/label"
)

// explored is a figure as the page's script reads it: what was drawn, with the
// inks by name, so that both pictures have the same colours.
type explored struct {
	Start  string          `json:"start"` // the instant of x = 0, RFC 3339
	Panels []exploredPanel `json:"panels"`
}

type exploredPanel struct {
	Label  string           `json:"label"`
	Unit   string           `json:"unit"` // SI base
	Log    bool             `json:"log,omitempty"`
	Series []exploredSeries `json:"series"`
	Spans  []exploredSpan   `json:"spans,omitempty"`
}

type exploredSeries struct {
	Name string    `json:"name"`
	Mark string    `json:"mark"`
	Ink  string    `json:"ink"`
	Gap  float64   `json:"gap,omitempty"`
	X    []float64 `json:"x"`
	Y    []float64 `json:"y"`
}

type exploredSpan struct {
	X0    float64 `json:"x0"`
	X1    float64 `json:"x1"`
	Ink   string  `json:"ink"`
	Label string  `json:"label"`
}

// maxExplored bounds the points that a page holds a second time, as numbers.
const maxExplored = 60_000

// Data returns the points of a figure over time for the page's script, as JSON
// that is safe inside a script element; nil for other figures, and for one of too
// many points, which stays a picture.
func Data(f analyze.Figure) []byte {
	if f.X.Start == "" {
		return nil
	}
	f = Finite(f)
	f, _ = bounded(f)
	e := explored{Start: label.Clean(f.X.Start, label.Cell)}
	points := 0
	for i, p := range f.Panels {
		out := exploredPanel{Series: []exploredSeries{}}
		if i < len(f.Y) {
			out.Label, out.Unit, out.Log = label.Clean(f.Y[i].Label, label.Cell), label.Clean(f.Y[i].Unit, label.Cell), f.Y[i].Scale == "log"
		}
		inks, _ := seriesInks(p.Series)
		for k, s := range p.Series {
			points += len(s.X)
			out.Series = append(out.Series, exploredSeries{label.Clean(s.Name, label.Cell), label.Clean(s.Mark, label.Cell), string(inks[k]), s.Gap, rounded(s.X), rounded(s.Y)})
		}
		for _, s := range p.Spans {
			name := label.Clean(s.Label, label.Cell)
			if name == "" {
				name = label.Clean(s.Kind, label.Cell)
			}
			out.Spans = append(out.Spans, exploredSpan{round6(s.X0), round6(s.X1), string(spanInk(s.Kind)), name})
		}
		e.Panels = append(e.Panels, out)
	}
	if points == 0 || points > maxExplored {
		return nil
	}
	b, err := json.Marshal(e) // escapes <, > and &
	if err != nil {
		return nil // unreachable: every number is finite
	}
	return b
}

func rounded(list []float64) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = round6(v)
	}
	return out
}

// round6 keeps six significant digits: more than a picture shows.
func round6(v float64) float64 {
	if v == 0 {
		return 0
	}
	scale := math.Pow(10, 5-math.Floor(math.Log10(math.Abs(v))))
	if r := math.Round(v*scale) / scale; isFinite(r) {
		return r
	}
	return v
}
