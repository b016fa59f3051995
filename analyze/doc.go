// Package analyze judges recorded runs.
//
// [Run] turns one recorded run into a [Result]: quantities, verdicts of gates,
// findings. [Combine] turns Results into a [Capacity]: what a configuration
// sustains, where its knee is, how many repeats held, what fleet that carries,
// with the tables and the points of every figure that a page shows. Both are
// plain values that marshal to JSON; render reads nothing else.
//
// Rules that hold everywhere here: a verdict is pass, fail or unknown, and
// unknown is never a pass; a number carries its unit, count, bound and
// conditions; percentiles are exact (nearest rank) and never averaged; nothing
// is rounded across a limit; the text, the table and the exit status come from
// one comparison.
//
// Pipeline: detect, runs → analyze → render.
package analyze
