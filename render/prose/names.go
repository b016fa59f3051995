package prose

import (
	"fmt"
	"slices"
	"strings"

	"headroom/internal/near"
)

// name is what an author calls a quantity or a verdict: an ID and selectors.
type name struct {
	id        string
	selectors []selector
	beside    string // operand of beside=, "" if none
}

// selector narrows a name: a part of the scope, or a label of the run or step.
type selector struct{ key, value string }

// parts of a scope, in the order that choices are listed.
var parts = [7]string{"configuration", "run", "scenario", "step", "op", "source", "entity"}

// parseName reads "latency.p99 step=concurrency=64 scenario='read list'" and
// further arguments, each one selector.
func parseName(first string, more ...string) (n name, err error) {
	fields, err := split(first)
	if err != nil {
		return n, err
	}
	if len(fields) == 0 {
		return n, fmt.Errorf("a name is missing")
	}
	n.id = fields[0]
	for _, f := range append(fields[1:], more...) {
		key, value, ok := strings.Cut(f, "=")
		if !ok || key == "" {
			return n, fmt.Errorf("%q is no selector; a selector is KEY=VALUE, like step=concurrency=64", f)
		}
		if key == "beside" {
			n.beside = value
			continue
		}
		n.selectors = append(n.selectors, selector{key, value})
	}
	return n, nil
}

// split cuts at blanks that are not between single quotes.
func split(s string) (fields []string, err error) {
	var field strings.Builder
	quoted, any := false, false
	for _, r := range s {
		switch {
		case r == '\'':
			quoted, any = !quoted, true
		case r == ' ' && !quoted:
			if any {
				fields = append(fields, field.String())
			}
			field.Reset()
			any = false
		default:
			field.WriteRune(r)
			any = true
		}
	}
	if quoted {
		return nil, fmt.Errorf("%q: a single quote is not closed", s)
	}
	if any {
		fields = append(fields, field.String())
	}
	return fields, nil
}

// entry is something that has a name.
type entry struct {
	id     string
	scope  [len(parts)]string // by parts
	labels map[string]string  // of its run, step or configuration
	at     int                // in the list that it is an entry of
}

// index finds entries by name.
type index struct {
	what    string // "quantity", "gate"
	entries []entry
	free    [len(parts)]bool // parts that go without saying: there is one run, one configuration
}

// get is a selector's key of an entry.
func (e entry) get(key string) (string, bool) {
	if i := slices.Index(parts[:], key); i >= 0 {
		return e.scope[i], e.scope[i] != ""
	}
	v, ok := e.labels[key]
	return v, ok
}

// find returns the one entry that a name means. Parts of the scope that the name
// does not say are taken as "all of it", where there is such an entry: the row of
// the whole run comes before those of its steps.
func (x index) find(n name) (entry, error) {
	var same, list []entry
	for _, e := range x.entries {
		if e.id != n.id {
			continue
		}
		same = append(same, e)
		if !slices.ContainsFunc(n.selectors, func(s selector) bool {
			v, ok := e.get(s.key)
			return !ok || v != s.value
		}) {
			list = append(list, e)
		}
	}
	switch {
	case len(same) == 0:
		return entry{}, fmt.Errorf("there is no %s %q%s", x.what, n.id, x.near(n.id))
	case len(list) == 0:
		return entry{}, fmt.Errorf("there is no %s %s with %s; there is %s", x.what, n.id, written(n.selectors), choices(same))
	}
	list = x.widest(list, n)
	if len(list) > 1 {
		return entry{}, fmt.Errorf("%s %s means %d things; say which: %s", x.what, n.id, len(list), choices(list))
	}
	return list[0], nil
}

// widest keeps the entries with the fewest parts of the scope that the name does
// not say; of equal scopes the first.
func (x index) widest(list []entry, n name) (out []entry) {
	least := len(parts) + 1
	for _, e := range list {
		unsaid := 0
		for i, part := range parts {
			said := slices.ContainsFunc(n.selectors, func(s selector) bool { return s.key == part })
			if e.scope[i] != "" && !x.free[i] && !said && !(part == "scenario" && e.scope[i] == "default") {
				unsaid++
			}
		}
		if unsaid < least {
			least, out = unsaid, nil
		}
		if unsaid == least && !slices.ContainsFunc(out, func(o entry) bool { return o.scope == e.scope }) {
			out = append(out, e)
		}
	}
	return out
}

func written(list []selector) string {
	var out []string
	for _, s := range list {
		out = append(out, s.key+"="+s.value)
	}
	return strings.Join(out, " ")
}

// maxChoices bounds what an error lists.
const maxChoices = 6

// choices lists the scopes of entries, by the parts in which they differ.
func choices(list []entry) string {
	var differ [len(parts)]bool
	for _, e := range list {
		for i := range parts {
			differ[i] = differ[i] || e.scope[i] != list[0].scope[i]
		}
	}
	var out []string
	for _, e := range list {
		var fields []string
		for i, part := range parts {
			if e.scope[i] != "" && (differ[i] || len(list) == 1) {
				fields = append(fields, part+"="+quoted(e.scope[i]))
			}
		}
		text := strings.Join(fields, " ")
		if text == "" {
			text = "the one of the whole"
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if n := len(out) - maxChoices; n > 0 {
		out = append(out[:maxChoices], fmt.Sprintf("%d more", n))
	}
	return strings.Join(out, "; ")
}

func quoted(s string) string {
	if strings.ContainsRune(s, ' ') {
		return "'" + s + "'"
	}
	return s
}

// near ends an error about an ID that does not exist.
func (x index) near(id string) string {
	var ids []string
	for _, e := range x.entries {
		ids = append(ids, e.id)
	}
	return near.DidYouMean(id, ids)
}
