package stat

import (
	"fmt"
	"math"
)

// LogBuckets are the buckets of a DDSketch (Masson, Rim & Lee 2019), for
// latency that exists only as one: each is wider than the last by one factor, so
// that its representative is within Alpha of every value in it, relatively. The
// sketches of one Alpha merge by adding the counts of equal indexes.
type LogBuckets struct {
	Alpha float64 // relative error, above 0 and below 1
	Gamma float64 // the factor, (1+Alpha)/(1-Alpha)
}

// NewLogBuckets returns the buckets of a relative error.
func NewLogBuckets(alpha float64) (LogBuckets, error) {
	if !(alpha > 0 && alpha < 1) {
		return LogBuckets{}, fmt.Errorf("relative error %v: want one between 0 and 1", alpha)
	}
	return LogBuckets{alpha, (1 + alpha) / (1 - alpha)}, nil
}

// Index returns the bucket of a positive, finite value: the i with
// Gamma^(i-1) < v ≤ Gamma^i.
func (b LogBuckets) Index(v float64) int {
	return int(math.Ceil(math.Log(v) / math.Log(b.Gamma)))
}

// Value returns the representative of a bucket, 2·Gamma^i/(Gamma+1).
func (b LogBuckets) Value(i int) float64 { return 2 * math.Pow(b.Gamma, float64(i)) / (b.Gamma + 1) }
