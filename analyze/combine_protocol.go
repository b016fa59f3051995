package analyze

import (
	"fmt"
	"slices"
)

// protocolOf is the protocol that was named, where the runs can be judged by it, else
// the one that they show: loads are those that hold requests, paired says whether they
// make pairs.
func protocolOf(name string, ms, loads []*Measured, groups []group, paired bool) (string, error) {
	switch {
	case name == "" && len(loads) == 0 && slices.ContainsFunc(ms, (*Measured).noLoad):
		return "costs", nil
	case name == "" && len(loads) == 0:
		return "bench", nil
	case name == "bench" && len(loads) > 0:
		return "", fmt.Errorf("protocol bench: run %s holds a load, or no benchmark: give it by itself, or name no protocol", loads[0].Result.Run.ID)
	case name == "" && paired:
		return "pairs", nil
	case name == "":
		return recognise(groups)
	case name == "pairs" && !paired:
		return "", fmt.Errorf("protocol pairs: every run needs a number in its label pair, and each pair one run of either of two arms (--label pair=1 --label arm=before)")
	}
	return name, nil
}

// knobs are further labels that say how much was asked of a system at once.
var knobs = []string{"users", "conns", "parallel", "parallelism", "pool", "sessions", "streams", "goroutines", "depth", "batch"}

// recognise names the protocol of the document. A number that varies and is not
// known for a knob may as well be a date or the number of a try: nobody guesses.
func recognise(groups []group) (string, error) {
	name := "run"
	for _, g := range groups {
		switch {
		case len(g.cells) > 1 && g.cells[0].labels[soakLabel] != "":
			return "soak", nil
		case slices.Contains(rateLabels, g.key):
			return "ladder", nil
		case slices.Contains(concurrencyLabels, g.key), slices.Contains(knobs, g.key):
			return "sweep", nil
		case g.key != "":
			return "", fmt.Errorf("the label %s varies and is a number: name the protocol (sweep if it is a setting like concurrency, ladder if it is the offered rate, repeats if it numbers equal runs)", g.key)
		case len(g.cells) > 1:
			name = "repeats"
		}
	}
	return name, nil
}
