package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"headroom/detect"
	"headroom/rescan"
)

// printRescan writes what changed run by run, then document by document, then the
// whole in a paragraph.
func printRescan(w io.Writer, width int, archive string, r *rescan.Report) error {
	for i := range r.Runs {
		if err := printRescanned(w, width, &r.Runs[i]); err != nil {
			return err
		}
	}
	for i := range r.Documents {
		if err := printRescanDocument(w, width, &r.Documents[i]); err != nil {
			return err
		}
	}
	for _, note := range r.Notes {
		writeText(w, width, "", "note: "+plain(note))
	}
	writeText(w, width, "", plain(archive)+": "+plain(r.Statement))
	return nil
}

// printRescanned writes what is to be said of a run; nothing where nothing
// changed.
func printRescanned(w io.Writer, width int, r *rescan.RunReport) error {
	name := plain(r.Path)
	if r.Error != "" {
		writeText(w, width, "", name+": could not look: "+plain(r.Error))
	}
	if r.State == "partial" {
		writeText(w, width, "", name+": is partial")
	}
	if r.Withdrawn != "" {
		writeText(w, width, "", name+": was withdrawn, "+plain(r.Withdrawn))
	}
	for i := range r.Against {
		if err := printComparison(w, width, name, r, &r.Against[i]); err != nil {
			return err
		}
	}
	if len(r.Against) > 0 || len(r.Blind) == 0 {
		return nil
	}
	writeText(w, width, "", fmt.Sprintf("%s: %s, no earlier result", name, counted(r.Findings, "finding")))
	return blindTable(r.Blind).write(w, width)
}

// printComparison writes a run beside its baseline.
func printComparison(w io.Writer, width int, name string, r *rescan.RunReport, c *rescan.Comparison) error {
	c = withoutStudy(c)
	f := &c.Findings
	blind := append(append([]rescan.Blind{}, f.Blind...), notIn(r.Blind, f.Blind)...)
	moved := len(c.Quantities.Changed) + len(c.Verdicts.Changed)
	lost := len(c.Quantities.CouldNotLook) + len(c.Verdicts.CouldNotLook)
	if len(f.New)+len(f.Gone)+len(f.Changed)+len(blind)+moved+lost == 0 {
		return nil
	}
	baseline := plain(c.Baseline)
	if c.Differs != "" {
		baseline += " (" + plain(c.Differs) + ")"
	}
	writeText(w, width, "", fmt.Sprintf("%s against %s: findings %d new, %d gone, %d changed, %d unchanged; figures and verdicts %d changed, %d could not be looked at",
		name, baseline, len(f.New), len(f.Gone), len(f.Changed), f.Unchanged, moved, lost))
	if err := findingsTable(f).write(w, width); err != nil {
		return err
	}
	if len(blind) > 0 {
		if err := blindTable(blind).write(w, width); err != nil {
			return err
		}
	}
	return printChanges(w, width, c)
}

// withoutStudy leaves out what is said once of the whole document.
func withoutStudy(c *rescan.Comparison) *rescan.Comparison {
	out := *c
	out.Verdicts.CouldNotLook = slices.DeleteFunc(slices.Clone(c.Verdicts.CouldNotLook), func(x rescan.Change) bool { return x.Why == rescan.OfStudy })
	return &out
}

// notIn returns those of a that are not in b.
func notIn(a, b []rescan.Blind) []rescan.Blind {
	var out []rescan.Blind
	for _, x := range a {
		known := false
		for _, y := range b {
			known = known || x.Detector == y.Detector && x.Scope == y.Scope
		}
		if !known {
			out = append(out, x)
		}
	}
	return out
}

func findingsTable(f *rescan.Findings) *table {
	t := &table{
		indent: "  ", head: []string{"finding", "start", "length", "detector", "severity", "scope", "put down to", "what"},
		right: []bool{false, false, true}, note: "what", below: []string{"scope"},
	}
	add := func(how string, x detect.Finding) {
		t.add(how, milliseconds(x.Start), lengthText(x.Start, x.End), x.Detector, string(x.Severity), rescan.ScopeText(x.Scope), causeOf(x), x.Message)
	}
	for _, x := range f.New {
		add("new", x)
	}
	for _, x := range f.Gone {
		add("gone", x)
	}
	for _, x := range f.Changed {
		add("was", x.Old)
		add("is", x.New)
	}
	return t
}

func blindTable(blind []rescan.Blind) *table {
	t := &table{indent: "  ", head: []string{"could not look", "scope", "why"}, note: "why", below: []string{"scope"}}
	for _, b := range blind {
		t.add(b.Detector, rescan.ScopeText(b.Scope), b.Why)
	}
	return t
}

// printChanges lists the values that changed, and of those that could not be looked
// at how many there are for each reason: a run that was withdrawn has hundreds.
func printChanges(w io.Writer, width int, c *rescan.Comparison) error {
	t := &table{indent: "  ", head: []string{"figure or verdict", "scope", "was", "is"}, below: []string{"scope"}}
	lost := map[string][]string{}
	var why []string
	for _, changes := range []*rescan.Changes{&c.Verdicts, &c.Quantities} {
		for _, x := range changes.Changed {
			t.add(x.ID, rescan.ScopeText(x.Scope), x.Old, x.New)
		}
		for _, x := range changes.CouldNotLook {
			if lost[x.Why] == nil {
				why = append(why, x.Why)
			}
			lost[x.Why] = append(lost[x.Why], x.ID)
		}
	}
	if err := t.write(w, width); err != nil {
		return err
	}
	for _, y := range why {
		ids := slices.Compact(lost[y])
		text := "could not look at " + counted(len(lost[y]), "figure or verdict")
		if len(lost[y]) > 1 {
			text = fmt.Sprintf("could not look at %d figures and verdicts", len(lost[y]))
		}
		text += " (" + strings.Join(ids[:min(len(ids), mostIDs)], ", ")
		if len(ids) > mostIDs {
			text += " and others"
		}
		writeText(w, width, "  ", plain(text+"): "+y))
	}
	return nil
}

// mostIDs is how many of the values that share a reason are named; --json has all.
const mostIDs = 3

// printSentence writes a sentence of the answer, as it was and as it is: it is too
// long for a table.
func printSentence(w io.Writer, width int, x rescan.Change, now string) {
	writeText(w, width, "  ", plain(x.ID+" was: "+x.Old))
	writeText(w, width, "  ", plain(x.ID+" is: "+now))
}

func printRescanDocument(w io.Writer, width int, d *rescan.DocumentReport) error {
	writeText(w, width, "", plain(fmt.Sprintf("%s: %s %s", d.Path, d.Outcome, d.Title)))
	if err := printChanges(w, width, &d.Own); err != nil {
		return err
	}
	for _, x := range d.Own.Sentences.Changed {
		printSentence(w, width, x, x.New)
	}
	var studied int
	for _, x := range d.Own.Sentences.CouldNotLook {
		if x.Why == rescan.OfStudy {
			studied++
			continue
		}
		printSentence(w, width, x, "could not look: "+x.Why)
	}
	if studied > 0 {
		writeText(w, width, "  ", "could not look at "+counted(studied, "sentence")+" of the answer: "+rescan.OfStudy)
	}
	writeText(w, width, "  ", plain(d.Statement))
	return nil
}
