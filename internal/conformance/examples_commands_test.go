package conformance

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"headroom/ingest"
	"headroom/internal/golden"
)

// exampleRoot is where the studies of the reference sets stand.
const exampleRoot = "../../examples"

// TestExampleCommands keeps examples/SET/ingest.sh equal to what a user would type
// to make the runs of a set, by its manifest; -update writes it.
func TestExampleCommands(t *testing.T) {
	root := dataFolder(t, "HEADROOM_REFERENCE", "reference")
	for _, set := range exampleSets(t) {
		dir := filepath.Join(root, set)
		if _, err := os.Stat(filepath.Join(dir, "manifest.json")); err != nil {
			t.Logf("%s: not among the reference sets of %s", set, root)
			continue
		}
		var m refManifest
		readJSON(t, filepath.Join(dir, "manifest.json"), &m)
		golden.Equal(t, filepath.Join(exampleRoot, set, "ingest.sh"), []byte(m.script(t, dir)))
	}
}

// exampleSets names the folders of examples that hold a study of a reference set.
func exampleSets(t *testing.T) []string {
	studies, err := filepath.Glob(filepath.Join(exampleRoot, "*", "study.yaml"))
	noError(t, "examples", err)
	if len(studies) == 0 {
		t.Fatal("there is no study in " + exampleRoot)
	}
	var out []string
	for _, s := range studies {
		out = append(out, filepath.Base(filepath.Dir(s)))
	}
	return out
}

const scriptHead = `#!/usr/bin/env bash
# Makes one run of every recording of the set: what one would type by hand.
#
#   ./ingest.sh RAW [RUNS]
#
# RAW is the folder of the set (with runs/NAME/…), RUNS where the runs go (default:
# runs beside this script). HEADROOM names the program. A run that exists is an
# error: runs are never rewritten. Made from the set's manifest by
# go test ./internal/conformance -run ExampleCommands -update; not to be edited.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
raw=${1:?usage: ingest.sh RAW [RUNS]}
runs=${2:-$here/runs}
headroom=${HEADROOM:-$here/../../bin/headroom}
mkdir -p "$runs"
raw=$(cd "$raw" && pwd) runs=$(cd "$runs" && pwd)
make() { "$headroom" ingest --quiet "$@" >/dev/null; }
`

// script is the commands that make the runs of a set.
func (m *refManifest) script(t *testing.T, dir string) string {
	var b strings.Builder
	b.WriteString(scriptHead)
	for _, r := range m.Runs {
		if !slices.ContainsFunc(r.Artifacts, refArtifact.load) && !r.counts() {
			continue
		}
		fmt.Fprintf(&b, "\ncd \"$raw/runs/%s\"\n", r.ID)
		if len(r.Steps) > 0 {
			m.soak(&b, r)
			continue
		}
		m.command(&b, t, dir, r)
	}
	return b.String()
}

// soak cuts the samples by their steps, as a generator that writes a file a step
// would have, and the readings of the database with them: each becomes a run.
func (m *refManifest) soak(b *strings.Builder, r refRun) {
	for _, s := range r.Steps {
		fmt.Fprintf(b, "awk -F, -v from=\"$(date -d %s +%%s%%3N)\" -v to=\"$(date -d %s +%%s%%3N)\" 'NR == 1 || $1 >= from && $1 < to' samples.csv >\"$runs/samples.csv\"\n", s.Start, s.End)
		fmt.Fprintf(b, "awk -F, -v from=\"$(date -u -d '%s 3 seconds ago' '+%%F %%T')\" -v to=\"$(date -u -d '%s 1 second' '+%%F %%T')\" 'NR == 1 || $1 >= from && $1 < to' db.csv >\"$runs/db.csv\"\n", s.Start, s.End)
		fmt.Fprintf(b, "make --out \"$runs/%s-%02d\" --id %s-%02d --label arm=%s --label soak=%02d --window %s/%s \\\n  %s \\\n  --map \"$here/maps.yaml\" \"$runs/samples.csv\" \"$runs/db.csv\" loadavg.log procstat.log pidstat.log\n",
			r.ID, s.Index, r.ID, s.Index, r.Arm, s.Index, s.Start, s.End, strings.Join(m.facts(r), " "))
	}
	b.WriteString("rm \"$runs/samples.csv\" \"$runs/db.csv\"\n")
}

