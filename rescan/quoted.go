package rescan

import (
	"encoding/json"
	"fmt"
	"strings"

	"headroom/analyze"
)

// mostChanges bounds the changes that a page lists.
const mostChanges = 40

// Quoted reads a report, as rescan --json prints it, for the page of the document
// with that title: what the scan said of it. The report is about that document
// alone, or names it by its title.
func Quoted(report []byte, title string) (*analyze.StudyRescan, error) {
	var r Report
	if err := json.Unmarshal(report, &r); err != nil {
		return nil, fmt.Errorf("is no report of headroom rescan --json: %w", err)
	}
	if r.Schema != Schema {
		return nil, fmt.Errorf("has the schema %q; want %s, as headroom rescan --json prints it", r.Schema, Schema)
	}
	var d *DocumentReport
	for i := range r.Documents {
		if len(r.Documents) == 1 || r.Documents[i].Title == title {
			d = &r.Documents[i]
			break
		}
	}
	if d == nil {
		return nil, fmt.Errorf("says nothing of a document %q; scan with --against its capacity.json", title)
	}
	if d.Error != "" {
		return nil, fmt.Errorf("could not look at the document: %s", d.Error)
	}
	out := &analyze.StudyRescan{Statement: d.Statement, Detectors: map[string]int{}, Tallies: []analyze.RescanTally{
		tallied("figures", d.Quantities), tallied("verdicts", d.Verdicts), tallied("sentences of the answer", d.Sentences),
		{What: "findings", Unchanged: d.Findings.Unchanged, Changed: d.Findings.Changed, New: d.Findings.New, Gone: d.Findings.Gone, CouldNotLook: d.Findings.CouldNotLook},
	}}
	for _, x := range r.Detectors {
		out.Detectors[x.Name] = x.Version
	}
	all := changesIn("", d.Own)
	for i := range r.Runs {
		for k := range r.Runs[i].Against {
			if c := r.Runs[i].Against[k]; c.Baseline == d.Path {
				all = append(all, changesIn(r.Runs[i].ID, c)...)
			}
		}
	}
	out.Changes = all[:min(len(all), mostChanges)]
	out.More = len(all) - len(out.Changes)
	return out, nil
}

func tallied(what string, t Tally) analyze.RescanTally {
	return analyze.RescanTally{What: what, Unchanged: t.Unchanged, Changed: t.Changed, CouldNotLook: t.CouldNotLook}
}

// changesIn lists what a comparison found changed, of a run or of the document.
func changesIn(run string, c Comparison) []analyze.RescanChange {
	var out []analyze.RescanChange
	for _, list := range [][]Change{c.Verdicts.Changed, c.Quantities.Changed, c.Sentences.Changed} {
		for _, x := range list {
			name := strings.Join([]string{run, ScopeText(x.Scope), x.ID}, " ")
			out = append(out, analyze.RescanChange{What: strings.Join(strings.Fields(name), " "), Old: x.Old, New: x.New})
		}
	}
	return out
}
