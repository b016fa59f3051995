package render

import (
	"slices"

	"headroom/analyze"
	"headroom/render/md"
)

// The sections of the kinds of documents, beside those of every page.
var (
	steps = evidenceSection("steps", "Step by step", "The steps of a sweep, and the curve of throughput and tail.",
		owns{Tables: []string{"steps", "shape"}, Figures: []string{"sweep"}, Quantities: []string{"sweep."}})
	ladder = evidenceSection("ladder", "The ladder of rates", "The rungs: what was offered, what was delivered.",
		owns{Tables: []string{"rungs"}, Figures: []string{"ladder"}, Quantities: []string{"ladder."}})
	series = evidenceSection("series", "The repeats", "Each repeat with its verdict, failed ones included.",
		owns{Tables: []string{"repeats", "series"}, Figures: []string{"repeats", "series"}, Quantities: []string{"series."}})
	soak = evidenceSection("soak", "Over hours, and as it grows", "A soak step by step: first, last, lowest; growth of what is stored.",
		owns{Tables: []string{"soak", "growth"}, Figures: []string{"soak", "growth"}, Quantities: []string{"soak.", "growth."}})
	stalls = evidenceSection("stalls", "When it stood still", "Freeze-seconds, their cadence and the worst windows, run by run.",
		owns{Tables: []string{"stalls"}, Figures: []string{"heatmap"}, PerRun: []string{"freeze.seconds", "freeze.episodes", "freeze.expected", "freeze.cadence", "freeze.worst", "windows.bad", "windows.worst_p99"}})
	elimination = evidenceSection("elimination", "What was ruled out", "Each candidate, how it was tested, what came out, and the verdict.",
		owns{Tables: []string{"elimination", "hypotheses"}, OneAnswer: []string{"elimination"}})
	costs = evidenceSection("costs", "What one event costs", "Costs by counting: commits, write-ahead log, index and heap growth, price.",
		owns{Tables: []string{"costs"}, Together: []string{"costs"}, Figures: []string{"cost", "cost-fit"}, Quantities: []string{"cost.", "price."}, PerRun: []string{"cost.", "wal.", "commits.", "rows.", "events.per_sample"}})
	arms = evidenceSection("comparison", "One against the other", "Arms and interleaved pairs: ratios within pairs, with their intervals.",
		owns{Tables: []string{"comparison", "pairs", "arms"}, Figures: []string{"pairs", "arms"}, Quantities: []string{"compare.", "pairs.", "arms."}})
	queue = evidenceSection("queue", "The queue", "How long work waited, how far the queue grew, how long it took to drain.",
		owns{Tables: []string{"queue", "jobs"}, Figures: []string{"queue"}, Quantities: []string{"queue."}, PerRun: []string{"queue."}})
	probe = evidenceSection("probe", "What a reader waits for meanwhile", "The probe, judged apart from the load, and what its latency grows with.",
		owns{Tables: []string{"probe", "scan"}, Figures: []string{"probe", "fit"}, Quantities: []string{"probe.", "scan."}, PerRun: []string{"probe."}})
	fleet = evidenceSection("fleet", "The fleet, both ways", "How many endpoints a throughput carries, and what throughput so many endpoints need.",
		owns{Tables: []string{"fleet"}, Quantities: []string{"fleet."}})
	denominators = evidenceSection("denominators", "Beside what the figures stand", "The floor of the database alone, the ceiling of a component, and the headroom to them.",
		owns{Tables: []string{"denominators"}, Quantities: []string{"denominator.", "headroom.", "ceiling."}, PerRun: []string{"headroom."}})
	benchmarks = evidenceSection("benchmarks", "Stage by stage", "Benchmarks of one core: time, bytes and allocations of each stage, and its share.",
		owns{Tables: []string{"stages", "benchmarks", "derived", "allocations"}, Together: []string{"benchmarks"}, Figures: []string{"stages", "benchmarks"}, Quantities: []string{"bench."}, PerRun: []string{"bench."}})
	scenarios = evidenceSection("scenarios", "Scenario by scenario", "What each scenario was held to, and what came out.",
		owns{Tables: []string{"scenarios", "latency"}, Together: []string{"scenarios"}})
	contention = evidenceSection("contention", "Who else used the host", "Load average, foreign CPU, steal and CPU pressure of the windows that the rates are of.",
		owns{Tables: []string{"contention"}, PerRun: []string{"contention.load", "contention.foreign_cpu", "contention.own_cpu", "contention.generator_cpu", "contention.steal", "contention.pressure"}})
	limits = evidenceSection("limits", "Limits by arithmetic", "What a rate limiter lets through, and what memory is bounded by.",
		owns{Tables: []string{"limits", "limiter", "memory"}, Together: []string{"limiter", "memory"}, Quantities: []string{"limiter.", "memory."}})
	replicas = evidenceSection("replicas", "Which replica served", "How many requests each replica had.",
		owns{Tables: []string{"replicas"}, PerRun: []string{"replica.", "replicas."}})
	reconciliation = evidenceSection("reconciliation", "Was it all stored", "What the generator claims beside what the system gained.",
		owns{Tables: []string{"reconciliation"}, PerRun: []string{"reconciled."}})
	history = evidenceSection("history", "Figures that these replace", "Superseded figures, kept as they were, beside those that took their place.",
		owns{Tables: []string{"history"}, Quantities: []string{"history.", "superseded."}})
	rescanned = evidenceSection("rescan", "The archive, read again", "What a later scan of the archive, with the detectors of its day, gives of what was published.",
		owns{Tables: []string{"rescan"}})
	changed = evidenceSection("changes", "What each run changed", "The runs in the order in which they were made, each with what differs from the one before.",
		owns{Tables: []string{"changes"}})
)

// first names what gives first: the sentences of the answer that say so, and a
// ranking where there is one.
var first = Section{
	Name: "first", Title: "What gives first", owns: firstOwns,
	Doc: "Where it stops, and the ranked reasons with the number that ranks each.",
	Applies: func(c *analyze.Capacity) bool {
		return len(saying(c, firstRoles)) > 0 || evidenceSection("", "", "", firstOwns).Applies(c)
	},
	Write: func(w *Writer, c *analyze.Capacity) error {
		if list := saying(c, firstRoles); len(list) > 0 {
			if err := w.Text("first", list); err != nil {
				return err
			}
		}
		return w.evidence(c, "first", firstOwns)
	},
}

var (
	firstOwns  = owns{Tables: []string{"ranked", "elimination.", "bottlenecks"}, Folded: []string{"elimination."}, OneAnswer: []string{"elimination."}, Figures: []string{"bottlenecks"}}
	firstRoles = []string{"knee", "plateau", "freeze", "queue"}
	// gaveNothing begin statements of a queue that kept up.
	gaveNothing = []string{"nothing left over"}
)

// statement is a sentence of the answer, escaped.
type statement struct{ Lead, Text md.Inline }

// saying returns the sentences of the answer that have one of the roles.
func saying(c *analyze.Capacity, roles []string) (out []statement) {
	for _, s := range c.Answer {
		for _, role := range roles {
			if s.Role == role && !slices.Contains(gaveNothing, s.Lead) {
				out = append(out, statement{md.Escape(s.Lead, titleRoom), md.Escape(s.Statement(), lineRoom)})
			}
		}
	}
	return out
}
