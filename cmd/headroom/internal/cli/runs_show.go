package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"headroom/analyze"
	"headroom/runs"
)

// RunsShowOptions are the flags of `headroom runs show`.
type RunsShowOptions struct {
	Env *Env
	Output
	Run string
}

func newRunsShowCmd(env *Env, runF func(context.Context, *RunsShowOptions) error) *cobra.Command {
	opts := &RunsShowOptions{Env: env}
	cmd := &cobra.Command{
		Use:   "show RUN",
		Short: "Show what a run holds and what it was made from",
		Long: `Show the manifest of a run: its load, window and steps, claims and counts, every
source with what was read of it, and what was not collected; and what was
written of it since, as that it was withdrawn.`,
		Example: "  headroom runs show runs/a",
		Args:    oneArg("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Run = args[0]
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runRunsShow(cmd.Context(), opts)
		},
	}
	addOutputFlags(cmd, &opts.Output)
	return cmd
}

// runShown is the answer of `headroom runs show --json`.
type runShown struct {
	Path   string      `json:"path"`
	Digest string      `json:"digest"`
	Notes  []runs.Note `json:"notes"` // written after it was sealed
	Unread string      `json:"unread_notes,omitempty"`
	// LoadModel is open, closed or unknown, as every analysis takes it; ModelFrom
	// says how that is known.
	LoadModel runs.LoadModel `json:"load_model"`
	ModelFrom string         `json:"load_model_from"`
	Manifest  *runs.Manifest `json:"manifest"`
}

func runRunsShow(ctx context.Context, opts *RunsShowOptions) error {
	env := opts.Env
	found, err := openRuns(env, []string{opts.Run})
	if err != nil {
		return err
	}
	if len(found) != 1 {
		return usagef("show: %s holds %d runs; name one of them (headroom runs ls %s)", opts.Run, len(found), opts.Run)
	}
	run := found[0]
	model, from, err := analyze.LoadModel(ctx, run.run)
	if err != nil { // what can be read is shown
		model, from = runs.UnknownLoop, "its samples cannot be read"
	}
	if opts.JSON {
		notes, _ := run.run.Notes() // of what cannot be read the summary speaks
		s := summarise(run.path, run.run)
		return printJSON(env.Out, runShown{run.path, s.Digest, nonNil(notes), s.Unread, model, from, run.run.Manifest()})
	}
	return showRun(env.Out, env.Width(env.Out), run, loadText(run.run.Manifest().Load, model, from))
}

func showRun(w io.Writer, width int, r namedRun, load string) error {
	m := r.run.Manifest()
	s := summarise(r.path, r.run)
	t := &table{head: []string{"", ""}}
	field := func(name, value string) {
		if value != "" {
			t.add(name, value)
		}
	}
	field("run", s.ID)
	field("path", r.path)
	field("digest", s.Digest)
	field("state", string(s.State))
	notes, _ := r.run.Notes() // of what cannot be read the summary speaks
	for _, n := range notes {
		field(map[bool]string{true: "WITHDRAWN", false: "note"}[n.Kind == runs.Withdrawn], n.Words())
	}
	field("notes", s.Unread)
	field("labels", labelsText(s.Labels))
	if s.First == "" {
		field("samples", "none")
	} else {
		field("samples", s.First+" to "+s.Last+" ("+s.length()+")")
	}
	for _, r := range m.Summaries {
		if text := analyze.Reported(r); r.Of == "" && text != "" {
			field("reported", text+" ("+r.Source+")")
		}
	}
	field("window", windowText(m.Window))
	field("load", load)
	field("host", hostText(m.Host))
	field("claims", labelsText(m.Claims))
	field("before", countsText(m.Before))
	field("after", countsText(m.After))
	field("reconcile", labelsText(m.Reconcile))
	if m.ExitStatus != nil {
		field("exit status", fmt.Sprint(*m.ExitStatus))
	}
	for _, note := range m.Notes {
		field("note", note)
	}
	if err := t.write(w, width); err != nil {
		return err
	}
	for _, part := range []*table{tablesOf(s), stepsOf(m), sourcesOf(m), badOf(m), absencesOf(m)} {
		if len(part.rows) == 0 {
			continue
		}
		fmt.Fprintln(w)
		if err := part.write(w, width); err != nil {
			return err
		}
	}
	return nil
}

