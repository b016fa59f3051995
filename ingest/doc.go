// Package ingest turns recorded foreign files into runs.
//
// Each format is an [Importer]: a struct value in the list [All], one file and
// one case folder. A file is recognised by its content ([Sniff]), never by its
// name. Reading and deciding are apart: an importer parses an io.Reader into a
// [Sink]; [Ingest] opens files, peels compression, chooses importers, keeps one
// time axis and seals the run.
//
// Pipeline: foreign files → ingest → runs. Units are converted here and nowhere
// else (see package runs); what a source did not record stays missing.
package ingest
