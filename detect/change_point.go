package detect

import (
	"fmt"
	"slices"

	"headroom/stat"
)

var changePoint = &Detector{
	Name:    "change-point",
	Version: 1,
	Doc: `Change points: moments at which the level of the latency became another.

E-divisive (Matteson & James 2014) on the p50 and on the p99 of buckets of "width",
with Student's t for significance (Hunter: p at most 0.001, and a change of more than
"change"). A level lasts at least "least" buckets: what stands out for fewer is an
outlier and no change. Each finding describes; none fails a run, for under the
correlation of neighbouring seconds the method finds too many.
Cannot see: changes shorter than "least" buckets; slow drift, of which it shows steps;
anything in runs of fewer than twice "least" buckets, or of more than 4,096.`,
	Params: []Param{
		{"width", 10, "s", "length of a bucket"},
		{"least", 3, "1", "fewest buckets of a level"},
		{"change", 0.05, "1", "least relative change, exclusive"},
	},
	Needs: []string{"samples"},
	Run: func(p *Pass) error {
		if p.ParamNS("width") <= 0 || p.Param("least") < 1 {
			return fmt.Errorf("parameters: width must be positive and least at least 1")
		}
		if len(p.Requests) == 0 {
			p.CouldNotLook(p.Scope(""), "no raw samples")
		}
		for _, r := range p.Requests {
			lookForChanges(p, r)
		}
		return nil
	},
}

func lookForChanges(p *Pass, r *Requests) {
	scope, width, least := p.Scope(r.Scenario), p.ParamNS("width"), int(p.Param("least"))
	rule := stat.PublishedChange
	rule.MinMagnitude = p.Param("change")
	type change struct {
		of string
		Level
		at Span
	}
	var found []change
	buckets := r.Bucketed(p.Window, width, AnyOutcome)
	for _, q := range []struct {
		of     string
		values []int64
	}{{"p50", buckets.P50}, {"p99", buckets.P99}} {
		var at []int64
		var series []float64
		for k, v := range q.values {
			if v != Empty {
				at, series = append(at, p.Window.Start+int64(k)*width), append(series, seconds(v))
			}
		}
		levels, err := Levels(series, rule, least)
		if err != nil {
			p.CouldNotLook(scope, "%d buckets of %s hold requests: want %d to 4096", len(series), short(width), 2*least)
			return
		}
		for i, l := range levels.Changes {
			end := p.Window.End
			if i+1 < len(levels.Changes) {
				end = at[levels.Changes[i+1].At]
			}
			found = append(found, change{q.of, l, Span{at[l.At], end}})
		}
	}
	p.Looked(scope)
	slices.SortStableFunc(found, func(a, b change) int { return compare(a.at.Start, b.at.Start) })
	for _, c := range found {
		p.Report(scope, Info, c.at, map[string]float64{"before": c.Before, "after": c.After},
			"%s went from %s to %s at %s of the window", c.of, short(int64(c.Before*1e9)), short(int64(c.After*1e9)), short(c.at.Start-p.Window.Start))
	}
}

// Level is a change of level in a series.
type Level struct {
	At            int     // first index of the new level
	Before, After float64 // means of the levels on both sides, without outliers
	P             float64 // of Student's t between them
}

// LevelsOf is what a series shows: where its level changes, and which values
// stand out of theirs.
type LevelsOf struct {
	Changes  []Level
	Outliers []int // indices, ascending
}

// Levels finds the changes of level by the rule. A level lasts at least least
// values: a segment that is shorter is a spike, whose values are set aside as
// outliers before the search is made again (apache/otava PR 150: a single spike
// reported as two changes). It takes twice least to 4,096 finite values.
func Levels(series []float64, rule stat.ChangeRule, least int) (LevelsOf, error) {
	if len(series) < max(2*least, 3) {
		return LevelsOf{}, fmt.Errorf("%d values: want at least %d to tell a level from a spike", len(series), max(2*least, 3))
	}
	index := make([]int, len(series)) // of what is left, in the series
	for i := range index {
		index[i] = i
	}
	left := slices.Clone(series)
	var out LevelsOf
	for {
		points, err := stat.ChangePoints(left, rule)
		if err != nil {
			return LevelsOf{}, err
		}
		from, to := shortest(points, len(left))
		if to-from >= least || to-from == len(left) || len(left)-(to-from) < max(2*least, 3) {
			for _, c := range points {
				out.Changes = append(out.Changes, Level{index[c.At], c.Before, c.After, c.P})
			}
			slices.Sort(out.Outliers)
			return out, nil
		}
		out.Outliers = append(out.Outliers, index[from:to]...)
		left, index = slices.Delete(left, from, to), slices.Delete(index, from, to)
	}
}

// shortest is the shortest segment between change points, the first of equals.
func shortest(points []stat.ChangePoint, n int) (from, to int) {
	to = n
	last := 0
	for i := range len(points) + 1 {
		end := n
		if i < len(points) {
			end = points[i].At
		}
		if end-last < to-from {
			from, to = last, end
		}
		last = end
	}
	return from, to
}
