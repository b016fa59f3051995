package analyze

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"headroom/detect"
	"headroom/runs"
)

// say adds a statement to the answer.
func (d *document) say(role, lead, format string, args ...any) {
	d.Answer = append(d.Answer, Sentence{Role: role, Lead: lead, Text: fmt.Sprintf(format, args...)})
}

// sayOf adds a statement about a configuration; of is its name, or nothing.
func (d *document) sayOf(of, role, lead, format string, args ...any) {
	d.say(role, lead, format, args...)
	d.Answer[len(d.Answer)-1].Of = of
}

// named is the name of the configuration where there are several.
func (d *document) named(g *group) string {
	if len(d.groups) < 2 {
		return ""
	}
	return g.name
}

// prefix names the configuration where there are several.
func (d *document) prefix(g *group) string {
	if name := d.named(g); name != "" {
		return name + ": "
	}
	return ""
}

// shown returns the display of a cell's quantity, "not known" without one.
func (c *cell) shown(id string) string {
	q := c.quantity(id)
	switch {
	case q == nil || q.Value == nil && len(c.m.manifest.Reconcile) == 0:
		return "not known"
	case q.Value == nil:
		return "withheld"
	}
	return q.Display
}

// conditions says what the host did meanwhile, and how the load was made: no
// contention, no figure.
func (c *cell) conditions() string {
	cont, _ := c.m.contentionOf(c.window())
	label, reasons := cont.Label()
	text := map[Bound]string{
		Floor:         "a floor: the host was contended",
		CapacityBound: "the host was not contended",
	}[label]
	if text == "" {
		text = cont.unjudged()
	}
	if seen := cont.text(reasons); seen != "" {
		text += " (" + seen + ")"
	}
	parts := []string{text}
	if cont.Generator != nil {
		parts = append(parts, fmt.Sprintf("product plus generator: the load generator shares the host, on %s of its cores", Display(*cont.Generator, "1")))
	}
	switch {
	case c.m.model.Model == runs.ClosedLoop && label == Floor: // in one sentence with "a floor", no "ceiling"
		parts = append(parts, "closed loop: no service level, and no latency at a given rate")
	case c.m.model.Model == runs.ClosedLoop:
		parts = append(parts, "closed loop: a ceiling, and no latency at a given rate")
	case c.m.model.Model == runs.OpenLoop:
		parts = append(parts, "open loop")
	default:
		parts = append(parts, "load model not known")
	}
	if v := c.runVerdict("reconciled"); v == nil || v.Outcome == Unknown {
		parts = append(parts, "not reconciled")
	}
	return strings.Join(parts, "; ")
}

// text writes what was recorded; the reasons for a floor come first.
func (c Contention) text(reasons []string) string {
	var parts []string
	if c.Foreign != nil {
		parts = append(parts, fmt.Sprintf("foreign CPU %s of %g cores", Display(*c.Foreign, "1"), c.Cores))
	}
	if c.Steal != nil && (*c.Steal > 0 || slices.Contains(reasons, "steal")) {
		parts = append(parts, "steal "+Percent(*c.Steal))
	}
	if c.Pressure != nil {
		pressure := "CPU pressure " + Percent(*c.Pressure)
		if c.Own != nil {
			pressure += fmt.Sprintf(" with %s of %g cores used by our own processes", Display(*c.Own, "1"), c.Cores)
		}
		parts = append(parts, pressure)
	}
	if c.Load != nil {
		load := "load average " + Display(*c.Load, "1")
		switch {
		case c.Foreign == nil && c.Cores > 0:
			load += fmt.Sprintf(" on %g cores", c.Cores)
		case c.Foreign != nil && *c.Load > c.Cores && !slices.Contains(reasons, "foreign CPU"):
			load += ", by the load itself"
		}
		parts = append(parts, load)
	}
	return strings.Join(parts, ", ")
}

func (c *cell) window() window {
	for _, u := range c.m.units {
		if u.scope == c.scope {
			return u.window
		}
	}
	return c.m.window
}

// p99 writes a p99 as it stands beside its limit.
func (d *document) p99(v float64) string {
	return DisplayBeside(v, inSeconds(d.protocol.P99Limit), "s")
}

