package conformance

import (
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/ingest"
)

// fault is one copy of a set with one thing wrong, and what may then be said.
type fault struct {
	ID, What, Mode string
	Touched        []string            // paths of artifacts
	Allowed        map[string][]string // verdict id → outcomes that are right; any other is as in the truth
	Untrusted      []string            `json:"untrusted_values"` // to be left out, or shown with a warning
	Forbidden      map[string][]string // value id → wrong answers
}

// faultsStanding are the cases whose damage no recording can show: what rests on it
// warns of the possibility, in the whole set as well, by the words given.
var faultsStanding = map[string]string{"pg-log-clock-3s": "was not compared with"}

// marked counts how untrusted values are shown: with a warning of their own, or with
// one of the run or document that they are part of.
type marked struct{ own, run int }

// TestReferenceFaults damages every set in every way that the set's own tool
// knows, and looks at what changes: no verdict becomes a pass by absence, what
// must change does, nothing else does, and no figure that rests on what was lost
// stands there as if nothing had happened.
func TestReferenceFaults(t *testing.T) {
	root := dataFolder(t, "HEADROOM_REFERENCE", "reference")
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("not checked: no python3, which makes the damaged copies")
	}
	sets, err := filepath.Glob(filepath.Join(root, "*", "manifest.json"))
	if err != nil || len(sets) == 0 {
		t.Fatalf("no sets (*/manifest.json) in %s: %v", root, err)
	}
	done, all, shown := 0, 0, marked{}
	for _, path := range sets {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			out := t.TempDir()
			made, err := exec.Command(python, "-B", filepath.Join(root, "tools", "faults.py"), dir, out).CombinedOutput()
			noError(t, string(made), err)
			n, of := faultySet(t, dir, out, &shown)
			done, all = done+n, all+of
			t.Logf("answered %d of %d cases", n, of)
		})
	}
	t.Logf("answered %d of %d cases; untrusted values shown: %d with a warning of their own, %d with one of their run or document", done, all, shown.own, shown.run)
}

// faultySet looks at every damaged copy of a set under out. The runs that no
// damage touches are measured once.
func faultySet(t *testing.T, dir, out string, shown *marked) (done, all int) {
	var want truth
	readJSON(t, filepath.Join(dir, "truth.json"), &want)
	sheets, err := filepath.Glob(filepath.Join(out, "*", "fault.json"))
	if err != nil || len(sheets) == 0 {
		t.Fatalf("no cases (*/fault.json) in %s: %v", out, err)
	}
	var sound *refSet // what is said of the whole set
	for _, sheet := range sheets {
		var f fault
		var m refManifest
		readJSON(t, sheet, &f)
		readJSON(t, filepath.Join(filepath.Dir(sheet), "manifest.json"), &m)
		all++
		if sound == nil {
			sound = m.answers(t, dir, func(r refRun) *analyze.Measured { return m.measure(t, dir, r) })
		}
		if !f.answered(want) {
			t.Errorf("%s: nothing that it concerns is answered; list it with the reason", f.ID)
		}
		if t.Run(f.ID, func(t *testing.T) { f.check(t, &m, filepath.Dir(sheet), want, sound, shown) }) {
			done++
		}
	}
	return done, all
}

// answered reports whether headroom answers any id that the damage concerns.
func (f *fault) answered(want truth) bool {
	rests := func(from []string) bool {
		return slices.ContainsFunc(from, func(a string) bool { return slices.Contains(f.Touched, a) })
	}
	for _, v := range want.Values {
		if rests(v.From) {
			return true
		}
	}
	for _, v := range want.Verdicts {
		if rests(v.From) {
			return true
		}
	}
	return len(f.Forbidden) > 0
}

// check compares what is said of the damaged copy in dir with what may be said.
func (f *fault) check(t *testing.T, m *refManifest, dir string, want truth, sound *refSet, shown *marked) {
	damaged := map[string]*analyze.Measured{}
	s := m.answers(t, dir, func(r refRun) *analyze.Measured {
		if !f.touches(r) {
			return sound.runs[r.ID]
		}
		damaged[r.ID] = m.readable(t, dir, r)
		return damaged[r.ID]
	})
	f.verdicts(t, s, want)
	f.values(t, s, sound, want, shown, func(id string) bool { return warns(id, damaged, s, sound) })
	f.attributions(t, damaged)
}

func (f *fault) touches(r refRun) bool {
	return slices.ContainsFunc(r.Artifacts, func(a refArtifact) bool { return slices.Contains(f.Touched, a.Path) })
}

