package prose

import (
	"fmt"
	"slices"
	"strings"

	"headroom/analyze"
	"headroom/internal/near"
	"headroom/internal/thousands"
)

// Function is one function of the templates.
type Function struct {
	Name string // as the template calls it
	Args string // in words, for the manual
	Doc  string // what it prints, and when it is a problem
	// least and most arguments; most < 0 is any number
	least, most int
	// call returns the text to print.
	call func(b *binding, args []string) (string, error)
	// places says what of the document the call puts down, "" for plain text:
	// table, figure, section.
	places string
}

// Functions are what a template may call, in the order of the manual.
var Functions = []Function{
	{Name: "num", Args: `"ID" "KEY=VALUE"…`, Doc: "a quantity with its unit and the words of its bound; beside=NAME adds the digits that show on which side of NAME it is", least: 1, most: -1, call: num},
	{Name: "ratio", Args: `"NAME" "NAME"`, Doc: "how many times the second the first is, without a unit", least: 2, most: 2, call: ratio},
	{Name: "share", Args: `"NAME" ["NAME"]`, Doc: "a share as a percentage: of one quantity that is a share, or of the first in the second", least: 1, most: 2, call: share},
	{Name: "verdict", Args: `["GATE" "KEY=VALUE"…]`, Doc: "what a gate said, or without a name what the document's verdict is: pass, fail or unknown", least: 0, most: -1, call: verdict},
	{Name: "passed", Args: `["CONFIGURATION"]`, Doc: "how many repeats of how many passed: n/m", least: 0, most: 1, call: passed},
	{Name: "count", Args: `"WHAT" ["WHICH"]`, Doc: "how many there are: runs, configurations, steps, findings [of a detector], gates [of an outcome], warnings, caveats, tables, figures", least: 1, most: 2, call: count},
	{Name: "finding", Args: `"DETECTOR" "KEY=VALUE"…`, Doc: "a finding in words, with what it is put down to; number=N is the N-th of its detector", least: 1, most: -1, call: finding},
	{Name: "claim", Args: `"NAME" "OP" "NAME"`, Doc: "prints nothing, and fails unless the comparison holds: < ≤ > ≥ = ≠, or gate:GATE is OUTCOME", least: 3, most: 3, call: claim},
	{Name: "const", Args: `"NAME"`, Doc: "a constant that the study declares", least: 1, most: 1, call: func(b *binding, args []string) (string, error) { return b.constant(args[0]) }},
	{Name: "table", Args: `"ID"`, Doc: "a table of the document, on a line of its own; the name that several begin with (steps) places those of every configuration", least: 1, most: 1, places: "table"},
	{Name: "figure", Args: `"ID"`, Doc: "a plot of the document, on a line of its own; several by the name that they begin with, as tables", least: 1, most: 1, places: "figure"},
	{Name: "section", Args: `"NAME"`, Doc: "what a section of the page says, on a line of its own", least: 1, most: 1, places: "section"},
}

