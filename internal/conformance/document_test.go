package conformance

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/internal/golden"
	"headroom/internal/runtest"
	"headroom/render"
	"headroom/render/check"
	"headroom/runs"
)

// scripted is a run in the language of runtest, with its labels.
type scripted struct {
	script string
	labels map[string]string
	step   map[string]string
}

// documents are small documents, one of each kind.
var documents = map[string]struct {
	runs  []scripted
	prose *analyze.Prose
}{
	"capacity": {
		runs: []scripted{
			{script: "run 20s 20/s p50=8ms workers=1 seed=1", step: map[string]string{"concurrency": "1"}},
			{script: "run 20s 60/s p50=12ms workers=4 seed=2", step: map[string]string{"concurrency": "4"}},
			{script: "run 20s 62/s p50=400ms workers=16 seed=3", step: map[string]string{"concurrency": "16"}},
		},
		prose: &analyze.Prose{File: "capacity.md.tmpl", Constants: map[string]string{"shape": "one host, 4 cores"}, Text: `
Measured on {{const "shape"}}: {{num "sweep.sustained.throughput"}} is what it sustains.
{{claim "latency.p99 concurrency=4" "<" "latency.p99 concurrency=16"}}

## Why not more workers

{{table "steps"}}

At ` + "`concurrency=16`" + ` the tail is {{ratio "latency.p99 concurrency=16" "latency.p99 concurrency=4"}} times longer.
`},
	},
	"under-load": {runs: []scripted{
		{script: "run 20s 50/s p50=8ms seed=1", labels: map[string]string{"rate": "50"}},
		{script: "run 20s 100/s p50=9ms seed=2\nerrors at=5s for=1s share=0.5", labels: map[string]string{"rate": "100"}},
	}},
	"sustained": {runs: []scripted{
		{script: "run 30s 60/s p50=8ms seed=1", labels: map[string]string{"repeat": "1"}},
		{script: "run 30s 60/s p50=8ms seed=2\nfreeze at=12.3s for=400ms", labels: map[string]string{"repeat": "2"}},
	}},
	"baseline": {runs: []scripted{{script: "run 20s 60/s p50=5ms seed=1"}}},
}