// readable builds a run of those artifacts that can be read, as whoever meets an
// unreadable one does: leaves it out and goes on.
func (m *refManifest) readable(t *testing.T, dir string, r refRun) *analyze.Measured {
	t.Helper()
	leave := map[string]bool{}
	for range len(r.Artifacts) + 1 {
		got, err := m.build(t, dir, r, leave)
		file := fileOf(err)
		if err != nil && (file == "" || leave[file]) {
			t.Errorf("%s: an error that names no file: %v", r.ID, err)
		}
		if err == nil || file == "" || leave[file] {
			return got
		}
		t.Logf("%s: left out: %v", r.ID, err)
		leave[file] = true
	}
	return nil
}

// fileOf is the base name of the file that an error is about, "" if of none.
func fileOf(err error) string {
	var f *ingest.FileError
	if errors.As(err, &f) {
		return f.File
	}
	return ""
}

// verdicts compares every verdict of the truth that is answered at all.
func (f *fault) verdicts(t *testing.T, s *refSet, want truth) {
	for _, v := range want.Verdicts {
		got := s.verdicts[v.ID]
		if got == "" {
			got = analyze.Unknown // nobody could look
		}
		allowed, ok := f.Allowed[v.ID]
		if !ok {
			allowed = []string{v.Verdict}
		}
		if !slices.Contains(allowed, string(got)) {
			t.Errorf("%s: %s, want %s (whole: %s)", v.ID, got, strings.Join(allowed, " or "), v.Verdict)
		}
	}
}

// values compares every value that is answered: those that rest on the damage are
// left out or warned of, every other is what it is of the whole.
func (f *fault) values(t *testing.T, s, sound *refSet, want truth, shown *marked, warned func(id string) bool) {
	for _, v := range want.Values {
		got, ok := s.values[v.ID]
		switch {
		case !ok || got == nil:
		case slices.Contains(f.Untrusted, v.ID):
			switch {
			case f.warnsItself(v.ID, s, sound):
				shown.own++
			case warned(v.ID):
				shown.run++
			default:
				t.Errorf("%s: %v is shown as if nothing had happened (whole: %s)", v.ID, got, v.Value)
			}
		case !reflect.DeepEqual(got, sound.values[v.ID]):
			t.Errorf("%s: %v, and of the whole %v", v.ID, got, sound.values[v.ID])
		}
	}
}

// warnsItself reports whether a value warns of something that it does not warn of in
// the whole, or of what the whole warns of as well because no recording can show it.
func (f *fault) warnsItself(id string, s, sound *refSet) bool {
	standing, ok := faultsStanding[f.ID]
	return more(s.marks[id], sound.marks[id]) || ok && slices.ContainsFunc(s.marks[id], func(w string) bool { return strings.Contains(w, standing) })
}

// warns reports whether the place where a value is shown, the damaged run or the
// document that it is part of, warns of something that the whole does not.
func warns(id string, damaged map[string]*analyze.Measured, s, sound *refSet) bool {
	within := func(place string) bool { return strings.HasPrefix(id, s.id(place)+".") }
	for _, run := range slices.Sorted(maps.Keys(damaged)) {
		switch got, before := damaged[run], sound.runs[run]; {
		case got == nil:
		case before == nil:
			return len(got.Result.Warnings) > 0
		case within(run) || !slices.ContainsFunc(slices.Collect(maps.Keys(s.warnings)), within):
			if !more(got.Result.Warnings, before.Result.Warnings) {
				return false
			}
		}
	}
	for place, got := range s.warnings {
		if within(place) && !more(got, sound.warnings[place]) {
			return false
		}
	}
	return true
}

// more reports whether there is a warning that was not there before.
func more(now, before []string) bool {
	return slices.ContainsFunc(now, func(w string) bool { return !slices.Contains(before, w) })
}

// attributions looks for the wrong answers that the damage invites.
func (f *fault) attributions(t *testing.T, damaged map[string]*analyze.Measured) {
	for id, wrong := range f.Forbidden {
		run, _ := strings.CutSuffix(id[strings.Index(id, ".")+1:], ".attribution")
		got := damaged[run]
		if got == nil {
			continue
		}
		for _, x := range got.Result.Findings {
			if x.Attribution == nil {
				continue
			}
			if said := fmt.Sprintf("%s: %s", x.Attribution.Cause, x.Attribution.Status); slices.Contains(wrong, said) {
				t.Errorf("%s: %s at %s is %s, which the damage does not allow (%v)", id, x.Detector, x.Start, said, x.Attribution.Evidence)
			}
		}
	}
}
