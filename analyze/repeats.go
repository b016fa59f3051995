package analyze

import (
	"fmt"

	"headroom/stat"
)

// NofM counts repeats that passed. It is printed as counted, never rounded and
// never as a percentage alone.
type NofM struct{ Passed, Of int }

func (n NofM) String() string { return fmt.Sprintf("%d/%d", n.Passed, n.Of) }

// words writes the count in a sentence: "5 of 5".
func (n NofM) words() string { return fmt.Sprintf("%d of %d", n.Passed, n.Of) }

// Held reports whether every repeat passed; none at all did not hold.
func (n NofM) Held() bool { return n.Of > 0 && n.Passed == n.Of }

// Repeat is one of several equal runs.
type Repeat struct {
	Outcome Outcome
	Values  map[string]float64 // by quantity id, where there is a value
}

// Repeats sums up repeats: how many passed, and of those the median and range of
// each quantity. A failed or unknown repeat is in no median and no range.
type Repeats struct {
	NofM
	Outcome Outcome
	Over    map[string]stat.Summary // by quantity id, over the passing repeats
}

// Summarize sums up repeats for the quantities of the given ids.
func Summarize(repeats []Repeat, ids []string) Repeats {
	s := Repeats{NofM: NofM{Of: len(repeats)}, Over: map[string]stat.Summary{}}
	values := map[string][]float64{}
	var outcomes []Outcome
	for _, r := range repeats {
		outcomes = append(outcomes, r.Outcome)
		if r.Outcome != Pass {
			continue
		}
		s.Passed++
		for _, id := range ids {
			if v, ok := r.Values[id]; ok {
				values[id] = append(values[id], v)
			}
		}
	}
	s.Outcome = Worst(outcomes...)
	for id, vs := range values {
		if sum, err := stat.Summarize(vs); err == nil {
			s.Over[id] = sum
		}
	}
	return s
}
