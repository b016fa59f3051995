package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// answered holds, by kind, the function that compares one case of that kind
// with headroom. It must check every value of the case or fail.
var answered = map[string]func(*testing.T, vector){
	"clopper_pearson":     clopperPearson,
	"combine_percentiles": combinePercentiles,
	"drift_thirds":        driftThirds,
	"hdr":                 hdr,
	"quantile_ci":         quantileCI,
	"quantiles":           quantiles,
	"windows":             windows,

	"ab_pairs":     abPairs,
	"at_least":     atLeast,
	"mann_whitney": mannWhitney,
	"tost":         tost,

	"changepoint": changepoint,
	"mser5":       mser5,
	"pub_otava":   otava,
	"trend":       trend,

	"littles_law": littlesLaw,
	"pub_kneedle": kneedle,
	"pub_usl":     usl,
	"usl":         usl,

	"coordinated_omission": coordinatedOmission,
	"counters":             counters,
	"ddsketch":             ddsketch,
	"linear_cost":          linearCost,
	"queue":                queue,
	"seed_figures":         seeds,

	"attribution":     attribution,
	"cadence":         cadence,
	"fingerprint":     fingerprint,
	"real_sigstop":    realSigstop,
	"contention":      contention,
	"fleet":           fleet,
	"freeze_seconds":  freezeSeconds,
	"gates":           gates,
	"knee":            knee,
	"repeats":         repeats,
	"ten_second_rule": tenSecondRule,
}

// notYet lists the kinds that headroom does not answer, with the part of the
// work they belong to. A kind is in one of the two lists, or the test fails.
var notYet = map[string]string{}

// notYetIDs lists single cases of answered kinds that are not answered.
var notYetIDs = map[string]string{}

// TestVectors runs every case of every JSON file in the folder.
func TestVectors(t *testing.T) {
	dir := dataFolder(t, "HEADROOM_VECTORS", "vectors")
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors (*.json) in %s: %v", dir, err)
	}
	done, all := 0, 0
	for _, file := range files {
		kind, cases := readVectors(t, file)
		all += len(cases)
		answer, ours := answered[kind]
		reason, later := notYet[kind]
		switch {
		case ours == later:
			t.Errorf("%s: kind %q must stand in exactly one of the lists answered and notYet", file, kind)
		case later:
			t.Logf("%s: %d ids not yet answered: %s", kind, len(cases), reason)
		default:
			for _, v := range cases {
				if reason, later := notYetIDs[kind+"/"+v.ID]; later {
					t.Logf("%s/%s: not yet answered: %s", kind, v.ID, reason)
					continue
				}
				if t.Run(kind+"/"+v.ID, func(t *testing.T) { answer(t, v) }) {
					done++
				}
			}
		}
	}
	t.Logf("answered %d of %d ids", done, all)
}

// vector is one case: an input and the right answer.
type vector struct {
	ID, Why string
	In, Out json.RawMessage
	Tol     map[string]any // named tolerances; an absent one is 0
	Truth   []stop         // what was done to a recorded system
	Dir     string         `json:"-"` // where the files that In names are
}

// stop is a fault that was injected: seconds from the trace's start.
type stop struct {
	Target string
	Start  float64 `json:"start_s"`
	End    float64 `json:"end_s"`
}

// readVectors returns the kind of a vector file (its own "file" entry, else its
// name) and its cases.
func readVectors(t *testing.T, path string) (kind string, cases []vector) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		File  string
		Cases []vector
	}
	if err := json.Unmarshal(b, &f); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if len(f.Cases) == 0 {
		t.Errorf("%s: no cases", path)
	}
	if f.File == "" {
		f.File = strings.TrimSuffix(filepath.Base(path), ".json")
	}
	for i := range f.Cases {
		f.Cases[i].Dir = filepath.Dir(path)
		if f.Cases[i].ID == "" {
			t.Errorf("%s: case %d has no id", path, i)
		}
	}
	return f.File, f.Cases
}

// read decodes the input and the answer. A field that the test does not know
// fails: it would otherwise go unchecked.
func (v vector) read(t *testing.T, in, out any) {
	t.Helper()
	strict(t, "in", v.In, in)
	strict(t, "out", v.Out, out)
}

func strict(t *testing.T, what string, raw json.RawMessage, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// has reports whether a JSON object has a field, to tell shapes of cases apart.
func has(raw json.RawMessage, field string) bool {
	var m map[string]json.RawMessage
	return json.Unmarshal(raw, &m) == nil && m[field] != nil
}

// near fails unless got is want within the case's "abs" and "rel".
func (v vector) near(t *testing.T, what string, got, want float64) {
	t.Helper()
	v.within(t, what, got, want, v.tol("abs")+v.tol("rel")*math.Abs(want))
}

// within fails unless got is want within tol; 0 is exactly.
func (v vector) within(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if got != want && !(math.Abs(got-want) <= tol) { // NaN is never within
		t.Errorf("%s is %v, want %v ± %v", what, got, want, tol)
	}
}

// tol returns a named tolerance of the case.
func (v vector) tol(name string) float64 {
	f, _ := v.Tol[name].(float64)
	return f
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// noError ends the case at an error of headroom's.
func noError(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func index(what string, i int) string { return fmt.Sprintf("%s[%d]", what, i) }
