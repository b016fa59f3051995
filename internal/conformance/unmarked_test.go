package conformance

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/ingest"
	"headroom/runs"
)

// measureText makes a run of one file of a load generator and measures it.
func measureText(t *testing.T, name, text string) *analyze.Result {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	noError(t, name, os.WriteFile(path, []byte(text), 0o600))
	w, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.CreateOptions{})
	noError(t, "create", err)
	defer w.Abort()
	_, err = ingest.Ingest(context.Background(), ingest.Request{Files: []ingest.File{{Path: path}}, Options: ingest.Options{Zone: time.UTC}}, w)
	noError(t, "ingest", err)
	run, err := w.Commit()
	noError(t, "commit", err)
	m, err := analyze.Measure(context.Background(), run, analyze.Protocol{})
	noError(t, "measure", err)
	return &m.Result
}

// abRows writes requests as ab -g does, which marks no failure and stamps whole
// seconds: so many in each of some seconds.
func abRows(seconds, each int) string {
	var b strings.Builder
	b.WriteString("starttime\tseconds\tctime\tdtime\tttime\twait\n")
	for i := range seconds * each {
		at := 1796052606 + int64(i/each)
		fmt.Fprintf(&b, "%s\t%d\t0\t8\t8\t8\n", time.Unix(at, 0).UTC().Format(time.ANSIC), at)
	}
	return b.String()
}

func theQuantity(t *testing.T, r *analyze.Result, id string) *analyze.Quantity {
	t.Helper()
	for i := range r.Quantities {
		if q := &r.Quantities[i]; q.ID == id {
			return q
		}
	}
	t.Fatalf("there is no %s", id)
	return nil
}

// TestFailuresNotMarked: a source that marks no failed request proves none of
// them away.
func TestFailuresNotMarked(t *testing.T) {
	r := measureText(t, "ab.tsv", abRows(60, 20))
	equal(t, "failed", theQuantity(t, r, "failed").Value == nil, true)
	for _, v := range r.Verdicts {
		if v.Gate == "failed" {
			equal(t, "gate", v.Outcome, analyze.Unknown)
		}
	}
	hey := "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset\n"
	path := filepath.Join(t.TempDir(), "hey.csv")
	noError(t, "hey", os.WriteFile(path, []byte(hey+"0.1,0,0,0,0.1,0,500,0.0\n0.1,0,0,0,0.1,0,200,0.5\n"), 0o600))
	w, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.CreateOptions{})
	noError(t, "create", err)
	defer w.Abort()
	_, err = ingest.Ingest(context.Background(), ingest.Request{
		Files: []ingest.File{{Path: path}}, Options: ingest.Options{Start: time.Unix(1796052606, 0)},
	}, w)
	noError(t, "ingest", err)
	run, err := w.Commit()
	noError(t, "commit", err)
	m, err := analyze.Measure(context.Background(), run, analyze.Protocol{})
	noError(t, "measure", err)
	q := theQuantity(t, &m.Result, "failed")
	equal(t, "failed of hey", *q.Value, 1)
	equal(t, "bound", q.Bound, analyze.AtLeast)
}

// TestCoarseStamps: a rate over a time that the stamps do not show is none, and
// one over a time that they show badly says so.
func TestCoarseStamps(t *testing.T) {
	q := theQuantity(t, measureText(t, "ab.tsv", abRows(1, 1000)), "throughput")
	equal(t, "within one second", q.Value == nil && strings.Contains(q.Why, "stamps are no finer"), true)
	for seconds, want := range map[int]bool{5: true, 100: false} {
		q := theQuantity(t, measureText(t, "ab.tsv", abRows(seconds, 50)), "throughput")
		equal(t, "value", q.Value != nil, true)
		equal(t, fmt.Sprintf("warning over %d s", seconds), strings.Contains(strings.Join(q.Warnings, "; "), "stamps are coarse"), want)
	}
}
