package cli

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"headroom/detect"
)

// detectorJSON is one detector in `headroom detectors --json`.
type detectorJSON struct {
	Name    string      `json:"name"`
	Version int         `json:"version"`
	Title   string      `json:"title"`
	Doc     string      `json:"doc"`
	Params  []paramJSON `json:"params"`
	Needs   []string    `json:"needs"`
	Metrics []string    `json:"metrics,omitempty"`
	// Definition is the YAML file of a detector that is written in it.
	Definition string `json:"definition,omitempty"`
}

type paramJSON struct {
	Name    string  `json:"name"`
	Default float64 `json:"default"`
	Unit    string  `json:"unit"`
	Doc     string  `json:"doc"`
}

func newDetectorsCmd(env *Env) *cobra.Command {
	cmd := newCatalogueCmd(env, catalogue{
		noun: "detectors", one: "detector",
		short: "List the detectors, or show one with its parameters",
		long: `List the detectors, or print the manual of one: what it sees and cannot see, the
evidence it needs, and its parameters with units and defaults. A parameter is
set with --param DETECTOR.NAME=VALUE of analyze, detect and report build.`,
		example: `  headroom detectors
  headroom detectors show freeze`,
		entries: detectorEntries,
	}, nil)
	cmd.AddCommand(newDetectorsNewCmd(env))
	return cmd
}

func detectorEntries() []entry {
	var out []entry
	for _, d := range detect.All {
		params := &table{indent: "  ", head: []string{"parameter", "default", "what"}, right: []bool{false, true}}
		list := []paramJSON{}
		for _, p := range d.Params {
			list = append(list, paramJSON{p.Name, p.Default, p.Unit, p.Doc})
			params.add(d.Name+"."+p.Name, withUnit(p.Default, p.Unit), p.Doc)
		}
		facts := []fact{
			{title: "Version", lines: []string{strconv.Itoa(d.Version)}},
			{title: "Needs", lines: append(slices.Clone(d.Needs), d.Metrics...)},
		}
		if len(list) > 0 {
			facts = append(facts, fact{title: "Parameters", table: params})
		}
		e := entry{name: d.Name, doc: d.Doc, facts: facts}
		if d.Definition != "" {
			e.facts = append(e.facts, fact{title: "Definition", text: d.Definition})
		}
		e.json = detectorJSON{d.Name, d.Version, e.title(), d.Doc, list, nonNil(d.Needs), d.Metrics, d.Definition}
		out = append(out, e)
	}
	return out
}

// withUnit writes a value with its SI base unit; the unit 1 has no sign.
func withUnit(v float64, unit string) string {
	if unit == "" || unit == "1" {
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("%v %s", v, unit)
}
