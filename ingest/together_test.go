package ingest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"headroom/runs"
)

// steadyLog writes n rows of a log, one each 100 ms, from a second of the epoch on.
func steadyLog(from, n int) string {
	var b strings.Builder
	b.WriteString("at,took,status\n")
	for i := range n {
		fmt.Fprintf(&b, "%d.%d,12,200\n", from+i/10, i%10)
	}
	return b.String()
}

// mappedLog maps what steadyLog writes.
func mappedLog(scenario string, files ...string) *Mapping {
	return &Mapping{
		Format: genericCSVName, Files: files, Start: &InstantField{Field: "at", Unit: "unix_s"},
		Latency: &DurationField{Field: "took", Unit: "ms"}, Status: "status", Set: Constants{Scenario: scenario},
	}
}

func TestIngestMapsALoadAndItsProbe(t *testing.T) {
	dir := write(t, map[string]string{"crowd.csv": steadyLog(1790000000, 100), "home.csv": steadyLog(1790000001, 50)})
	load, probe := mappedLog("crowd", "crowd.csv"), mappedLog("probe", "home.csv")
	load.Load.Model = runs.OpenLoop
	_, dst := must(t, Request{Files: paths(dir, "crowd.csv", "home.csv"), Maps: []*Mapping{load, probe}})
	if len(dst.samples) != 150 || dst.m.Load.Model != runs.OpenLoop {
		t.Errorf("%d samples, load %+v", len(dst.samples), dst.m.Load)
	}
}

func TestIngestHoles(t *testing.T) {
	whole := &Request{Window: &runs.Window{Start: "2026-09-21T13:33:20Z", End: "2026-09-21T13:34:20Z"}}
	for _, c := range []struct {
		name  string
		apart int // seconds between the first rows of two files of 10 s
		req   *Request
		want  error
	}{
		{"one goes on where the other ends", 10, &Request{}, nil},
		{"a hole of a second, over a twentieth of the whole", 11, &Request{}, ErrHole},
		{"a hole", 14, &Request{}, ErrHole},
		{"a hole in a declared window", 14, whole, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := write(t, map[string]string{"a.csv": steadyLog(1790000000, 100), "b.csv": steadyLog(1790000000+c.apart, 100)})
			req := *c.req
			req.Files, req.Maps = paths(dir, "a.csv", "b.csv"), []*Mapping{mappedLog("", "*.csv")}
			if _, _, err := ingest(t, req); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}
