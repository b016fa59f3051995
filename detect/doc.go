// Package detect finds trouble in one recorded run.
//
// A [Detector] is a struct value in the list [All]: a name for life, a manual,
// documented parameters and a function over a [Pass]. What it finds are
// [Finding] values: intervals of time with a kind and measures. A detector that
// misses the evidence it needs says so ([Pass.CouldNotLook]); silence is only
// ever "looked, found nothing".
//
// Detectors are plain loops over what the Pass gives: no files of their own, no
// clock, no goroutines. A run may have any number of requests, so that none holds a
// value for each: they read [Requests] in passes. Shifting a run in time moves their findings and changes nothing
// else.
//
// Pipeline: runs → detect → analyze.
package detect
