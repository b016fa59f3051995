package conformance

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
	"headroom/ingest"
	"headroom/runs"
)

// recording is a small recorded run, before it is written to files: what a
// property changes.
type recording struct {
	start    time.Time
	seconds  int
	rows     []recorded1
	stored   int64
	load     []float64 // load average, one a second
	exit     string
	columns  []string // of the samples
	perMilli int64    // units of the latency column in a millisecond: 1, or 1000 for µs
	without  map[string]bool
	twice    string // the name of a file that is given twice, under two names
	short    bool   // the second time without its last line
}

type recorded1 struct {
	at      time.Duration
	latency time.Duration
	status  string
}

// recordingOf draws a run: steady or drifting, with or without failures, counted
// rightly or not.
func recordingOf(rnd *rand.Rand) recording {
	r := recording{start: time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC), seconds: 20, exit: "0\n", columns: []string{"start", "latency", "status"}, perMilli: 1, without: map[string]bool{}}
	drift := []float64{1, 1, 1.5}[rnd.IntN(3)]
	fails := []int{0, 0, 5}[rnd.IntN(3)]
	n := 1200
	for i := range n {
		x := recorded1{time.Duration(i) * 20 * time.Second / time.Duration(n), time.Duration(5000+rnd.IntN(20000)) * time.Microsecond, "200"}
		if i > 2*n/3 {
			x.latency = time.Duration(float64(x.latency.Microseconds())*drift) * time.Microsecond
		}
		if fails > 0 && rnd.IntN(n) < fails {
			x.status = "500"
		}
		r.rows = append(r.rows, x)
		if x.status == "200" {
			r.stored++
		}
	}
	r.stored += int64([]int{0, 0, -1, 1}[rnd.IntN(4)])
	for range r.seconds + 1 {
		r.load = append(r.load, 0.5+rnd.Float64())
	}
	return r
}

// files writes the recording and returns what is to be read.
func (r *recording) files(t *testing.T) ingest.Request {
	t.Helper()
	dir := t.TempDir()
	var samples, load strings.Builder
	samples.WriteString(strings.Join(r.columns, ",") + "\n")
	for _, x := range r.rows {
		var cells []string
		for _, c := range r.columns {
			switch c {
			case "start":
				cells = append(cells, fmt.Sprint(r.start.Add(x.at).UnixMicro()))
			case "latency":
				cells = append(cells, trimmed(float64(x.latency.Microseconds())/1000*float64(r.perMilli)))
			case "status":
				cells = append(cells, x.status)
			}
		}
		samples.WriteString(strings.Join(cells, ",") + "\n")
	}
	for i, v := range r.load {
		fmt.Fprintf(&load, "%s %.2f 0.50 0.50 2/300 %d\n", r.start.Add(time.Duration(i)*time.Second).Format("2006-01-02T15:04:05-0700"), v, 1000+i)
	}
	stamp := func(d time.Duration) string { return r.start.Add(d).Format("2006-01-02 15:04:05-07") }
	texts := map[string]string{
		"samples.csv": samples.String(), "load.log": load.String(), "exit": r.exit,
		"before.csv": "sampled_at,rows\n" + stamp(-time.Second) + ",1000\n",
		"after.csv":  fmt.Sprintf("sampled_at,rows\n%s,%d\n", stamp(21*time.Second), 1000+r.stored),
	}
	roles := map[string]ingest.Role{"before.csv": ingest.Before, "after.csv": ingest.After, "exit": ingest.ExitFile}
	unit := map[int64]string{1: "ms", 1000: "us"}[r.perMilli]
	req := ingest.Request{
		Model: runs.OpenLoop, Rate: 60, Host: runs.Host{Cores: 4}, Reconcile: map[string]string{"rows": "events"},
		Window: &runs.Window{Start: r.start.Format(time.RFC3339), End: r.start.Add(20 * time.Second).Format(time.RFC3339), Declared: true},
		Maps: []*ingest.Mapping{{
			Format: "generic-csv", Files: []string{"samples.csv"}, Status: "status",
			Start: &ingest.InstantField{Field: "start", Unit: "unix_us"}, Latency: &ingest.DurationField{Field: "latency", Unit: unit},
		}},
	}
	for _, name := range []string{"samples.csv", "load.log", "exit", "before.csv", "after.csv"} {
		if r.without[name] {
			continue
		}
		path := filepath.Join(dir, name)
		noError(t, name, os.WriteFile(path, []byte(texts[name]), 0o600))
		req.Files = append(req.Files, ingest.File{Path: path, Role: roles[name]})
		if name == r.twice {
			path = filepath.Join(dir, "again-"+name)
			text := texts[name]
			if r.short {
				text = text[:strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1]
			}
			noError(t, name, os.WriteFile(path, []byte(text), 0o600))
			req.Files = append(req.Files, ingest.File{Path: path, Role: roles[name]})
			if name == "samples.csv" {
				req.Maps[0].Files = append(req.Maps[0].Files, "again-samples.csv")
			}
		}
	}
	return req
}

