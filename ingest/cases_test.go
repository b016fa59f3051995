package ingest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"headroom/internal/golden"
	"headroom/runs"
)

// TestCaseFolders reads every testdata/FORMAT/*.txtar, found by listing, so that
// a new case is one file. A case holds files called input…, each read on its own
// with the importer FORMAT, and what comes out:
//
//	want.rows    the rows, as text
//	want.errors  the lines that could not be read, and the error, if any
//	want.notes   what the file says of itself: notes, counts, zone
//
// An input called input.cut… is read without the newline at its end. Lines
// "option: value" before the first file are options: zone, start, interval,
// ticks, scenario, events, rejected, seventh; "hint NAME: value" is what another
// file of the run said. A file called mapping.yaml is the mapping of a generic
// format, and is kept as it is. `go test ./ingest -update` writes what comes out.
func TestCaseFolders(t *testing.T) {
	for _, im := range All {
		paths, err := filepath.Glob(filepath.Join("testdata", im.Name, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			t.Run(im.Name+"/"+strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
				runCase(t, im, path)
			})
		}
	}
}

// TestCaseFoldersComplete fails for an importer without a case, and for a folder
// without an importer.
func TestCaseFoldersComplete(t *testing.T) {
	for _, im := range All {
		if paths, _ := filepath.Glob(filepath.Join("testdata", im.Name, "*.txtar")); len(paths) == 0 {
			t.Errorf("%s has no case in testdata/%s", im.Name, im.Name)
		}
	}
	dirs, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if _, err := Lookup(All, d.Name()); err != nil && d.Name() != "fuzz" {
			t.Errorf("testdata/%s: %v", d.Name(), err)
		}
	}
}

func runCase(t *testing.T, im *Importer, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	comment, files := parseArchive(string(text))
	opt, err := caseOptions(comment)
	if err != nil {
		t.Fatal(err)
	}
	out := bytes.NewBufferString(comment)
	var rowText, errText, noteText bytes.Buffer
	for _, f := range files {
		if f.name == "mapping.yaml" {
			maps, err := ReadMappings(f.name, []byte(f.text))
			if err != nil {
				t.Fatal(err)
			}
			opt.Map = maps[0]
			fmt.Fprintf(out, "-- %s --\n%s", f.name, f.text)
		}
		if !strings.HasPrefix(f.name, "input") {
			continue
		}
		fmt.Fprintf(out, "-- %s --\n%s", f.name, f.text)
		data := []byte(f.text)
		if strings.HasPrefix(f.name, "input.cut") {
			data = bytes.TrimSuffix(data, []byte("\n"))
		}
		if got, err := Sniff(All, data); opt.Map == nil && (err != nil || got != im) {
			t.Errorf("%s is not recognised as %s: %v", f.name, im.Name, err)
		}
		in := NewInput(f.name, bytes.NewReader(data), opt)
		in.Hints = caseHints(comment)
		r := &rows{}
		err := im.Read(in, r)
		r.dump(&rowText)
		if _, bad := in.BadLines(); len(bad) > 0 {
			fmt.Fprintln(&errText, strings.Join(bad, "\n"))
		}
		if err != nil {
			fmt.Fprintf(&errText, "error: %v\n", err)
		}
		dumpMeta(&noteText, in)
	}
	for _, f := range []struct {
		name string
		text *bytes.Buffer
	}{{"want.rows", &rowText}, {"want.errors", &errText}, {"want.notes", &noteText}} {
		fmt.Fprintf(out, "-- %s --\n%s", f.name, f.text)
	}
	golden.Equal(t, path, out.Bytes())
}

// archived is a file in a txtar archive (https://pkg.go.dev/golang.org/x/tools/txtar).
type archived struct{ name, text string }

// parseArchive takes a txtar archive apart: what stands before the first file,
// and the files, each behind a line "-- name --".
func parseArchive(text string) (comment string, files []archived) {
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "-- ")
		if name, end := strings.CutSuffix(name, " --"); ok && end {
			files = append(files, archived{name: name})
		} else if len(files) == 0 {
			comment += line
		} else {
			files[len(files)-1].text += line
		}
	}
	return comment, files
}

func caseOptions(comment string) (opt Options, err error) {
	for line := range strings.Lines(comment) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		switch key {
		case "zone":
			opt.Zone, err = time.LoadLocation(value)
		case "start":
			opt.Start, err = time.Parse(time.RFC3339, value)
		case "interval":
			opt.Interval, err = time.ParseDuration(value)
		case "ticks":
			opt.ClockTicks, err = strconv.Atoi(value)
		case "scenario":
			opt.Scenario = value
		case "rejected":
			opt.Rejected = strings.Fields(value)
		case "seventh":
			opt.Seventh = value
		case "events":
			opt.Events, err = strconv.ParseInt(value, 10, 64)
		}
		if err != nil {
			return opt, err
		}
	}
	return opt, nil
}

// caseHints returns the "hint NAME: value" lines of a case.
func caseHints(comment string) map[string]string {
	hints := map[string]string{}
	for line := range strings.Lines(comment) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && strings.HasPrefix(name, "hint ") {
			hints[strings.TrimPrefix(name, "hint ")] = value
		}
	}
	return hints
}