func tablesOf(s runSummary) *table {
	t := &table{head: []string{"table", "rows"}, right: []bool{false, true}}
	for _, name := range slices.Sorted(maps.Keys(s.Tables)) {
		t.add(name, fmt.Sprint(s.Tables[name]))
	}
	return t
}

func stepsOf(m *runs.Manifest) *table {
	t := &table{head: []string{"step", "from", "to"}}
	for _, s := range m.Steps {
		t.add(labelsText(s.Labels), stepInstant(s.Start), stepInstant(s.End))
	}
	return t
}

func sourcesOf(m *runs.Manifest) *table {
	t := &table{
		head:  []string{"source", "format", "rows", "bad", "notes"},
		right: []bool{false, false, true, true},
		note:  "notes",
	}
	for _, s := range m.Sources {
		notes := slices.Clone(s.Notes)
		if s.Cut {
			notes = append(notes, "ends inside a record")
		}
		if s.Zone != "" {
			notes = append(notes, "stamps: "+s.Zone)
		}
		bad := ""
		if s.BadLines > 0 {
			bad = fmt.Sprint(s.BadLines)
		}
		t.add(s.File, s.Format, fmt.Sprint(s.Rows), bad, strings.Join(notes, "; "))
	}
	return t
}

// badOf lists the lines that could not be read, as far as the manifest has them.
func badOf(m *runs.Manifest) *table {
	t := &table{head: []string{"lines that could not be read"}}
	for _, s := range m.Sources {
		for _, bad := range s.Bad {
			t.add(bad)
		}
		if more := s.BadLines - int64(len(s.Bad)); more > 0 {
			t.add(fmt.Sprintf("%s: and %d more", s.File, more))
		}
	}
	return t
}

func absencesOf(m *runs.Manifest) *table {
	t := &table{head: []string{"not collected", "why", ""}}
	for _, a := range m.NotCollected {
		t.add(a.What, string(a.Why), a.Note)
	}
	return t
}

func windowText(w *runs.Window) string {
	switch {
	case w == nil:
		return "not declared"
	case w.Declared:
		return w.Start + " to " + w.End
	}
	return w.Start + " to " + w.End + " (not declared)"
}

func loadText(l runs.Load, model runs.LoadModel, from string) string {
	parts := []string{strings.TrimSpace(l.Tool + " " + l.Version)}
	if l.Model != "" || model != runs.UnknownLoop {
		text := loopText(string(model))
		if from != "declared" && from != "" {
			text += " (" + from + ")"
		}
		parts = append(parts, text)
	}
	if l.Rate > 0 {
		parts = append(parts, fmt.Sprintf("%g requests/s offered", l.Rate))
	}
	if l.Concurrency > 0 {
		parts = append(parts, fmt.Sprintf("concurrency %d", l.Concurrency))
	}
	if len(l.Jobs) > 0 {
		parts = append(parts, "jobs of a queue: "+strings.Join(l.Jobs, ", "))
	}
	if len(l.ProbeOf) > 0 {
		parts = append(parts, "probes: "+strings.Join(l.ProbeOf, ", "))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

func hostText(h runs.Host) string {
	parts := []string{h.Name, h.Model, strings.TrimSpace(h.OS + " " + h.Kernel)}
	if h.Cores > 0 {
		parts = append(parts, fmt.Sprintf("%d cores", h.Cores))
	}
	if h.Memory > 0 {
		parts = append(parts, bytesText(h.Memory)+" memory")
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

func countsText(c *runs.Counts) string {
	if c == nil {
		return ""
	}
	return labelsText(c.Values) + " (" + c.Source + ")"
}
