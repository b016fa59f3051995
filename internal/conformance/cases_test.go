package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
	"headroom/ingest"
	"headroom/runs"
	"headroom/stat"
)

// casesHere are answered through the whole chain, from the file to the verdict.
var casesHere = map[string]func(*testing.T, string){
	"changepoint-single-spike": caseChangePoint,
	"fleet-arithmetic-stale":   caseFleet,
	"knee-none-noise-repeats":  caseKnee,
	"k6-negative-timings":      caseNegative,
	"percentile-definitions":   casePercentiles,
	"vacuous-gates":            caseVacuous,
}

// casesElsewhere are answered by the tests of the room they concern.
var casesElsewhere = map[string]string{
	"ci-publish-race":                 "cmd/headroom (TestCasesPublishRace, with git and the workflow's commands)",
	"cloudwatch-order-gaps-alignment": "ingest",
	"gatling-truncated-eol":           "ingest",
	"gobench-utf16":                   "ingest",
	"hdr-base-and-start-time":         "ingest",
	"hdr-clipped-tail":                "ingest (the bucket of the limit has no upper bound; the gates are issue 5)",
	"jmeter-dialects":                 "ingest",
	"iostat-locale-and-broken-json":   "ingest",
	"join-across-zones":               "ingest (the instants; the attribution is issue 6)",
	"k6-csv-time-units":               "ingest",
	"locust-history-na-reset":         "ingest",
	"long-lines":                      "ingest",
	"md-table-cells":                  "render",
	"parquet-nan-stats":               "ingest",
	"pg-csvlog-versions":              "ingest",
	"pg-rds-multiline":                "ingest",
	"pgbench-aggregate-gap":           "ingest",
	"pgstat-columns-by-version":       "ingest, and runs (exact changes)",
	"plot-degenerate-series":          "render",
	"vegeta-hist-below-first":         "ingest",
	"vegeta-out-of-order":             "ingest",
	"vmstat-first-line-and-layouts":   "ingest",
	"wrk-garbage-and-errors":          "ingest",
}

// casesLater are not answered yet.
var casesLater = map[string]string{
	"ci-publish-race": "publication (issue 7)",
}

// TestCases runs every case of the folder that concerns what is finished.
func TestCases(t *testing.T) {
	root := dataFolder(t, "HEADROOM_CASES", "cases")
	expects, err := filepath.Glob(filepath.Join(root, "*", "expect.md"))
	if err != nil || len(expects) == 0 {
		t.Fatalf("no cases (*/expect.md) in %s: %v", root, err)
	}
	done := 0
	for _, e := range expects {
		dir := filepath.Dir(e)
		name := filepath.Base(dir)
		switch {
		case casesHere[name] != nil:
			if t.Run(name, func(t *testing.T) { casesHere[name](t, dir) }) {
				done++
			}
		case casesElsewhere[name] != "":
			t.Logf("%s: answered by the tests of %s", name, casesElsewhere[name])
			done++
		case casesLater[name] != "":
			t.Logf("%s: not yet answered: %s", name, casesLater[name])
		default:
			t.Errorf("%s: a case of no known kind", name)
		}
	}
	t.Logf("answered %d of %d ids", done, len(expects))
}

// tables returns the rows of every table of expect.md, without headers.
func tables(t *testing.T, dir string) [][]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "expect.md"))
	noError(t, dir, err)
	var rows [][]string
	header := true
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		switch {
		case !strings.HasPrefix(line, "|"):
			header = true
			continue
		case strings.HasPrefix(line, "|---"), header:
			header = false
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

func num(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	noError(t, text, err)
	return v
}

func casePercentiles(t *testing.T, dir string) {
	var sets map[string][]float64
	readJSON(t, filepath.Join(dir, "input.json"), &sets)
	seen := 0
	for _, row := range tables(t, dir) {
		sorted := slices.Sorted(slices.Values(sets[row[0]]))
		p := parseP(t, row[2]+"%")
		nearest, err := stat.Quantile(sorted, p)
		noError(t, row[0], err)
		r7, _ := stat.QuantileR7(sorted, p)
		r6, _ := stat.QuantileR6(sorted, p)
		equal(t, row[0]+" n", float64(len(sorted)), num(t, row[1]))
		for i, got := range []float64{nearest, r7, r6} {
			want := num(t, row[3+i])
			if d := got - want; d > 1e-6 || d < -1e-6 {
				t.Errorf("%s p%s, definition %d: %v, want %v", row[0], row[2], i+1, got, want)
			}
		}
		seen++
	}
	for name, set := range sets {
		if len(set) == 0 {
			_, err := stat.Quantile(set, stat.P99)
			equal(t, name+" of nothing is an error", err != nil, true)
		}
	}
	equal(t, "rows", seen > 0, true)
}

// carried makes a run of a stated throughput: one request a second that carries
// the events.
func carried(t *testing.T, events int64) *analyze.Measured {
	t.Helper()
	w, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.CreateOptions{ID: "r"})
	noError(t, "create", err)
	defer w.Abort()
	start := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	for i := range int64(200) {
		s := runs.NewSample()
		s.Start, s.Scenario, s.Outcome, s.Service, s.Events = start.UnixMicro()+i*1e6, "default", runs.OK, 29e7, events
		noError(t, "sample", w.Sample(&s))
	}
	m := w.Manifest()
	m.Labels = map[string]string{"concurrency": "16"}
	m.Load.Model = runs.OpenLoop
	m.Window = &runs.Window{Start: start.Format(time.RFC3339), End: start.Add(200 * time.Second).Format(time.RFC3339), Declared: true}
	run, err := w.Commit()
	noError(t, "commit", err)
	got, err := analyze.Measure(context.Background(), run, analyze.Protocol{})
	noError(t, "measure", err)
	return got
}