func (d *document) sweepAnswer(g *group, s Sweep, cells [][]*cell, conf Configuration) {
	key := g.key
	if s.Sustained >= 0 {
		c := cells[s.Sustained][0]
		d.sayOf(d.named(g), "sustained", d.rate(*s.Steps[s.Sustained].Throughput), "sustained at %s %s, p99 %s; %s",
			key, Display(s.Steps[s.Sustained].N, "1"), d.p99(*s.Steps[s.Sustained].P99), c.conditions())
		d.cheaperAnswer(g, s, cells)
		d.frozenAnswer(g, c)
	} else {
		d.sayOf(d.named(g), "sustained", "no sustained figure", "%s", lastVerdict(d.Verdicts, "sustained", g.scope()).Why)
	}
	limit := inSeconds(d.protocol.P99Limit)
	switch {
	case s.Knee < 0 && len(s.Steps) > 0:
		d.sayOf(d.named(g), "knee", "no knee", "found up to %s %s: the p99 stayed under %s, so what a larger one carries is not known",
			key, Display(s.Steps[len(s.Steps)-1].N, "1"), DisplayLimit(limit, "s"))
	case s.Knee >= 0:
		step := s.Steps[s.Knee]
		text := fmt.Sprintf("the knee: p99 %s (limit %s)", d.p99(*step.P99), DisplayLimit(limit, "s"))
		if step.Throughput != nil {
			text += " at " + d.rate(*step.Throughput)
		}
		d.sayOf(d.named(g), "knee", fmt.Sprintf("%s %s", key, Display(step.N, "1")), "%s; %s", text, d.pastKnee(s, key))
	}
	d.fleetAnswer(g)
}

// nearTie is how far under the best throughput a step of lower concurrency may
// lie to be worth a word: it gives nearly as much, at a better latency.
const nearTie = 0.02

// lessAlready says how far the rate of a step lies under the best one. Of two
// floors nobody knows.
func (d *document) lessAlready(rate, best float64, both []*cell) string {
	for _, c := range both {
		if q := c.quantity("throughput"); q != nil && q.Bound == Floor {
			return fmt.Sprintf("carried less when it was taken: %s; the host was contended, and how two floors compare is not known", d.rate(rate))
		}
	}
	return fmt.Sprintf("carries less already: %s, %s under the sustained figure", d.rate(rate), Percent(1-rate/best))
}

// cheaperAnswer names the lowest step that carries nearly the sustained
// throughput, and where throughput fell although the p99 was under its limit.
func (d *document) cheaperAnswer(g *group, s Sweep, cells [][]*cell) {
	best := *s.Steps[s.Sustained].Throughput
	for _, step := range s.Steps[:s.Sustained] {
		if step.Throughput == nil || step.P99 == nil || step.Errors > 0 || *step.Throughput < best*(1-nearTie) {
			continue
		}
		d.sayOf(d.named(g), "plateau", fmt.Sprintf("%s %s", g.key, Display(step.N, "1")), "carries nearly as much: %s, p99 %s",
			d.rate(*step.Throughput), d.p99(*step.P99))
		break
	}
	for i, step := range s.Steps {
		if i > s.Sustained && (s.Knee < 0 || i < s.Knee) && step.Throughput != nil && *step.Throughput < best*0.9 {
			d.sayOf(d.named(g), "plateau", fmt.Sprintf("%s %s", g.key, Display(step.N, "1")), "%s",
				d.lessAlready(*step.Throughput, best, slices.Concat(cells[i], cells[s.Sustained])))
			return
		}
	}
}

// frozenAnswer says if the step that the document rests on stood still.
func (d *document) frozenAnswer(g *group, c *cell) {
	if n, ok := c.value("freeze.seconds"); ok && n > 0 {
		if why := slowThroughout(c.quantity("freeze.seconds")); why != "" {
			d.sayOf(d.named(g), "freeze", "slow throughout", "in the sustained step, not frozen: %s", why)
			return
		}
		if why := notTold(c.quantity("freeze.seconds")); why != "" {
			d.sayOf(d.named(g), "freeze", countText(int(n), "second")+" over the limits", "in the sustained step, of %s; whether it was frozen then cannot be told: %s", Display(float64(c.window().Len())/1e9, "s"), why)
			return
		}
		d.sayOf(d.named(g), "freeze", countText(int(n), "second")+" with a freeze", "in the sustained step, of %s", Display(float64(c.window().Len())/1e9, "s"))
	}
}

