package ingest

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// loadCases answer the rows of a case's expect.md, by the words in the row's
// first cell. An answer is what the row's second cell must say; several, where a
// cell says several things.
var loadCases = map[string]func(t *testing.T, dir string) map[string][]string{
	"k6-csv-time-units":     answerTimeUnits,
	"k6-negative-timings":   answerNegativeTimings,
	"long-lines":            answerLongLines,
	"pgbench-aggregate-gap": answerAggregateGap,
}

// laterRows are rows of these cases that reading a file cannot answer.
var laterRows = []string{
	"p50 / p95 linear (h=(n-1)p)", // a definition of quantiles: package stat
	"p95 nearest rank / linear",
	"p50 nearest rank / linear",
	"memory", // of pages
}

// TestCasesLoad answers the cases about load files.
func TestCasesLoad(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_CASES", "cases", "README.md")
	for _, name := range sortedKeys(loadCases) {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(root, name)
			text, err := os.ReadFile(filepath.Join(dir, "expect.md"))
			if err != nil {
				t.Fatal(err)
			}
			answers := loadCases[name](t, dir)
			rows, answered := expectRows(string(text)), 0
			for _, row := range rows {
				got, ok := answers[row[0]]
				switch {
				case slices.Contains(laterRows, row[0]):
				case !ok:
					t.Errorf("the row %q has no answer", row[0])
				default:
					answered++
					for _, want := range got {
						if !hasPhrase(strings.Join(row[1:], " | "), want) {
							t.Errorf("%s: got %q, want %q", row[0], want, row[1:])
						}
					}
				}
			}
			t.Logf("answered %d of %d ids", answered, len(rows))
		})
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// expectRows returns the rows of the tables under "Right answer", cell by cell.
func expectRows(text string) [][]string {
	_, text, _ = strings.Cut(text, "## Right answer")
	text, _, _ = strings.Cut(text, "\n## ")
	var rows [][]string
	header := true
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			header = true
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if !header && strings.Trim(cells[0], "-") != "" {
			rows = append(rows, cells)
		}
		header = false
	}
	return rows
}

// hasPhrase reports whether a cell holds the phrase with no digit, letter or
// point touching it.
func hasPhrase(cell, phrase string) bool {
	for at := 0; ; {
		i := strings.Index(cell[at:], phrase)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(phrase)
		if (start == 0 || !wordByte(cell[start-1])) && (end == len(cell) || !wordByte(cell[end])) {
			return true
		}
		at = start + 1
	}
}

