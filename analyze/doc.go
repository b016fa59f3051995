// Package analyze judges recorded runs.
//
// [Measure] turns one recorded run into a [Result]: quantities, verdicts of gates,
// findings. [Combine] turns Results into a [Capacity]: what a configuration
// sustains, where its knee is, how many repeats held, what fleet that carries,
// with the tables and the points of every figure that a page shows. [Document]
// makes one Capacity of the several configurations of a study. All are plain
// values that marshal to JSON; render reads nothing else.
//
// Rules that hold everywhere here: a verdict is pass, fail or unknown, and
// unknown is never a pass; a number carries its unit, count, bound and
// conditions; percentiles are exact (nearest rank) and never averaged; nothing
// is rounded across a limit; the text, the table and the exit status come from
// one comparison.
//
// # Where to read
//
// The files of one subject begin alike. In the order of the work:
//
//   - What is asked: protocol.go (rules and their defaults), rules.go, window.go.
//   - One run: measure.go reads it once; requests.go, quantity.go and info.go
//     count its samples; evidence.go, levels.go, contention.go and waits*.go what
//     was recorded beside them; queue.go, replicas.go, bench*.go, scenario*.go,
//     cost*.go, growth*.go and housekeeping*.go are analyses of what only some
//     runs have; frozen.go and scores.go what lies beneath a freeze.
//   - Gates: gates.go lists them, gate_*.go judge, complete.go says what missing
//     samples leave unknown, reconcile.go compares counts with claims.
//   - Several runs: combine*.go and repeats.go, sweep*.go, soak.go, arms*.go,
//     denominators.go, bottlenecks.go, elimination.go; fleet.go is arithmetic.
//   - A document: document*.go assembles a study, answer.go writes the first
//     screen, tables.go, figures*.go, timeline.go, lanes.go and heat.go what the
//     page shows, close.go ends it.
//   - The values: result.go and capacity.go; display.go prints numbers.
//
// An analysis of one's own is one file with a function on Measured that returns
// quantities, a line where measure.go calls its like, and its cases: see
// docs/adding.md.
//
// Pipeline: detect, runs → analyze → render.
package analyze
