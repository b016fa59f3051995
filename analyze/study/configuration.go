package study

import (
	"math"
	"regexp"
	"slices"
	"time"

	"headroom/analyze"
	"headroom/internal/near"
)

// nameForm is the form of names that become parts of ids.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$`)

const nameWords = "want letters, digits, dots, dashes and underscores, a letter or digit first"

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// configurations reads what was measured.
func (r *reader) configurations() error {
	names := map[string]bool{}
	for i := range r.w.Configurations {
		c := &r.w.Configurations[i]
		at := []any{"configurations", i}
		if !nameForm.MatchString(c.Name) {
			return r.errorf(append(at, "name"), "%q is no name: %s", c.Name, nameWords)
		}
		if names[c.Name] {
			return r.errorf(append(at, "name"), "a configuration is called %s already", c.Name)
		}
		names[c.Name] = true
		if err := r.configuration(c, at); err != nil {
			return err
		}
	}
	return nil
}

// configuration reads one of them.
func (r *reader) configuration(c *configuration, at []any) error {
	in := func(keys ...any) []any { return append(slices.Clone(at), keys...) }
	runs := c.Runs
	if len(runs) == 0 {
		runs = r.w.Runs
	}
	if len(runs) == 0 {
		return r.errorf(in("name"), "%s: no runs: name them here, or at the top for all configurations", c.Name)
	}
	if err := r.patterns(in("runs"), c.Runs); err != nil {
		return err
	}
	p, err := r.protocol(c, in)
	if err != nil {
		return err
	}
	out := analyze.StudyConfiguration{Name: c.Name, Label: c.Label, Changed: c.Changed, Protocol: p, Key: c.Key, SupersededBy: c.Superseded.By, Superseded: c.Superseded.Reason}
	if out.Waivers, err = r.waivers(c, in); err != nil {
		return err
	}
	decides := c.Superseded.By == ""
	if c.Decides != nil {
		decides = *c.Decides
	}
	out.Aside, out.Headline = !decides, decides
	if c.Headline != nil {
		out.Headline = *c.Headline
	}
	carries := decides && slices.Contains([]string{"sweep", "ladder", "repeats"}, c.Protocol) || c.Superseded.By != ""
	if c.Fleet != nil {
		carries = *c.Fleet
	}
	if !carries {
		out.Protocol.FleetRates = []float64{}
	}
	r.study.Study.Configurations = append(r.study.Study.Configurations, out)
	r.study.Selections = append(r.study.Selections, Selection{Runs: runs, Where: c.Where, path: at})
	return nil
}

// waivers reads which gates do not decide.
func (r *reader) waivers(c *configuration, in func(...any) []any) (map[string]string, error) {
	var out map[string]string
	for k, w := range c.Waive {
		if err := r.gate(in("waive", k, "gate"), w.Gate); err != nil {
			return nil, err
		}
		if _, twice := out[w.Gate]; twice {
			return nil, r.errorf(in("waive", k, "gate"), "%s is waived twice", w.Gate)
		}
		if out == nil {
			out = map[string]string{}
		}
		out[w.Gate] = w.Reason
	}
	return out, nil
}

// gate refuses a name that no gate has.
func (r *reader) gate(at []any, name string) error {
	var names []string
	for _, g := range analyze.Gates {
		names = append(names, g.Name)
	}
	if !slices.Contains(names, name) {
		return r.errorf(at, "there is no gate %q%s", name, near.DidYouMean(name, names))
	}
	return nil
}

// protocol makes the rules of a configuration: its own limits, else the study's.
func (r *reader) protocol(c *configuration, in func(...any) []any) (analyze.Protocol, error) {
	p := analyze.Protocol{Name: c.Protocol, Title: r.w.Title, Params: r.w.Params, PricePerHour: r.w.Host.PricePerHour, Currency: r.w.Host.Currency}
	for k, g := range c.Require {
		if err := r.gate(in("require", k), g); err != nil {
			return p, err
		}
	}
	p.Required = c.Require
	for _, x := range []struct {
		l  *limits
		at []any
	}{{&r.w.Limits, []any{"limits"}}, {&c.Limits, in("limits")}} {
		if err := r.limits(x.l, x.at, &p); err != nil {
			return p, err
		}
	}
	if err := r.duration(in("warmup"), c.Warmup, &p.Warmup); err != nil {
		return p, err
	}
	if err := r.probes(&p); err != nil {
		return p, err
	}
	for _, x := range []struct {
		key, what string
		list      []float64
	}{{"rates", "a rate", r.w.Fleet.Rates}, {"targets", "a number of endpoints", r.w.Fleet.Targets}} {
		for k, v := range x.list {
			if !finite(v) || v <= 0 {
				return p, r.errorf([]any{"fleet", x.key, k}, "%v: want %s above zero", v, x.what)
			}
		}
	}
	if err := r.special(c, in, &p); err != nil {
		return p, err
	}
	p.FleetRates, p.Targets = r.w.Fleet.Rates, r.w.Fleet.Targets
	return p, nil
}