func trimmed(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.3f", v), ".000") }

// measured takes the recording through import and analysis; nil if the import
// refuses it.
func (r *recording) measured(t *testing.T) *analyze.Measured {
	t.Helper()
	w, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.CreateOptions{})
	noError(t, "create", err)
	defer w.Abort()
	if _, err := ingest.Ingest(context.Background(), r.files(t), w); err != nil {
		var f *ingest.FileError
		if !errors.As(err, &f) {
			t.Fatalf("an import that names no file: %v", err)
		}
		return nil
	}
	run, err := w.Commit()
	noError(t, "commit", err)
	m, err := analyze.Measure(context.Background(), run, analyze.Protocol{})
	noError(t, "measure", err)
	return m
}

// outcomes are the verdicts by gate and scope.
func outcomes(m *analyze.Measured) map[string]analyze.Outcome {
	out := map[string]analyze.Outcome{}
	if m == nil {
		return out
	}
	for _, v := range m.Result.Verdicts {
		out[fmt.Sprint(v.Gate, " ", v.Scope)] = v.Outcome
	}
	return out
}

// removals take something away from a recording.
var removals = map[string]func(*rand.Rand, *recording){
	"a source": func(rnd *rand.Rand, r *recording) {
		r.without[[]string{"samples.csv", "load.log", "exit", "before.csv", "after.csv"}[rnd.IntN(5)]] = true
	},
	"a column": func(rnd *rand.Rand, r *recording) {
		k := rnd.IntN(len(r.columns))
		r.columns = slices.Delete(slices.Clone(r.columns), k, k+1)
	},
	"a stretch of time": func(rnd *rand.Rand, r *recording) {
		from := time.Duration(rnd.IntN(19)) * time.Second
		to := from + time.Duration(1+rnd.IntN(8))*time.Second
		r.rows = slices.DeleteFunc(slices.Clone(r.rows), func(x recorded1) bool { return x.at >= from && x.at < to })
	},
	"the tail": func(rnd *rand.Rand, r *recording) {
		r.rows = r.rows[:len(r.rows)-1-rnd.IntN(len(r.rows)-1)]
		r.load = r.load[:1+rnd.IntN(len(r.load)-1)]
	},
}

// draws is how many runs each property is tried with.
const draws = 12

// TestPropertyRemovingNeverPasses takes data away at random: what failed or could
// not be told does not pass for lack of evidence.
func TestPropertyRemovingNeverPasses(t *testing.T) {
	for seed := range uint64(draws) {
		whole := recordingOf(rand.New(rand.NewPCG(seed, 7)))
		before := outcomes(whole.measured(t))
		equal(t, "gates are judged", len(before) > 5, true)
		for name, remove := range removals {
			part := recordingOf(rand.New(rand.NewPCG(seed, 7)))
			remove(rand.New(rand.NewPCG(seed, 8)), &part)
			for gate, o := range outcomes(part.measured(t)) {
				if was, ok := before[gate]; ok && o == analyze.Pass && was != analyze.Pass {
					t.Errorf("seed %d, without %s: %s was %s and passes", seed, name, gate, was)
				}
			}
		}
	}
}

