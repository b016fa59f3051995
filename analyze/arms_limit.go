package analyze

import (
	"fmt"
	"slices"
	"strings"

	"headroom/detect"
	"headroom/runs"
)

// littleGain is the gain below which what a treatment takes away is not what holds
// the throughput, and greatGain the one from which it is: what stays would else have
// let little more through.
const (
	littleGain = 0.10
	greatGain  = 1.00
)

// holding adds to the elimination what a treatment shows of something that may
// hold the throughput: with that taken away, how much more gets through. It is said
// in words, since no cause of freezes is meant.
func (d *document) holding(control, a *arm, candidate string) {
	s := suspicion{what: candidate, test: control.name + " against " + a.name, of: slices.Concat(control.group.runIDs(), a.group.runIDs())}
	s.result, s.verdict = holds(control, a, d.rate)
	d.treated = append(d.treated, s)
}

// holds compares what two arms let through: of a closed loop its throughput; of an
// open one, which carries what it is offered, how long a request takes.
func holds(control, a *arm, rate func(float64) string) (result, verdict string) {
	loop, why := loopOf(control, a)
	if why != "" {
		return why, notLooked
	}
	id, show, gain := "throughput", rate, func(before, after float64) float64 { return after/before - 1 }
	if loop == runs.OpenLoop {
		id, show = "latency.p50", func(v float64) string { return "p50 " + Display(v, "s") }
		gain = func(before, after float64) float64 { return before/after - 1 }
	}
	before, ok1 := control.values(ofCell(id))
	after, ok2 := a.values(ofCell(id))
	if !ok1 || !ok2 || sumUp("median", before) <= 0 || sumUp("median", after) <= 0 {
		return "not every run of both has its " + id, notLooked
	}
	b, t := sumUp("median", before), sumUp("median", after)
	result = fmt.Sprintf("%s with %s, %s with %s: × %s", show(b), control.name, show(t), a.name, Display(t/b, "1"))
	test := compareArms(&armMeasure{margin: littleGain}, before, after)
	if len(before) == 1 && len(after) == 1 {
		result += ", one run each"
	} else {
		result += "; " + test.words(littleGain)
	}
	return result, holdsVerdict(gain(b, t), test.little(loop), test, busierBy(control, a))
}

// little reports whether the repeats show that the gain is below littleGain, by one of
// the two one-sided tests of their equivalence: of a throughput that it is not that
// much higher, of a time that it is not that much shorter.
func (t armTest) little(loop runs.LoadModel) bool {
	switch {
	case t.equal == nil:
		return false
	case loop == runs.OpenLoop:
		return t.equal.PLower <= significance
	}
	return t.equal.PUpper <= significance
}

// holdsVerdict says what a gain shows. busier is how much more foreign CPU the
// treatment's host carried, as a share of its cores; less is negative. A gain holds
// nothing to blame that so few repeats could show by chance, and none rules nothing
// out where so few repeats could hide one: little says that they show there is none.
func holdsVerdict(gain float64, little bool, test armTest, busier float64) string {
	few := test.ranks == nil || test.least > significance
	chance := !few && test.ranks.P > significance
	switch {
	case gain < greatGain && busier > oneCurve:
		return notLooked + ": the host of the treatment was busier with other work"
	case gain < littleGain && !little && few:
		return suspected + ": " + gained(gain) + ", in too few repeats to tell"
	case gain < littleGain && !little:
		return suspected + ": a gain of " + Percent(littleGain) + " is not excluded"
	case gain < littleGain:
		return eliminated + " as the limit: " + gained(gain)
	case busier < -oneCurve:
		return suspected + ": the host of the treatment was quieter"
	case chance:
		return suspected + ": the gain may be chance"
	case few:
		return suspected + ": too few repeats to tell the gain from chance"
	case gain >= greatGain:
		return blamed
	}
	return suspected + ": it holds a part, and something else the rest"
}

// gained says how little a treatment gained.
func gained(gain float64) string {
	if gain <= 0 {
		return "no gain without it"
	}
	return "without it there is only " + Percent(gain) + " more"
}

// loopOf is how both arms sent their requests, and at which setting. Arms of
// different loops, or offered different rates, cannot be compared: why says so.
func loopOf(control, a *arm) (loop runs.LoadModel, why string) {
	var settings []string
	for _, x := range []*arm{control, a} {
		for _, c := range x.group.cells {
			setting := string(c.m.model.Model) + " loop"
			switch c.m.model.Model {
			case runs.OpenLoop:
				_, rate := labelled(c.labels, rateLabels)
				setting += fmt.Sprintf(" at %g/s", rate)
			case runs.ClosedLoop:
				_, workers := labelled(c.labels, concurrencyLabels)
				setting += fmt.Sprintf(" of %g workers", workers)
			default:
				return "", "whether the load is open or closed is not known"
			}
			loop, settings = c.m.model.Model, append(settings, setting)
		}
	}
	slices.Sort(settings)
	if settings = slices.Compact(settings); len(settings) > 1 {
		return "", "the loads differ: " + strings.Join(settings, " and ")
	}
	return loop, ""
}

// busierBy is how much more foreign CPU the treatment's host carried than the
// control's, as a share of its cores; 0 where it was not recorded.
func busierBy(control, a *arm) float64 {
	level := func(x *arm) (mean float64, ok bool) {
		var vs []float64
		for _, c := range x.group.cells {
			if cont, _ := c.m.contentionOf(c.window()); cont.Foreign != nil && cont.Cores > 0 {
				vs = append(vs, *cont.Foreign/cont.Cores)
			}
		}
		if len(vs) == 0 {
			return 0, false
		}
		return sumUp("total", vs) / float64(len(vs)), true
	}
	before, ok1 := level(control)
	after, ok2 := level(a)
	if !ok1 || !ok2 {
		return 0
	}
	return after - before
}

// isCause reports whether a word names a cause of freezes.
func isCause(name string) bool {
	return slices.ContainsFunc(detect.Causes, func(c *detect.Cause) bool { return c.Name == name })
}

// followed adds to the elimination what a sweep shows of the plainest suspicion: that
// too little was in flight.
func (d *document) followed(g *group, s Sweep) {
	var steps []string
	for _, step := range s.Steps {
		if step.Throughput != nil {
			steps = append(steps, fmt.Sprintf("%s at %g", d.rate(*step.Throughput), step.N))
		}
	}
	if len(steps) < fewestForGrowth {
		return
	}
	out := suspicion{what: tableTitle("too low a "+g.key, g, d), test: g.key + " raised step by step", result: strings.Join(steps, ", "), of: g.runIDs()}
	switch growth, first := s.Growth(), s.Steps[0]; {
	case growth.Next >= 0:
		out.verdict = fmt.Sprintf("%s from %g on: throughput does not follow", eliminated, s.Steps[growth.Last].N)
	case growth.Last >= 0:
		out.verdict = suspected + ": throughput still grew at the last step"
	case first.Throughput != nil && first.Errors == 0 && len(steps) == len(s.Steps): // it was no higher at any step than at the first
		out.verdict = fmt.Sprintf("%s from %g on: throughput does not follow", eliminated, first.N)
	default:
		out.verdict = notLooked + ": " + growth.Why
	}
	d.swept = append(d.swept, out)
}