// pastKnee tells what the step past the knee did: throughput still grew, it got slower
// or it fell over.
func (d *document) pastKnee(s Sweep, key string) string {
	if !s.PastKnee {
		return "the shape past it was not recorded"
	}
	if s.Recovered {
		return "a later step is under the limit again: noise or contention, to be repeated"
	}
	next := s.Steps[s.Knee+1]
	text := fmt.Sprintf("one step further, at %s %s", key, Display(next.N, "1"))
	if next.Throughput == nil {
		return text + ", nothing could be measured"
	}
	word := bend(s.Elasticity[s.Knee], next.Errors)
	text += fmt.Sprintf(", %s: %s", word, d.rate(*next.Throughput))
	if next.P99 != nil {
		text += ", p99 " + d.p99(*next.P99)
	}
	return text
}

func (d *document) ladderAnswer(g *group, cells [][]*cell, rungs []Outcome, held int, conf Configuration) {
	if held >= 0 {
		c := cells[held][0]
		d.sayOf(d.named(g), "sustained", Display(*c.key, "requests/s"), "offered and delivered in every run of the rung, p99 %s; %s",
			c.shown("latency.p99"), c.conditions())
	} else {
		d.sayOf(d.named(g), "sustained", map[bool]string{true: "no rung held", false: "not known"}[conf.Outcome == Fail],
			"of %s, %d held, %d failed and %d could not be judged", countText(len(rungs), "rung"),
			outcomes(rungs, Pass), outcomes(rungs, Fail), outcomes(rungs, Unknown))
	}
	failed, unjudged := slices.Index(rungs, Fail), slices.Index(rungs, Unknown)
	switch {
	case failed < 0 && unjudged < 0:
		d.sayOf(d.named(g), "knee", "no limit", "found up to %s offered: the top rung is a floor", Display(*cells[len(cells)-1][0].key, "requests/s"))
	case failed < 0:
		_, why := d.rung(g, cells[unjudged])
		d.sayOf(d.named(g), "knee", "not known", "no rung failed; the first that could not be judged is %s: %s", Display(*cells[unjudged][0].key, "requests/s"), why)
	default:
		_, why := d.rung(g, cells[failed])
		text := "the first rung that did not hold: " + why
		if unjudged >= 0 && unjudged < failed {
			text = fmt.Sprintf("the first rung that is proven not to hold: %s; from %s on rungs below it could not be judged", why, Display(*cells[unjudged][0].key, "requests/s"))
		}
		d.sayOf(d.named(g), "knee", Display(*cells[failed][0].key, "requests/s"), "%s", text)
	}
	d.fleetAnswer(g)
}

func outcomes(list []Outcome, o Outcome) int {
	n := 0
	for _, have := range list {
		if have == o {
			n++
		}
	}
	return n
}

// okRequests writes a number of ok requests that is written already.
func okRequests(count string) string {
	if count == "1" {
		return "1 ok request"
	}
	return count + " ok requests"
}

func (d *document) singleAnswer(g *group, c *cell, o Outcome, why []string) {
	if gone := c.m.withdrawnWhy(); gone != "" {
		d.sayOf(d.named(g), "sustained", "withheld", "%s: what it measured is not to be relied on", strings.TrimSuffix(gone, "."))
		d.lonelyVerdict(g, c, o, why...)
		return
	}
	if n, _ := c.value("requests"); n == 0 && c.m.totalsOnly() {
		d.totalsAnswer(g, c, o, why)
		return
	}
	d.sayOf(d.named(g), "sustained", c.shown("throughput"), "carried over %s; %s", Display(float64(c.window().Len())/1e9, "s"), c.conditions())
	d.sayOf(d.named(g), "latency", "p99 "+c.shown("latency.p99"), "p50 %s, max %s, of %s", c.shown("latency.p50"), c.shown("latency.max"), c.measured())
	d.freezeAnswer(g, c)
	d.lonelyVerdict(g, c, o, why...)
	d.fleetAnswer(g)
}

