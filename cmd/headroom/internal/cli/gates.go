package cli

import (
	"github.com/spf13/cobra"

	"headroom/analyze"
)

// gateJSON is one gate in `headroom gates --json`.
type gateJSON struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Doc   string `json:"doc"`
}

func newGatesCmd(env *Env) *cobra.Command {
	return newCatalogueCmd(env, catalogue{
		noun: "gates", one: "gate",
		short: "List the gates, or show one",
		long: `List the gates that runs are judged by, or print the manual of one: its rule,
what it needs, and when its verdict is unknown. --require of analyze and report
build says which of them decide.`,
		example: `  headroom gates
  headroom gates dropped`,
		entries: gateEntries,
	}, nil)
}

func gateEntries() []entry {
	var out []entry
	for _, g := range analyze.Gates {
		e := entry{name: g.Name, doc: g.Doc}
		e.json = gateJSON{g.Name, e.title(), g.Doc}
		out = append(out, e)
	}
	return out
}
