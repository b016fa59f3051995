package analyze

import (
	"iter"
	"math"
	"slices"

	"headroom/detect"
	"headroom/stat"
)

// quantity makes a Quantity that has a value.
func quantity(id string, s detect.Scope, v float64, unit string, n int64, from From) Quantity {
	q := Quantity{ID: id, Scope: s, Unit: unit, Status: "ok", From: from, Display: Display(v, unit)}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return withhold(q, "the value is not a finite number")
	}
	q.Value = &v
	if n >= 0 {
		q.N = &n
	}
	return q
}

// withhold takes the value away: it cannot be given, and says why.
func withhold(q Quantity, why string) Quantity {
	q.Value, q.Interval, q.Status, q.Why, q.Display = nil, nil, "withheld", why, "withheld"
	return q
}

// latencyIDs names the quantiles of a distribution.
var latencyIDs = []struct {
	name string
	p    stat.P
}{{"p50", stat.P50}, {"p90", stat.P90}, {"p95", stat.P95}, {"p99", stat.P99}, {"p999", stat.P999}}

// values are times in ns, of which some are found by their rank.
type values struct {
	*stat.Selection
	bounds map[string]stat.Interval // of the quantiles, by name, as ranks
}

func newValues(room int) *values { return &values{Selection: stat.NewSelection(room)} }

// want says, when all values were added, that the quantiles of a distribution are
// wanted, the bounds of their intervals, and other ranks.
func (v *values) want(others ...int) error {
	n := v.N()
	v.bounds = map[string]stat.Interval{}
	for _, l := range latencyIDs {
		if ok, _ := stat.Support(l.p, n); !ok {
			continue
		}
		others = append(others, stat.Rank(l.p, n))
		if iv, err := stat.QuantileInterval(n, l.p, stat.P95); err == nil {
			v.bounds[l.name] = iv
			for _, k := range []int{iv.Lo, iv.Hi} {
				if k >= 1 && k <= n {
					others = append(others, k)
				}
			}
		}
	}
	return v.Find(others...)
}

// read adds values that can be read several times, and finds what is wanted of them.
func (v *values) read(parts iter.Seq[[]int64]) error {
	for part := range parts {
		v.Add(part...)
	}
	if err := v.want(); err != nil {
		return err
	}
	return v.Reread(parts)
}

// distribution returns the quantiles, maximum and mean of latencies in ns under
// prefix, which were wanted of them. A quantile that so few samples do not support is
// withheld; of none, all are.
func distribution(prefix string, s detect.Scope, ns *values, from From) []Quantity {
	n := int64(ns.N())
	var out []Quantity
	for _, l := range latencyIDs {
		from.Method = string(stat.NearestRank)
		q := quantity(prefix+"."+l.name, s, 0, "s", n, from)
		ok, note := stat.Support(l.p, ns.N())
		if !ok {
			out = append(out, withhold(q, note))
			continue
		}
		q = quantity(q.ID, s, float64(ns.At(stat.Rank(l.p, ns.N())))/1e9, "s", n, from)
		if iv, ok := ns.bounds[l.name]; ok {
			q.Interval = []*float64{at(ns, iv.Lo), at(ns, iv.Hi)}
			q.From.Params = map[string]any{"interval": "95 %, order statistics, sampling only"}
		}
		if note != "" {
			q.Warnings = append(q.Warnings, note)
		}
		out = append(out, q)
	}
	for _, e := range []struct {
		name, method string
		ns           float64
	}{
		{"max", "maximum@1", float64(ns.Max())},
		{"mean", "mean@1", ns.Mean()},
	} {
		from.Method = e.method
		q := quantity(prefix+"."+e.name, s, 0, "s", n, from)
		if n == 0 {
			out = append(out, withhold(q, stat.ErrNoSamples.Error()))
			continue
		}
		out = append(out, quantity(q.ID, s, e.ns/1e9, "s", n, from))
	}
	return out
}

// at returns the value of a rank in seconds, nil for a rank outside the sample.
func at(ns *values, k int) *float64 {
	if k < 1 || k > ns.N() {
		return nil
	}
	v := float64(ns.At(k)) / 1e9
	return &v
}

// medianOf returns the median of values, 0 of none.
func medianOf(vs []float64) float64 {
	m, err := stat.Median(slices.Clone(vs))
	if err != nil {
		return 0
	}
	return m
}