// measured says of how many requests the percentiles are.
func (c *cell) measured() string {
	text := okRequests(c.shown("samples"))
	ok, _ := c.value("samples")
	if q := c.quantity("latency.p50"); q != nil && q.N != nil && *q.N != int64(ok) {
		text = fmt.Sprintf("the %s of %s whose latency is known", Count(*q.N), text)
	}
	return text
}

// freezeAnswer says whether the system stood still, or that nobody could look.
func (d *document) freezeAnswer(g *group, c *cell) {
	q := c.quantity("freeze.seconds")
	if q == nil || q.Value == nil {
		d.sayOf(d.named(g), "freeze", "freezes not looked for", "%s", c.tooThin())
		return
	}
	length := float64(c.window().Len()) / 1e9
	found := c.findings("freeze")
	if *q.Value == 0 && found == 0 {
		d.sayOf(d.named(g), "freeze", "no freeze", "in %s requests: no second with a request over 150 ms and more than 10 %% over 50 ms%s", Count(*q.N), thinSeconds(q))
		return
	}
	text := countText(found, "freeze") + " at whatever phase"
	if cadence := c.quantity("freeze.cadence"); cadence != nil && cadence.Value != nil {
		text += ", every " + cadence.Display
	} else if found >= 6 {
		text += ", no rhythm shown"
	}
	if len(q.Interval) == 2 {
		text += fmt.Sprintf("; between %g and %g such seconds, depending on where a second begins", *q.Interval[0], *q.Interval[1])
	}
	if why := slowThroughout(q); why != "" {
		d.sayOf(d.named(g), "freeze", "slow throughout", "over %s, not frozen: %s", Display(length, "s"), why)
		return
	}
	text += thinSeconds(q)
	if why := notTold(q); why != "" {
		d.sayOf(d.named(g), "freeze", countText(int(*q.Value), "second")+" over the limits", "of %s; whether it was frozen then cannot be told: %s", Display(length, "s"), why)
		return
	}
	if *q.Value == 0 { // each lies across the edge of two seconds
		d.sayOf(d.named(g), "freeze", countText(found, "freeze"), "in %s: %s", Display(length, "s"), text)
		return
	}
	d.sayOf(d.named(g), "freeze", countText(int(*q.Value), "second")+" with a freeze", "of %s: %s", Display(length, "s"), text)
}

// tooThin says why nobody could look for freezes.
func (c *cell) tooThin() string {
	judged, ok := c.value("freeze.seconds_judged")
	if !ok {
		return "no raw samples, or none with a latency"
	}
	text := fmt.Sprintf("a second needs %d requests to show one, and most of the %s have fewer (%s have as many)",
		detect.PublishedFreeze.Thin, Display(float64(c.window().Len())/1e9, "s"), Count(int64(judged)))
	if met, _ := c.value("freeze.seconds_thin"); met > 0 {
		text += fmt.Sprintf("; %s with fewer would be frozen by the limits", countText(int(met), "second"))
	}
	return text
}

// thinSeconds says which seconds of a run that was looked at had too few requests.
func thinSeconds(q *Quantity) string {
	for _, w := range q.Warnings {
		if strings.Contains(w, detect.ThinSeconds) {
			return "; " + w
		}
	}
	return ""
}

// findings counts what a detector found in the cell's window.
func (c *cell) findings(detector string) int {
	n, w := 0, c.window()
	for _, f := range c.m.Result.Findings {
		t, err := time.Parse(time.RFC3339Nano, f.Start)
		if f.Detector == detector && f.Scope.Scenario == c.scope.Scenario && err == nil && w.Contains(t.UnixNano()) {
			n++
		}
	}
	return n
}

func lastVerdict(vs []Verdict, gate string, s detect.Scope) Verdict {
	for i := len(vs) - 1; i >= 0; i-- {
		if vs[i].Gate == gate && vs[i].Scope == s {
			return vs[i]
		}
	}
	return Verdict{}
}