func functionNamed(name string) (Function, error) {
	var names []string
	for _, f := range Functions {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Function{}, fmt.Errorf("there is no function %q; there are %s", name, strings.Join(names, ", "))
}

func num(b *binding, args []string) (string, error) {
	n, err := parseName(args[0], args[1:]...)
	if err != nil {
		return "", err
	}
	q, err := b.quantityOf(n)
	if err != nil {
		return "", err
	}
	if q.Bound == analyze.ComparisonOnly {
		return "", fmt.Errorf("%s may only be compared with another of its set; quote it by ratio", n.id)
	}
	text := q.Display
	if n.beside != "" {
		if text, err = b.beside(q, n.beside); err != nil {
			return "", err
		}
	}
	return bounded(text, q.Bound), nil
}

func verdict(b *binding, args []string) (string, error) {
	if len(args) == 0 {
		return string(outcome(b.c.Outcome)), nil
	}
	n, err := parseName(args[0], args[1:]...)
	if err != nil {
		return "", err
	}
	e, err := b.gates.find(n)
	if err != nil {
		return "", err
	}
	return string(outcome(b.verdicts[e.at].Outcome)), nil
}

// outcome is one of the three outcomes; what is none of them is unknown.
func outcome(o analyze.Outcome) analyze.Outcome {
	if o == analyze.Pass || o == analyze.Fail {
		return o
	}
	return analyze.Unknown
}

func passed(b *binding, args []string) (string, error) {
	var names []string
	for _, k := range b.c.Configurations {
		names = append(names, k.Name)
		if len(args) == 1 && k.Name == args[0] || len(args) == 0 && len(b.c.Configurations) == 1 {
			return fmt.Sprintf("%d/%d", k.Passed, k.Of), nil
		}
	}
	switch {
	case len(names) == 0:
		return "", fmt.Errorf("the document has no configuration")
	case len(args) == 0:
		return "", fmt.Errorf("there are %d configurations; say which: %s", len(names), strings.Join(names[:min(len(names), maxChoices)], "; "))
	}
	return "", fmt.Errorf("there is no configuration %q%s", args[0], near.DidYouMean(args[0], names))
}

func count(b *binding, args []string) (string, error) {
	c, n, which := b.c, 0, ""
	if len(args) == 2 {
		which = args[1]
	}
	switch what := args[0]; {
	case what == "findings":
		for _, f := range c.Findings {
			if which == "" || f.Detector == which {
				n++
			}
		}
	case what == "gates":
		if which != "" && !slices.Contains([]analyze.Outcome{analyze.Pass, analyze.Fail, analyze.Unknown}, analyze.Outcome(which)) {
			return "", fmt.Errorf("%q is no outcome; there are pass, fail and unknown", which)
		}
		for _, v := range c.Verdicts {
			if which == "" || string(outcome(v.Outcome)) == which {
				n++
			}
		}
	case which != "":
		return "", fmt.Errorf("%s are not told apart by %q", what, which)
	default:
		lengths := map[string]int{"runs": len(c.Results), "configurations": len(c.Configurations), "warnings": len(c.Warnings),
			"caveats": len(c.Caveats), "tables": len(c.Tables), "figures": len(c.Figures), "steps": 0}
		for _, r := range c.Results {
			lengths["steps"] += len(r.Steps)
		}
		var ok bool
		if n, ok = lengths[what]; !ok {
			return "", fmt.Errorf("%q cannot be counted%s", what, near.DidYouMean(what, []string{"runs", "configurations", "steps", "findings", "gates", "warnings", "caveats", "tables", "figures"}))
		}
	}
	return thousands.Group(fmt.Sprint(n)), nil
}

// finding says the one finding that the arguments mean.
func finding(b *binding, args []string) (string, error) {
	n, err := parseName(args[0], args[1:]...)
	if err != nil {
		return "", err
	}
	var texts, detectors []string
	times := map[string]int{}
	for _, f := range b.c.Findings {
		detectors = append(detectors, f.Detector)
		times[f.Detector]++
		s := f.Scope
		e := entry{f.Detector, [len(parts)]string{s.Configuration, s.Run, s.Scenario, s.Step, s.Op, s.Source, s.Entity},
			map[string]string{"number": fmt.Sprint(times[f.Detector])}, 0}
		text := f.Message
		if a := f.Attribution; a != nil {
			e.labels["status"], e.labels["cause"] = a.Status, a.Cause
			text = strings.TrimSuffix(text, ".") + " (" + strings.ReplaceAll(a.Status, "_", " ")
			if a.Cause != "" {
				text += ": " + a.Cause
			}
			text += ")"
		}
		if f.Detector == n.id && !slices.ContainsFunc(n.selectors, func(s selector) bool {
			v, _ := e.get(s.key)
			return v != s.value
		}) {
			texts = append(texts, text)
		}
	}
	switch {
	case len(texts) == 1:
		return texts[0], nil
	case len(texts) > 1:
		return "", fmt.Errorf("%d findings of %s; say which: number=1 to number=%d, or status=…, cause=…, run=…", len(texts), n.id, times[n.id])
	case times[n.id] > 0:
		return "", fmt.Errorf("there is no finding of %s with %s", n.id, written(n.selectors))
	}
	return "", fmt.Errorf("there is no finding of %q%s", n.id, near.DidYouMean(n.id, detectors))
}
