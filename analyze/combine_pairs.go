package analyze

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"headroom/detect"
)

// pairLabel numbers the pairs of an interleaved comparison.
const pairLabel = "pair"

// baseWords name the arm that the other is compared with.
var baseWords = []string{"before", "control", "base", "baseline", "stock", "old", "a", "off"}

// cellPair is two cells that were run one after the other on one host: only
// their ratio may be quoted.
type cellPair struct {
	number        float64
	before, after *cell
}

// pairsOf finds interleaved pairs: cells with a pair number, of which each pair
// holds one of either of two arms. ok is false where the labels say otherwise.
func pairsOf(ms []*Measured) (label string, pairs []cellPair, ok bool) {
	var cells []*cell
	for _, m := range ms {
		cells = append(cells, cellsOf(m)...)
	}
	values := map[string]map[string]bool{}
	for _, c := range cells {
		if _, err := strconv.ParseFloat(c.labels[pairLabel], 64); err != nil {
			return "", nil, false
		}
		for k, v := range c.labels {
			if values[k] == nil {
				values[k] = map[string]bool{}
			}
			values[k][v] = true
		}
	}
	var arms []string
	for k, vs := range values {
		if k != pairLabel && !slices.Contains(repeatLabels, k) && len(vs) > 1 {
			label = k
			for v := range vs {
				arms = append(arms, v)
			}
		}
	}
	if len(arms) != 2 {
		return "", nil, false
	}
	base := baseArm(arms)
	by := map[float64]*cellPair{}
	for _, c := range cells {
		n, _ := strconv.ParseFloat(c.labels[pairLabel], 64)
		p := by[n]
		if p == nil {
			p = &cellPair{number: n}
			by[n] = p
		}
		side := &p.after
		if c.labels[label] == base {
			side = &p.before
		}
		if *side != nil {
			return "", nil, false
		}
		*side = c
	}
	for _, p := range by {
		if p.before == nil || p.after == nil {
			return "", nil, false
		}
		pairs = append(pairs, *p)
	}
	slices.SortFunc(pairs, func(a, b cellPair) int { return cmp.Compare(a.number, b.number) })
	return label, pairs, true
}

// baseArm chooses the arm to compare with: by its name, else the first in
// alphabetical order.
func baseArm(arms []string) string {
	slices.Sort(arms)
	for _, w := range baseWords {
		for _, a := range arms {
			if strings.EqualFold(a, w) {
				return a
			}
		}
	}
	return arms[0]
}

// pairs writes the comparison of an interleaved set.
func (d *document) pairs(label string, pairs []cellPair) {
	base, other := pairs[0].before.labels[label], pairs[0].after.labels[label]
	conf := Configuration{Name: other + " against " + base, Key: pairLabel, Of: len(pairs)}
	var required []Outcome
	var logs []float64
	for _, p := range pairs {
		conf.Runs = append(conf.Runs, p.before.m.Result.Run.ID, p.after.m.Result.Run.ID)
		for _, c := range []*cell{p.before, p.after} {
			o, _ := d.judge(c, d.required("failed"))
			required = append(required, o)
		}
		if ratio, ok := d.pairQuantities(p); ok {
			logs = append(logs, math.Log(ratio))
		}
	}
	conf.Outcome = Worst(required...)
	if len(logs) < len(pairs) && conf.Outcome == Pass {
		conf.Outcome = Unknown
	}
	conf.Passed = len(logs)
	conf.Text = d.pairAnswer(base, other, logs, len(pairs))
	d.Tables = append(d.Tables, d.pairTable(label, pairs))
	d.Figures = append(d.Figures, d.pairsFigure(label, pairs))
	d.decide(conf)
}

