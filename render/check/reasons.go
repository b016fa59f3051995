package check

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"headroom/analyze"
)

// Reasons says why a document is another now: what became of its runs, by which
// other rules it is held against, and its verdict. What the runs were withdrawn for
// stands first. was is the document, now what it must be; nothing that differs in
// the pages alone is among the reasons.
func Reasons(was, now *analyze.Capacity) (list []string) {
	had, has := runsOf(was), runsOf(now)
	for _, r := range now.Results {
		if old, ok := had[r.Run.Digest]; ok && r.Run.Withdrawn != "" && old.Run.Withdrawn == "" {
			list = append(list, fmt.Sprintf("run %s was withdrawn: %s", r.Run.ID, strings.TrimSuffix(r.Run.Withdrawn, ".")))
		}
	}
	for _, r := range was.Results {
		if has[r.Run.Digest] == nil {
			list = append(list, fmt.Sprintf("run %s, of which the document was made, is not among the runs it is held against", r.Run.ID))
		}
	}
	for _, r := range now.Results {
		if had[r.Run.Digest] == nil {
			list = append(list, fmt.Sprintf("run %s is none of those that the document was made of", r.Run.ID))
		}
	}
	rules := map[string]bool{}
	for _, of := range []map[string]any{was.Rules, now.Rules} {
		for name := range of {
			rules[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		if old, new := was.Rules[name], now.Rules[name]; !reflect.DeepEqual(old, new) {
			list = append(list, fmt.Sprintf("the document was made with %s, and is held against %s", ruleText(name, old), ruleText(name, new)))
		}
	}
	if was.Outcome != now.Outcome {
		list = append(list, fmt.Sprintf("the verdict is %s, and was %s", now.Outcome, was.Outcome))
	}
	return list
}

func runsOf(c *analyze.Capacity) map[string]*analyze.Result {
	out := map[string]*analyze.Result{}
	for i := range c.Results {
		out[c.Results[i].Run.Digest] = &c.Results[i]
	}
	return out
}

// ruleText writes a rule, by its name in capacity.json; one that nobody gave stands
// for its default.
func ruleText(name string, v any) string {
	name, ns := strings.CutSuffix(name, "_ns")
	words := strings.ReplaceAll(name, "_", " ") + " "
	switch n, number := v.(float64); {
	case v == nil, v == 0.0, v == "":
		return words + "as by default"
	case number && ns:
		return words + time.Duration(n).String()
	}
	return words + fmt.Sprint(v)
}
