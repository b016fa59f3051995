package ingest

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"headroom/runs"
	"headroom/stat"
)

// The cases about what these importers read; the tables of their expect.md are
// answered row by row.
func init() {
	loadCases["hdr-base-and-start-time"] = answerBaseTime
	loadCases["hdr-clipped-tail"] = answerClippedTail
	loadCases["gobench-utf16"] = answerUTF16
	loadCases["parquet-nan-stats"] = answerNotNumbers
	laterRows = append(laterRows,
		`gate "p99 < 2 s"`, `gate "p99 < 500 ms"`, // of analyses: the bucket that decides has no upper bound
		"count(*)", "count(*) where the value is NULL", // only where what is no number is stored; here it is counted
	)
}

// of counts values, and finds the bucket of a rank.
type bucketsOf []runs.Histogram

func (b bucketsOf) n() (n int64) {
	for _, h := range b {
		n += h.Count
	}
	return n
}

func (b bucketsOf) at(t *testing.T, p stat.P) runs.Histogram {
	t.Helper()
	sorted := slices.Clone(b)
	slices.SortFunc(sorted, func(x, y runs.Histogram) int { return int((x.Low - y.Low) / 1000) })
	rank, seen := stat.Rank(p, int(b.n())), int64(0)
	for _, h := range sorted {
		if seen += h.Count; seen >= int64(rank) {
			return h
		}
	}
	t.Fatalf("no bucket of rank %d", rank)
	return runs.Histogram{}
}

func answerBaseTime(t *testing.T, dir string) map[string][]string {
	answers := map[string][]string{}
	opt := Options{TimeUnit: time.Microsecond}
	for _, kind := range []string{"relative", "basetime", "absolute"} {
		path := filepath.Join(dir, "input."+kind+".hlog")
		if _, _, err := ingestWith(path, Options{}); err == nil || !strings.Contains(err.Error(), "--time-unit") {
			t.Errorf("%s: the unit is not asked for: %v", kind, err)
		}
		_, r, err := ingestWith(path, opt)
		if err != nil {
			t.Fatal(err)
		}
		var starts []string
		counts := map[string]int64{}
		for _, h := range r.histograms {
			start := time.UnixMicro(h.Start).UTC().Format("2006-01-02T15:04:05.000Z")
			if !slices.Contains(starts, start) {
				starts = append(starts, start)
			}
			counts[start] += h.Count
			if h.Length != int64(time.Second) {
				t.Errorf("%s: an interval of %d ns", kind, h.Length)
			}
		}
		all := bucketsOf(r.histograms)
		answers["relative, basetime, absolute: interval starts"] = append(answers["relative, basetime, absolute: interval starts"], strings.Join(starts, ", "))
		answers["interval length / count per interval"] = append(answers["interval length / count per interval"], fmt.Sprintf("1.000 s / %d", counts[starts[0]]))
		answers["all three intervals merged: n"] = append(answers["all three intervals merged: n"], strconv.FormatInt(all.n(), 10))
		var q []string
		for _, p := range []stat.P{stat.P50, stat.P90, stat.P99, stat.P999} {
			h := all.at(t, p)
			q = append(q, strconv.FormatInt(h.Low/1000, 10))
			if h.Low/1000 == 9000 && h.High/1000 != 9007 {
				t.Errorf("the bucket of 9000 ends at %d", h.High)
			}
		}
		answers["p50 / p90 / p99 / max (values are microseconds)"] = append(answers["p50 / p90 / p99 / max (values are microseconds)"], strings.Join(q, " / "))
	}
	path := filepath.Join(dir, "input.monotonic.hlog")
	_, r, err := ingestWith(path, opt)
	if err == nil || len(r.histograms) != 0 {
		t.Errorf("intervals of another clock were placed: %v", err)
	} else {
		answers["monotonic: first interval minus StartTime"] = []string{"311520.250 s", "3.61 days"}
		for _, want := range answers["monotonic: first interval minus StartTime"] {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v does not say %s", err, want)
			}
		}
	}
	return answers
}

