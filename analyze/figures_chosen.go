package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"headroom/detect"
)

// turn is where a configuration turned: indexes of its steps, -1 for none.
type turn struct{ sustained, knee int }

// turning finds where a configuration turned, by the rule of its protocol.
func (d *document) turning(cells [][]*cell) turn {
	t := turn{-1, -1}
	if len(cells) == 0 { // a configuration of counts has no step
		return t
	}
	if known, ok := d.turned[cells[0][0]]; ok {
		return known
	}
	switch d.Protocol {
	case "sweep":
		var steps []SweepStep
		for _, cs := range cells {
			steps = append(steps, stepOf(cs))
		}
		s := FindKnee(steps, inSeconds(d.protocol.P99Limit))
		t.sustained, t.knee = s.Sustained, s.Knee
	case "ladder":
		for i, cs := range cells {
			if Worst(rungOutcomes(d, cs)...) != Pass {
				t.knee = i
				break
			}
			t.sustained = i
		}
	}
	return t
}

// spoken returns the cells that the answer speaks of, first those first: what was
// sustained, the knee, one step past it, or the last step where there is no knee.
func (d *document) spoken() (out []*cell) {
	roles := make([][]*cell, 3)
	for i := range d.groups {
		cells := d.groups[i].steps()
		t := d.turning(cells)
		if t.sustained < 0 && t.knee < 0 {
			continue
		}
		past := t.knee + 1
		if t.knee < 0 {
			past = len(cells) - 1
		}
		for role, k := range []int{t.sustained, t.knee, past} {
			if k >= 0 && k < len(cells) {
				roles[role] = append(roles[role], cells[k][0])
			}
		}
	}
	return slices.Concat(roles...)
}

// maxTimelines bounds the page: a timeline is some tens of kilobytes.
const maxTimelines = 16

// byNeed orders the runs by what a reader needs to see of them: those that failed
// and decide, those that the answer speaks of, others that failed, those with
// serious findings or warnings, then the quiet ones, each in their order.
func (d *document) byNeed() []*Measured {
	spoken := map[*Measured]bool{}
	var answer []*Measured
	for _, c := range d.spoken() {
		spoken[c.m] = true
		answer = append(answer, c.m)
	}
	ranks := make([][]*Measured, 4)
	for _, m := range d.runs {
		r := m.need()
		if r == 0 && (spoken[m] || !d.decidedBy(m)) {
			r = 1 // a step past the knee fails no document, nor does what decides nothing
		}
		ranks[r] = append(ranks[r], m)
	}
	return slices.Concat(ranks[0], answer, ranks[1], ranks[2], ranks[3])
}

// need ranks a run by itself: 0 where a gate failed that its protocol requires, 1
// where another did, 2 where something was found, 3 where nothing was.
func (m *Measured) need() int {
	rank := 3
	for _, v := range m.Result.Verdicts {
		switch {
		case v.Outcome == Fail && v.Required && v.Waived == "":
			return 0
		case v.Outcome == Fail:
			rank = 1
		}
	}
	if rank == 3 && slices.ContainsFunc(m.Result.Findings, func(f Finding) bool { return f.Severity != detect.Info }) {
		return 2
	}
	return rank
}

// decidedBy reports whether a run is of a configuration that decides and did not pass,
// or of none.
func (d *document) decidedBy(m *Measured) bool {
	in := false
	for _, c := range d.Configurations {
		if slices.Contains(c.Runs, m.Result.Run.ID) {
			if !c.Aside && c.Outcome != Pass {
				return true
			}
			in = true
		}
	}
	return !in
}

// timelines draws what happened in each run, second by second, in the order of
// [document.byNeed].
func (d *document) timelines() {
	order := d.byNeed()
	ids, n := map[*Measured]int{}, 0
	for _, m := range d.runs {
		ids[m] = n
		n += len(m.timelines)
	}
	drawn, done := 0, map[*Measured]bool{}
	for _, m := range order {
		if done[m] {
			continue
		}
		done[m] = true
		for i, f := range m.timelines {
			if drawn == maxTimelines {
				d.Warnings = append(d.Warnings, fmt.Sprintf("%d of %d timelines are drawn", drawn, n))
				return
			}
			drawn++
			f.ID = fmt.Sprintf("timeline-%d", ids[m]+i+1)
			if len(d.runs) == 1 {
				f.Title = ofOnlyRun(f.Title, m.Result.Run.ID)
			}
			d.Figures = append(d.Figures, f)
		}
	}
}

