package analyze

import (
	"math"
	"slices"

	"headroom/detect"
	"headroom/runs"
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

// distribution returns the quantiles, maximum and mean of latencies in ns under
// prefix. It sorts ns. A quantile that so few samples do not support is
// withheld; of none, all are.
func distribution(prefix string, s detect.Scope, ns []int64, from From) []Quantity {
	slices.Sort(ns)
	n := int64(len(ns))
	var out []Quantity
	for _, l := range latencyIDs {
		from.Method = string(stat.NearestRank)
		q := quantity(prefix+"."+l.name, s, 0, "s", n, from)
		ok, note := stat.Support(l.p, len(ns))
		if !ok {
			out = append(out, withhold(q, note))
			continue
		}
		v, _ := stat.Quantile(ns, l.p)
		q = quantity(q.ID, s, float64(v)/1e9, "s", n, from)
		if iv, err := stat.QuantileInterval(len(ns), l.p, stat.P95); err == nil {
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
		of           func([]int64) float64
	}{
		{"max", "maximum@1", func(ns []int64) float64 { return float64(ns[len(ns)-1]) }},
		{"mean", "mean@1", mean},
	} {
		from.Method = e.method
		q := quantity(prefix+"."+e.name, s, 0, "s", n, from)
		if n == 0 {
			out = append(out, withhold(q, stat.ErrNoSamples.Error()))
			continue
		}
		out = append(out, quantity(q.ID, s, e.of(ns)/1e9, "s", n, from))
	}
	return out
}

// at returns the k-th value in seconds, nil for a rank outside the sample.
func at(sorted []int64, k int) *float64 {
	if k < 1 || k > len(sorted) {
		return nil
	}
	v := float64(sorted[k-1]) / 1e9
	return &v
}

// mean adds in integers, so that order does not matter; a sum of 10⁹ latencies
// of 9 s each still fits.
func mean(ns []int64) float64 {
	var hi, lo int64 // sum = hi·2³² + lo
	for _, v := range ns {
		lo += v & math.MaxUint32
		hi += v >> 32
	}
	return (float64(hi)*(1<<32) + float64(lo)) / float64(len(ns))
}

// tally counts a unit's requests by how they ended.
type tally struct {
	requests, ok, failed, rejected, timeout, invalid int64
	events                                           int64   // of ok requests
	claimed                                          int64   // of all requests sent
	latency                                          []int64 // of ok requests
	wait, service, response                          []int64 // likewise, nil if none waited
}

// count reads the requests for which keep is true.
func count(r *detect.Requests, keep func(*detect.Request) bool) tally {
	t := newTally(r, keep)
	for i := range r.Rows {
		q := &r.Rows[i]
		if !keep(q) {
			continue
		}
		t.requests++
		t.claimed += q.Events
		if q.Service != runs.Missing && q.Service < 0 {
			t.invalid++
		}
		switch q.Outcome() {
		case runs.OK:
			t.ok++
			t.events += q.Events
			t.times(r, q)
		case runs.Rejected:
			t.rejected++
		case runs.Timeout:
			t.timeout++
			t.failed++
		default:
			t.failed++
		}
	}
	return t
}

// newTally returns a tally with room for what the requests hold, since growing
// slices of millions takes twice their memory.
func newTally(r *detect.Requests, keep func(*detect.Request) bool) tally {
	n, waits := 0, false
	for i := range r.Rows {
		if q := &r.Rows[i]; q.OK() && keep(q) {
			n++
			waits = waits || q.Wait != runs.Missing
		}
	}
	t := tally{latency: make([]int64, 0, n)}
	if waits {
		t.wait, t.service, t.response = make([]int64, 0, n), make([]int64, 0, n), make([]int64, 0, n)
	}
	return t
}

// times collects the durations of an ok request.
func (t *tally) times(r *detect.Requests, q *detect.Request) {
	latency, ok := r.Latency(q)
	if !ok {
		return
	}
	t.latency = append(t.latency, latency)
	if t.service != nil {
		t.service = append(t.service, q.Service)
	}
	if q.Wait != runs.Missing {
		t.wait = append(t.wait, q.Wait)
		if response, ok := runs.Latency(q.Wait, q.Service); ok {
			t.response = append(t.response, response)
		}
	}
}

// medianOf returns the median of values, 0 of none.
func medianOf(vs []float64) float64 {
	m, err := stat.Median(slices.Clone(vs))
	if err != nil {
		return 0
	}
	return m
}
