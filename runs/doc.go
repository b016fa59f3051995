// Package runs is the vocabulary and the on-disk format of recorded load runs.
//
// A run is one recorded execution of a load: a sealed folder of Parquet tables
// with a manifest (run.json) and a list of digests (SHA256SUMS). The tables are
// samples (one row a measured request), points (host, database and custom
// metrics in long form), activity (sampled database sessions) and markers
// (dated things that happened: log lines, checkpoints). The byte-exact
// description is docs/format/run.md.
//
// Pipeline: capture and ingest write runs through a [Writer]; detect and
// analyze read them through a [Run]. Nothing to the right of this package knows
// which tool a row came from: a Sample is a Sample, a Point is a Point.
//
// Units are fixed here, once: instants are microseconds since the Unix epoch in
// UTC, durations are nanoseconds, sizes are bytes, shares are 0 to 1. Importers
// convert at the door. A value that was not recorded is [Missing] (or the empty
// string), never zero.
package runs
