package conformance

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"headroom/detect"
)

// episode is a planted stall as the truth of a set states it.
type episode struct {
	Run, Kind, Cause string
	Start, End       time.Time
	Allowed          []string `json:"allowed_status"`
	Evidence         string
}

// onsetTolerance is how far a found onset may be from the planted one.
const onsetTolerance = 100 * time.Millisecond

// TestReferenceEpisodes looks for every planted episode of every set: found, with
// its onset where raw samples allow, put down to the right cause, and to none
// where there is none.
func TestReferenceEpisodes(t *testing.T) {
	root := dataFolder(t, "HEADROOM_REFERENCE", "reference")
	sets, err := filepath.Glob(filepath.Join(root, "*", "manifest.json"))
	if err != nil || len(sets) == 0 {
		t.Fatalf("no sets (*/manifest.json) in %s: %v", root, err)
	}
	for _, path := range sets {
		dir := filepath.Dir(path)
		var m refManifest
		var want struct{ Episodes []episode }
		readJSON(t, path, &m)
		readJSON(t, filepath.Join(dir, "truth.json"), &want)
		if len(want.Episodes) > 0 {
			t.Run(filepath.Base(dir), func(t *testing.T) { m.episodes(t, dir, want.Episodes) })
		}
	}
}

func (m *refManifest) episodes(t *testing.T, dir string, want []episode) {
	planted := map[string][]episode{}
	for _, e := range want {
		planted[e.Run] = append(planted[e.Run], e)
	}
	done, within, false2 := 0, 0, 0
	for _, r := range m.Runs {
		if len(planted[r.ID]) == 0 {
			continue
		}
		got := m.measure(t, dir, r)
		if got == nil {
			t.Errorf("%s: has episodes and could not be measured", r.ID)
			continue
		}
		load := mainScenario(got.Result)
		var found []detect.Finding
		for _, f := range got.Result.Findings {
			if f.Scope.Scenario == load && (f.Detector == "freeze" || f.Detector == "generator-stall") {
				found = append(found, f)
			}
		}
		for _, e := range planted[r.ID] {
			f, off := e.find(found)
			if f == nil {
				t.Errorf("%s: %s at %s was not found", r.ID, e.Kind, e.Start.Format(time.RFC3339Nano))
				continue
			}
			if off <= onsetTolerance {
				within++
			} else {
				t.Errorf("%s: %s at %s: the onset is off by %v", r.ID, e.Kind, e.Start.Format(time.RFC3339Nano), off)
			}
			if e.explained(t, *f) {
				done++
			}
		}
		for _, f := range found {
			if !slices.ContainsFunc(planted[r.ID], func(e episode) bool { return e.overlaps(f) }) {
				false2++
				t.Logf("%s: found and not planted: %s %s-%s %s", r.ID, f.Detector, f.Start, f.End, f.Message)
			}
		}
	}
	t.Logf("answered %d of %d ids; onset within %v: %d of %d; %d further findings", done, len(want), onsetTolerance, within, len(want), false2)
}

func times(f detect.Finding) (start, end time.Time) {
	start, _ = time.Parse(time.RFC3339Nano, f.Start)
	end, _ = time.Parse(time.RFC3339Nano, f.End)
	return start, end
}

func (e episode) overlaps(f detect.Finding) bool {
	start, end := times(f)
	return start.Before(e.End.Add(onsetTolerance)) && end.After(e.Start.Add(-onsetTolerance))
}

// find returns the finding that overlaps the episode and begins nearest to it.
func (e episode) find(found []detect.Finding) (*detect.Finding, time.Duration) {
	var best *detect.Finding
	off := time.Duration(math.MaxInt64)
	for i := range found {
		if !e.overlaps(found[i]) {
			continue
		}
		if start, _ := times(found[i]); start.Sub(e.Start).Abs() < off {
			best, off = &found[i], start.Sub(e.Start).Abs()
		}
	}
	return best, off
}

// explained compares the attribution with what the truth allows.
func (e episode) explained(t *testing.T, f detect.Finding) bool {
	t.Helper()
	place := fmt.Sprintf("%s: %s at %s", e.Run, e.Kind, e.Start.Format(time.RFC3339Nano))
	a := f.Attribution
	if a == nil {
		t.Errorf("%s: no attribution", place)
		return false
	}
	if !slices.Contains(e.Allowed, a.Status) {
		t.Errorf("%s: %s %s, the truth allows %v (%v)", place, a.Status, a.Cause, e.Allowed, a.Evidence)
		return false
	}
	if a.Cause != "" && a.Cause != e.Cause {
		t.Errorf("%s: put down to %s, it was %s (%v)", place, a.Cause, e.Cause, a.Evidence)
		return false
	}
	t.Logf("%s: %s %s %s", place, a.Status, a.Cause, f.Fingerprint)
	return true
}
