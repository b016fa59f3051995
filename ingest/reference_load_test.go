package ingest

import (
	"encoding/json"
	"math/big"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// referenceRun is what whoever ran the load declares of a run (manifest.json).
type referenceRun struct {
	ID, Role, Loop string
	Window         struct{ Start, End time.Time }
	Artifacts      []struct {
		Kind, Path string
		Fields     map[string]struct{ Column, Field, Unit string }
	}
}

// overElapsed are the roles of runs that are measured from their first request
// to the end of their last, and not over a window.
var overElapsed = []string{"end-to-end", "scenario"}

// within reports whether a sample that counts at an instant is of the window.
func (r *referenceRun) within(at int64) bool {
	return at >= r.Window.Start.UnixNano() && at < r.Window.End.UnixNano()
}

// TestReferenceLoad compares what reading the load files of the reference sets
// gives with their truth.json: counts, sums and percentiles of samples. Of runs
// with a k6 stream the first of each role is read; package analyze reads all.
func TestReferenceLoad(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_REFERENCE", "reference", "README.md")
	manifests, err := filepath.Glob(filepath.Join(root, "*", "manifest.json"))
	if err != nil || len(manifests) == 0 {
		t.Fatalf("no reference sets in %s (%v)", root, err)
	}
	answered := 0
	for _, path := range manifests {
		var set struct {
			Set  string
			Runs []referenceRun
		}
		readJSON(t, path, &set)
		truth := readTruth(t, filepath.Join(filepath.Dir(path), "truth.json"))
		roles := map[string]bool{}
		for _, run := range set.Runs {
			got := map[string]string{}
			switch {
			case run.has("k6-ndjson") && !roles[run.Role]:
				roles[run.Role] = true
				got = answerK6(t, filepath.Dir(path), &run)
			case run.has("pgbench-log"):
				got = answerPgbench(t, filepath.Dir(path), &run)
			case run.has("samples-csv"):
				got = answerSamples(t, filepath.Dir(path), &run)
			}
			for name, value := range got {
				id := set.Set + "." + run.ID + "." + name
				if want, ok := truth[id]; ok {
					answered++
					if value != want {
						t.Errorf("%s: got %s, want %s", id, value, want)
					}
				}
			}
		}
	}
	t.Logf("answered %d ids", answered)
	if answered == 0 {
		t.Error("nothing of the truth was answered")
	}
}

func (r *referenceRun) has(kind string) bool { return len(r.files(kind)) > 0 }

func (r *referenceRun) files(kind string) []string {
	var paths []string
	for _, a := range r.Artifacts {
		if a.Kind == kind {
			paths = append(paths, a.Path)
		}
	}
	return paths
}

// readTruth returns the single numbers of truth.json, as text.
func readTruth(t *testing.T, path string) map[string]string {
	t.Helper()
	var truth struct {
		Values []struct {
			ID    string
			Value json.RawMessage
		}
	}
	readJSON(t, path, &truth)
	values := map[string]string{}
	for _, v := range truth.Values {
		values[v.ID] = strings.Trim(string(v.Value), `"`)
	}
	return values
}

// request returns the request for the run's files of some kinds.
func (r *referenceRun) request(dir string, kinds ...string) Request {
	var req Request
	for _, a := range r.Artifacts {
		f := File{Path: filepath.Join(dir, a.Path)}
		switch {
		case strings.HasSuffix(a.Kind, "-before"):
			f.Role = Before
		case strings.HasSuffix(a.Kind, "-after"):
			f.Role = After
		}
		if slices.Contains(kinds, a.Kind) {
			req.Files = append(req.Files, f)
		}
	}
	return req
}

// gained returns how much a column of the counts grew, as decimal text.
func gained(m *runs.Manifest, column string) string {
	if m.Before == nil || m.After == nil {
		return ""
	}
	before, ok1 := new(big.Rat).SetString(m.Before.Values[column])
	after, ok2 := new(big.Rat).SetString(m.After.Values[column])
	if !ok1 || !ok2 {
		return ""
	}
	return decimalText(after.Sub(after, before))
}

// percentiles adds the percentiles of latencies in ms.
func percentiles(got map[string]string, prefix string, samples []runs.Sample) {
	l := latencies(samples)
	if len(l) == 0 {
		return
	}
	for name, permille := range map[string]int{"p50": 500, "p90": 900, "p95": 950, "p99": 990, "max": 1000} {
		got[prefix+name] = ms(rank(l, permille))
	}
}

func answerK6(t *testing.T, dir string, run *referenceRun) map[string]string {
	_, dst := must(t, run.request(dir, "k6-ndjson", "k6-summary-json", "k6-exit", "db-count-before", "db-count-after"))
	got := map[string]string{
		"events_claimed": dst.m.Claims["events_sent"], "quantity_claimed": dst.m.Claims["quantity_sent"],
		"rows_gained": gained(&dst.m, "rows"), "quantity_gained": gained(&dst.m, "quantity"),
	}
	var sent, ok, response []runs.Sample
	dropped := 0
	for _, s := range dst.samples {
		switch {
		case s.Scenario != "ingest":
		case s.Outcome == runs.Dropped:
			dropped++
		case run.Loop == "closed" || run.within(s.StartNanos()): // of a ceiling all are counted
			response = append(response, s)
			s.Wait = runs.Missing // the latency that k6 reports leaves it out
			sent = append(sent, s)
			if s.Outcome == runs.OK {
				ok = append(ok, s)
			}
		}
	}
	got["requests"], got["failed"], got["dropped"] = strconv.Itoa(len(sent)), strconv.Itoa(len(sent)-len(ok)), strconv.Itoa(dropped)
	got["samples"] = strconv.Itoa(len(ok))
	percentiles(got, "", ok)
	got["p99_response"] = ms(rank(latencies(response), 990))
	for name, text := range got {
		if text == "" {
			delete(got, name)
		}
	}
	return got
}

func answerPgbench(t *testing.T, dir string, run *referenceRun) map[string]string {
	_, dst := must(t, run.request(dir, "pgbench-log", "pgbench-summary", "db-count-before", "db-count-after"))
	got := map[string]string{"log_transactions": strconv.Itoa(len(dst.with(runs.OK))), "rows_gained": gained(&dst.m, "rows")}
	percentiles(got, "log_", dst.samples)
	for _, s := range dst.m.Summaries {
		if s.Of == "" {
			got["transactions"] = strconv.FormatFloat(s.Values["requests"], 'f', -1, 64)
			got["tps"] = strconv.FormatFloat(s.Values["throughput.requests"], 'f', -1, 64)
		}
	}
	return got
}

// answerSamples reads a generic CSV with the mapping that the manifest declares.
func answerSamples(t *testing.T, dir string, run *referenceRun) map[string]string {
	got := map[string]string{}
	for _, a := range run.Artifacts {
		if a.Kind != "samples-csv" {
			continue
		}
		column := func(name string) string { return a.Fields[name].Column }
		m := &Mapping{
			Format: genericCSVName,
			Start:  &InstantField{Field: column("start"), Unit: a.Fields["start"].Unit}, Latency: &DurationField{Field: column("latency"), Unit: a.Fields["latency"].Unit},
			Status: column("status"), Target: column("replica"), Worker: column("agent"), Events: column("events"), ID: column("batch"),
		}
		_, dst := must(t, Request{Files: []File{{Path: filepath.Join(dir, a.Path), As: genericCSVName}}, Maps: []*Mapping{m}})
		var in, ok []runs.Sample
		var events int64
		for _, s := range dst.samples {
			if !slices.Contains(overElapsed, run.Role) && !run.within(end(&s)) {
				continue
			}
			in = append(in, s)
			if s.Outcome == runs.OK {
				ok = append(ok, s)
				events += s.Events
			}
		}
		got["completions"], got["errors"], got["events"] = strconv.Itoa(len(ok)), strconv.Itoa(len(in)-len(ok)), strconv.FormatInt(events, 10)
		percentiles(got, "", ok)
	}
	return got
}
