package analyze

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"headroom/detect"
	"headroom/runs"
	"headroom/stat"
)

// metricRemoved is how many rows one pass of a bounded clean-up removed; its entity
// says of what, where there is more than one kind.
const metricRemoved = "prune.removed"

// Numbers that say what bounds a clean-up; see claimBatches.
const (
	claimPruneLimit    = "prune.limit"            // rows that a pass may remove at most
	claimPruneInterval = "prune.interval"         // seconds from one pass to the next
	claimRowsArrive    = "prune.rows_per_request" // rows that a request of the load leaves to be removed
)

// pass is one pass of a clean-up.
type pass struct {
	t       int64 // ns
	removed float64
}

// passesMost bounds the passes that are kept.
const passesMost = 1 << 20

// readPasses reads what each pass of a clean-up removed, over the whole recording.
func (l *ledger) readPasses(ctx context.Context, run *runs.Run) error {
	l.passes = map[string][]pass{}
	n := 0
	err := run.ScanPoints(ctx, []string{metricRemoved}, runs.Range{}, func(p *runs.Point) error {
		if n++; n > passesMost {
			return fmt.Errorf("%s: more than %s passes", metricRemoved, Count(passesMost))
		}
		l.passes[p.Entity] = append(l.passes[p.Entity], pass{p.Nanos(), p.Value})
		return nil
	})
	for _, ps := range l.passes {
		slices.SortStableFunc(ps, func(a, b pass) int { return compare(a.t, b.t) })
	}
	return err
}

// upkeep is what is known of one clean-up: whether its passes keep up with what
// arrives.
type upkeep struct {
	entity   string
	passes   []pass
	prune    stat.Prune
	why      string // the passes cannot be judged
	limit    float64
	interval float64 // s; 0 if it is not known
	from     string  // where the interval is from
	missing  string  // where passes are missing in a declared window, "" if nowhere
}

// upkeeps judges every clean-up that passes were recorded of, by what it removes.
func (m *Measured) upkeeps() []upkeep {
	var out []upkeep
	for _, entity := range slices.Sorted(maps.Keys(m.ledger.passes)) {
		u := upkeep{entity: entity, passes: m.ledger.passes[entity]}
		u.interval, u.from = m.pruneInterval(u.passes)
		u.missing = u.missed(m.window)
		u.judge(m)
		out = append(out, u)
	}
	return out
}

// judge looks for the signature of a clean-up that does not keep up: passes that
// all remove exactly the most that they may (DETECTION 9.8).
func (u *upkeep) judge(m *Measured) {
	limit, ok := m.claimValue(claimPruneLimit)
	if !ok {
		u.why = "the most that a pass may remove was not declared (--claim " + claimPruneLimit + "=N)"
		return
	}
	u.limit = limit
	removed := make([]int64, len(u.passes))
	for i, p := range u.passes {
		removed[i] = int64(p.removed)
		if float64(removed[i]) != p.removed || math.Abs(p.removed) > 1<<53 {
			u.why = fmt.Sprintf("pass %d removed %g rows, which is no count", i+1, p.removed)
			return
		}
	}
	if limit != math.Trunc(limit) {
		u.why = fmt.Sprintf("a pass may remove %g rows, which is no count", limit)
		return
	}
	var err error
	if u.prune, err = stat.JudgePrune(removed, int64(limit), nil); err != nil {
		u.why = err.Error()
	}
}

// pruneInterval is the time between passes: as declared, else the median between
// the passes that were seen, of three or more.
func (m *Measured) pruneInterval(ps []pass) (seconds float64, from string) {
	if v, ok := m.claimValue(claimPruneInterval); ok {
		return v, "declared"
	}
	if len(ps) < 3 {
		return 0, ""
	}
	var gaps []float64
	for i := 1; i < len(ps); i++ {
		gaps = append(gaps, float64(ps[i].t-ps[i-1].t)/1e9)
	}
	return medianOf(gaps), "median between passes"
}

// missed says where a declared window is without a pass for two intervals or more:
// the log that they are from may have a hole, or have ended early.
func (u *upkeep) missed(w window) string {
	if !w.declared || u.interval <= 0 {
		return ""
	}
	last := w.Start
	for i := range len(u.passes) + 1 {
		t := w.End
		if i < len(u.passes) {
			t = min(max(u.passes[i].t, last), w.End)
		}
		if float64(t-last) >= 2*u.interval*1e9 {
			return fmt.Sprintf("no pass for %s from %s on, though there is one every %s", Display(float64(t-last)/1e9, "s"), detect.Instant(last), Display(u.interval, "s"))
		}
		last = t
	}
	return ""
}

func (u *upkeep) id(name string) string {
	if u.entity == "" {
		return "prune." + name
	}
	return "prune." + u.entity + "." + name
}

