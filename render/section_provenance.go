package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"headroom/analyze"
	"headroom/render/md"
)

var provenance = Section{
	Name:  "provenance",
	Title: "Runs, sources and provenance",
	owns:  owns{Tables: []string{"sources"}},
	Doc:   "Per run: what it is, what it was made from, what was not collected, what each detector could see, and where each figure comes from.",
	Applies: func(c *analyze.Capacity) bool {
		return len(c.Results) > 0 || len(c.Quantities) > 0 || hasTable(c, "sources")
	},
	Write: func(w *Writer, c *analyze.Capacity) error {
		if err := w.Text("runs.intro", nil); err != nil {
			return err
		}
		if err := writeSources(w, c); err != nil {
			return err
		}
		if len(c.Quantities) > 0 {
			if err := writeQuantities(w, len(w.sources.document)); err != nil {
				return err
			}
		}
		for i, r := range c.Results {
			if i == maxRuns {
				return w.Text("list.left", len(c.Results)-maxRuns)
			}
			if err := w.details(fmt.Sprintf("run-%d", i+1), runSummary(w.plain.names[r.Run.ID], r), func() error { return writeRun(w, i, r, !hasTable(c, "sources")) }); err != nil {
				return err
			}
		}
		return nil
	},
}

// writeQuantities lists the figures of the document, many to be opened.
func writeQuantities(w *Writer, n int) error {
	add := func() error {
		w.add(w.quantityTable("quantities", "Figures of the document", w.sources.document, ""))
		return nil
	}
	if n <= fewSources {
		return add()
	}
	return w.details("all-quantities", w.say("quantities.all", n), add)
}

// writeSources shows the tables of sources, a long one to be opened.
func writeSources(w *Writer, c *analyze.Capacity) error {
	for _, t := range c.Tables {
		switch {
		case !isTable(t, "sources"):
		case len(t.Rows) <= fewSources:
			w.table(t)
		default:
			if err := w.details("all-sources", w.say("sources.all", len(t.Rows)), func() error {
				w.table(t)
				return nil
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// fewSources is how many sources, and figures of the document, are shown without
// being asked for.
const fewSources = 10

// Bounds on the appendix: runs shown, and up to how many quantities of all runs
// together it has those that no table shows.
const (
	maxRuns       = 200
	maxQuantities = 700
)

// runSummary names a run by what the page calls it, and its ID.
func runSummary(name string, r analyze.Result) string {
	s := "Run " + r.Run.ID
	if name != r.Run.ID && name != "" {
		s = strings.TrimSuffix(name, separator+r.Run.ID) + ": run " + r.Run.ID
	}
	if l := labels(r.Run.Labels); l != "" {
		s += " (" + l + ")"
	}
	if r.Run.State != "" && r.Run.State != "sealed" {
		s += ", " + r.Run.State
	}
	return s
}

// labels writes labels in the order of their keys.
func labels(m map[string]string) string {
	var out []string
	for _, k := range sortedKeys(m) {
		out = append(out, k+"="+m[k])
	}
	return strings.Join(out, ", ")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

type fact struct{ Name, Value md.Inline }

// writeRun writes what is known of a run; its sources only if no table of the
// document has them.
func writeRun(w *Writer, i int, r analyze.Result, withSources bool) error {
	if r.Run.State != "" && r.Run.State != "sealed" {
		if err := w.Text("runs.partial", md.Escape(r.Run.State, cellRoom)); err != nil {
			return err
		}
	}
	if err := w.Text("runs.facts", facts(r)); err != nil {
		return err
	}
	if len(r.Sources) > 0 && withSources {
		w.add(w.sourceTable(r.Sources))
	}
	if len(r.Looked) > 0 {
		w.add(w.lookTable(r.Looked))
	}
	if list := w.sources.runs[i]; len(list) > 0 {
		w.add(w.quantityTable("run-quantities", "Figures of the run", list, interval(r.Run.Start, r.Run.End)))
	}
	if n := w.sources.left[i]; n > 0 {
		return w.Text("list.left", n)
	}
	return nil
}

// facts are what identifies a run and what is to be known before it is used.
func facts(r analyze.Result) (out []fact) {
	add := func(name md.Inline, values ...string) {
		for _, v := range values {
			if v != "" {
				out = append(out, fact{name, md.Escape(v, lineRoom)})
			}
		}
	}
	window := interval(r.Run.Start, r.Run.End)
	if window != "" && !r.Run.Declared {
		window += ", window not declared"
	}
	add("Measured", window)
	add("System", r.Run.System)
	add("Host", r.Run.Host)
	add("Load", loadText(r.Run.Load))
	add("Command", r.Run.Load.Command)
	add("Digest", r.Run.Digest)
	add("Warning", r.Warnings...)
	add("Not collected", r.Absent...)
	return out
}

func loadText(l analyze.LoadInfo) string {
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	add(l.Tool)
	if l.Model != "" {
		model := l.Model + " loop"
		if l.Model == "unknown" {
			model = "load model unknown"
		}
		if l.ModelFrom != "" {
			model += " (" + l.ModelFrom + ")"
		}
		add(model)
	}
	if l.Rate != 0 {
		add("intended rate " + strconv.FormatFloat(l.Rate, 'f', -1, 64) + "/s")
	}
	if l.Concurrency != 0 {
		add("concurrency " + strconv.Itoa(l.Concurrency))
	}
	if l.Basis != "" {
		add("latency is that of the " + l.Basis)
	}
	return strings.Join(parts, "; ")
}

func (w *Writer) sourceTable(list []analyze.SourceInfo) md.Table {
	t := md.Table{ID: w.tableIDs.unique("sources-of-run", "table"), Title: "Sources", Wide: true, Columns: []md.Column{
		{Name: "file"}, {Name: "format"}, {Name: "rows", Right: true}, {Name: "bad lines", Right: true}, {Name: "notes"}, {Name: "SHA-256"}}}
	for _, s := range list[:min(len(list), maxRows)] {
		var notes []string
		if s.Cut {
			notes = append(notes, "cut")
		}
		if s.Zone != "" {
			notes = append(notes, "zone "+s.Zone)
		}
		if s.Note != "" {
			notes = append(notes, s.Note)
		}
		t.Rows = append(t.Rows, md.Row{Cells: []md.Cell{{Text: s.File}, {Text: orDash(s.Format)}, {Text: strconv.FormatInt(s.Rows, 10)},
			{Text: strconv.FormatInt(s.Bad, 10)}, {Text: orDash(strings.Join(notes, "; "))}, {Text: orDash(s.SHA256)}}})
	}
	return t
}

// parameters writes parameters in the order of their names.
func parameters[V any](m map[string]V) string {
	var out []string
	for _, k := range sortedKeys(m) {
		out = append(out, k+"="+value(m[k]))
	}
	return strings.Join(out, ", ")
}

func value(v any) string {
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}
