package render

import (
	"fmt"
	"slices"
	"strings"

	"headroom/analyze"
	"headroom/render/label"
)

// runNames gives each run the name that a reader knows it by: its configuration,
// its setting, and the labels in which it differs from others: "concurrency=64",
// "control · rate=25 · repeat=1"; its ID where those do not tell it from another.
// The keys are run IDs.
func runNames(c *analyze.Capacity) map[string]string {
	configured := map[string]analyze.Configuration{}
	for _, k := range c.Configurations {
		for _, id := range k.Runs {
			configured[id] = k
		}
	}
	varying := varyingLabels(c.Results)
	names, times := map[string]string{}, map[string]int{}
	for _, r := range c.Results {
		var parts []string
		of := configured[r.Run.ID]
		if len(c.Configurations) > 1 && of.Name != "" {
			parts = append(parts, of.Name)
		}
		if len(r.Steps) == 1 {
			parts = append(parts, r.Steps[0].Name)
		}
		for _, k := range varying {
			v := r.Run.Labels[k]
			if v == "" || v == of.Name || slices.Contains(parts, k+"="+v) || len(parts) > 0 && v == of.Labels[k] {
				continue
			}
			parts = append(parts, k+"="+v)
		}
		name := label.Clean(scopeText(parts...), titleRoom)
		if name == "" {
			name = r.Run.ID
		}
		names[r.Run.ID] = name
		times[name]++
	}
	for id, name := range names {
		if times[name] > 1 && name != id {
			names[id] = id
			if !strings.HasPrefix(id, name) { // "S1.r5" says that it is one of S1
				names[id] = name + separator + id
			}
		}
	}
	return names
}

// varyingLabels are the labels that have more than one value among the runs.
func varyingLabels(list []analyze.Result) (keys []string) {
	values := map[string]map[string]bool{}
	for _, r := range list {
		for k := range r.Run.Labels {
			values[k] = map[string]bool{}
		}
	}
	for _, k := range sortedKeys(values) {
		for _, r := range list {
			values[k][r.Run.Labels[k]] = true
		}
		if len(values[k]) > 1 {
			keys = append(keys, k)
		}
	}
	return keys
}

// maxNames bounds the names that one sentence lists.
const maxNames = 24

// together lists names in one phrase: settings of one label name it once,
// "concurrency=1, 2, 4".
func together(names []string) string {
	left := 0
	if n := len(names) - maxNames; n > 0 {
		names, left = names[:maxNames], n
	}
	out := slices.Clone(names)
	key, _, one := strings.Cut(out[0], "=")
	one = one && len(out) > 1
	for _, n := range out {
		k, v, ok := strings.Cut(n, "=")
		one = one && ok && k == key && !strings.ContainsAny(v, "=,")
	}
	if one {
		for i := range out[1:] {
			_, out[i+1], _ = strings.Cut(out[i+1], "=")
		}
	}
	s := strings.Join(out, ", ")
	if left > 0 {
		s += fmt.Sprintf(" and %d more", left)
	}
	return s
}

// counted writes a number of things: "1 run", "2 runs".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// allRuns writes that something holds of all of n runs, which are several.
func allRuns(n int) string {
	if n == 2 {
		return "both runs"
	}
	return fmt.Sprintf("all %d runs", n)
}

// Warnings are the warnings of a document as it says them: each once, with the runs
// that it is about.
func Warnings(c *analyze.Capacity) []string { return foldWarnings(c) }

// foldWarnings says a warning of several runs once, naming them, where the first
// of them stood. A warning of a run stands in the document behind a name of the
// run, "name: warning"; one that no run has is kept as it is.
func foldWarnings(c *analyze.Capacity) (out []string) {
	names := runNames(c)
	having := map[string][]string{} // the warning of a run: who has it
	for _, r := range c.Results {
		for _, w := range slices.Compact(slices.Sorted(slices.Values(r.Warnings))) {
			having[w] = append(having[w], names[r.Run.ID])
		}
	}
	said := map[string]bool{}
	for _, full := range c.Warnings {
		of := warningOf(full, having)
		if of == "" {
			of = full
		}
		if said[of] {
			continue
		}
		said[of] = true
		switch runs := having[of]; {
		case len(runs) == 0, of == full:
			out = append(out, full)
		case len(c.Results) == 1:
			out = append(out, of) // there is no other run
		case len(runs) == len(c.Results) && len(runs) > 1:
			out = append(out, allRuns(len(runs))+": "+of)
		default:
			out = append(out, together(runs)+": "+of)
		}
	}
	return out
}

// warningOf returns the longest warning of a run that the sentence ends with,
// behind a colon; "" if there is none.
func warningOf(full string, having map[string][]string) (longest string) {
	for i := range full {
		rest, ok := strings.CutPrefix(full[i:], ": ")
		if ok && len(having[rest]) > 0 {
			return rest
		}
	}
	return ""
}