// ofOnlyRun takes the ID of the only run from a title: it tells it from no other.
func ofOnlyRun(title, id string) string {
	rest, ok := strings.CutPrefix(title, id)
	if rest = strings.TrimLeft(rest, ",: "); !ok || rest == "" {
		return title
	}
	return strings.ToUpper(rest[:1]) + rest[1:]
}

// maxCurves is how many latency distributions one figure holds: as many as there
// are colours that tell lines apart.
const maxCurves = 6

// candidate is a distribution that may be drawn. The lowest rank is drawn first.
type candidate struct {
	name       string
	rank, near int
	curve      curve
}

// distributions draws latency distributions: where there are more than a figure
// can hold, always those of what was sustained, of the knee, of the lowest and the
// highest setting, then those nearest to the knee.
func (d *document) distributions() {
	all := d.candidates()
	if len(all) == 0 {
		return
	}
	byRank := slices.Clone(all)
	slices.SortStableFunc(byRank, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.near, b.near))
	})
	chosen := map[string]bool{}
	for _, c := range byRank[:min(len(byRank), maxCurves)] {
		chosen[c.name] = true
	}
	f := Figure{
		ID: "distribution", Kind: "distribution", Title: "Latency distribution of ok requests",
		X: Axis{Label: "percentile", Unit: "1", Scale: "percentile"}, Y: []Axis{{Label: "latency", Unit: "s", Scale: "log"}},
		Panels: []Panel{{}},
	}
	var left []string
	for _, c := range all {
		if !chosen[c.name] {
			left = append(left, c.name)
			continue
		}
		f.Panels[0].Series = append(f.Panels[0].Series, Series{Name: c.name, Mark: "line", Role: "other", X: c.curve.q, Y: c.curve.seconds})
	}
	if n := len(left); n > maxCurves {
		f.Notes = append(f.Notes, fmt.Sprintf("%d of %d distributions; %d are left out.", len(all)-n, len(all), n))
	} else if n > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%d of %d distributions; left out: %s.", len(all)-n, len(all), strings.Join(left, ", ")))
	}
	f.Notes = append(f.Notes, "Exact values of single requests; the axis stretches toward the tail.")
	f.Alt = fmt.Sprintf("Latency by percentile for %s.", CountOf(int64(len(f.Panels[0].Series)), "measurement"))
	d.Figures = append(d.Figures, f)
}

// candidates returns the distributions of the document in its order, each with a
// name of its own.
func (d *document) candidates() (out []candidate) {
	times := map[string]int{}
	for i := range d.groups {
		g := &d.groups[i]
		cells := g.steps()
		t := d.turning(cells)
		for k, cs := range cells {
			for n, c := range cs {
				curve := c.m.curves[c.scope]
				if len(curve.q) < 2 {
					continue
				}
				x := candidate{name: d.cellName(g, c, len(cs) > 1), rank: 5 + n, near: max(t.knee-k, k-t.knee), curve: curve}
				if n == 0 {
					x.rank = rankOf(k, len(cells), t)
				}
				if times[x.name]++; times[x.name] > 1 {
					x.name = fmt.Sprintf("%s (%d)", x.name, times[x.name])
				}
				out = append(out, x)
			}
		}
	}
	return out
}

// rankOf ranks step k of n: what was sustained, the knee, the ends, the rest.
func rankOf(k, n int, t turn) int {
	switch k {
	case t.sustained:
		return 0
	case t.knee:
		return 1
	case 0:
		return 2
	case n - 1:
		return 3
	}
	return 4
}

// cellName tells a cell from the others of the document; again says that its
// setting was measured more than once.
func (d *document) cellName(g *group, c *cell, again bool) string {
	name := c.name()
	for _, l := range repeatLabels {
		if v := c.labels[l]; v != "" {
			name = l + " " + v
			break
		}
	}
	switch {
	case g.key != "" && again:
		name = g.key + " " + c.labels[g.key] + ", " + name
	case g.key != "":
		name = g.key + " " + c.labels[g.key]
	}
	if len(d.groups) > 1 && g.name != "" {
		return g.name + ", " + name
	}
	if len(d.runs) == 1 && len(g.cells) == 1 {
		return c.scope.Scenario
	}
	return name
}
