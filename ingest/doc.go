// Package ingest turns recorded foreign files into runs.
//
// Each format is an [Importer]: a struct value in the list [All], one file and
// one case folder. A file is recognised by its content ([Sniff]), never by its
// name. Reading and deciding are apart: an importer parses an io.Reader into a
// [Sink]; [Ingest] opens files, peels compression, chooses importers, keeps one
// time axis and fills in the manifest of the one run that they become.
//
// Pipeline: foreign files → ingest → runs. Units are converted here and nowhere
// else (see package runs); what a source did not record stays missing. Every
// instant comes in through [Stamps], every decimal through integers: no count,
// duration or sum passes through a float on its way into a run.
//
// Input is hostile: lines, records, what a compressed file unpacks to, tags and
// labels are bounded, and a line that cannot be read is counted and told as
// file:line, never guessed. Memory does not grow with a file.
//
// To add a format: a file with the Importer, a line in all.go, a folder with
// cases in testdata, a fuzz target (docs/adding.md walks through it).
package ingest
