package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"headroom/analyze"
	"headroom/render/md"
)

// lookTable says what the detectors saw of a run: each that found something, then
// those that looked and found nothing, then those that could not look, by why. Their
// parameters stand with the method, and here only where they are other ones than
// those of the document's other runs.
func (w *Writer) lookTable(list []analyze.Look) md.Table {
	t := md.Table{ID: w.tableIDs.unique("looked", "table"), Title: "What each detector could see", Columns: []md.Column{
		{Name: "detector"}, {Name: "of"}, {Name: "looked"}, {Name: "found", Right: true}}}
	var quiet []string
	var reasons []string
	blind := map[string][]string{}
	partly := map[string]bool{} // found something, or could not look, in another scope
	for _, l := range list {
		partly[l.Detector] = partly[l.Detector] || !l.Could || l.Found > 0
	}
	for _, l := range list {
		name := fmt.Sprintf("%s@%d", l.Detector, l.Version)
		if p := w.ownParameters(l); p != "" {
			name += " (" + p + ")"
		}
		of := scopeText(l.Scope.Scenario, l.Scope.Step, l.Scope.Op)
		switch {
		case !l.Could:
			why := strings.TrimSuffix("could not look: "+strings.TrimSpace(l.Why), ": ")
			if blind[why] == nil {
				reasons = append(reasons, why)
			}
			blind[why] = addOnce(blind[why], ofScope(name, of))
		case l.Found == 0:
			if partly[l.Detector] {
				name = inScope(name, of)
			}
			quiet = addOnce(quiet, name)
		default:
			t.Rows = append(t.Rows, md.Row{Cells: []md.Cell{{Text: name}, {Text: orDash(of)}, {Text: "yes"}, {Text: strconv.Itoa(l.Found)}}})
		}
	}
	if len(quiet) > 0 {
		t.Notes = append(t.Notes, "Looked, and found nothing: "+strings.Join(quiet, ", ")+".")
	}
	for _, why := range reasons {
		t.Rows = append(t.Rows, md.Row{Cells: []md.Cell{{Text: strings.Join(blind[why], ", ")}, {Text: "—"}, {Text: why}, {Text: "—"}}})
	}
	return t
}

func addOnce(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// ofScope names a detector, and of what it looked where that is not all.
func ofScope(name, of string) string {
	if of == "" || of == "default" {
		return name
	}
	return name + " of " + of
}

// inScope names a detector with what it looked at, "default" and the whole run too.
func inScope(name, of string) string {
	if of == "" {
		of = "the whole run"
	}
	return name + " of " + of
}

// ownParameters writes the parameters of a look that are not those by which the
// detector looked elsewhere in the document.
func (w *Writer) ownParameters(l analyze.Look) string {
	text := parameters(l.Params)
	if len(w.params[l.Detector]) < 2 {
		return ""
	}
	return text
}

// parametersOf lists the parameters by which each detector looked.
func parametersOf(c *analyze.Capacity) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, l := range looks(c) {
		if out[l.Detector] == nil {
			out[l.Detector] = map[string]bool{}
		}
		out[l.Detector][parameters(l.Params)] = true
	}
	return out
}