func caseFleet(t *testing.T, dir string) {
	var in struct {
		New int64 `json:"sustained_events_per_s"`
		Old int64 `json:"old_sustained_events_per_s"`
	}
	readJSON(t, filepath.Join(dir, "input.result.json"), &in)
	target := regexp.MustCompile(`^([\d,]+) endpoints at ([\d,]+) per hour$`)
	document := func(events int64, rates ...float64) *analyze.Capacity {
		c, err := analyze.Combine([]*analyze.Measured{carried(t, events)}, analyze.Protocol{Name: "sweep", FleetRates: rates, Targets: []float64{10000}})
		noError(t, "combine", err)
		return c
	}
	shown := func(c *analyze.Capacity, rate float64) string {
		for _, q := range c.Quantities {
			if q.ID == fmt.Sprintf("fleet.%g.endpoints", rate) {
				return strings.TrimSuffix(q.Display, " endpoints")
			}
		}
		return ""
	}
	seen := 0
	for _, row := range tables(t, dir) {
		if len(row) == 3 { // rate, endpoints from the new figure, stale ones
			rate := num(t, strings.TrimSuffix(row[0], " per hour"))
			equal(t, row[0], shown(document(in.New, rate), rate), row[1])
			equal(t, row[0]+" before", shown(document(in.Old, rate), rate), row[2])
			seen++
			continue
		}
		if m := target.FindStringSubmatch(row[0]); m != nil {
			rate := num(t, m[2])
			for _, v := range document(in.New, rate).Verdicts {
				if v.Gate == fmt.Sprintf("acceptance.%g.%g", num(t, m[1]), rate) {
					met := strings.Contains(row[1], ": met") || strings.HasSuffix(row[1], "met") && !strings.Contains(row[1], "not met")
					equal(t, row[0], v.Outcome == analyze.Pass, met)
					seen++
				}
			}
		}
		if rate, ok := strings.CutPrefix(row[0], "endpoints at "); ok && !strings.Contains(row[0], "headroom") {
			r := num(t, strings.TrimSuffix(rate, " per hour"))
			equal(t, row[0], strings.HasPrefix(row[1], shown(document(in.New, r), r)), true)
			seen++
		}
	}
	equal(t, "rows", seen > 4, true)
}

// ingested makes and measures the run of one foreign file.
func ingested(t *testing.T, path string) *analyze.Measured {
	t.Helper()
	w, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.CreateOptions{})
	noError(t, "create", err)
	defer w.Abort()
	_, err = ingest.Ingest(context.Background(), ingest.Request{Files: []ingest.File{{Path: path}}}, w)
	noError(t, path, err)
	run, err := w.Commit()
	noError(t, path, err)
	m, err := analyze.Measure(context.Background(), run, analyze.Protocol{P99Limit: 500 * time.Millisecond})
	noError(t, path, err)
	return m
}

func caseNegative(t *testing.T, dir string) {
	m := ingested(t, filepath.Join(dir, "input.ndjson"))
	scope := detect.Scope{Scenario: mainScenario(m.Result)}
	value := func(id string) float64 {
		q := m.Result.Quantity(id, scope)
		if q == nil || q.Value == nil {
			t.Fatalf("%s is not given", id)
		}
		return *q.Value
	}
	equal(t, "requests", value("requests"), 6)
	equal(t, "invalid", value("invalid"), 1)
	for id, want := range map[string]float64{"latency.max": 0.021, "latency.mean": 0.0123} {
		if d := value(id) - want; d > 1e-12 || d < -1e-12 {
			t.Errorf("%s: %v, want %v", id, value(id), want)
		}
	}
	for _, v := range m.Result.Verdicts {
		if v.Gate == "invalid" {
			equal(t, "gate invalid", v.Outcome, analyze.Fail)
		}
	}
}

// caseVacuous asks each file's gates; one on nothing is no pass.
func caseVacuous(t *testing.T, dir string) {
	gates := map[string]string{"p99": "p99", "failed share": "failed", "checks": "", "at least": "samples", "k6's own": "thresholds"}
	files := map[string]*analyze.Measured{}
	inputs, err := filepath.Glob(filepath.Join(dir, "input.*"))
	noError(t, dir, err)
	for _, f := range inputs {
		files[strings.Split(filepath.Base(f), ".")[1]] = ingested(t, f)
	}
	asked := 0
	for _, row := range tables(t, dir) {
		m, gate := files[row[0]], ""
		for prefix, g := range gates {
			if strings.HasPrefix(row[1], prefix) {
				gate = g
			}
		}
		if m == nil || gate == "" {
			continue
		}
		want := analyze.Unknown
		for _, o := range []analyze.Outcome{analyze.Pass, analyze.Fail} {
			if strings.HasPrefix(row[2], string(o)) {
				want = o
			}
		}
		for _, v := range m.Result.Verdicts {
			if v.Gate == gate {
				equal(t, row[0]+" "+row[1], v.Outcome, want)
				asked++
			}
		}
	}
	equal(t, "gates asked", asked > 6, true)
	for name, m := range files {
		c, err := analyze.Combine([]*analyze.Measured{m}, analyze.Protocol{Required: []string{"p99", "failed", "samples"}})
		noError(t, name, err)
		equal(t, name+" passes as a whole", c.Outcome == analyze.Pass, false)
	}
	if analyze.GateNamed("htp_req_duration") != nil {
		t.Error("a gate that does not exist has a name")
	}
	b, err := json.Marshal(files["a"].Result)
	noError(t, "json", err)
	equal(t, "NaN is printed", strings.Contains(string(b), "NaN"), false)
}
