package analyze

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"headroom/detect"
	"headroom/stat"
)

// armLabel names what a run is in a comparison of a treatment with a control.
const armLabel = "arm"

// treatsLabel names the cause that the treatment takes away: only such a treatment
// can show that a freeze was, or was not, that cause's.
const treatsLabel = "treats"

// arm is one side of a comparison: its runs, the failed ones included. To leave
// out those that failed would hide what the treatment is about.
type arm struct {
	name  string
	group *group
}

// arms finds the arms among the configurations: several, told apart by the label
// arm, of which one is named as a control is (control, baseline, stock, …).
// Without such a name nobody can say which is compared with which.
func (d *document) arms() (control *arm, treatments []*arm) {
	seen := map[string]bool{}
	var all []*arm
	for i := range d.groups {
		name := d.groups[i].labels[armLabel]
		if name == "" || seen[name] {
			return nil, nil
		}
		seen[name] = true
		all = append(all, &arm{name, &d.groups[i]})
	}
	for _, w := range baseWords {
		for i, a := range all {
			if strings.EqualFold(a.name, w) && len(all) > 1 {
				return a, slices.Delete(all, i, i+1)
			}
		}
	}
	return nil, nil
}

// armNames are the arms that groups are told apart by, in their order; nil where
// one group is of no arm, or all are of one.
func armNames(groups []group) (names []string) {
	for i := range groups {
		name := groups[i].labels[armLabel]
		if name == "" {
			return nil
		}
		names = unique(append(names, name))
	}
	if len(names) < 2 {
		return nil
	}
	return names
}

// values are what the cells of an arm have of a quantity, in order of time. A cell
// without it leaves ok false: a sum without it would be too small.
func (a *arm) values(of func(c *cell) (float64, bool)) (vs []float64, ok bool) {
	ok = len(a.group.cells) > 0
	for _, c := range a.group.cells {
		v, has := of(c)
		if !has {
			ok = false
			continue
		}
		vs = append(vs, v)
	}
	return vs, ok
}

// outcome is one thing that arms are compared by.
type armMeasure struct {
	id, title, unit string
	how             string // "total", "max" or "median" over the repeats
	of              func(c *cell) (float64, bool)
	margin          float64 // within which two arms count as equal; 0: not asked
}

// ofCell reads a quantity of the load; ofRun one of what was recorded beside it.
func ofCell(id string) func(c *cell) (float64, bool) {
	return func(c *cell) (float64, bool) { return c.value(id) }
}

func ofRun(id string) func(c *cell) (float64, bool) {
	return func(c *cell) (float64, bool) { return c.m.Result.value(id, detect.Scope{}) }
}

// armMeasures are in the order of the table. Counts stand before times: a busy
// host cannot change them.
var armMeasures = []armMeasure{
	{"freeze.seconds", "freeze-seconds", "s", "total", frozenSecondsOf, 0},
	{"dropped", "dropped", "1", "total", ofCell("dropped"), 0},
	{"failed", "failed", "1", "total", ofCell("failed"), 0},
	{"vacuum.pages_dirtied_max", "pages dirtied by a vacuum, most", "pages", "max", ofRun("vacuum.pages_dirtied_max"), 0},
	{"latency.max", "worst request", "s", "max", ofCell("latency.max"), 0},
	{"windows.worst_second_p99", "worst 1-s p99", "s", "max", ofCell("windows.worst_second_p99"), 0},
	{"windows.worst_p99", "worst 10-s p99", "s", "max", ofCell("windows.worst_p99"), 0},
	{"throughput", "throughput, median", "events/s", "median", ofCell("throughput"), 0.05},
	{"latency.p50", "p50, median of all repeats", "s", "median", ofCell("latency.p50"), 0.05},
	{"latency.p99", "p99, median of all repeats", "s", "median", ofCell("latency.p99"), 0.10},
}

// frozenBy counts the freeze-seconds of a cell that fall into a freeze which is
// put down to the cause, with whatever strength.
func frozenBy(cause string) func(c *cell) (float64, bool) {
	return func(c *cell) (float64, bool) {
		q := c.quantity("freeze.seconds")
		if q == nil || q.Value == nil {
			return 0, false
		}
		at, _ := q.From.Params["at"].([]int64)
		w, n := c.window(), 0.0
		for _, k := range at {
			second := detect.Span{Start: w.Start + k*1e9, End: w.Start + (k+1)*1e9}
			if slices.ContainsFunc(c.m.Result.Findings, func(f detect.Finding) bool {
				return f.Detector == "freeze" && f.Scope.Scenario == c.scope.Scenario && f.Attribution != nil &&
					f.Attribution.Cause == cause && overlaps(f, second)
			}) {
				n++
			}
		}
		return n, true
	}
}

