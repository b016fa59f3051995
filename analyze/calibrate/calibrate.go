// Package calibrate looks at runs whose truth is known before anybody looks at
// one whose truth is not: six built-in cases, and the corpus that the scorecard
// is made from. What it says is recorded in every result.
package calibrate

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math"
	"path"
	"strings"
	"time"

	"headroom/analyze"
	"headroom/detect"
	"headroom/internal/runtest"
	"headroom/runs"
)

//go:embed cases/*.txt
var caseFiles embed.FS

// Cases is the number of built-in cases; some have two or three runs.
const Cases = 6

// SixCases measures the built-in cases and says whether all came out as they
// must. An error is a fault of the cases themselves.
func SixCases() (analyze.Calibration, error) { return sixCases(analyze.Protocol{}) }

func sixCases(p analyze.Protocol) (analyze.Calibration, error) {
	out := analyze.Calibration{Cases: Cases, Digest: Digest(), Failed: []string{}}
	files, err := fs.Glob(caseFiles, "cases/*.txt")
	if err != nil {
		return out, err
	}
	for _, file := range files {
		text, err := caseFiles.ReadFile(file)
		if err != nil {
			return out, err
		}
		name := strings.TrimSuffix(path.Base(file), ".txt")
		c, err := runtest.Parse(name, string(text))
		if err != nil {
			return out, err
		}
		wrong, err := judge(c, p)
		if err != nil {
			return out, fmt.Errorf("calibration case %s: %w", name, err)
		}
		for _, w := range wrong {
			out.Failed = append(out.Failed, fmt.Sprintf("case %s (%s): %s", name, c.Title, w))
		}
	}
	out.Calibrated = len(out.Failed) == 0
	return out, nil
}

// Digest is the SHA-256 over the detectors, with their versions, parameters and
// definitions, and the cases.
func Digest() string {
	h := sha256.New()
	for _, d := range detect.All {
		fmt.Fprintf(h, "%s@%d %v\n%s\n", d.Name, d.Version, d.Params, d.Definition)
	}
	for _, c := range detect.Causes {
		fmt.Fprintf(h, "%s %+v\n", c.Name, *c)
	}
	files, _ := fs.Glob(caseFiles, "cases/*.txt") // a pattern that compiles
	for _, file := range files {
		text, _ := caseFiles.ReadFile(file) // listed a line ago
		fmt.Fprintf(h, "%s\n%s\n", file, text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// judge measures a case and returns where it is not as expected.
func judge(c *runtest.Case, p analyze.Protocol) ([]string, error) {
	run, err := c.Run()
	if err != nil {
		return nil, err
	}
	r, err := Measure(run, p)
	if err != nil {
		return nil, err
	}
	var wrong []string
	for _, b := range c.Blocks {
		for line := range strings.Lines(b.Want) {
			words := strings.Fields(line)
			if len(words) < 2 {
				return nil, fmt.Errorf("expectation %q: want a name and a value", strings.TrimSpace(line))
			}
			got, want := answer(r, words), words[len(words)-1]
			if words[0] == "attribution" {
				want = strings.Join(words[2:], " ")
			}
			if got != want {
				wrong = append(wrong, fmt.Sprintf("%s is %s, must be %s", strings.Join(words[:len(words)-1], " "), got, want))
			}
		}
	}
	return wrong, nil
}

// answer says what a result holds of an expectation.
func answer(r *analyze.Result, words []string) string {
	switch words[0] {
	case "finding":
		n := 0
		for _, f := range r.Findings {
			if f.Detector == words[1] {
				n++
			}
		}
		return fmt.Sprint(n)
	case "attribution":
		for _, f := range r.Findings {
			if f.Detector == words[1] && f.Attribution != nil {
				return strings.TrimSpace(f.Attribution.Status + " " + f.Attribution.Cause)
			}
		}
	case "gate":
		for _, v := range r.Verdicts {
			if v.Gate == words[1] {
				return string(v.Outcome)
			}
		}
	default:
		for _, q := range r.Quantities {
			switch {
			case q.ID != words[0]:
			case q.Value == nil:
				return "withheld"
			default:
				return fmt.Sprint(math.Round(*q.Value*1e6) / 1e6)
			}
		}
	}
	return "absent"
}

// Measure measures a synthetic run as a recorded one is.
func Measure(run *runtest.Run, p analyze.Protocol) (*analyze.Result, error) {
	window := detect.Span{Start: run.Start, End: run.End}
	at := func(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }
	m := &runs.Manifest{
		Schema: runs.Version, ID: "synthetic", State: runs.Sealed, Window: &runs.Window{Start: at(run.Start), End: at(run.End), Declared: true},
		Load: runs.Load{Model: runs.OpenLoop, Basis: "request", DropsKnown: true, Concurrency: run.Workers},
	}
	if run.Response {
		m.Load.Basis = "response"
	}
	if run.Workers > 0 {
		m.Load.Model = runs.ClosedLoop
	}
	if len(run.Claims) > 0 {
		m.Claims, m.Reconcile = run.Claims, map[string]string{}
		m.Before, m.After = &runs.Counts{Values: map[string]string{}}, &runs.Counts{Values: run.Gained}
		for name := range run.Claims {
			m.Before.Values[name], m.Reconcile[name] = "0", name
		}
	}
	scenarios := detect.Collect(run.Samples, run.Response)
	return analyze.MeasureMemory(m, scenarios, detect.NewEvidence(window, run.Points, run.Activity, run.Markers), p)
}
