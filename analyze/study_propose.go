package analyze

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"headroom/runs"
)

// Proposal is a configuration that the labels of runs suggest.
type Proposal struct {
	Name     string
	Protocol string
	Key      string            // the label that varies, "" if none does
	Where    map[string]string // labels that set it apart from the other configurations
	Runs     []int             // indexes of the manifests
	// Probes are the scenarios that its runs declare to be probes.
	Probes []string
	// Reconciled and Contended report whether all of its runs have counts that
	// are paired with claims, and some record of what else their hosts did.
	Reconciled, Contention bool

	knobs []string // labels with numbers that its runs have
	shape string   // the protocol that its runs have by what they hold, "" if they hold a load
}

// shapeOf returns the protocol of a run that holds no load: bench if it holds
// benchmarks, counts if it only counted. "" is a run of requests.
func shapeOf(m *runs.Manifest) string {
	rows, counted := map[string]int64{}, false
	for _, t := range m.Tables {
		rows[t.Table] = t.Rows
		counted = counted || strings.HasPrefix(t.Table, "snapshots/")
	}
	switch {
	case rows["samples"] > 0 || rows["histograms"] > 0:
		return ""
	case rows["benchmarks"] > 0:
		return "bench"
	case !counted:
		return "" // nothing but what was recorded beside a load
	case m.Load.Tool != "" || m.Load.Command != "" || m.ExitStatus != nil || len(m.Reconcile)+len(m.Summaries)+len(m.Thresholds) > 0:
		return "" // a load was meant
	}
	return "counts"
}

// wordsThatVary returns the labels that hold words and differ between runs, one
// that some runs lack included.
func wordsThatVary(labels []map[string]string) []string {
	values := map[string]map[string]bool{}
	words := map[string]bool{}
	for _, l := range labels {
		for k, v := range l {
			if values[k] == nil {
				values[k] = map[string]bool{}
			}
			values[k][v] = true
			words[k] = words[k] || !number(v)
		}
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(values)) {
		missing := slices.ContainsFunc(labels, func(l map[string]string) bool { return l[k] == "" })
		if words[k] && !slices.Contains(repeatLabels, k) && (len(values[k]) > 1 || missing) {
			out = append(out, k)
		}
	}
	return out
}

// knobsOf returns the labels of a run that hold a number: runs that were turned
// by different knobs make no curve.
func knobsOf(labels map[string]string, words []string) []string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		if number(labels[k]) && !slices.Contains(words, k) && !slices.Contains(repeatLabels, k) {
			out = append(out, k)
		}
	}
	return out
}

