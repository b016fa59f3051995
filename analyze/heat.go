package analyze

import (
	"math"
	"slices"
	"sort"
	"time"

	"headroom/detect"
)

// Heat is a count of requests on a grid: how many of each column of time had a
// latency of each bin.
type Heat struct {
	X     []float64 `json:"x"`     // where each column that has a request begins
	DX    float64   `json:"dx"`    // how wide a column is
	Edges []float64 `json:"edges"` // of the bins, ascending; a bin includes its lower edge
	// Counts[i*(len(Edges)-1)+j] is the count of column i and bin j.
	Counts []int64 `json:"counts"`
	Unit   string  `json:"unit"` // what is counted: "requests"
}

// Bounds of a grid: a column is a few pixels wide, a bin a few high.
const (
	heatColumns   = 160
	heatPerDecade = 8
	heatBins      = 40
)

// heat counts the requests of a scenario.
func (m *Measured) heat(scenario string) *Heat {
	for _, r := range m.scenarios {
		if r.Scenario == scenario {
			return m.heatOf(r)
		}
	}
	return nil
}

// heatOf counts the requests of a scenario by second of their start, or by as
// many seconds as make at most heatColumns columns, and by latency in bins of
// equal ratio. nil if there is nothing to count.
func (m *Measured) heatOf(r *detect.Requests) *Heat {
	const second = int64(time.Second)
	seconds := (m.window.Len() + second - 1) / second
	if seconds < 2 {
		return nil
	}
	low, high := int64(math.MaxInt64), int64(0)
	in := r.Starting(m.window.Span)
	for part := range in.Latencies(detect.AnyOutcome) {
		for _, ns := range part {
			if ns > 0 {
				low, high = min(low, ns), max(high, ns)
			}
		}
	}
	if high == 0 {
		return nil
	}
	h := &Heat{Edges: logEdges(float64(low)/1e9, float64(high)/1e9), Unit: "requests"}
	dx := (seconds + heatColumns - 1) / heatColumns
	h.DX = float64(dx)
	bins := binsOf(h.Edges)
	columns := make([][]int64, (seconds+dx-1)/dx)
	for c := range in.Chunks() {
		for i, start := range c.Start {
			ns, ok := c.Latency(i)
			if !ok || ns <= 0 {
				continue
			}
			k := (start - m.window.Start) / (dx * second)
			if columns[k] == nil {
				columns[k] = make([]int64, len(h.Edges)-1)
			}
			columns[k][bins.of(ns)]++
		}
	}
	for k, c := range columns {
		if c != nil {
			h.X = append(h.X, float64(int64(k)*dx))
			h.Counts = append(h.Counts, c...)
		}
	}
	return h
}

// logEdges cuts the decades between two values into bins of equal ratio, at most
// heatBins of them, whose edges are powers of that ratio, so that two figures
// with the same ratio have the same bins.
func logEdges(low, high float64) []float64 {
	per := heatPerDecade
	for {
		from := math.Floor(math.Log10(low)*float64(per) + 1e-9)
		to := math.Floor(math.Log10(high)*float64(per)+1e-9) + 1
		if to-from > heatBins && per > 1 {
			per--
			continue
		}
		var edges []float64
		for k := from; k <= to; k++ {
			edges = append(edges, math.Pow(10, k/float64(per)))
		}
		return edges
	}
}

// binOf is the bin of a value; one beyond the ends by rounding is in the nearest.
func binOf(edges []float64, v float64) int {
	i, found := slices.BinarySearch(edges, v)
	if !found {
		i--
	}
	return min(max(i, 0), len(edges)-2)
}

// bins are the least latencies, in ns, of every bin but the first.
type bins []int64

// binsOf turns edges in seconds into the least ns that belong to the bins above them
// by binOf.
func binsOf(edges []float64) bins {
	var out bins
	for j := 1; j < len(edges)-1; j++ {
		ns := sort.Search(math.MaxInt64, func(ns int) bool { return binOf(edges, float64(ns)/1e9) >= j })
		out = append(out, int64(ns))
	}
	return out
}

// of is the bin of a latency.
func (b bins) of(ns int64) int {
	lo, hi := 0, len(b)
	for lo < hi {
		if m := (lo + hi) / 2; b[m] <= ns {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}
