package stat

import (
	"fmt"
	"math/bits"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Resolution fixes the buckets of a Histogram. Only histograms of one
// Resolution merge, so that merging stays exact.
type Resolution struct {
	Lowest  int64 // smallest value told apart from 0, at least 1
	Highest int64 // largest value that can be recorded, at least 2·Lowest
	Digits  int   // significant decimal digits kept, 1 to 5
}

// maxCounts bounds the counters of one histogram (32 MiB), whatever a file
// header asks for.
const maxCounts = 4 << 20

func (r Resolution) check() error {
	if r.Lowest < 1 || r.Digits < 1 || r.Digits > 5 || r.Highest/2 < r.Lowest {
		return fmt.Errorf("histogram of %d to %d with %d digits: want 1 ≤ lowest, 2·lowest ≤ highest and 1 to 5 digits", r.Lowest, r.Highest, r.Digits)
	}
	if r.unit()+r.subBits() > 62 {
		return fmt.Errorf("histogram of %d to %d with %d digits: the lowest value leaves no room for the digits in 64 bits", r.Lowest, r.Highest, r.Digits)
	}
	doublings := max(0, bits.Len64(uint64(r.Highest))-r.unit()-r.subBits())
	if counts := (doublings + 2) << (r.subBits() - 1); counts > maxCounts {
		return fmt.Errorf("histogram of %d to %d with %d digits needs %d counters, more than %d: ask for fewer digits", r.Lowest, r.Highest, r.Digits, counts, maxCounts)
	}
	return nil
}

// unit returns the bits below the lowest value that are not told apart.
func (r Resolution) unit() int { return bits.Len64(uint64(r.Lowest)) - 1 }

// subBits returns the bits kept of a value: enough to count by ones up to
// 2·10^Digits.
func (r Resolution) subBits() int {
	most := 2
	for range r.Digits {
		most *= 10
	}
	return bits.Len(uint(most))
}

// Equivalent is a range of values that a histogram does not tell apart, both
// ends included.
type Equivalent struct{ Low, High int64 }

// Width returns how many values the range holds.
func (e Equivalent) Width() int64 { return e.High - e.Low + 1 }

// Equivalent returns the range that v falls into, v ≥ 0.
func (r Resolution) Equivalent(v int64) Equivalent {
	drop := max(r.unit(), bits.Len64(uint64(v))-r.subBits())
	low := v >> drop << drop
	return Equivalent{Low: low, High: low + (1<<drop - 1)}
}

// Bucket is a range of values and how many were counted there.
type Bucket struct {
	Equivalent
	Count int64
}

// Histogram counts values in buckets whose width grows with the value, so that
// every value is known to Resolution.Digits digits (HdrHistogram). It is for
// latency that exists only pre-aggregated; raw samples have exact quantiles.
// A strict threshold is not to be tested on it: the bucket that holds the
// threshold is undecidable.
type Histogram struct {
	res Resolution
	hdr *hdrhistogram.Histogram
}

// NewHistogram returns an empty histogram.
func NewHistogram(r Resolution) (*Histogram, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	return &Histogram{r, hdrhistogram.New(r.Lowest, r.Highest, r.Digits)}, nil
}

// Resolution returns what the histogram was made with.
func (h *Histogram) Resolution() Resolution { return h.res }

// maxTotal is the most values one histogram counts; below it a rank survives
// the way through float64 (see Quantile).
const maxTotal = 1 << 50

// Record counts v n times. A value outside the range, or a negative n, is an
// error and counts nothing: a clipped value would be a wrong maximum.
func (h *Histogram) Record(v, n int64) error {
	if v < 0 || v > h.res.Highest {
		return fmt.Errorf("value %d outside the histogram's range of 0 to %d", v, h.res.Highest)
	}
	if n < 0 || n > maxTotal-h.N() {
		return fmt.Errorf("count %d on top of %d: want 0 or more, and at most %d in all", n, h.N(), int64(maxTotal))
	}
	if err := h.hdr.RecordValues(v, n); err != nil {
		return fmt.Errorf("value %d: %w", v, err)
	}
	return nil
}

// Merge adds the counts of o, which must have the same Resolution. It is exact,
// so the order of merges does not matter.
func (h *Histogram) Merge(o *Histogram) error {
	if h.res != o.res {
		return fmt.Errorf("histograms of %+v and %+v do not merge: their buckets differ", h.res, o.res)
	}
	if o.N() > maxTotal-h.N() {
		return fmt.Errorf("merging %d values with %d: at most %d in all", h.N(), o.N(), int64(maxTotal))
	}
	if lost := h.hdr.Merge(o.hdr); lost != 0 {
		return fmt.Errorf("merging lost %d of %d values", lost, o.N())
	}
	return nil
}

// N returns how many values were counted.
func (h *Histogram) N() int64 { return h.hdr.TotalCount() }

// Quantile returns the range that holds the nearest-rank p-quantile: the true
// one lies between Low and High. High is the figure that HdrHistogram tools
// print; it is less than 10^-Digits above the true value, relatively, or less
// than the power of two at or below Resolution.Lowest.
func (h *Histogram) Quantile(p P) (Equivalent, error) {
	n := h.N()
	if n == 0 {
		return Equivalent{}, ErrNoSamples
	}
	// The library ranks by round(p·n), one lower than ours where the fraction is
	// under a half (p90 of 1,007 values). It is handed the percentage that lands
	// on our rank; for totals up to maxTotal that cannot miss.
	rank := Rank(p, int(n))
	v := h.hdr.ValueAtPercentile(100 * float64(rank) / float64(n))
	return h.res.Equivalent(v), nil
}

// Mean returns the mean of the values, each taken at the middle of its bucket.
func (h *Histogram) Mean() (float64, error) {
	if h.N() == 0 {
		return 0, ErrNoSamples
	}
	return h.hdr.Mean(), nil
}

// Buckets returns the buckets that hold values, in ascending order.
func (h *Histogram) Buckets() []Bucket {
	var out []Bucket
	for _, bar := range h.hdr.Distribution() {
		if bar.Count > 0 {
			out = append(out, Bucket{Equivalent{bar.From, bar.To}, bar.Count})
		}
	}
	return out
}