// seal writes a run of a script, after edit changed it.
func seal(t *testing.T, s scripted, id string, edit func(*runtest.Run)) *runs.Run {
	t.Helper()
	parsed, err := runtest.Parse(id, s.script)
	if err != nil {
		t.Fatal(err)
	}
	made, err := parsed.Run()
	if err != nil {
		t.Fatal(err)
	}
	if edit != nil {
		edit(made)
	}
	w, err := runs.Create(filepath.Join(t.TempDir(), id), runs.CreateOptions{ID: id})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := made.Put(w); err != nil {
		t.Fatal(err)
	}
	m := w.Manifest()
	m.Labels = s.labels
	m.Load.Model, m.Load.Concurrency = runs.OpenLoop, made.Workers
	if made.Workers > 0 {
		m.Load.Model = runs.ClosedLoop
	}
	m.Host.Cores = 4
	m.Sources = []runs.Source{{File: id + ".csv", Format: "generic-csv", SHA256: id, Samples: int64(len(made.Samples))}}
	if s.step != nil {
		m.Steps = []runs.Step{{Labels: s.step, Start: made.Start / 1000, End: made.End / 1000}}
	}
	run, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// documentOf makes the capacity of a kind, with edit applied to one of its runs.
func documentOf(t *testing.T, kind string, which int, edit func(*runtest.Run)) *analyze.Capacity {
	t.Helper()
	d := documents[kind]
	var measured []*analyze.Measured
	for i, s := range d.runs {
		change := edit
		if i != which {
			change = nil
		}
		m, err := analyze.Measure(context.Background(), seal(t, s, fmt.Sprintf("run-%d", i+1), change), analyze.Protocol{})
		if err != nil {
			t.Fatal(err)
		}
		measured = append(measured, m)
	}
	c, err := analyze.Combine(measured, analyze.Protocol{Title: "A " + kind + " document"})
	if err != nil {
		t.Fatal(err)
	}
	c.Kind, c.Prose = kind, d.prose
	return c
}

// TestDocuments compares a small document of each kind by its outline, and finds
// every one as it was built.
func TestDocuments(t *testing.T) {
	for _, kind := range render.KindNames() {
		if _, ok := documents[kind]; !ok {
			t.Errorf("there is no document of the kind %s", kind)
			continue
		}
		c := documentOf(t, kind, -1, nil)
		files, err := render.Files(c, render.Options{Version: "0"})
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		golden.Equal(t, "testdata/documents/"+kind+".golden", []byte(outline(string(files["index.md"]))))
		if list, _, err := check.Alone(files); err != nil || len(list) > 0 {
			t.Errorf("%s: %v, %v", kind, list, err)
		}
		if problems, err := render.Prose(c, true); err != nil || len(problems) > 0 {
			t.Errorf("%s: %v, %v", kind, problems, err)
		}
	}
}

// outline is what stands where in a document: headings, what was not measured,
// the heads of tables, plots and the author's words.
func outline(text string) string {
	var out []string
	list := strings.Split(text, "\n")
	for i, line := range list {
		heading, of := strings.HasPrefix(line, "#"), ""
		switch {
		case heading, strings.HasPrefix(line, "Not measured: "), strings.HasPrefix(line, "!["):
			of = line
		case strings.HasPrefix(line, "| -") && i > 0:
			of = strings.Join(strings.Fields(list[i-1]), " ")
		case strings.HasPrefix(line, "Measured on "), strings.HasPrefix(line, "At `"):
			of = line
		}
		if of == "## Runs, sources and provenance" {
			break
		}
		if of != "" {
			out = append(out, of)
		}
	}
	return strings.Join(out, "\n") + "\n"
}

// mutatedRuns is how many runs are changed, of all kinds together.
const mutatedRuns = 12

// TestCheckNamesMutatedRuns changes the time of one request of one run: check
// names every line of the document that this changes, and no other.
func TestCheckNamesMutatedRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	kinds := render.KindNames()
	built := map[string]map[string][]byte{}
	for _, kind := range kinds {
		files, err := render.Files(documentOf(t, kind, -1, nil), render.Options{Unfinished: true})
		if err != nil {
			t.Fatal(err)
		}
		built[kind] = files
	}
	named := 0
	for i := range mutatedRuns {
		kind := kinds[i%len(kinds)]
		c := documentOf(t, kind, r.IntN(len(documents[kind].runs)), func(run *runtest.Run) {
			run.Samples[r.IntN(len(run.Samples))].Service += 1e6 + r.Int64N(5e8)
		})
		want, err := render.Files(c, render.Options{Unfinished: true})
		if err != nil {
			t.Fatal(err)
		}
		list := check.Compare(built[kind], want, c)
		if !slices.ContainsFunc(list, func(d check.Difference) bool { return d.File == check.CapacityFile }) {
			t.Errorf("mutation %d of %s: no value is named: %v", i, kind, list)
		}
		named += namedLines(t, fmt.Sprintf("mutation %d of %s", i, kind), built[kind], want, list)
	}
	t.Logf("answered %d of %d ids; %d lines named", mutatedRuns, mutatedRuns, named)
}

// namedLines looks whether every line that is in the document no longer is named,
// and nothing of a file that did not change.
func namedLines(t *testing.T, at string, have, want map[string][]byte, list []check.Difference) (n int) {
	t.Helper()
	places, files := map[string]bool{}, map[string]bool{}
	for _, d := range list {
		places[fmt.Sprintf("%s:%d", d.File, d.Line)], files[d.File] = true, true
	}
	for file, data := range want {
		if files[file] == bytes.Equal(have[file], data) {
			t.Errorf("%s: %s is named: %v; equal: %v", at, file, files[file], bytes.Equal(have[file], data))
		}
		now := map[string]bool{}
		for _, line := range strings.Split(string(data), "\n") {
			now[line] = true
		}
		sealed := false
		for k, line := range strings.Split(string(have[file]), "\n") {
			sealed = sealed || file == check.CapacityFile && strings.HasPrefix(line, `  "seal": {`)
			if now[line] || sealed {
				continue
			}
			n++
			if place := fmt.Sprintf("%s:%d", file, k+1); !places[place] {
				t.Errorf("%s: %s is not named: %.80s", at, place, line)
			}
		}
	}
	return n
}
