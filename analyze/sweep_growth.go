package analyze

import (
	"fmt"
	"slices"

	"headroom/stat"
)

// repeated makes one step of the repeats of one setting: medians of what all of them
// have, and the sum of their errors.
func repeated(of []SweepStep) SweepStep {
	if len(of) == 1 {
		return of[0]
	}
	s := SweepStep{N: of[0].N}
	var rates, p99s []float64
	for _, r := range of {
		if r.Throughput != nil {
			rates = append(rates, *r.Throughput)
		}
		if r.P99 != nil {
			p99s = append(p99s, *r.P99)
		}
		s.Errors += r.Errors
	}
	if len(rates) == len(of) {
		v := medianOf(rates)
		s.Throughput, s.Repeats = &v, &stat.Bounds{Lo: slices.Min(rates), Hi: slices.Max(rates)}
	}
	if len(p99s) == len(of) {
		v := medianOf(p99s)
		s.P99 = &v
	}
	return s
}

// mergeRepeats makes one step of neighbours with the same setting.
func mergeRepeats(steps []SweepStep) []SweepStep {
	var out []SweepStep
	for i := 0; i < len(steps); {
		k := i + 1
		for k < len(steps) && steps[k].N == steps[i].N {
			k++
		}
		out = append(out, repeated(steps[i:k]))
		i = k
	}
	return out
}

// Growth is between which steps of a sweep throughput stopped growing: a knee of the
// throughput, whatever the p99 was.
type Growth struct {
	Last, Next int    // indexes of Sweep.Steps: the last one that throughput grew to, and the one after it; -1 if there is none
	Why        string // why there is none
}

// fewestForGrowth is how many steps a curve needs to have a bend.
const fewestForGrowth = 3

// Growth finds where throughput stopped growing. Steps with errors or without a rate
// are left out. A step grew if its throughput is above the best before it by more than
// flat (DETECTION 6.2: an elasticity of 0.2), and, where steps were repeated, if their
// repeats do not overlap: what lies within the noise of repeats has not grown.
func (s Sweep) Growth() Growth {
	var usable []int
	for i, step := range s.Steps {
		if step.Throughput != nil && *step.Throughput > 0 && step.Errors == 0 && step.N > 0 {
			usable = append(usable, i)
		}
	}
	none := Growth{Last: -1, Next: -1}
	if len(usable) < fewestForGrowth {
		none.Why = fmt.Sprintf("not evaluable: it takes %d steps without errors, there are %d", fewestForGrowth, len(usable))
		return none
	}
	last := 0
	for k := 1; k < len(usable); k++ {
		if grew(s.Steps[usable[last]], s.Steps[usable[k]]) {
			last = k
		}
	}
	at := s.Steps[usable[last]]
	switch last {
	case 0:
		none.Why = fmt.Sprintf("not reached from below: throughput was no higher at any step than at %s", Display(at.N, "1"))
	case len(usable) - 1:
		none.Last = usable[last]
		none.Why = fmt.Sprintf("not reached up to %s: throughput still grew there, to at least %s per s", Display(at.N, "1"), DisplayRounded(*at.Throughput, "1", Down))
	default:
		return Growth{Last: usable[last], Next: usable[last+1]}
	}
	return none
}

// grew reports whether throughput is above that of a step with a lower setting.
func grew(best, next SweepStep) bool {
	if e := elasticity(best, next); !(e >= 0.2) {
		return false
	}
	return best.spread().Hi < next.spread().Lo
}

// spread is that of its repeats; a single measurement has none.
func (s SweepStep) spread() stat.Bounds {
	if s.Repeats != nil {
		return *s.Repeats
	}
	return stat.Bounds{Lo: *s.Throughput, Hi: *s.Throughput}
}

// growthText says in a note where throughput stopped growing.
func growthText(s Sweep, key string) string {
	g := s.Growth()
	if g.Next < 0 {
		return "Where throughput stops growing: " + g.Why + "."
	}
	return fmt.Sprintf("Throughput stops growing between %s %s and %s.", key, Display(s.Steps[g.Last].N, "1"), Display(s.Steps[g.Next].N, "1"))
}