func answerClippedTail(t *testing.T, dir string) map[string][]string {
	report, r, err := ingestWith(filepath.Join(dir, "input.hlog"), Options{TimeUnit: time.Microsecond})
	if err != nil {
		t.Fatal(err)
	}
	all := bucketsOf(r.histograms)
	var clipped int64
	for _, h := range all {
		if h.High == math.MaxInt64 {
			clipped += h.Count
		}
	}
	us := func(p stat.P) string { return strconv.FormatInt(all.at(t, p).Low/1000, 10) }
	p98, err := stat.ParseP("98%")
	if err != nil {
		t.Fatal(err)
	}
	tail := []string{}
	for _, p := range []stat.P{stat.P99, stat.P999} {
		if h := all.at(t, p); h.High == math.MaxInt64 && h.Low == 999936000 {
			tail = append(tail, "at least 1,000,000 us (bucket 999936..1000447); not known")
		}
	}
	if len(tail) != 2 {
		t.Error("the percentiles at the limit are bounded")
	}
	notes := strings.Join(report.Files[0].Notes, "\n")
	if !strings.Contains(notes, "20 of 1000 values lie in the bucket of the recorder's limit, 1000000 microseconds") {
		t.Errorf("the notes do not say what was clipped: %s", notes)
	}
	return map[string][]string{
		"n":                                  {strconv.FormatInt(all.n(), 10)},
		"samples in the bucket of the limit": {strconv.FormatInt(clipped, 10)},
		"p50 / p95 / p98":                    {us(stat.P50) + " / " + us(stat.P95) + " / " + us(p98) + " us"},
		"p99, p99.9, max":                    tail,
	}
}

func answerUTF16(t *testing.T, dir string) map[string][]string {
	answers := map[string][]string{}
	for _, name := range []string{"input.utf8.txt", "input.utf16le.txt"} {
		_, r := ingestFile(t, filepath.Join(dir, name))
		names, results := map[string]bool{}, 0
		values := map[string][]float64{}
		for _, b := range r.benchmarks {
			names[b.Name] = true
			v := b.Value
			if b.Unit == "s/op" {
				results++
				v = math.Round(b.Value*1e12) / 1e3 // ns
			}
			key := strings.TrimPrefix(b.Name, "Benchmark") + " " + b.Unit
			values[key] = append(values[key], v)
			answers["GOMAXPROCS suffix"] = []string{strconv.FormatInt(b.Procs, 10)}
			if b.Package != "example.test/ingest" || !strings.Contains(b.Config, `"goos":"windows"`) || !strings.Contains(b.Config, `"goarch":"amd64"`) {
				t.Errorf("package %s, configuration %s", b.Package, b.Config)
			}
			if !strings.Contains(b.Config, "@") {
				t.Errorf("the cpu is not kept as text: %s", b.Config)
			}
		}
		median := func(key string) string {
			v := values[key]
			slices.Sort(v)
			if len(v) == 0 {
				return "none"
			}
			return strconv.FormatFloat(v[len(v)/2], 'f', -1, 64)
		}
		put := func(row, answer string) { answers[row] = append(answers[row], answer) }
		put("benchmarks / results", fmt.Sprintf("%d / %d", len(names), results))
		put("Decode ns/op median", median("Decode s/op"))
		put("Encode ns/op median", median("Encode s/op"))
		put("Decode B/op, allocs/op", median("Decode B/op")+", "+median("Decode allocs/op"))
		put("Encode B/op, allocs/op", median("Encode B/op")+", "+median("Encode allocs/op"))
		put("config", "goos windows, goarch amd64, pkg example.test/ingest, cpu kept as text")
	}
	return answers
}