// pruneQuantities counts the passes, and says what they can remove at most.
func (m *Measured) pruneQuantities() []Quantity {
	var out []Quantity
	for _, u := range m.upkeeps() {
		out = append(out, u.quantities()...)
	}
	return out
}

func (u *upkeep) quantities() []Quantity {
	from := From{Tables: []string{"points", "run.json"}, Method: "passes@1"}
	n := int64(len(u.passes))
	removed := 0.0
	for _, p := range u.passes {
		removed += p.removed
	}
	if n > 0 {
		from.Window = []string{detect.Instant(u.passes[0].t), detect.Instant(u.passes[n-1].t)}
	}
	give := func(name string, v float64, unit string) Quantity {
		q := quantity(u.id(name), detect.Scope{}, v, unit, n, from)
		if u.missing != "" {
			q.Warnings = append(q.Warnings, u.missing)
		}
		return q
	}
	out := []Quantity{give("passes", float64(n), "1"), give("removed", removed, "1")}
	atLimit := give("passes_at_limit", float64(u.prune.AtCap), "1")
	if u.why != "" {
		return append(out, withhold(atLimit, u.why))
	}
	out = append(out, atLimit)
	if u.interval == 0 {
		return out
	}
	from.Params = map[string]any{"limit": u.limit, "interval": u.interval, "interval_from": u.from}
	bound := give("bound", u.limit/u.interval, "rows/s")
	bound.Bound = AtMost
	return append(out, bound)
}

// backlog is the series of rows that a clean-up leaves. why says what there is
// instead.
func (m *Measured) backlog() (s *ownSeries, why string) {
	return m.ledger.series("the rows that are left", "rows")
}

// keepsUp judges repeated passes.
var keepsUp = &Gate{
	Name: "keeps-up",
	Doc: `A clean-up in passes keeps up with what arrives.

Applies where passes were recorded (points prune.removed) that are repeated: by a
declared interval, or three or more of them. It fails when every pass removed exactly the
most that it may, however well each of them ran: what more arrived was left behind. It
passes when none did, or when the last pass came back short. Unknown when the last one
was at its maximum though others were not, without a pass, where a declared window is
without one for two intervals, and without the maximum (--claim prune.limit=N).`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		var worst *Verdict
		for _, u := range m.upkeeps() {
			if u.interval == 0 {
				continue
			}
			if v := u.keepsUp(); worst == nil || Worst(worst.Outcome, v.Outcome) != worst.Outcome {
				worst = v
			}
		}
		return worst
	},
}

func (u *upkeep) keepsUp() *Verdict {
	v := &Verdict{Outcome: Unknown, Want: "a pass that removes less than its maximum", Required: true}
	if u.why != "" {
		v.Why = u.why
		return v
	}
	v.Got = float64(u.prune.AtCap)
	v.Display = fmt.Sprintf("%d of %s at the maximum of %s", u.prune.AtCap, countOfPasses(u.prune.Passes), Count(int64(u.limit)))
	switch u.prune.Verdict {
	case stat.PruneKeepsUp, stat.PruneCleared:
		v.Outcome = Pass
	case stat.PruneFallsBack:
		v.Outcome = Fail
	}
	if u.prune.Verdict != stat.PruneKeepsUp {
		v.Why = string(u.prune.Verdict)
	}
	if v.Outcome == Pass && u.missing != "" {
		v.Outcome, v.Why = Unknown, u.missing
	}
	return v
}

func countOfPasses(n int) string {
	if n == 1 {
		return "1 pass"
	}
	return Count(int64(n)) + " passes"
}

// cleared judges passes that are not repeated: they clear a backlog, or do not.
var cleared = &Gate{
	Name: "cleared",
	Doc: `A backlog was cleared.

Applies where one or two passes of a clean-up were recorded (points prune.removed) and no
interval between them was declared. The rows that are left at the end, by the only own query
that was recorded, or that has a column rows, are none. Unknown where nobody counted them
before and after the passes.`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		var once *upkeep
		for _, u := range m.upkeeps() {
			if u.interval == 0 {
				once = &u
			}
		}
		if once == nil {
			return nil
		}
		v := &Verdict{Outcome: Unknown, Want: "= 0 rows left", Required: true}
		s, why := m.backlog()
		last := once.passes[len(once.passes)-1].t
		switch {
		case why != "":
			v.Why = why
			return v
		case s.readings[0].t > once.passes[0].t:
			v.Why = "the rows were not counted before the passes"
			return v
		case s.last().t < last:
			v.Why = "the rows were not counted after the last pass"
			return v
		}
		left := s.last().v
		v.Got, v.Display, v.Outcome = left, Count(int64(left))+" left", Fail
		switch {
		case left == 0:
			v.Outcome = Pass
		case once.why == "" && once.prune.Verdict == stat.PruneFallsBack:
			v.Why = "every pass removed its maximum"
		}
		return v
	},
}
