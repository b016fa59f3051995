package analyze

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// lone are the protocols that describe each run by itself.
var lone = []string{"run", "ceiling", "denominator", "scenario", "bench", "counts"}

// grouped makes the groups of one configuration: one, whose steps are told apart
// by the label that varies; one for each scenario where its runs have several;
// and one for each run where each is described by itself. Every other label is
// the author's business.
func grouped(ms []*Measured, c StudyConfiguration) ([]group, error) {
	var cells []*cell
	for _, m := range loadsOf(ms) {
		cells = append(cells, cellsOf(m)...)
	}
	var groups []group
	alone := slices.Contains(lone, c.Protocol.Name)
	for _, cl := range cells {
		parts := []string{c.Name}
		if alone && len(ms) > 1 {
			parts = append(parts, runInside(c.Name, ms, cl.m))
		}
		if alone && cl.scope.Step != "" {
			parts = append(parts, idOf(cl.scope.Step))
		}
		if cl.m.loads() > 1 {
			parts = append(parts, idOf(cl.scope.Scenario))
		}
		name := strings.Join(parts, ".")
		i := slices.IndexFunc(groups, func(g group) bool { return g.name == name })
		if i < 0 {
			i = len(groups)
			groups = append(groups, group{name: name, labels: map[string]string{}})
		}
		groups[i].cells = append(groups[i].cells, cl)
	}
	for i := range groups {
		g := &groups[i]
		key, err := keyOf(g.cells, c)
		if err != nil {
			return nil, err
		}
		g.labels = shared(g.cells)
		var keys []string
		if key != "" {
			keys = []string{key}
		}
		if err := g.order(keys); err != nil {
			return nil, err
		}
	}
	return groups, nil
}

// runInside names a run within a configuration: by its id, without the
// configuration's own name where all of its runs begin so.
func runInside(configuration string, ms []*Measured, m *Measured) string {
	begin := idOf(configuration) + "-"
	for _, x := range ms {
		if rest, ok := strings.CutPrefix(idOf(x.Result.Run.ID), begin); !ok || rest == "" {
			return idOf(m.Result.Run.ID)
		}
	}
	return strings.TrimPrefix(idOf(m.Result.Run.ID), begin)
}

// idOf makes a part of an id of a name: what could be mistaken for the id's own
// dots and signs becomes a dash.
func idOf(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_':
			return r
		}
		return '-'
	}, name)
}

// shared returns the labels that all cells have in common.
func shared(cells []*cell) map[string]string {
	out := maps.Clone(cells[0].labels)
	for _, c := range cells[1:] {
		maps.DeleteFunc(out, func(k, v string) bool { return c.labels[k] != v })
	}
	return out
}

// keyOf returns the label whose number varies between the steps of a sweep or a
// ladder: the declared one, else the one that says how many are in flight, or how
// many are offered, else the only one that varies. A single step needs none.
func keyOf(cells []*cell, c StudyConfiguration) (string, error) {
	usual, curve := map[string][]string{"sweep": concurrencyLabels, "ladder": rateLabels}[c.Protocol.Name]
	if !curve {
		return "", nil
	}
	if c.Key != "" {
		for _, cl := range cells {
			if _, err := strconv.ParseFloat(cl.labels[c.Key], 64); err != nil {
				return "", fmt.Errorf("run %s has no number in its label %q, which is declared to vary", cl.m.Result.Run.ID, c.Key)
			}
		}
		return c.Key, nil
	}
	keys, _ := split(valuesOf(cells))
	for _, k := range usual {
		if slices.Contains(keys, k) {
			return k, nil
		}
	}
	if len(keys) > 1 {
		return "", fmt.Errorf("the labels %s all vary between its steps; say which is the knob of the curve with key", strings.Join(keys, ", "))
	}
	if len(keys) == 1 {
		return keys[0], nil
	}
	return "", nil
}

// valuesOf collects the values of each label over cells.
func valuesOf(cells []*cell) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, c := range cells {
		for k := range c.labels {
			out[k] = map[string]bool{}
		}
	}
	for _, c := range cells {
		for k := range out {
			out[k][c.labels[k]] = true
		}
	}
	return out
}

// residue says in which labels the runs of a configuration differ beside the one
// that is its key: what the grouping hides is said.
func (b *builder) residue(p *part) {
	for i := range p.groups {
		g := &p.groups[i]
		keys, words := split(valuesOf(g.cells))
		var differ []string
		for _, k := range append(keys, words...) {
			if k != g.key && k != "scenario" {
				differ = append(differ, k)
			}
		}
		if len(differ) > 0 {
			slices.Sort(differ)
			b.Warnings = append(b.Warnings, fmt.Sprintf("%s: its runs differ in %s as well, and are judged as one all the same", g.name, strings.Join(differ, ", ")))
		}
	}
}

// unwhole names the runs that are not whole.
func (b *builder) unwhole(p *part) {
	for _, m := range p.runs {
		if s := m.Result.Run.State; s != "sealed" {
			b.Warnings = append(b.Warnings, fmt.Sprintf("%s: run %s is %s", p.Name, m.Result.Run.ID, s))
		}
	}
}