func dumpMeta(w *bytes.Buffer, in *Input) {
	if in.stamps != nil {
		in.stamps.describe(&in.Meta)
	}
	m := &in.Meta
	fmt.Fprintf(w, "%s: zone %q, resolution %d us, cut %v\n", in.Name, m.Zone, m.Resolution, m.Cut)
	for _, note := range m.Notes {
		fmt.Fprintf(w, "note: %s\n", note)
	}
	if m.Tool != "" {
		fmt.Fprintf(w, "tool %s %s: model %q, basis %q, drops known %v, concurrency %d, rate %v\n",
			m.Tool, m.Version, m.Model, m.Basis, m.DropsKnown, m.Concurrency, m.Rate)
	}
	for _, s := range m.Summaries {
		fmt.Fprintf(w, "summary %q (%s): %v\n", s.Of, s.Method, s.Values)
	}
	for _, th := range m.Thresholds {
		fmt.Fprintf(w, "threshold %s %s: crossed %v", th.Metric, th.Expr, th.Crossed)
		dumpFields(w, "samples", th.Samples)
	}
	for _, name := range sortedKeys(m.Totals) {
		fmt.Fprintf(w, "total %s: %s\n", name, m.Totals[name])
	}
	for _, name := range sortedKeys(m.Hints) {
		fmt.Fprintf(w, "hint %s: %s\n", name, m.Hints[name])
	}
	if m.Counts != nil {
		fmt.Fprintf(w, "counts at %q: %v\n", m.Counts.At, m.Counts.Values)
	}
	if len(m.Settings) > 0 {
		fmt.Fprintf(w, "settings: %v\n", m.Settings)
	}
	if len(m.Claims) > 0 {
		fmt.Fprintf(w, "claims: %v\n", m.Claims)
	}
	if m.ExitStatus != nil {
		fmt.Fprintf(w, "exit status: %d\n", *m.ExitStatus)
	}
}

// dump writes the rows as text, one a line but for multi-line texts, which are
// quoted. A value that is missing is not printed.
func (r *rows) dump(w *bytes.Buffer) {
	for _, s := range r.samples {
		fmt.Fprintf(w, "sample %s", stampText(s.Start))
		dumpFields(w, "ns", s.StartNS, "wait", s.Wait, "service", s.Service, "scenario", s.Scenario, "op", s.Op,
			"status", s.Status, "outcome", string(s.Outcome), "target", s.Target, "events", s.Events, "error", s.Error,
			"worker", s.Worker, "id", s.ID, "tags", s.Tags, "connecting", s.Connecting, "tls", s.TLS,
			"sending", s.Sending, "waiting", s.Waiting, "receiving", s.Receiving)
	}
	for _, p := range r.points {
		fmt.Fprintf(w, "point %s %s %s=%s %s", stampText(p.Time), p.Kind, p.Metric, strconv.FormatFloat(p.Value, 'g', -1, 64), p.Unit)
		dumpFields(w, "entity", p.Entity, "every", time.Duration(p.Resolution*1000).String(), "tags", p.Tags)
	}
	for _, a := range r.activity {
		fmt.Fprintf(w, "activity %s", stampText(a.Time))
		dumpFields(w, "pid", a.PID, "backend", a.BackendType, "state", a.State, "type", a.WaitType, "wait", a.Wait,
			"database", a.Database, "user", a.User, "application", a.Application, "query", a.Query, "blocked_by", a.BlockedBy)
	}
	for _, m := range r.markers {
		fmt.Fprintf(w, "marker %s %s %s %q", stampText(m.Time), m.Kind, m.Severity, m.Message)
		dumpFields(w, "pid", m.PID, "duration", m.Duration, "attrs", m.Attrs, "detail", m.Detail)
	}
	for _, s := range r.snapshots {
		at := "-"
		if s.Time != runs.Missing {
			at = stampText(s.Time)
		}
		fmt.Fprintf(w, "snapshot %s %s", s.View, at)
		var fields []any
		for i, v := range s.Values {
			fields = append(fields, s.Columns[i], v)
		}
		dumpFields(w, fields...)
	}
	for _, h := range r.histograms {
		fmt.Fprintf(w, "histogram %s length=%d %d..%d count=%d", stampText(h.Start), h.Length, h.Low, h.High, h.Count)
		dumpFields(w, "scenario", h.Scenario, "op", h.Op)
	}
	for _, b := range r.benchmarks {
		fmt.Fprintf(w, "benchmark %s=%s %s", b.Name, strconv.FormatFloat(b.Value, 'g', -1, 64), b.Unit)
		dumpFields(w, "procs", b.Procs, "repeat", b.Repeat, "iterations", b.Iterations, "package", b.Package, "config", b.Config)
	}
}

// dumpFields writes name=value pairs, without those that are missing or empty.
func dumpFields(w *bytes.Buffer, pairs ...any) {
	for i := 0; i < len(pairs); i += 2 {
		switch v := pairs[i+1].(type) {
		case int64:
			if v != runs.Missing {
				fmt.Fprintf(w, " %s=%d", pairs[i], v)
			}
		case string:
			if strings.ContainsAny(v, "\n\t ") {
				fmt.Fprintf(w, " %s=%q", pairs[i], v)
			} else if v != "" {
				fmt.Fprintf(w, " %s=%s", pairs[i], v)
			}
		}
	}
	fmt.Fprintln(w)
}
