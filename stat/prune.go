package stat

import "fmt"

// PruneVerdict says in words whether passes that remove at most so many rows
// keep up.
type PruneVerdict string

// The verdicts.
const (
	PruneKeepsUp   PruneVerdict = "keeping up"
	PruneCleared   PruneVerdict = "cleared: last pass was short"
	PruneFallsBack PruneVerdict = "not keeping up: every pass removed its maximum"
	PruneNoPasses  PruneVerdict = "cannot tell: no passes"
	PruneAtCap     PruneVerdict = "cannot tell: the last pass removed its maximum"
)

// Prune is what passes of a bounded clean-up tell: passes that all remove
// exactly their maximum are evidence of not keeping up, however well they run.
type Prune struct {
	Passes, AtCap int
	Verdict       PruneVerdict
	// Growth is what a pass leaves behind, arrivals less the cap; nil unless
	// every pass was at the cap and the arrivals are known.
	Growth *float64
}

// JudgePrune looks at the rows that each pass removed, in order, given the most
// that a pass may remove and the rows that arrive between passes (nil if not
// known).
func JudgePrune(removed []int64, limit int64, arrivals *float64) (Prune, error) {
	if limit < 1 {
		return Prune{}, fmt.Errorf("a pass may remove at most %d rows: want a positive number", limit)
	}
	p := Prune{Passes: len(removed)}
	for i, r := range removed {
		if r < 0 || r > limit {
			return Prune{}, fmt.Errorf("pass %d removed %d rows: want 0 to the %d that it may", i+1, r, limit)
		}
		if r == limit {
			p.AtCap++
		}
	}
	switch {
	case p.Passes == 0:
		p.Verdict = PruneNoPasses
	case p.AtCap == 0:
		p.Verdict = PruneKeepsUp
	case p.AtCap == p.Passes:
		p.Verdict = PruneFallsBack
		if arrivals != nil {
			growth := *arrivals - float64(limit)
			p.Growth = &growth
		}
	case removed[p.Passes-1] == limit:
		p.Verdict = PruneAtCap
	default:
		p.Verdict = PruneCleared
	}
	return p, nil
}
