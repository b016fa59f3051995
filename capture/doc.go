// Package capture is the agent: it records a real run, whole, while the load
// runs, and must not disturb what it measures.
//
// [Run] starts the load command, samples the host from /proc and PostgreSQL
// through one connection, follows logs, streams the load generator's samples,
// and seals everything as one run. Each of these is a collector that is run
// under supervision: one that fails is started again, the time it was gone is
// recorded as a gap, and the others go on. What was flushed survives a kill -9,
// a power cut and a full disk: see [runs.Record].
//
// Pipeline: capture → runs. Foreign text (logs, samples) is parsed by the
// importers of package ingest, so that a run is the same however it was made.
//
// The room has no clock, environment or log of its own: cmd passes them in, and
// [Options.Tell] takes what there is to say. docs/capture.md is the user's page.
package capture