func answerNotNumbers(t *testing.T, dir string) map[string][]string {
	report, r := ingestFile(t, filepath.Join(dir, "input.csv"))
	var nan, infinite, missing, all int
	notes := strings.Join(report.Files[0].Notes, "\n")
	at := strings.Index(notes, "batch_ms: of ")
	if at < 0 {
		t.Fatalf("the notes do not say what was set apart: %s", notes)
	}
	if _, err := fmt.Sscanf(notes[at:], "batch_ms: of %d values %d are NaN, %d infinite and %d missing", &all, &nan, &infinite, &missing); err != nil {
		t.Fatal(err)
	}
	var finite []float64
	sum := 0.0
	for _, p := range r.points {
		finite = append(finite, p.Value)
		sum += p.Value
	}
	slices.Sort(finite)
	text := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	q := func(p stat.P) string {
		nearest, err := stat.Quantile(finite, p)
		if err != nil {
			t.Fatal(err)
		}
		linear, err := stat.QuantileR7(finite, p)
		if err != nil {
			t.Fatal(err)
		}
		return text(nearest) + " / " + text(math.Round(linear*1e6)/1e6)
	}
	stored := storedPoints(t, filepath.Join(dir, "input.csv"))
	between := 0
	for _, v := range stored {
		if v > 100 && v < 1000 {
			between++
		}
	}
	return map[string][]string{
		"rows":                              {strconv.Itoa(all)},
		"finite / NaN / infinite / missing": {fmt.Sprintf("%d / %d / %d / %d", len(finite), nan, infinite, missing)},
		"min / max of finite":               {text(finite[0]) + " / " + text(finite[len(finite)-1])},
		"mean of finite":                    {strconv.FormatFloat(sum/float64(len(finite)), 'f', 6, 64)},
		"p50 nearest rank / linear":         {q(stat.P50)},
		"p95 nearest rank / linear":         {q(stat.P95)},
		// Values that are no numbers are not stored, so that no bound can be one.
		"count(*) where value > 100 and value < 1000":                   {strconv.Itoa(between)},
		"min(value), max(value) where value > -1e300 and value < 1e300": {text(slices.Min(stored)) + ", " + text(slices.Max(stored))},
	}
}

// storedPoints returns the values of the points of a run made from a file.
func storedPoints(t *testing.T, path string) []float64 {
	t.Helper()
	w, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if _, err := Ingest(context.Background(), Request{Files: []File{{Path: path}}}, w); err != nil {
		t.Fatal(err)
	}
	run, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	var values []float64
	err = run.ScanPoints(context.Background(), nil, runs.Range{}, func(p *runs.Point) error {
		if p.Metric == "k6.batch_ms" {
			values = append(values, p.Value)
		}
		return nil
	})
	if err != nil || len(values) == 0 {
		t.Fatalf("%d values, %v", len(values), err)
	}
	return values
}

// A benchmark's results come back from a run as they went in.
func TestBenchmarksOfARun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bench.txt")
	if err := os.WriteFile(path, []byte("pkg: example.test/a\nBenchmarkX-4 \t 10 \t 250 ns/op\nBenchmarkX-4 \t 10 \t 260 ns/op\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	report, err := Ingest(context.Background(), Request{Files: []File{{Path: path}}}, w)
	if err != nil || report.Files[0].First != "" || report.Files[0].Rows != 2 {
		t.Fatalf("%+v, %v: want two rows without an instant", report.Files[0], err)
	}
	run, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	var got []runs.Benchmark
	if err := run.ScanBenchmarks(context.Background(), func(b *runs.Benchmark) error { got = append(got, *b); return nil }); err != nil {
		t.Fatal(err)
	}
	row := runs.Benchmark{Source: "bench.txt", Package: "example.test/a", Name: "BenchmarkX", Procs: 4, Iterations: 10, Unit: "s/op", Value: 250e-9}
	second := row
	second.Repeat, second.Value = 1, 260e-9
	if !slices.Equal(got, []runs.Benchmark{row, second}) {
		t.Errorf("got %+v", got)
	}
}