// pairQuantities adds the ratio of throughputs and the change of the median of
// one pair.
func (d *document) pairQuantities(p cellPair) (ratio float64, ok bool) {
	scope := detect.Scope{Configuration: fmt.Sprintf("pair %g", p.number)}
	from := From{Tables: []string{"samples"}, Method: "within-pair@1"}
	give := func(id string, v float64, unit string) {
		q := quantity(id, scope, v, unit, -1, from)
		q.Bound = ComparisonOnly
		d.Quantities = append(d.Quantities, q)
	}
	b, okB := p.before.value("throughput")
	a, okA := p.after.value("throughput")
	if okA && okB && b > 0 && a > 0 {
		ratio, ok = a/b, true
		give("pair.ratio", ratio, "1")
	}
	pb, okB := p.before.value("latency.p50")
	pa, okA := p.after.value("latency.p50")
	if okA && okB {
		give("pair.p50_change", pa-pb, "s")
	}
	return ratio, ok
}

// pairAnswer sums the pairs up. Fewer than six cannot reach significance, so
// none is claimed.
func (d *document) pairAnswer(base, other string, logs []float64, n int) string {
	if len(logs) == 0 {
		d.say("sustained", "no ratio", "no pair has both throughputs")
		return "no ratio"
	}
	sum, up := 0.0, 0
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range logs {
		sum += l
		low, high = min(low, l), max(high, l)
		if l > 0 {
			up++
		}
	}
	geo := math.Exp(sum / float64(len(logs)))
	q := quantity("pairs.ratio", detect.Scope{}, geo, "1", int64(len(logs)), From{Tables: []string{"samples"}, Method: "geometric-mean-of-pairs@1"})
	q.Bound = ComparisonOnly
	least := quantity("pairs.least_attainable_p", detect.Scope{}, LeastAttainableP(n), "1", int64(n), From{Method: "sign-flip@1"})
	d.Quantities = append(d.Quantities, q, least)
	direction := fmt.Sprintf("up in %d of %d pairs", up, len(logs))
	if up == 0 {
		direction = "down in " + every(len(logs))
	} else if up == len(logs) {
		direction = "up in " + every(len(logs))
	}
	text := fmt.Sprintf("throughput of %s over %s, geometric mean of %s (× %s to × %s), %s; only ratios within a pair may be quoted",
		other, base, countText(len(logs), "pair"), Display(math.Exp(low), "1"), Display(math.Exp(high), "1"), direction)
	if n < fewestPairs {
		text += fmt.Sprintf("; %s cannot show significance (least p %s)", countText(n, "pair"), Display(LeastAttainableP(n), "1"))
	}
	d.say("sustained", "× "+Display(geo, "1"), "%s", text)
	return "× " + Display(geo, "1") + ", " + direction
}

// pairTable lists the pairs in the order they were run.
func (d *document) pairTable(label string, pairs []cellPair) Table {
	t := Table{ID: "pairs", Title: "Interleaved pairs"}
	t.Columns = append([]Column{right("pair"), left(label), right("throughput"), right("p50"), right("p99"), right("ratio within the pair")}, d.conditionColumns()...)
	for _, p := range pairs {
		cells := []*cell{p.before, p.after}
		slices.SortFunc(cells, func(a, b *cell) int { return cmp.Compare(a.m.Result.Run.Start, b.m.Result.Run.Start) })
		for _, c := range cells {
			ratio := text("")
			if c == p.after {
				for i := range d.Quantities {
					if q := &d.Quantities[i]; q.ID == "pair.ratio" && q.Scope.Configuration == fmt.Sprintf("pair %g", p.number) {
						ratio = Cell{Text: "× " + q.Display, ID: q.ID, In: &q.Scope}
					}
				}
			}
			row := Row{Cells: []Cell{text(fmt.Sprintf("%g", p.number)), text(c.labels[label]), c.show("throughput"), c.show("latency.p50"), c.show("latency.p99"), ratio}}
			row.Cells = append(row.Cells, d.conditionCells(c)...)
			t.Rows = append(t.Rows, row)
		}
	}
	t.Notes = append(t.Notes, "In the order they were run. The host may have changed between pairs; within a pair it is the same.")
	return t
}

// every writes that something holds of all of n pairs.
func every(n int) string {
	if n == 2 {
		return "both pairs"
	}
	return fmt.Sprintf("all %d pairs", n)
}