func number(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// Propose groups runs into configurations as Combine would, by their labels and by
// what their manifests say that they hold: words that vary set configurations apart, a number that varies is the
// knob of a sweep or a ladder, and equal runs are repeats. It reads no sample.
//
// A configuration is named after the labels that set it apart; where none do, after
// its runs. folders are what the folders of the runs are called, in their order.
func Propose(manifests []*runs.Manifest, folders []string) []Proposal {
	var labels []map[string]string
	for _, m := range manifests {
		labels = append(labels, declared(m))
	}
	labelTools(labels, func(i int) string { return manifests[i].Load.Tool })
	words := wordsThatVary(labels)
	var out []Proposal
	for i, l := range labels {
		where := map[string]string{}
		for _, k := range words {
			if l[k] != "" {
				where[k] = l[k]
			}
		}
		knobs := knobsOf(l, words)
		shape := shapeOf(manifests[i])
		at := slices.IndexFunc(out, func(p Proposal) bool {
			return maps.Equal(p.Where, where) && slices.Equal(p.knobs, knobs) && p.shape == shape
		})
		if at < 0 {
			at = len(out)
			out = append(out, Proposal{Where: where, knobs: knobs, shape: shape, Reconciled: true, Contention: true})
		}
		p := &out[at]
		p.Runs = append(p.Runs, i)
		p.Probes = unique(append(p.Probes, manifests[i].Load.ProbeOf...))
		p.Reconciled = p.Reconciled && len(manifests[i].Reconcile) > 0
		p.Contention = p.Contention && !slices.ContainsFunc(manifests[i].NotCollected, func(a runs.Absence) bool { return a.What == "contention" })
	}
	names := map[string]bool{}
	for i := range out {
		out[i].recognise(manifests, labels)
		out[i].name(names, folders)
	}
	return out
}

// declared returns the labels that a run's load and only step have, as cellsOf
// gives them to cells.
func declared(m *runs.Manifest) map[string]string {
	out := map[string]string{}
	maps.Copy(out, m.Labels)
	if len(m.Steps) == 1 {
		maps.Copy(out, m.Steps[0].Labels)
	}
	if name, _ := labelled(out, concurrencyLabels); name == "" && m.Load.Concurrency > 0 {
		out["concurrency"] = strconv.Itoa(m.Load.Concurrency)
	}
	if name, _ := labelled(out, rateLabels); name == "" && m.Load.Rate > 0 {
		out["rate"] = strconv.FormatFloat(m.Load.Rate, 'g', -1, 64)
	}
	return out
}

// recognise finds out how the runs of a proposal were measured.
func (p *Proposal) recognise(manifests []*runs.Manifest, labels []map[string]string) {
	if p.shape != "" {
		p.Protocol = p.shape
		return
	}
	values := map[string]map[string]bool{}
	steps := 0
	for _, i := range p.Runs {
		rows := []map[string]string{labels[i]}
		if n := len(manifests[i].Steps); n > 1 {
			rows = nil
			for _, s := range manifests[i].Steps {
				row := maps.Clone(labels[i])
				maps.Copy(row, s.Labels)
				rows = append(rows, row)
			}
		}
		for _, row := range rows {
			steps++
			for k, v := range row {
				if values[k] == nil {
					values[k] = map[string]bool{}
				}
				values[k][v] = true
			}
		}
	}
	keys, _ := split(values)
	p.Protocol = "run"
	switch {
	case len(values[soakLabel]) > 1:
		p.Protocol = "soak"
	case len(values[pairLabel]) > 0 && p.paired(labels):
		p.Protocol = "pairs"
	case len(keys) > 0:
		p.Protocol, p.Key = "sweep", keys[0]
		for _, k := range keys {
			if slices.Contains(rateLabels, k) {
				p.Protocol, p.Key = "ladder", k
			}
		}
		for _, k := range keys {
			if slices.Contains(concurrencyLabels, k) {
				p.Protocol, p.Key = "sweep", k
			}
		}
	case steps > 1:
		p.Protocol = "repeats"
	}
}

// paired reports whether every pair number occurs twice.
func (p *Proposal) paired(labels []map[string]string) bool {
	n := map[string]int{}
	for _, i := range p.Runs {
		n[labels[i][pairLabel]]++
	}
	for _, k := range n {
		if k != 2 {
			return false
		}
	}
	return true
}

// name makes a name of the labels that set a proposal apart, else of what its runs
// are called, else of how they were measured; unlike those taken.
func (p *Proposal) name(taken map[string]bool, folders []string) {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(p.Where)) {
		parts = append(parts, idOf(p.Where[k]))
	}
	var own []string
	for _, i := range p.Runs {
		own = append(own, folders[i])
	}
	candidates := []string{strings.Join(parts, "-"), idOf(commonName(own)), p.Protocol}
	for i, c := range candidates {
		candidates[i] = strings.Trim(c[:min(len(c), 80)], "-_.")
	}
	candidates = slices.DeleteFunc(candidates, func(c string) bool { return len(c) < 2 && c != candidates[0] || c == "" })
	name := candidates[0]
	for _, p.Name = range append(candidates, name+"-"+p.Protocol) {
		if !taken[p.Name] {
			taken[p.Name] = true
			return
		}
	}
	for n := 2; taken[p.Name]; n++ {
		p.Name = fmt.Sprintf("%s-%d", name, n)
	}
	taken[p.Name] = true
}

// commonName is what names have in common: the one name, or the words that all begin
// with. What is left of a number that counts them is no part of it.
func commonName(names []string) string {
	if len(names) == 0 {
		return ""
	}
	common := names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, common) {
			common = common[:len(common)-1]
		}
	}
	if len(names) > 1 {
		common = strings.TrimRight(common, "0123456789")
	}
	return strings.ToValidUTF8(common, "")
}