// limits sets what is given.
func (r *reader) limits(l *limits, at []any, p *analyze.Protocol) error {
	in := func(key string) []any { return append(slices.Clone(at), key) }
	if err := r.duration(in("p99"), l.P99, &p.P99Limit); err != nil {
		return err
	}
	if err := r.duration(in("drain"), l.Drain, &p.DrainMax); err != nil {
		return err
	}
	for _, x := range []struct {
		key   string
		v     float64
		share bool
		to    *float64
	}{
		{"drift", l.Drift, false, &p.DriftLimit}, {"delivered", l.Delivered, true, &p.DeliveredMin}, {"contention_covers", l.ContentionCovers, true, &p.LoadCoverage},
	} {
		switch {
		case x.v == 0:
		case !finite(x.v) || x.v < 0:
			return r.errorf(in(x.key), "%v: want a number above zero", x.v)
		case x.share && x.v > 1:
			return r.errorf(in(x.key), "%v: is a share, at most 1", x.v)
		default:
			*x.to = x.v
		}
	}
	for _, x := range []struct {
		key string
		v   int64
		to  *int64
	}{{"min_samples", l.MinSamples, &p.MinSamples}, {"drift_min_samples", l.DriftMinSamples, &p.DriftMinSamples}} {
		switch {
		case x.v < 0:
			return r.errorf(in(x.key), "%d: want a number above zero", x.v)
		case x.v > 0:
			*x.to = x.v
		}
	}
	return nil
}

// duration reads a length of time, if there is one.
func (r *reader) duration(at []any, text string, to *time.Duration) error {
	if text == "" {
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return r.errorf(at, "%q is no length of time: write it with its unit, as 100ms, 1.5s or 10m", text)
	}
	*to = d
	return nil
}

// probes reads the budgets of the scenarios that only watch.
func (r *reader) probes(p *analyze.Protocol) error {
	for i, w := range r.w.Probes {
		at := []any{"probes", i}
		budget := analyze.ProbeBudget{Scenario: w.Scenario}
		for _, x := range []struct {
			key  string
			text string
			of   int
		}{{"p50", w.P50, 50}, {"p95", w.P95, 95}, {"p99", w.P99, 99}} {
			if x.text == "" {
				continue
			}
			if budget.Percentile != 0 {
				return r.errorf(append(slices.Clone(at), x.key), "a probe has one budget; it has one for the p%d already", budget.Percentile)
			}
			budget.Percentile = x.of
			if err := r.duration(append(slices.Clone(at), x.key), x.text, &budget.Limit); err != nil {
				return err
			}
		}
		if budget.Percentile == 0 {
			return r.errorf(at, "the probe has no budget: give it p99, p95 or p50, as p99: 500ms")
		}
		for k := range i {
			if r.w.Probes[k].Scenario == w.Scenario {
				return r.errorf(at, "the probe %q has a budget already", w.Scenario)
			}
		}
		p.Probes = append(p.Probes, budget)
	}
	return nil
}

// references reads what names configurations, and checks that those exist.
func (r *reader) references() error {
	var names []string
	for _, c := range r.study.Configurations {
		names = append(names, c.Name)
	}
	known := func(at []any, name string) error {
		if slices.Contains(names, name) {
			return nil
		}
		return r.errorf(at, "there is no configuration %q%s", name, near.DidYouMean(name, names))
	}
	for i, c := range r.w.Configurations {
		if by := c.Superseded.By; by != "" {
			if err := known([]any{"configurations", i, "superseded", "by"}, by); err != nil {
				return err
			}
			if by == c.Name {
				return r.errorf([]any{"configurations", i, "superseded", "by"}, "%s cannot take its own place", by)
			}
		}
	}
	for i, c := range r.w.Compare {
		if err := r.pair("compare", i, c.Name, [2]string{"faster", "slower"}, [2]string{c.Faster, c.Slower}, known); err != nil {
			return err
		}
		r.study.Comparisons = append(r.study.Comparisons, analyze.StudyComparison{Name: c.Name, Faster: c.Faster, Slower: c.Slower})
	}
	for i, a := range r.w.Arms {
		if err := r.pair("arms", i, a.Name, [2]string{"control", "treatment"}, [2]string{a.Control, a.Treatment}, known); err != nil {
			return err
		}
		r.study.Arms = append(r.study.Arms, analyze.StudyArms{Name: a.Name, Control: a.Control, Treatment: a.Treatment, Tests: a.Tests, Changed: a.Changed})
	}
	for i, d := range r.w.Denominators {
		if d.Name == "" {
			d.Name = d.Of + "." + d.By
		}
		if err := r.pair("denominators", i, d.Name, [2]string{"of", "by"}, [2]string{d.Of, d.By}, known); err != nil {
			return err
		}
		r.study.Denominators = append(r.study.Denominators, analyze.StudyDenominator{Name: d.Name, Of: d.Of, By: d.By, What: d.What})
	}
	return nil
}

// named checks the name of an entry of a list, which becomes a part of ids.
func (r *reader) named(list string, i int, name string) error {
	at := []any{list, i, "name"}
	if !nameForm.MatchString(name) {
		return r.errorf(at, "%q is no name: %s", name, nameWords)
	}
	key := list + " " + name
	if r.taken[key] {
		return r.errorf(at, "an entry of %s is called %s already", list, name)
	}
	if r.taken == nil {
		r.taken = map[string]bool{}
	}
	r.taken[key] = true
	return nil
}

// pair checks an entry that names two different configurations.
func (r *reader) pair(list string, i int, name string, keys, values [2]string, known func([]any, string) error) error {
	if err := r.named(list, i, name); err != nil {
		return err
	}
	for k, key := range keys {
		if err := known([]any{list, i, key}, values[k]); err != nil {
			return err
		}
	}
	if values[0] == values[1] {
		return r.errorf([]any{list, i, keys[1]}, "%s is compared with itself", values[1])
	}
	return nil
}
