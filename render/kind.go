package render

import (
	"fmt"
	"slices"

	"headroom/analyze"
)

// Kind is a template of a document: which sections stand in it, in which order.
// A section with nothing to say is left out; one that the kind requires says that
// it was not measured, and what it would take.
type Kind struct {
	Name  string // as a study says it
	Title string // above the title of the page
	Doc   string // the question that such a document answers
	Parts []KindPart
}

// KindPart is a section of a kind.
type KindPart struct {
	Section  Section
	Required bool
}

// Kinds are the templates of documents.
var Kinds = []Kind{
	{
		Name: "capacity", Title: "Capacity", Doc: "What one installation carries, what fleet that is, and what gives first.",
		Parts: slices.Concat(
			opening, must(steps), may(ladder, series), must(first, waits), may(elimination), must(arms, fleet, costs),
			may(limits, replicas, soak, stalls, queue, probe, denominators, benchmarks, scenarios), must(contention), evidenceParts, may(history, rescanned), closing),
	},
	{
		Name: "under-load", Title: "Under load", Doc: "How it holds up when much comes at once: what waits, what is refused, when it has caught up.",
		Parts: slices.Concat(
			opening, may(changed, ladder, steps, series), must(queue, scenarios), may(probe, limits), must(first), may(arms, waits, elimination, stalls, costs, fleet,
				replicas, soak, denominators, benchmarks), may(reconciliation, contention), must(journal), evidenceParts, may(history, rescanned), closing),
	},
	{
		Name: "sustained", Title: "Sustained throughput", Doc: "What it carries for long and again and again, when it stood still and why.",
		Parts: slices.Concat(
			opening, may(steps), must(series, ladder, first, elimination, stalls, attributions), may(waits), must(arms, probe, denominators, costs),
			may(fleet, limits, queue, replicas, soak, benchmarks, scenarios), must(reconciliation, contention, journal), evidenceParts, may(history), must(rescanned), closing),
	},
	{
		Name: "baseline", Title: "Baseline", Doc: "What each stage costs by itself, what the whole does end to end, and which stage to look at first.",
		Parts: slices.Concat(
			opening, must(benchmarks), may(arms, steps, ladder, series), must(reconciliation, denominators, limits, scenarios), may(first),
			may(costs, waits, elimination, stalls, queue, probe, fleet, replicas, soak, contention, journal), evidenceParts, may(history, rescanned), closing),
	},
}

// Parts that every kind begins with, has after its own, and ends with.
var (
	opening       = slices.Concat(must(glance), may(warnings), must(gates), may(method))
	evidenceParts = may(timeline, latency, findings, measured)
	closing       = must(caveats, reproduce, provenance)
)

func may(list ...Section) (out []KindPart) {
	for _, s := range list {
		out = append(out, KindPart{Section: s})
	}
	return out
}

func must(list ...Section) []KindPart {
	out := may(list...)
	for i := range out {
		out[i].Required = true
	}
	return out
}

// KindNames are the names that a study may give.
func KindNames() (names []string) {
	for _, k := range Kinds {
		names = append(names, k.Name)
	}
	return names
}

// kindOf is the kind of a document; one without a kind has the sections of every
// page.
func kindOf(c *analyze.Capacity) (Kind, error) {
	if c.Kind == "" {
		return Kind{Title: "Capacity", Parts: may(Sections...)}, nil
	}
	for _, k := range Kinds {
		if k.Name == c.Kind {
			return k, nil
		}
	}
	return Kind{}, fmt.Errorf("there is no kind of document %q; there are %v", c.Kind, KindNames())
}

// SectionNames are the names that prose may place: the sections of the kind.
func (k Kind) SectionNames() (names []string) {
	for _, p := range k.Parts {
		names = append(names, p.Section.Name)
	}
	return names
}
