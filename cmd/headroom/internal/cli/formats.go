package cli

import (
	"github.com/spf13/cobra"

	"headroom/ingest"
)

// formatJSON is one format in `headroom formats --json`.
type formatJSON struct {
	Name  string   `json:"name"`
	Title string   `json:"title"`
	Doc   string   `json:"doc"`
	Load  bool     `json:"load"` // its samples are load
	Gives []string `json:"gives"`
	Lacks []string `json:"lacks"`
}

func newFormatsCmd(env *Env) *cobra.Command {
	return newCatalogueCmd(env, catalogue{
		noun: "formats", one: "format",
		short: "List the file formats that are read, or show one",
		long: `List the file formats that headroom reads, or print the manual of one: how it is
recognised, what it gives and what it lacks.`,
		example: `  headroom formats
  headroom formats exit-status`,
		entries: formatEntries,
	}, nil)
}

func formatEntries() []entry {
	var out []entry
	for _, im := range ingest.All {
		e := entry{name: im.Name, doc: im.Doc, facts: []fact{
			{title: "Gives", lines: im.Gives},
			{title: "Lacks", lines: im.Lacks},
		}}
		e.json = formatJSON{im.Name, e.title(), im.Doc, im.Load, nonNil(im.Gives), nonNil(im.Lacks)}
		out = append(out, e)
	}
	return out
}

// nonNil makes an empty list of none, so that JSON says [] and not null.
func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
