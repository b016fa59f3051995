package analyze

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"headroom/detect"
	"headroom/stat"
)

// BenchAlpha is the p value up to which a difference between two benchmarks
// counts as one, as in benchstat.
const BenchAlpha = 0.05

// BenchChange compares the repeats of one measure of a benchmark with those of
// its base by the rules of benchstat: medians, and the Mann-Whitney U test.
type BenchChange struct {
	Base, New float64 // medians
	N         [2]int  // repeats
	P         float64
}

// CompareRepeats compares repeats, which must be finite.
func CompareRepeats(base, repeats []float64) (BenchChange, error) {
	r, err := stat.CompareRanks(base, repeats)
	if err != nil {
		return BenchChange{}, err
	}
	return BenchChange{Base: medianOf(base), New: medianOf(repeats), N: r.N, P: r.P}, nil
}

// Significant reports whether chance alone seldom gives such a difference.
func (c BenchChange) Significant() bool { return c.P <= BenchAlpha }

// Change writes the difference of the medians, "~" if there is none to speak of.
func (c BenchChange) Change() string {
	switch {
	case !c.Significant():
		return "~"
	case c.Base == c.New:
		return "0.00%"
	case c.Base == 0:
		return "?"
	}
	return fmt.Sprintf("%+.2f%%", (c.New/c.Base-1)*100)
}

// Test writes what the difference rests on: "p=0.000 n=10".
func (c BenchChange) Test() string {
	if c.N[0] == c.N[1] {
		return fmt.Sprintf("p=%0.3f n=%d", c.P, c.N[0])
	}
	return fmt.Sprintf("p=%0.3f n=%d+%d", c.P, c.N[0], c.N[1])
}

// Spread writes how far the interval of a median reaches from it, in per cent of
// it, as benchstat does: "∞" if it is not bounded.
func Spread(center float64, lo, hi *float64) string {
	switch {
	case lo == nil || hi == nil:
		return "∞"
	case sign(center) != sign(*lo) || sign(center) != sign(*hi):
		return "?"
	case center == 0:
		return "0%"
	}
	return fmt.Sprintf("%.0f%%", 100*math.Max(*hi/center-1, 1-*lo/center))
}

// spread is Spread of a quantity, "" if it has no value.
func spread(q *Quantity) string {
	if q == nil || q.Value == nil || len(q.Interval) != 2 {
		return ""
	}
	return Spread(*q.Value, q.Interval[0], q.Interval[1])
}

// GeoMeanOfChanges is benchstat's last row: the geometric mean of the ratios of
// medians. ok is false where a base is zero, or a ratio is not positive.
func GeoMeanOfChanges(changes []BenchChange) (ratio float64, ok bool) {
	var ratios []float64
	for _, c := range changes {
		switch {
		case c.New == c.Base:
			ratios = append(ratios, 1) // 0/0 too
		case c.Base == 0:
			return 0, false
		default:
			ratios = append(ratios, c.New/c.Base)
		}
	}
	g, err := stat.GeoMean(ratios)
	return g, err == nil
}

// compareBenchmarks compares every run of benchmarks with the base, benchmark by
// benchmark: the run of the arm that is named as a base, else the first.
func (d *document) compareBenchmarks(ms []*Measured) {
	if len(ms) < 2 {
		return
	}
	base := baseRun(ms)
	for _, m := range ms {
		if m == base {
			continue
		}
		for _, u := range benchUnits {
			d.compareMeasure(base, m, u.unit, u.id, u.si)
		}
	}
}

// baseRun chooses the run to compare with by the label that tells the runs apart.
func baseRun(ms []*Measured) *Measured {
	for _, k := range slices.Sorted(maps.Keys(ms[0].manifest.Labels)) {
		if slices.Contains(repeatLabels, k) {
			continue
		}
		values := []string{ms[0].manifest.Labels[k]}
		for _, m := range ms[1:] {
			values = append(values, m.manifest.Labels[k])
		}
		slices.Sort(values)
		if values = slices.Compact(values); len(values) != len(ms) {
			continue
		}
		base := baseArm(values)
		for _, m := range ms {
			if m.manifest.Labels[k] == base && slices.Contains(baseWords, strings.ToLower(base)) {
				return m
			}
		}
	}
	return ms[0]
}