// TestPropertyDoublingNeverImproves gives every row twice.
func TestPropertyDoublingNeverImproves(t *testing.T) {
	rank := map[analyze.Outcome]int{analyze.Pass: 2, analyze.Unknown: 1, analyze.Fail: 0}
	for seed := range uint64(draws) {
		r := recordingOf(rand.New(rand.NewPCG(seed, 7)))
		before := outcomes(r.measured(t))
		r.rows = append(slices.Clone(r.rows), r.rows...)
		for gate, o := range outcomes(r.measured(t)) {
			if was, ok := before[gate]; ok && rank[o] > rank[was] {
				t.Errorf("seed %d, doubled: %s was %s and is %s", seed, gate, was, o)
			}
		}
	}
}

// TestPropertyShiftAndUnitChangeNothing moves all clocks, and writes the latencies
// in another unit.
func TestPropertyShiftAndUnitChangeNothing(t *testing.T) {
	for seed := range uint64(draws) {
		before := recordingOf(rand.New(rand.NewPCG(seed, 7)))
		was := before.measured(t)
		shifted := recordingOf(rand.New(rand.NewPCG(seed, 7)))
		shifted.start = shifted.start.Add(time.Duration(1+rand.New(rand.NewPCG(seed, 9)).IntN(1e6)) * time.Second)
		scaled := recordingOf(rand.New(rand.NewPCG(seed, 7)))
		scaled.perMilli = 1000
		for name, r := range map[string]*recording{"shifted": &shifted, "in µs": &scaled} {
			got := r.measured(t)
			for gate, o := range outcomes(was) {
				equal(t, fmt.Sprintf("seed %d, %s: %s", seed, name, gate), outcomes(got)[gate], o)
			}
			for _, id := range []string{"requests", "samples", "failed", "throughput", "latency.p50", "latency.p99", "latency.max", "drift.ratio", "freeze.seconds", "windows.bad"} {
				scope := detect.Scope{Scenario: mainScenario(was.Result)}
				a, b := was.Result.Quantity(id, scope), got.Result.Quantity(id, scope)
				equal(t, fmt.Sprintf("seed %d, %s: %s", seed, name, id), fmt.Sprint(number(b, 1)), fmt.Sprint(number(a, 1)))
			}
		}
	}
}

// TestPropertyFileTwice passes a file of the recording twice, as two files of two
// names: the import refuses it. Of a second file that holds all but the last line of
// the first, no verdict improves.
func TestPropertyFileTwice(t *testing.T) {
	rank := map[analyze.Outcome]int{analyze.Pass: 2, analyze.Unknown: 1, analyze.Fail: 0}
	measured := 0
	for seed := range uint64(draws / 2) {
		r := recordingOf(rand.New(rand.NewPCG(seed, 7)))
		before := outcomes(r.measured(t))
		for _, name := range []string{"samples.csv", "load.log", "exit", "before.csv", "after.csv"} {
			r.twice, r.short = name, false
			if r.measured(t) != nil {
				t.Errorf("seed %d: %s twice is not refused", seed, name)
			}
			if r.short = true; name == "exit" {
				continue // it has one line
			}
			got := r.measured(t)
			if got != nil {
				measured++
			}
			for gate, o := range outcomes(got) {
				if w, ok := before[gate]; ok && rank[o] > rank[w] {
					t.Errorf("seed %d, most of %s twice: %s was %s and is %s", seed, name, gate, w, o)
				}
			}
		}
	}
	if measured == 0 {
		t.Error("no run with most of a file twice was measured")
	}
}