// facts are the flags that say what no file does.
func (m *refManifest) facts(r refRun) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if m.Host.Cores > 0 {
		add("--cores %d", m.Host.Cores)
	}
	for _, o := range m.Host.Ours {
		add("--own %s", o)
	}
	if r.Loop != "" {
		add("--load-model %s", r.Loop)
	}
	if n := max(r.Concurrency, r.VUs, r.Clients, r.Agents); n > 0 {
		add("--concurrency %d", n)
	}
	switch {
	case r.Offered != nil:
		add("--rate %g", r.Offered.Requests)
	case r.PerSecond > 0:
		add("--rate %g", r.PerSecond)
	}
	return out
}

// command writes the ingest of one run.
func (m *refManifest) command(b *strings.Builder, t *testing.T, dir string, r refRun) {
	req := ingest.Request{Labels: map[string]string{}}
	m.roles(r, &req)
	words := []string{fmt.Sprintf("make --out \"$runs/%s\" --id %s", r.ID, r.ID)}
	add := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	for _, l := range []struct{ key, value string }{
		{"arm", req.Labels["arm"]}, {"arm", r.Arm}, {"variant", r.Variant}, {"pair", positive(r.Pair)}, {"concurrency", positive(r.Concurrency)}, {"inbox-workers", positive(r.Workers)},
	} {
		if l.value != "" && !strings.Contains(strings.Join(words, " "), "--label "+l.key+"=") {
			add("--label %s=%s", l.key, l.value)
		}
	}
	if !r.elapsed() && r.Role != "denominator" && !r.counts() {
		add("--window %s/%s", r.Window.Start, r.Window.End)
	}
	words = append(words, declared(r, dir)...)
	if r.counts() {
		r.Batch = 0
	} else {
		words = append(words, m.facts(r)...)
	}
	if n := max(r.Batch, r.Rows); n > 0 {
		add("--events %d", n)
	}
	for _, x := range r.Replicas {
		add("--replica %s", x)
	}
	add("--timezone UTC")
	var files, after []string
	mapped := false
	for _, a := range r.Artifacts {
		if _, err := os.Stat(filepath.Join(dir, a.Path)); err != nil {
			continue // a collector that was not there
		}
		name := filepath.Base(a.Path)
		_, isMapped := mappedKinds[a.Kind]
		mapped = mapped || isMapped
		if a.Kind == "app-json-log" && !r.counts() {
			add("--jobs %s", a.scenario())
		}
		switch a.role() {
		case ingest.Before:
			after = append(after, "--before "+name)
		case ingest.After:
			after = append(after, "--after "+name)
		case ingest.ExitFile:
			after = append(after, "--exit-status "+name)
		default:
			files = append(files, name)
		}
	}
	pairs := m.reconcile(t, dir, r)
	var names []string
	for column, claim := range pairs {
		names = append(names, column+"="+claim)
	}
	slices.Sort(names)
	if len(names) > 0 && !r.counts() { // nobody claims what was counted alone
		add("--reconcile %s", strings.Join(names, ","))
	}
	if mapped {
		add("--map \"$here/maps.yaml\"")
	}
	words = append(append(words, files...), after...)
	b.WriteString(wrapped(words))
}

// declared are the flags of what a manifest declares of a run's costs and settings.
func declared(r refRun, dir string) []string {
	req := ingest.Request{Labels: map[string]string{}}
	r.declare(dir, &req)
	var out []string
	for _, k := range slices.Sorted(maps.Keys(req.Labels)) {
		out = append(out, fmt.Sprintf("--label %s=%s", k, req.Labels[k]))
	}
	for _, k := range slices.Sorted(maps.Keys(req.Claims)) {
		out = append(out, fmt.Sprintf("--claim %s=%s", k, req.Claims[k]))
	}
	return out
}

func positive(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// wrapped writes words of a command over lines of some hundred columns.
func wrapped(words []string) string {
	var b strings.Builder
	width := 0
	for i, w := range words {
		if i > 0 && width+len(w) > 100 {
			b.WriteString(" \\\n  ")
			width = 2
		} else if i > 0 {
			b.WriteByte(' ')
			width++
		}
		b.WriteString(w)
		width += len(w)
	}
	b.WriteByte('\n')
	return b.String()
}