// compareMeasure adds a table of one measure, with the change of each benchmark
// that both runs hold, and of all together.
func (d *document) compareMeasure(base, m *Measured, unit, id, si string) {
	scope := detect.Scope{Configuration: m.name() + " against " + base.name()}
	t := Table{ID: fmt.Sprintf("bench-changes-%d", d.count("bench-changes")+1), Title: fmt.Sprintf("%s of %s against %s", unit, m.name(), base.name()),
		Columns: []Column{left("benchmark"), right(base.name()), right("±"), right(m.name()), right("±"), right("change"), left("test")}}
	var changes []BenchChange
	alone := 0
	for _, b := range m.benchmarks {
		old := benchNamed(base.benchmarks, b.label)
		if old == nil || len(old.values[unit]) == 0 || len(b.values[unit]) == 0 {
			alone++
			continue
		}
		c, err := CompareRepeats(old.values[unit], b.values[unit])
		if err != nil {
			alone++
			continue
		}
		changes = append(changes, c)
		s := scope
		s.Op = b.label
		q := quantity(id+".change", s, c.New/c.Base-1, "1", int64(c.N[0]+c.N[1]), From{Tables: []string{"benchmarks"}, Method: "mann-whitney@1", Params: map[string]any{"p": c.P, "alpha": BenchAlpha}})
		if q.Value != nil {
			q.Display = c.Change()
			d.Quantities = append(d.Quantities, q)
		}
		before, after := base.Result.Quantity(id, old.scope()), m.Result.Quantity(id, b.scope())
		t.Rows = append(t.Rows, Row{Cells: []Cell{text(b.label), showQuantity(before, base.Result.Run.ID), text(spread(before)),
			showQuantity(after, m.Result.Run.ID), text(spread(after)), {Text: c.Change(), ID: q.ID, In: &s}, text(c.Test())}})
	}
	if len(changes) == 0 {
		return
	}
	if ratio, ok := GeoMeanOfChanges(changes); ok && len(changes) > 1 {
		q := quantity(id+".geomean_change", scope, ratio-1, "1", int64(len(changes)), From{Tables: []string{"benchmarks"}, Method: "geometric-mean-of-ratios@1"})
		q.Display = fmt.Sprintf("%+.2f%%", (ratio-1)*100)
		d.Quantities = append(d.Quantities, q)
		t.Rows = append(t.Rows, Row{Cells: []Cell{text("geometric mean"), text(""), text(""), text(""), text(""), {Text: q.Display, ID: q.ID, In: &scope}, text("")}})
	}
	t.Notes = append(t.Notes, fmt.Sprintf("Medians by operation with the interval that covers 95 %% of them; a change is written where the Mann-Whitney U test gives p ≤ %g, else ~, by the rules of benchstat.", BenchAlpha))
	if n := stat.MinRankSum(BenchAlpha); slices.ContainsFunc(changes, func(c BenchChange) bool { return min(c.N[0], c.N[1]) < n }) {
		t.Notes = append(t.Notes, fmt.Sprintf("Fewer than %d repeats a side cannot show a change.", n))
	}
	if alone > 0 {
		t.Notes = append(t.Notes, countText(alone, "benchmark")+" of one run are not in the other: the geometric means are of what both hold.")
	}
	d.Tables = append(d.Tables, t)
}

// count is how many tables of a kind there are: "stages", "stages-2".
func (d *document) count(kind string) int {
	n := 0
	for _, t := range d.Tables {
		if t.ID == kind || strings.HasPrefix(t.ID, kind+"-") {
			n++
		}
	}
	return n
}