func wordByte(c byte) bool {
	return isDigit(c) || c == '.' || c == '-' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// ingestFile reads one file as a run.
func ingestFile(t *testing.T, path string) (*Report, *rows) {
	t.Helper()
	dst := &rows{}
	report, err := Ingest(context.Background(), Request{Files: []File{{Path: path}}}, dst)
	if err != nil {
		t.Fatal(err)
	}
	return report, dst
}

// end returns when a sample ended, ns since the Unix epoch.
func end(s *runs.Sample) int64 {
	ns, _ := s.Latency()
	return s.StartNanos() + ns
}

func answerTimeUnits(t *testing.T, dir string) map[string][]string {
	same := func(answers map[string][]string, row, value string) {
		if old := answers[row]; len(old) == 0 {
			answers[row] = []string{value}
		} else if old[0] != value {
			t.Errorf("%s: the files disagree: %q and %q", row, old[0], value)
		}
	}
	answers := map[string][]string{}
	var resolutions []string
	for _, unit := range []string{"unix", "rfc3339", "unix_milli", "unix_micro", "unix_nano", "rfc3339_nano"} {
		f, err := os.Open(filepath.Join(dir, "input."+unit+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in, r := NewInput("k6.csv", f, Options{}), &rows{}
		if err := K6CSV.Read(in, r); err != nil {
			t.Fatal(err)
		}
		var ends []int64
		perSecond := map[int64]int{}
		for i := range r.samples {
			e := end(&r.samples[i])
			ends = append(ends, e)
			perSecond[e/1e9]++
		}
		slices.Sort(ends)
		first, last := ends[0]/1e9, ends[len(ends)-1]/1e9
		same(answers, "samples of http_req_duration", strconv.Itoa(len(ends)))
		same(answers, "samples in second 10:00:00Z / 10:00:01Z (all six files)", fmt.Sprintf("%d / %d", perSecond[first], perSecond[last]))
		same(answers, "rate, by whole-second buckets (all six files)", fmt.Sprintf("%.1f per s", float64(len(ends))/float64(last-first+1)))
		s := services(r.samples)
		same(answers, "p50 / p95 nearest rank", fmt.Sprintf("%v ms / %v ms", float64(rank(s, 500))/1e6, float64(rank(s, 950))/1e6))
		if unit == "unix" || unit == "rfc3339" {
			same(answers, "first instant, files unix and rfc3339", time.Unix(0, ends[0]).UTC().Format("2006-01-02T15:04:05.999Z"))
		} else {
			same(answers, "first instant, files unix_milli / micro / nano / rfc3339_nano", time.Unix(0, ends[0]).UTC().Format("2006-01-02T15:04:05.000Z"))
			same(answers, "last instant, same four files", time.Unix(0, ends[len(ends)-1]).UTC().Format("2006-01-02T15:04:05.000Z"))
		}
		resolutions = append(resolutions, strings.Replace(in.Stamps().Resolution().String(), "µ", "u", 1))
	}
	answers["resolution recorded"] = []string{fmt.Sprintf("%s for unix and rfc3339; %s, %s, %s, %s for the others",
		spaced(resolutions[0]), spaced(resolutions[2]), spaced(resolutions[3]), spaced(resolutions[4]), spaced(resolutions[5]))}
	return answers
}

func spaced(d string) string { return d[:1] + " " + d[1:] }

func answerNegativeTimings(t *testing.T, dir string) map[string][]string {
	report, r := ingestFile(t, filepath.Join(dir, "input.ndjson"))
	used, negative, phases := services(r.samples), 0, 0
	var sum float64
	for _, ns := range used {
		sum += float64(ns) / 1e6
	}
	for _, s := range r.samples {
		if s.Service < 0 && s.Service != runs.Missing {
			negative++
		}
		for _, phase := range []int64{s.Connecting, s.TLS, s.Sending, s.Waiting, s.Receiving} {
			if phase < 0 && phase != runs.Missing {
				phases++
			}
		}
	}
	notes := strings.Join(report.Files[0].Notes, "\n")
	if !strings.Contains(notes, ofOne(fmt.Sprintf("%d requests have a negative duration", negative))) ||
		!strings.Contains(notes, ofOne(fmt.Sprintf("%d phases of requests are negative", phases))) {
		t.Errorf("the notes do not say how many were negative: %s", notes)
	}
	var inOrder []string
	for _, s := range r.samples {
		if s.Service >= 0 {
			inOrder = append(inOrder, ms(s.Service))
		}
	}
	return map[string][]string{
		"http_req_duration samples":                            {strconv.Itoa(len(r.samples))},
		"negative durations (invalid, left out of statistics)": {strconv.Itoa(negative)},
		"negative phase values":                                {strconv.Itoa(phases)},
		"durations used":                                       {strings.Join(inOrder, ", ") + " ms"},
		"min / max of used":                                    {ms(used[0]) + " / " + ms(used[len(used)-1]) + " ms"},
		"mean of used":                                         {strconv.FormatFloat(sum/float64(len(used)), 'f', -1, 64) + " ms"},
		"requests counted":                                     {strconv.Itoa(len(r.with("")))},
	}
}

func answerLongLines(t *testing.T, dir string) map[string][]string {
	answers := map[string][]string{}
	var counts, failed, longest []string
	for _, name := range []string{"input.a.ndjson", "input.b.ndjson.gz"} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c, err := NewContent(name, f, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		lines, most := NewInput(name, c, Options{}).Lines(), 0
		for lines.Next() {
			most = max(most, len(lines.Bytes()))
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		longest = append(longest, strconv.Itoa(most))
		_, r := ingestFile(t, filepath.Join(dir, name))
		counts = append(counts, strconv.Itoa(len(r.samples)))
		var sum int64
		bad := 0
		for _, s := range r.samples {
			sum += s.Service
			if s.Status == "500" {
				bad++
			}
			if len(s.Error) > maxTag+len("…") || len(s.Tags) > 2*maxTag {
				t.Errorf("%s: a sample holds %d bytes of error and %d of tags", name, len(s.Error), len(s.Tags))
			}
		}
		failed = append(failed, strconv.Itoa(bad))
		answers["sum of values"] = append(answers["sum of values"], ms(sum)+" ms")
		answers["p50 (any definition)"] = append(answers["p50 (any definition)"], ms(rank(services(r.samples), 500))+" ms")
	}
	answers["points in a / in b"] = []string{strings.Join(counts, " / ")}
	answers["points with status 500"] = failed
	answers["longest line, bytes without the newline: a / b"] = []string{strings.Join(longest, " / ")}
	return answers
}

// interval is what the points of one interval say, over threads.
type interval struct{ n, sum, sum2, min, max float64 }

func aggregateIntervals(r *rows) map[int64]*interval {
	all := map[int64]*interval{}
	for _, p := range r.points {
		i := all[p.Time]
		if i == nil {
			i = &interval{min: math.Inf(1), max: math.Inf(-1)}
			all[p.Time] = i
		}
		switch p.Metric {
		case "pgbench.transactions":
			i.n += p.Value
		case "pgbench.latency_sum":
			i.sum += p.Value
		case "pgbench.latency_sum2":
			i.sum2 += p.Value
		case "pgbench.latency_min":
			i.min = min(i.min, p.Value)
		case "pgbench.latency_max":
			i.max = max(i.max, p.Value)
		}
	}
	return all
}

func answerAggregateGap(t *testing.T, dir string) map[string][]string {
	dst := &rows{}
	_, err := Ingest(context.Background(), Request{Files: []File{
		{Path: filepath.Join(dir, "input.pgbench_log.7001")}, {Path: filepath.Join(dir, "input.pgbench_log.7001.1")},
	}}, dst)
	if err != nil {
		t.Fatal(err)
	}
	all := aggregateIntervals(dst)
	first, step := dst.points[0].Time, dst.points[0].Resolution
	answers := map[string][]string{}
	var n, sum float64
	seconds, empty := 0, 0
	for s := 0; s < 5; s++ {
		seconds++
		i := all[first+int64(s)*step]
		if i == nil || i.n == 0 {
			empty++
			answers[strconv.Itoa(s)] = []string{"0", "no data"}
			continue
		}
		n, sum = n+i.n, sum+i.sum
		mean := i.sum / i.n
		deviation := math.Sqrt(i.sum2/i.n - mean*mean)
		answers[strconv.Itoa(s)] = []string{fmt.Sprintf("%v | %v | %v | %v | %v", i.n,
			rounded(mean), rounded(deviation), rounded(i.min), rounded(i.max))}
	}
	report, old := ingestFile(t, filepath.Join(dir, "input.old6.pgbench_log.7002"))
	for _, p := range old.points {
		if strings.Contains(p.Metric, "lag") || strings.Contains(p.Metric, "skipped") || strings.Contains(p.Metric, "failures") || strings.Contains(p.Metric, "retr") {
			t.Errorf("a six-column log gave %s", p.Metric)
		}
	}
	notes := strings.Join(report.Files[0].Notes, "\n")
	columns, _, _ := strings.Cut(notes[strings.Index(notes, "6 columns"):], " ")
	answers["transactions in all"] = []string{fmt.Sprint(n)}
	answers["mean latency of all"] = []string{fmt.Sprintf("%v ms", rounded(sum/n))}
	answers["seconds with 0 transactions"] = []string{strconv.Itoa(empty)}
	answers["mean tps over the 5 seconds"] = []string{fmt.Sprint(n / float64(seconds))}
	answers["old6: columns"] = []string{columns, "not known"}
	if !strings.Contains(notes, "percentiles cannot be told") || len(dst.samples)+len(dst.histograms) > 0 {
		t.Errorf("percentiles are to be had from nothing: %s", notes)
	}
	answers["percentiles"] = []string{"not available"}
	return answers
}

// rounded returns seconds as milliseconds with four decimals at most.
func rounded(s float64) string {
	return strconv.FormatFloat(math.Round(s*1e7)/1e4, 'f', -1, 64)
}

// ms returns nanoseconds as milliseconds.
func ms(ns int64) string { return strconv.FormatFloat(float64(ns)/1e6, 'f', -1, 64) }
