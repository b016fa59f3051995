package detect

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/internal/golden"
	"headroom/internal/runtest"
)

// TestCases runs every case of testdata/DETECTOR/NAME.txt: a synthetic run and
// what detectors answer. With -update the answers are written; read them.
func TestCases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(file, "testdata/"), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c, err := runtest.Parse(filepath.Base(file), string(text))
			if err != nil {
				t.Fatal(err)
			}
			run, err := c.Run()
			if err != nil {
				t.Fatal(err)
			}
			got := c.Format(string(text), func(i int) string { return answer(t, c.Blocks[i], run) })
			golden.Equal(t, file, []byte(got))
		})
	}
}

// Every detector has, in the folder of its name, a case in which it finds
// something, one in which it looks and finds nothing, and one in which it says
// that it could not look.
func TestEveryDetectorHasCases(t *testing.T) {
	for _, d := range All {
		files, err := filepath.Glob(filepath.Join("testdata", d.Name, "*.txt"))
		if err != nil {
			t.Fatal(err)
		}
		var found, calm, blind bool
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c, err := runtest.Parse(file, string(text))
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range c.Blocks {
				if b.Detector != d.Name {
					continue
				}
				found = found || strings.HasPrefix(b.Want, d.Name+" ")
				calm = calm || strings.HasPrefix(b.Want, "nothing found")
				blind = blind || strings.HasPrefix(b.Want, "could not look")
			}
		}
		if !found || !calm || !blind {
			t.Errorf("detector %s: a case with a finding %v, without one %v, in which it could not look %v", d.Name, found, calm, blind)
		}
	}
}

// pass is what a detector sees of a synthetic run.
func pass(run *runtest.Run) Pass {
	window := Span{run.Start, run.End}
	p := Pass{Window: window, Evidence: NewEvidence(window, run.Points, run.Activity, run.Markers)}
	for _, r := range Collect(run.Samples, run.Response) {
		p.Requests = append(p.Requests, r.Starting(window))
	}
	return p
}

// answer writes what a detector says of a run, one line each; times are seconds
// from the run's start.
func answer(t *testing.T, b runtest.Block, run *runtest.Run) string {
	t.Helper()
	i := slices.IndexFunc(All, func(d *Detector) bool { return d.Name == b.Detector })
	if i < 0 {
		t.Fatalf("there is no detector %q", b.Detector)
	}
	params := map[string]float64{}
	for key, text := range b.Params {
		if key == "show" {
			continue
		}
		var v float64
		if _, err := fmt.Sscan(text, &v); err != nil {
			t.Fatalf("%s=%s: %v", key, text, err)
		}
		params[b.Detector+"."+key] = v
	}
	p := pass(run)
	done, err := All[i].Apply(p, params)
	if err != nil {
		t.Fatal(err)
	}
	Attribute(done.Findings, p.Requests, p.Evidence, p.Window, true)
	return lines(done, run.Start, strings.Split(b.Params["show"], ","))
}

// lines writes findings, then the figures whose ids were asked for, then who
// could not look.
func lines(p *Pass, start int64, show []string) string {
	var out strings.Builder
	at := func(text string) string {
		v, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return text
		}
		return fmt.Sprintf("%.3f", seconds(v.UnixNano()-start))
	}
	for _, f := range p.Findings {
		fmt.Fprintf(&out, "%s %s %s-%s %s\n", f.Detector, f.Severity, at(f.Start), at(f.End), f.Message)
		if a := f.Attribution; a != nil {
			fmt.Fprintf(&out, "  %s %s: %s\n", a.Status, a.Cause, strings.Join(a.Evidence, "; "))
		}
	}
	if len(p.Findings) == 0 && slices.ContainsFunc(p.Looks, func(l Look) bool { return l.Could }) {
		out.WriteString("nothing found\n")
	}
	for _, m := range p.Measures {
		if slices.Contains(show, m.ID) {
			fmt.Fprintf(&out, "= %s %s %.6g %s\n", m.ID, m.Scope.Scenario, m.Value, m.Unit)
		}
	}
	for _, l := range p.Looks {
		if !l.Could {
			fmt.Fprintf(&out, "could not look %s: %s\n", l.Scope.Scenario, l.Why)
		}
	}
	return out.String()
}
