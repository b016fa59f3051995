package detect

import (
	"embed"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"headroom/internal/rule"
	"headroom/internal/thousands"
)

// The detectors that are written in the language that users write theirs in.
//
//go:embed rules/*.yaml
var ruleFiles embed.FS

// builtin is the detector of rules/NAME.yaml.
func builtin(name string) *Detector {
	text, err := ruleFiles.ReadFile("rules/" + name + ".yaml")
	if err != nil {
		panic(err) // the file is compiled in: found by the first test
	}
	d, err := ParseDetector("rules/"+name+".yaml", text)
	if err != nil {
		panic(err)
	}
	return d
}

// ParseDetector reads a detector from the text of a YAML file called file; see
// package rule for the language. Errors say file, line and column.
func ParseDetector(file string, text []byte) (*Detector, error) {
	def, err := rule.Parse(file, text)
	if err != nil {
		return nil, err
	}
	d := Detector{
		Name: def.Name, Version: def.Version, Doc: def.Doc, Needs: []string{string(def.Input)}, Definition: def.Text,
		Metrics: slices.Clone(def.Metrics),
	}
	if def.Input == rule.Sessions {
		d.Needs = []string{"activity"}
	}
	for _, metric := range def.With {
		d.Metrics = append(d.Metrics, metric)
	}
	slices.Sort(d.Metrics)
	for _, p := range def.Params {
		d.Params = append(d.Params, Param{p.Name, p.Default, p.Unit, p.Doc})
	}
	r := ruleRun{def}
	run := map[rule.Input]func(*Pass) error{
		rule.Points: r.points, rule.Markers: r.markers, rule.Samples: r.samples, rule.Sessions: r.sessions,
	}[def.Input]
	d.Run = func(p *Pass) error {
		err := run(p)
		var failed *rule.EvalError
		if errors.As(err, &failed) { // the other detectors can look all the same
			p.Findings, p.Looks = nil, nil
			p.CouldNotLook(p.Scope(""), "%s", failed)
			return nil
		}
		return err
	}
	return &d, nil
}

// ruleRun applies a definition.
type ruleRun struct{ *rule.Definition }

// judged is a window and what the definition says of it.
type judged struct {
	span Span // that a finding of this window covers
	vars rule.Vars
}

// vars are the parameters as used.
func (r ruleRun) vars(p *Pass) rule.Vars {
	v := rule.Vars{}
	for _, q := range r.Params {
		v[q.Name] = p.Param(q.Name)
	}
	return v
}

// report makes findings of the windows that are in order of time: those that
// the condition holds for, Count in a row, merged where they are close. What is said
// of a window is valid until the next one. unit is that of the values looked at, ""
// if it is not known.
func (r ruleRun) report(p *Pass, scope Scope, what, unit string, windows iter.Seq2[Span, rule.Vars]) error {
	var open []judged
	var found [][]judged
	flush := func() {
		if len(open) >= r.Count {
			last := len(found) - 1
			if last >= 0 && open[0].span.Start-found[last][len(found[last])-1].span.End <= int64(r.Merge) {
				found[last] = append(found[last], open...)
			} else {
				found = append(found, open)
			}
		}
		open = nil
	}
	for span, vars := range windows {
		yes, err := r.When.True(vars)
		if err != nil {
			return err
		}
		if !yes {
			flush()
			continue
		}
		open = append(open, judged{span, maps.Clone(vars)})
	}
	flush()
	for _, ws := range found {
		if err := r.finding(p, scope, what, unit, ws); err != nil {
			return err
		}
	}
	return nil
}

// each gives windows that were judged before, one by one.
func each(ws []judged) iter.Seq2[Span, rule.Vars] {
	return func(yield func(Span, rule.Vars) bool) {
		for _, w := range ws {
			if !yield(w.span, w.vars) {
				return
			}
		}
	}
}

// finding reports windows as one finding; each measure is the highest over them.
func (r ruleRun) finding(p *Pass, scope Scope, what, unit string, ws []judged) error {
	at := ws[0].span
	measures := map[string]float64{}
	for i, w := range ws {
		at.Start, at.End = min(at.Start, w.span.Start), max(at.End, w.span.End)
		for _, m := range r.Measures {
			v, err := m.Value.Value(w.vars)
			if err != nil {
				return err
			}
			if old, ok := measures[m.Name]; i == 0 || !ok || v > old {
				measures[m.Name] = v
			}
		}
	}
	message := r.Message
	if message == "" {
		message = "the rule of " + r.Name + " holds"
	}
	if what != "" {
		message += ": " + what
	}
	for _, m := range r.Measures {
		message += ", " + m.Name + " " + figure(measures[m.Name], r.MeasureUnit(m, unit))
	}
	p.Report(scope, Severity(r.Severity), at, measures, "%s", message)
	return nil
}

// figure writes a measure for readers: four digits, and its unit where that is
// known, with the prefix that suits the size.
func figure(v float64, unit string) string {
	size := math.Abs(v)
	switch {
	case unit == "1" || unit == "":
		return digits(v)
	case unit == "1/s":
		return digits(v) + "/s"
	case unit == "s" && size > 0 && size < 1:
		return digits(v*1e3) + " ms"
	case (unit == "B" || unit == "B/s") && size >= 1e9:
		return digits(v/1e9) + " G" + unit
	case (unit == "B" || unit == "B/s") && size >= 1e6:
		return digits(v/1e6) + " M" + unit
	}
	return digits(v) + " " + unit
}

// digits writes four digits of a number, and all of a longer whole one.
func digits(v float64) string {
	if math.Abs(v) >= 1e4 {
		return thousands.Group(fmt.Sprintf("%.0f", v))
	}
	return fmt.Sprintf("%.4g", v)
}

// cuts returns the windows over rows at the instants (ns, ascending): lo and hi
// of each as indices, and its span.
func (r ruleRun) cuts(p *Pass, at []int64) (out []struct {
	lo, hi int
	span   Span
}) {
	add := func(lo, hi int, s Span) {
		if hi-lo >= r.Least {
			out = append(out, struct {
				lo, hi int
				span   Span
			}{lo, hi, s})
		}
	}
	length := int64(r.Length)
	switch {
	case r.WholeRun:
		add(0, len(at), p.Window)
	case r.Tumbling:
		hi := 0
		for t := p.Window.Start; t+length <= p.Window.End; t += length {
			lo := hi
			for hi < len(at) && at[hi] < t+length {
				hi++
			}
			add(lo, hi, Span{t, t + length})
		}
	case length > 0: // (t-length, t] for each row's t: it moves with the rows
		lo := 0
		for i, t := range at {
			for at[lo] <= t-length {
				lo++
			}
			// What is counted is as many in a window that the run's start cuts.
			if t-length >= p.Window.Start-1 || r.Input == rule.Markers {
				add(lo, i+1, Span{at[lo], t})
			}
		}
	default:
		for i, t := range at {
			add(i, i+1, Span{t, t})
		}
	}
	return out
}

// tick is the step by which a window slides over samples, ns.
const tick = int64(rule.Tick)
