package analyze

import (
	"math"
	"slices"

	"headroom/stat"
)

// SweepStep is one step of a sweep.
type SweepStep struct {
	N          float64      // concurrency
	Throughput *float64     // events/s; nil if withheld
	P99        *float64     // s; nil if withheld
	Errors     int64        // failed and dropped requests
	Repeats    *stat.Bounds // range of the throughputs that Throughput is the median of; nil of one
}

// Sweep is where a concurrency sweep turned.
type Sweep struct {
	Steps      []SweepStep // in ascending N
	Knee       int         // index of the first step whose p99 is at or above the limit; -1 if none
	Sustained  int         // index of the best throughput among error-free steps before the knee, lower N on ties; -1 if none
	LastBelow  int         // index of the last error-free step before the knee; -1 if none
	Blind      int         // index of the first step before the knee that could not be judged, though nothing failed in it; -1 if none
	PastKnee   bool        // a step past the knee was recorded, so that its shape is known
	Recovered  bool        // a later step's p99 is under the limit again: noise or contention
	Elasticity []float64   // between neighbours: ln(X2/X1)/ln(N2/N1); NaN where it cannot be told
}

// FindKnee applies the rule of capacity sweeps (DETECTION 6.1): raise the
// concurrency until the p99 is not under the limit. The first crossing counts,
// and a p99 at the limit has crossed. A step with errors cannot be sustained. A
// step without a p99 or a throughput is neither a knee nor sustained; unless all
// its requests failed, the knee or the best throughput may have been there. Steps of
// one concurrency are repeats: their medians count.
func FindKnee(steps []SweepStep, limit float64) Sweep {
	s := Sweep{Steps: slices.Clone(steps), Knee: -1, Sustained: -1, LastBelow: -1, Blind: -1}
	slices.SortStableFunc(s.Steps, func(a, b SweepStep) int {
		switch {
		case a.N < b.N:
			return -1
		case a.N > b.N:
			return 1
		}
		return 0
	})
	s.Steps = mergeRepeats(s.Steps)
	for i, step := range s.Steps {
		if step.Errors == 0 && (step.P99 == nil || step.Throughput == nil) && s.Knee < 0 && s.Blind < 0 {
			s.Blind = i
		}
		if step.P99 == nil {
			continue
		}
		crossed := *step.P99 >= limit
		switch {
		case s.Knee >= 0:
			s.PastKnee = true
			s.Recovered = s.Recovered || !crossed
		case crossed:
			s.Knee = i
		case step.Errors == 0 && step.Throughput != nil:
			s.LastBelow = i
			if s.Sustained < 0 || *step.Throughput > *s.Steps[s.Sustained].Throughput {
				s.Sustained = i
			}
		}
	}
	for i := 1; i < len(s.Steps); i++ {
		s.Elasticity = append(s.Elasticity, elasticity(s.Steps[i-1], s.Steps[i]))
	}
	return s
}

func elasticity(a, b SweepStep) float64 {
	if a.Throughput == nil || b.Throughput == nil || *a.Throughput <= 0 || *b.Throughput <= 0 || a.N <= 0 || b.N <= a.N {
		return math.NaN()
	}
	return math.Log(*b.Throughput / *a.Throughput) / math.Log(b.N/a.N)
}

// Statement names the knee, or says up to where there is none.
func (s Sweep) Statement() string {
	switch {
	case len(s.Steps) == 0:
		return "no step"
	case s.Knee >= 0:
		return "knee at " + Display(s.Steps[s.Knee].N, "1")
	}
	return "no knee found up to " + Display(s.Steps[len(s.Steps)-1].N, "1")
}

// ElasticityWord says whether throughput follows concurrency (DETECTION 6.2).
func ElasticityWord(e float64) string {
	switch {
	case math.IsNaN(e):
		return ""
	case e >= 0.8:
		return "follows"
	case e >= 0.2:
		return "sublinear"
	case e > -0.2:
		return "flat"
	}
	return "retrograde"
}
