package site

import (
	"maps"
	"slices"
	"strings"

	"headroom/analyze"
	"headroom/render/label"
)

// Headline is a figure by which the versions of a document are compared. It is
// copied from the document, digit by digit: a site computes no figure.
type Headline struct {
	ID      string        `json:"id"`           // of the quantity
	Of      string        `json:"of,omitempty"` // configuration, scenario or labels that it is about
	Value   *float64      `json:"value"`        // null when withheld
	Unit    string        `json:"unit"`         // SI base
	N       *int64        `json:"n,omitempty"`
	Bound   analyze.Bound `json:"bound,omitempty"`
	Display string        `json:"display"`
	// Low and High are the ends of its interval, or the range of the repeats of
	// which it is the median; null where it has none.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
	// Range is that interval in words.
	Range string `json:"range,omitempty"`
	Why   string `json:"why,omitempty"` // when withheld
}

// maxHeadlines bounds the headlines of one document.
const maxHeadlines = 12

// endings are the headlines of each family of a document's quantities: the id is
// the family, the configuration where there are several, and one of these.
var endings = []struct{ family, ending string }{
	{"sweep", "sustained.throughput"}, {"sweep", "sustained.p99"}, {"sweep", "knee.concurrency"},
	{"series", "passed"}, {"series", "throughput.median"}, {"series", "latency.p99.median"},
	{"ladder", "highest_held"}, {"ladder", "first_failed"}, {"pairs", "ratio"}, {"fleet", "endpoints"},
}

// headlines are the figures of the document as a whole; of one that has none,
// those of its runs.
func headlines(c *analyze.Capacity, show func(v float64, unit string) string) []Headline {
	out := quantitiesOf(c)
	for i := range out {
		out[i].say(show)
	}
	return out
}

func quantitiesOf(c *analyze.Capacity) []Headline {
	out := []Headline{}
	for _, e := range endings {
		for i := range c.Quantities {
			q := &c.Quantities[i]
			if strings.HasPrefix(q.ID, e.family+".") && strings.HasSuffix(q.ID, "."+e.ending) && len(out) < maxHeadlines {
				h := headlineOf(q, scopeText(q.Scope.Configuration, q.Scope.Scenario))
				h.ranged(c)
				out = append(out, h)
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for i := range c.Results {
		r := &c.Results[i]
		for k := range r.Quantities {
			q := &r.Quantities[k]
			if (q.ID == "throughput" || q.ID == "latency.p99") && q.Scope.Step == "" && q.Scope.Op == "" && len(out) < maxHeadlines {
				out = append(out, headlineOf(q, scopeText(labelsOf(r, c.Results), q.Scope.Scenario)))
			}
		}
	}
	return out
}

// labelsOf tells one run of several from the others of its document in a way
// that holds for the next version too: ids of runs do not, nor does what all of
// them share, as the commit that was measured.
func labelsOf(r *analyze.Result, all []analyze.Result) string {
	if len(all) < 2 {
		return ""
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(r.Run.Labels)) {
		differs := slices.ContainsFunc(all, func(o analyze.Result) bool { return o.Run.Labels[k] != r.Run.Labels[k] })
		if part := k + "=" + r.Run.Labels[k]; differs {
			parts = append(parts, part)
		}
	}
	for _, s := range r.Steps {
		if !slices.Contains(parts, s.Name) { // a step is called by its labels, which the run may have as well
			parts = append(parts, s.Name)
		}
	}
	return strings.Join(parts, ", ")
}

func scopeText(parts ...string) string {
	seen := map[string]bool{"": true, "default": true}
	parts = slices.DeleteFunc(parts, func(s string) bool {
		had := seen[s]
		seen[s] = true
		return had
	})
	return label.Clean(strings.Join(parts, ", "), label.Cell)
}

func headlineOf(q *analyze.Quantity, of string) Headline {
	h := Headline{
		ID: label.Clean(q.ID, label.Cell), Of: of, Value: q.Value, Unit: label.Clean(q.Unit, label.Cell), N: q.N, Bound: q.Bound,
		Display: label.Clean(q.Display, label.Cell), Why: label.Clean(q.Why, label.Line),
	}
	if len(q.Interval) == 2 {
		h.Low, h.High = q.Interval[0], q.Interval[1]
	}
	return h
}

// ranged gives the median of repeats their range.
func (h *Headline) ranged(c *analyze.Capacity) {
	stem, ok := strings.CutSuffix(h.ID, ".median")
	if !ok || h.Low != nil || h.High != nil {
		return
	}
	for i := range c.Quantities {
		switch q := &c.Quantities[i]; q.ID {
		case stem + ".min":
			h.Low = q.Value
		case stem + ".max":
			h.High = q.Value
		}
	}
}

// say puts the interval into words.
func (h *Headline) say(show func(v float64, unit string) string) {
	if h.Low == nil && h.High == nil {
		return
	}
	end := func(v *float64) string {
		if v == nil {
			return "unbounded"
		}
		return show(*v, h.Unit)
	}
	h.Range = label.Clean(end(h.Low)+" to "+end(h.High), label.Cell)
}

// key is what makes headlines of several versions one series.
func (h *Headline) key() string { return h.ID + "\x00" + h.Of + "\x00" + h.Unit }

// name is the headline in words: the id without its family where that says
// nothing more.
func (h *Headline) name() string {
	name := h.ID
	for _, family := range []string{"sweep.", "series.", "ladder."} {
		name = strings.TrimPrefix(name, family)
	}
	name = strings.NewReplacer(".", " ", "_", " ").Replace(name)
	if h.Of != "" {
		name += " (" + h.Of + ")"
	}
	return name
}

// bound is the direction of the figure in words.
func (h *Headline) bound() string {
	return strings.NewReplacer("-", " ", "_", " ").Replace(label.Clean(string(h.Bound), label.Cell))
}
