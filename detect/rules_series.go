package detect

import (
	"slices"
	"strings"

	"headroom/internal/rule"
	"headroom/runs"
)

// points judges each series of the first metric that was recorded, or of every
// one if the definition says so.
func (r ruleRun) points(p *Pass) error {
	scope := p.Scope("")
	recorded, looked := "", false
	for _, metric := range r.Metrics {
		list := p.Evidence.Of(metric)
		if len(list) == 0 || recorded != "" && !r.Every {
			continue
		}
		recorded = metric
		for i := range list {
			s := &list[i]
			at, values, err := r.rows(p, s)
			if err != nil {
				return err
			}
			with, missing := r.with(p, s)
			if missing != "" {
				p.CouldNotLook(scope, "%s was not recorded beside %s", missing, metric)
				return nil
			}
			looked = looked || len(at) > 0
			if err := r.series(p, scope, label(s), at, values, s, with); err != nil {
				return err
			}
		}
	}
	switch {
	case looked:
		p.Looked(scope)
	case recorded != "":
		p.CouldNotLook(scope, "%s has no point within the window", recorded)
	default:
		p.CouldNotLook(scope, "not recorded: %s", strings.Join(r.Metrics, ", "))
	}
	return nil
}

// label names a series where there may be several.
func label(s *Series) string {
	if s.Entity != "" {
		return s.Metric + " of " + s.Entity
	}
	return s.Metric
}

// rows returns the levels of a series within the window that the rows
// expression keeps.
func (r ruleRun) rows(p *Pass, s *Series) (at []int64, values []float64, err error) {
	vars := r.vars(p)
	vars["entity"], vars["source"] = s.Entity, s.Source
	ats, levels := s.Levels()
	for i, t := range ats {
		if t < p.Window.Start || t > p.Window.End {
			continue
		}
		if r.Rows != nil {
			vars["value"] = levels[i]
			keep, err := r.Rows.True(vars)
			if err != nil {
				return nil, nil, err
			}
			if !keep {
				continue
			}
		}
		at, values = append(at, t), append(values, levels[i])
	}
	return at, values, nil
}

// with returns the latest value of each further metric, or the name of one that
// was not recorded.
func (r ruleRun) with(p *Pass, s *Series) (vars rule.Vars, missing string) {
	vars = r.vars(p)
	for name, metric := range r.With {
		found := false
		for _, of := range p.Evidence.Of(metric) {
			_, values := of.Levels()
			if len(values) > 0 && (!found || of.Entity == s.Entity) {
				vars[name], found = values[len(values)-1], true
			}
		}
		if !found {
			return nil, metric
		}
	}
	return vars, ""
}

// markers judges dated things, each with a value.
func (r ruleRun) markers(p *Pass) error {
	scope := p.Scope("")
	var at []int64
	var values []float64
	vars := r.vars(p)
	for i := range p.Evidence.Markers {
		m := &p.Evidence.Markers[i]
		t := m.Time * 1000
		if t < p.Window.Start || t > p.Window.End || !slices.ContainsFunc(r.Kinds, func(k string) bool { return strings.HasPrefix(m.Kind, k) }) {
			continue
		}
		value, ok := r.value(m)
		if !ok {
			continue
		}
		if r.Rows != nil {
			vars["value"], vars["kind"], vars["message"], vars["severity"] = value, m.Kind, m.Message, m.Severity
			keep, err := r.Rows.True(vars)
			if err != nil {
				return err
			}
			if !keep {
				continue
			}
		}
		at, values = append(at, t), append(values, value)
	}
	if why := p.Evidence.unlogged(r.Kinds); why != "" {
		p.CouldNotLook(scope, "%s", why)
		return nil
	}
	p.Looked(scope)
	return r.series(p, scope, "", at, values, &Series{}, r.vars(p))
}

func (r ruleRun) value(m *runs.Marker) (float64, bool) {
	switch r.Attr {
	case "":
		return 1, true
	case "duration":
		return seconds(m.Duration), m.Duration != runs.Missing
	}
	return Attr(m, r.Attr)
}

// valueUnit is the unit of what value returns, "" of an attribute.
func (r ruleRun) valueUnit() string {
	switch r.Attr {
	case "":
		return "1"
	case "duration":
		return "s"
	}
	return ""
}

// series judges the windows of values at instants.
func (r ruleRun) series(p *Pass, scope Scope, what string, at []int64, values []float64, s *Series, with rule.Vars) error {
	if len(values) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(values))
	var out []judged
	for _, c := range r.cuts(p, at) {
		vars := rule.Vars{
			"run_median": middle(sorted), "run_min": sorted[0], "run_max": sorted[len(sorted)-1],
			"entity": s.Entity, "source": s.Source, "seconds": seconds(c.span.Len()),
		}
		for name, v := range with {
			vars[name] = v
		}
		describe(vars, at[c.lo:c.hi], values[c.lo:c.hi])
		span := c.span
		if r.Length == 0 && !r.WholeRun { // a row speaks for its step
			span.Start -= s.Step()
		}
		out = append(out, judged{span, vars})
	}
	unit := s.levelUnit()
	if r.Input == rule.Markers {
		unit = r.valueUnit()
	}
	return r.report(p, scope, what, unit, each(out))
}

// describe adds what expressions may ask of the values of a window.
func describe(vars rule.Vars, at []int64, values []float64) {
	sum, drop, highest, rising, atMax := 0.0, 0.0, values[0], 0, 0
	lo, hi := slices.Min(values), slices.Max(values)
	for i, v := range values {
		sum += v
		highest = max(highest, v)
		drop = max(drop, highest-v)
		if i > 0 && v > values[i-1] {
			rising++
		}
		if v == hi {
			atMax++
		}
	}
	n := float64(len(values))
	vars["n"], vars["first"], vars["last"], vars["min"], vars["max"] = n, values[0], values[len(values)-1], lo, hi
	vars["sum"], vars["mean"], vars["median"] = sum, sum/n, middle(slices.Sorted(slices.Values(values)))
	vars["growth"], vars["slope"] = values[len(values)-1]-values[0], slope(at, values)
	vars["rising"], vars["drop"], vars["at_max"] = 0.0, drop, float64(atMax)/n
	if len(values) > 1 {
		vars["rising"] = float64(rising) / (n - 1)
	}
}

// slope is that of the least-squares line, per second; 0 of fewer than two
// instants.
func slope(at []int64, values []float64) float64 {
	var sx, sy, sxx, sxy float64
	n := float64(len(at))
	for i, t := range at {
		x := seconds(t - at[0])
		sx, sy, sxx, sxy = sx+x, sy+values[i], sxx+x*x, sxy+x*values[i]
	}
	if d := n*sxx - sx*sx; d > 0 {
		return (n*sxy - sx*sy) / d
	}
	return 0
}

// middle is the median of sorted values, the mean of the middle two of an even
// number.
func middle(sorted []float64) float64 {
	m := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[m]
	}
	return (sorted[m-1] + sorted[m]) / 2
}