func overlaps(f detect.Finding, s detect.Span) bool {
	start, err1 := time.Parse(time.RFC3339Nano, f.Start)
	end, err2 := time.Parse(time.RFC3339Nano, f.End)
	return err1 == nil && err2 == nil && start.UnixNano() < s.End && end.UnixNano() >= s.Start
}

// causesOf names the causes that freezes of the arms are put down to.
func causesOf(arms []*arm) []string {
	var out []string
	for _, a := range arms {
		for _, c := range a.group.cells {
			for _, f := range c.m.Result.Findings {
				if f.Detector == "freeze" && f.Attribution != nil && f.Attribution.Cause != "" {
					out = append(out, f.Attribution.Cause)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sumUp brings the repeats of an arm together.
func sumUp(how string, vs []float64) float64 {
	switch how {
	case "total":
		sum := 0.0
		for _, v := range vs {
			sum += v
		}
		return sum
	case "max":
		return slices.Max(vs)
	}
	return medianOf(vs)
}

// armQuantity gives one measure of one arm over all its repeats.
func (a *arm) armQuantity(x *armMeasure) Quantity {
	vs, ok := a.values(x.of)
	from := From{Tables: []string{"samples"}, Method: "arm-" + x.how + "@1", Params: map[string]any{"over": "all repeats, failed ones included"}}
	q := quantity("arms."+x.id+"."+x.how, a.group.scope(), 0, x.unit, int64(len(vs)), from)
	switch {
	case len(vs) == 0:
		return withhold(q, "no repeat has it")
	case !ok && x.how == "total":
		return withhold(q, fmt.Sprintf("%d of %d repeats lack it", len(a.group.cells)-len(vs), len(a.group.cells)))
	}
	q = quantity(q.ID, q.Scope, sumUp(x.how, vs), x.unit, int64(len(vs)), from)
	if !ok {
		q.Warnings = append(q.Warnings, fmt.Sprintf("of %d of %d repeats", len(vs), len(a.group.cells)))
	}
	return q
}

// armTest says what the repeats of two arms show of a difference: by ranks, as
// benchstat does, and whether they are shown equal.
type armTest struct {
	ranks *stat.RankSum
	least float64 // p that so many repeats can reach at best
	equal *stat.Equivalence
}

func compareArms(x *armMeasure, control, treatment []float64) armTest {
	var t armTest
	if len(control) == 0 || len(treatment) == 0 {
		return t
	}
	if r, err := stat.CompareRanks(control, treatment); err == nil {
		t.ranks = &r
	}
	t.least = leastRankP(len(control), len(treatment))
	if x.margin > 0 {
		if e, err := stat.TestEquivalence(control, treatment, x.margin, 0.05); err == nil {
			t.equal = &e
		}
	}
	return t
}

// leastRankP is the least two-sided p of a rank sum test of n against m: all of
// one side above the other, 2 / (n+m over n).
func leastRankP(n, m int) float64 {
	ways := 1.0
	for i := 1; i <= n; i++ {
		ways *= float64(m+i) / float64(i)
	}
	return math.Min(1, 2/ways)
}

// significance is the level at which arms are said to differ.
const significance = 0.05

// words says what a test shows, and never more.
func (t armTest) words(margin float64) string {
	switch {
	case t.ranks == nil:
		return "not compared"
	case t.equal != nil && t.equal.Shown:
		return fmt.Sprintf("equal within %s (90 %% interval of the ratio × %s to × %s)", Percent(margin), Display(t.equal.Interval.Lo, "1"), Display(t.equal.Interval.Hi, "1"))
	case t.least > significance:
		return fmt.Sprintf("too few repeats to tell (least p %s)", Display(t.least, "1"))
	case t.ranks.P <= significance:
		return "differs, p " + Display(t.ranks.P, "1")
	case t.equal != nil:
		return fmt.Sprintf("not shown to differ (p %s), not shown equal (× %s to × %s)", Display(t.ranks.P, "1"), Display(t.equal.Interval.Lo, "1"), Display(t.equal.Interval.Hi, "1"))
	}
	return "not shown to differ, p " + Display(t.ranks.P, "1")
}

// byStart orders arms as they were first run.
func byStart(a, b *arm) int {
	return cmp.Compare(a.group.cells[0].m.Result.Run.Start, b.group.cells[0].m.Result.Run.Start)
}
