package rescan

import (
	"fmt"
	"strings"

	"headroom/detect"
	"headroom/internal/thousands"
)

// mostNamed is how many changes a statement names; the report has them all.
const mostNamed = 5

// documentStatement is the paragraph for the page of a document: what a scan
// with the detectors of today says of what it published.
func documentStatement(r *DocumentReport, unknown []string) string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	again := fmt.Sprintf("of the %s of this document %d measured again", count(len(r.Runs), "run"), len(r.Runs)-failed(r.Runs))
	if len(unknown) > 0 {
		again += ", also with detectors that did not look when it was made (" + strings.Join(unknown, ", ") + ")"
	}
	add("Re-scan: %s.", again)
	add("Figures: %s; verdicts: %s; sentences of the answer: %s.", tallyText(r.Quantities), tallyText(r.Verdicts), tallyText(r.Sentences))
	f := r.Findings
	add("Findings: %d unchanged, %d new, %d gone, %d changed, %d that could not be looked at again.", f.Unchanged, f.New, f.Gone, f.Changed, f.CouldNotLook)
	if text := changesText(append(append([]Change{}, r.Own.Verdicts.Changed...), r.Own.Quantities.Changed...)); text != "" {
		add("Changed in the document itself: %s.", text)
	}
	for _, run := range r.Runs {
		switch {
		case run.Path == "":
			add("Run %s: %s.", run.ID, run.Error)
			continue
		case run.Error != "":
			add("Run %s could not be looked at: %s.", run.ID, run.Error)
		}
		if run.State == "partial" {
			add("Run %s is partial.", run.ID)
		}
		if run.Withdrawn != "" {
			add("Run %s was withdrawn, %s.", run.ID, strings.TrimSuffix(run.Withdrawn, "."))
		}
	}
	if r.Rules == "of a study" {
		add("The document was made by a study: its own figures and every verdict are for headroom report check to make again.")
	}
	if r.Rules == "not recorded" {
		add("The document does not record by which rules it was made; those of the scan were used.")
	}
	switch r.Outcome {
	case Unchanged:
		add("Nothing that was published changes.")
	case Changed:
		add("The document is stale.")
	default:
		add("Nothing is known to change, but not everything could be looked at.")
	}
	return strings.Join(out, " ")
}

// failed counts the runs that could not be measured.
func failed(runs []DocumentRun) int {
	n := 0
	for _, r := range runs {
		if r.Path == "" || r.Error != "" {
			n++
		}
	}
	return n
}

// tallyText is "210 of 212 unchanged, 2 changed".
func tallyText(t Tally) string {
	if t.Of() == 0 {
		return "none was published"
	}
	text := fmt.Sprintf("%s of %s unchanged", whole(t.Unchanged), whole(t.Of()))
	if t.Changed > 0 {
		text += fmt.Sprintf(", %s changed", whole(t.Changed))
	}
	if t.CouldNotLook > 0 {
		text += fmt.Sprintf(", %s could not be looked at", whole(t.CouldNotLook))
	}
	return text
}

// changesText names the first few changes, old → new.
func changesText(changes []Change) string {
	var parts []string
	for i, c := range changes {
		if i == mostNamed {
			parts = append(parts, fmt.Sprintf("and %d more", len(changes)-i))
			break
		}
		name := c.ID
		if scope := ScopeText(c.Scope); scope != "" {
			name += " (" + scope + ")"
		}
		parts = append(parts, name+" "+c.Old+" → "+c.New)
	}
	return strings.Join(parts, "; ")
}

// ScopeText names a scope in words, "" for all of it.
func ScopeText(s detect.Scope) string {
	var parts []string
	for _, p := range []string{s.Configuration, s.Run, s.Scenario, s.Step, s.Op, s.Source, s.Entity} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ", ")
}

// statement is the paragraph about the whole archive.
func statement(r *Report) string {
	var compared, changed, blind, broken, partial, withdrawn int
	for i := range r.Runs {
		run := &r.Runs[i]
		o := Unchanged
		for j := range run.Against {
			o = worst(o, run.Against[j].outcome())
		}
		switch {
		case run.Error != "":
			broken++
		case len(run.Blind) > 0 && o == Unchanged:
			blind++
		}
		if len(run.Against) > 0 {
			compared++
		}
		switch o {
		case Changed:
			changed++
		case CouldNotLook:
			blind++
		}
		if run.State == "partial" {
			partial++
		}
		if run.Withdrawn != "" {
			withdrawn++
		}
	}
	out := []string{fmt.Sprintf("%s of the archive, %s.", count(len(r.Runs), "run"), count(len(r.Detectors), "detector"))}
	add := func(n int, format string) {
		if n > 0 {
			out = append(out, fmt.Sprintf(format, count(n, "run")))
		}
	}
	if compared == 0 {
		out = append(out, "There is no earlier result to compare with.")
	} else {
		out = append(out, fmt.Sprintf("%s compared, %d of them with changes.", count(compared, "run"), changed))
	}
	add(blind, "%s with something that could not be looked at.")
	add(broken, "%s that could not be measured.")
	add(partial, "%s partial.")
	add(withdrawn, "%s withdrawn.")
	stale := 0
	for _, d := range r.Documents {
		if d.Outcome == Changed {
			stale++
		}
	}
	if len(r.Documents) > 0 {
		out = append(out, fmt.Sprintf("%s, %d of them stale.", count(len(r.Documents), "document"), stale))
	}
	return strings.Join(out, " ")
}

// count is "1 run", "2 runs".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%s %ss", whole(n), what)
}

// whole writes a number of things for readers: "10,466".
func whole(n int) string { return thousands.Group(fmt.Sprint(n)) }
