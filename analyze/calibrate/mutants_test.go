//go:build mutants

package calibrate

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutants flip one threshold comparison of the source each; nth counts from 1
// among equal texts of the file.
var mutants = []struct {
	file, old, new string
	nth            int
}{
	{"detect/freeze_rule.go", "latency > f.Worst", "latency >= f.Worst", 1},
	{"detect/freeze_rule.go", "latency > f.Slow", "latency >= f.Slow", 1},
	{"detect/freeze_rule.go", "int64(part)*r.Den > int64(n)*r.Num", "int64(part)*r.Den >= int64(n)*r.Num", 1},
	{"detect/freeze_rule.go", "c.n < f.Thin", "c.n <= f.Thin", 1},
	{"detect/freeze_sweep.go", "w.n >= w.thin", "w.n > w.thin", 1},
	{"detect/window_rule.go", "2*v > w.Factor*s.Median2", "2*v >= w.Factor*s.Median2", 1},
	{"detect/window_rule.go", "run[1]-run[0]+1 >= int64(w.Consecutive)", "run[1]-run[0]+1 > int64(w.Consecutive)", 1},
	{"detect/window_rule.go", "2*p99[i] > w.Factor*m2", "2*p99[i] >= w.Factor*m2", 1},
	{"detect/gap.go", "t.Key-p.last > least", "t.Key-p.last >= least", 1},
	{"detect/gap.go", "missing >= gapExpected", "missing > gapExpected", 1},
	{"detect/gap.go", "missing < expected", "missing <= expected", 1},
	{"analyze/gates.go", "return v <= b.limit", "return v < b.limit", 1},
}

// Flipping a threshold comparison makes the calibration fail: each mutant is
// built in the place of its file, and the six cases are looked at with it. It
// takes some seconds a mutant, so it has a tag of its own:
//
//	go test -tags mutants -run Mutants ./analyze/calibrate
func TestMutants(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for _, m := range mutants {
		t.Run(fmt.Sprintf("%s:%s", filepath.Base(m.file), m.new), func(t *testing.T) {
			out := withMutant(t, root, m.file, m.old, m.new, m.nth)
			if !strings.Contains(out, "--- FAIL: TestSixCases") {
				t.Errorf("%s: %q for %q: the six cases came out as before\n%s", m.file, m.new, m.old, out)
				return
			}
			killed++
		})
	}
	t.Logf("%d of %d mutants made the calibration fail", killed, len(mutants))
}

// withMutant runs the six cases with one text of a file replaced, and returns
// what the test printed.
func withMutant(t *testing.T, root, file, old, new string, nth int) string {
	path := filepath.Join(root, file)
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.SplitAfterN(string(source), old, nth+1)
	if len(parts) <= nth {
		t.Fatalf("%s holds %q fewer than %d times: the list of mutants is out of date", file, old, nth)
	}
	parts[nth-1] = strings.TrimSuffix(parts[nth-1], old) + new
	dir := t.TempDir()
	mutant, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {path: mutant}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{mutant: strings.Join(parts, ""), overlay: string(text)} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-overlay", overlay, "-count=1", "-run", "^TestSixCases$", "./analyze/calibrate")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err == nil || strings.Contains(string(out), "build failed") {
		t.Logf("%v", err)
	}
	return string(out)
}
