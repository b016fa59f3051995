package ingest

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// corpusNotOfTheRun are ids of the index about the file or the plan, which no
// row of a run tells: samples inside of samples are left out.
var corpusNotOfTheRun = []string{"all_samples"}

// hdrplotIDs are what a percentile table of vegeta holds of what its report says.
var hdrplotIDs = []string{"requests", "min", "p50", "p90", "p95", "max"}

// printedForms are what the index copies from the tools' own output, as an
// expression, the ids of its groups, and how far a number computed from samples
// may be off besides the rounding of what was printed: the relative error of an
// estimate.
var printedForms = []struct {
	form *regexp.Regexp
	ids  []string
	off  float64 // relative
}{
	{regexp.MustCompile(`Requests \[total, rate, throughput\] (\d+), ([\d.]+), ([\d.]+)`), []string{"requests", "rate", "throughput"}, 0},
	{regexp.MustCompile(`Latencies \[min, mean, 50, 90, 95, 99, max\] (\S+), (\S+), (\S+), (\S+), (\S+), (\S+), (\S+)`),
		[]string{"min", "mean", "p50", "p90", "p95", "p99", "max"}, 0.025},
	{regexp.MustCompile(`Success \[ratio\] ([\d.]+)%`), []string{"success_percent"}, 0},
	{regexp.MustCompile(`Complete requests: (\d+) \| Failed requests: (\d+) \| Requests per second: ([\d.]+)`), []string{"requests", "failed", "throughput"}, 0},
	{regexp.MustCompile(`; ([\d.]+)/s$`), []string{"throughput"}, 0},
	{regexp.MustCompile(`tool \S+: total=(\d+) ok=(\d+) ko=(\d+) min=(\d+) max=(\d+)`), []string{"requests", "ok", "ko", "ms_min", "ms_max"}, 0},
	{regexp.MustCompile(`tool \S+: total.* mean=(\d+)`), []string{"ms_mean"}, 2e-3},
	{regexp.MustCompile(`tool stats.js: .* p50=(\d+) p75=(\d+) p95=(\d+) p99=(\d+)`), []string{"ms_p50", "ms_p75", "ms_p95", "ms_p99"}, 0.1},
	{regexp.MustCompile(`tool global_stats: .* p1=(\d+) p2=(\d+) p3=(\d+) p4=(\d+)`), []string{"ms_p50", "ms_p75", "ms_p95", "ms_p99"}, 0.1},
	{regexp.MustCompile(`upstream test: (\d+) ok (\d+) ko, min (\d+) max (\d+)`), []string{"ok", "ko", "ms_min", "ms_max"}, 0},
	{regexp.MustCompile(`Total: ([\d.]+) secs \| Requests/sec: ([\d.]+)`), []string{"duration", "throughput"}, 0},
	{regexp.MustCompile(`50%% in ([\d.]+) secs \| 99%% in ([\d.]+) secs`), []string{"p50", "p99"}, 0},
	{regexp.MustCompile(`summary = (\d+) in .* Avg:\s*(\d+) Min:\s*(\d+) Max:\s*(\d+) Err:\s*(\d+)`), []string{"samples", "ms_mean_floor", "ms_min", "ms_max", "failed"}, 0},
	{regexp.MustCompile(`statistics.json Total: samples=(\d+) errors=(\d+) mean=([\d.]+)`), []string{"samples", "failed", "ms_mean"}, 0},
	{regexp.MustCompile(`last Aggregated: requests=(\d+) failures=(\d+)`), []string{"requests", "failed"}, 0},
	{regexp.MustCompile(`CSV says (\d+) requests/(\d+) failures`), []string{"requests", "failed"}, 0},
	{regexp.MustCompile(`RemoteDisconnected (\d+), 503:(\d+), 500:(\d+), 404:(\d+), 429:(\d+)`), []string{"RemoteDisconnected", "'503", "'500", "'404", "'429"}, 0},
	{regexp.MustCompile(`1 exception, (\d+) times`), []string{"exceptions"}, 0},
	{regexp.MustCompile(`latency avg ([\d.]+) s max ([\d.]+) s; (\d+) requests in`), []string{"mean", "max", "requests"}, 0},
	{regexp.MustCompile(`total count=(\d+)`), []string{"spectrum"}, 0},
	{regexp.MustCompile(`50.000% (\S+) \| 99.000% (\S+) \| #\[Max = [\d.]+, Total count = (\d+)\] \| (\d+) requests in .*Requests/sec: ([\d.]+)`),
		[]string{"p50", "p99", "spectrum", "requests", "throughput"}, 0},
	{regexp.MustCompile(`; p50=([\d.]+[mu]?s) p99=([\d.]+[mu]?s)`), []string{"p50", "p99"}, 0},
	{regexp.MustCompile(`; p50=(\d+) p99=(\d+) max=(\d+) ms`), []string{"ms_p50", "ms_p99", "ms_max"}, 0},
	{regexp.MustCompile(`99th=(\d+ ns)`), []string{"p99"}, 0},
}

// corpusPair finds "id=value" in the index.
var corpusPair = regexp.MustCompile(`(?:^|[; :])(\w+)=([^;|\s]+)`)

// corpusAnswer is one right answer of the index.
type corpusAnswer struct {
	id, want string
	off      float64
}

func (e *corpusEntry) answers(sampled bool) []corpusAnswer {
	var all []corpusAnswer
	for id, want := range e.computed {
		all = append(all, corpusAnswer{id, want, 0})
	}
	for _, f := range printedForms {
		m := f.form.FindStringSubmatch(e.printed)
		for i := 1; m != nil && i < len(m); i++ {
			off := f.off
			if !sampled {
				off = 0
			}
			if m[i] != "" {
				all = append(all, corpusAnswer{f.ids[i-1], m[i], off})
			}
		}
	}
	for _, m := range corpusPair.FindAllStringSubmatch(e.printed, -1) {
		if _, number := answerNumber(m[2]); number && slices.Contains([]string{"complete", "non2xx", "requests", "success"}, m[1]) {
			all = append(all, corpusAnswer{m[1], m[2], 0})
		}
	}
	slices.SortFunc(all, func(a, b corpusAnswer) int { return strings.Compare(a.id, b.id) })
	return all
}

// httpAnswers compares what was read of one file with the right answers of the
// index: those computed from the file, and those that the tool printed, within
// its rounding.
func httpAnswers(t *testing.T, _ string, e corpusEntry, report *Report, dst *rows) (answered, ids int) {
	format := report.Files[0].Format
	if tool, _, _ := strings.Cut(format, "-"); tool != e.format {
		t.Fatalf("recognised as %s", format)
	}
	got := generatorAnswers(report, dst)
	for _, a := range e.answers(len(dst.samples) > 0) {
		if slices.Contains(corpusNotOfTheRun, a.id) || a.id == "rows" && len(dst.samples) == 0 ||
			format == VegetaHDRPlot.Name && !slices.Contains(hdrplotIDs, a.id) {
			continue
		}
		ids++
		v, ok := got[a.id]
		if !ok {
			t.Errorf("%s=%s has no answer", a.id, a.want)
			continue
		}
		answered++
		if !sameAnswer(v, a.want, a.off) {
			t.Errorf("%s: got %s, want %s (within %g)", a.id, v, a.want, a.off)
		}
	}
	return answered, ids
}

// sameAnswer compares a number, perhaps with a unit, as far as its digits go; or
// a list of names, which the index may have cut at a blank.
func sameAnswer(got, want string, off float64) bool {
	g, ok := answerNumber(got)
	w, number := answerNumber(want)
	if ok && number {
		return math.Abs(g-w) <= off*math.Abs(w)+lastDigit(want)/2+1e-9
	}
	for _, name := range strings.Split(want, ",") {
		if !slices.ContainsFunc(strings.Split(got, ","), func(g string) bool { return strings.HasPrefix(g, name) }) {
			return false
		}
	}
	return true
}

var answerForm = regexp.MustCompile(`^(\d+)(?:\.(\d+))?\s*(ns|us|µs|ms|s|%)?$`)

// answerUnits are the units of the index, in SI.
var answerUnits = map[string]float64{"": 1, "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "%": 1e-2}

func answerNumber(s string) (float64, bool) {
	if v, err := strconv.ParseFloat(s, 64); err == nil {
		return v, true
	}
	m := answerForm.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.TrimSuffix(m[1]+"."+m[2], "."), 64)
	return v * answerUnits[m[3]], err == nil
}

// lastDigit returns what one more in the last digit of a number is worth; 0 of a
// whole number without a unit, which is exact.
func lastDigit(s string) float64 {
	m := answerForm.FindStringSubmatch(s)
	if m == nil || m[2] == "" && m[3] == "" {
		return 0
	}
	return math.Pow10(-len(m[2])) * answerUnits[m[3]]
}

// generatorAnswers computes the ids of the index from what was read.
func generatorAnswers(report *Report, r *rows) map[string]string {
	got := map[string]string{}
	set := func(id string, v float64) { got[id] = strconv.FormatFloat(v, 'g', -1, 64) }
	if len(r.samples) > 0 {
		sampleAnswers(r, set)
		got["first"] = report.Files[0].First
	}
	spectrum := int64(0)
	for _, h := range r.histograms {
		spectrum += h.Count
	}
	set("spectrum", float64(spectrum))
	for _, s := range r.m.Summaries {
		summaryAnswers(&s, len(r.samples) > 0, set)
	}
	gatlingAnswers(report, r, set, got)
	if len(r.samples) > 0 && r.samples[0].StartNS != runs.Missing {
		first := slices.MinFunc(r.samples, func(a, b runs.Sample) int { return int(a.StartNanos() - b.StartNanos()) })
		got["first"] = time.Unix(0, first.StartNanos()).UTC().Format(time.RFC3339Nano)
		got["first_s"], got["last_s"] = strconv.FormatInt(first.Start/1e6, 10), report.Files[0].Last
		last := slices.MaxFunc(r.samples, func(a, b runs.Sample) int { return int(a.Start - b.Start) })
		got["last_s"] = strconv.FormatInt(last.Start/1e6, 10)
	}
	return got
}

// summaryAnswers takes what a tool says of itself. Where there are samples they
// are to be compared with it, not with themselves.
func summaryAnswers(s *runs.Summary, sampled bool, set func(string, float64)) {
	if sampled {
		return
	}
	for word, v := range s.Values {
		if word == "failed" && s.Of != "" { // Locust's failures: by the error
			for _, error := range []string{"RemoteDisconnected", "'503", "'500", "'404", "'429"} {
				if strings.Contains(s.Of, error) {
					set(error, v)
				}
			}
			continue
		}
		if s.Of != "" && word != "exceptions" {
			continue
		}
		set(strings.TrimPrefix(word, "latency."), v)
		set("ms_"+strings.TrimPrefix(word, "latency."), v*1e3)
		switch word {
		case "requests":
			set("complete", v)
		case "failed.status":
			set("non2xx", v)
		case "throughput.requests":
			set("throughput", v)
		case "success":
			set("success_percent", v*100)
		}
	}
}

// sampleAnswers computes counts and percentiles of samples.
func sampleAnswers(r *rows, set func(string, float64)) {
	n, ops := map[string]float64{}, map[string]bool{}
	var first, last, end int64 = math.MaxInt64, 0, 0
	for _, s := range r.samples {
		n["rows"]++
		ops[s.Op] = true
		if s.Outcome == runs.OK {
			n["ok"]++
		} else {
			n["failed"]++
		}
		if s.Status == "0" {
			n["code0"]++
		}
		start := s.StartNanos()
		first, last = min(first, start), max(last, start)
		end = max(end, start+max(s.Service, 0))
	}
	for _, id := range []string{"rows", "requests", "results", "samples", "top_level_samples"} {
		set(id, n["rows"])
	}
	for _, id := range []string{"failed", "not_ok", "ko", "non2xx", "top_failed"} {
		set(id, n["failed"])
	}
	set("ok", n["ok"])
	set("ok_2xx3xx", n["ok"])
	set("code0", n["code0"])
	set("labels", float64(len(ops)))
	set("success_percent", 100*n["ok"]/n["rows"])
	set("rate", n["rows"]/(float64(last-first)/1e9))
	set("throughput", n["ok"]/(float64(end-first)/1e9))
	s := services(r.samples)
	var sum float64
	for _, v := range s {
		sum += float64(v)
	}
	prefixes := map[string]float64{"": 1e9, "ms_": 1e6, "elapsed_ms_": 1e6, "t_ms_": 1e6, "ttime_ms_": 1e6, "lat_ns_": 1, "s_": 1e9}
	for prefix, per := range prefixes {
		for p, permille := range map[string]int{"p50": 500, "p75": 750, "p90": 900, "p95": 950, "p99": 990} {
			set(prefix+p, float64(rank(s, permille))/per)
			set(prefix+p+"nr", float64(rank(s, permille))/per)
		}
		set(prefix+"min", float64(s[0])/per)
		set(prefix+"max", float64(s[len(s)-1])/per)
		set(prefix+"sum", sum/per)
		set(prefix+"mean", sum/float64(len(s))/per)
	}
	set("ms_mean_floor", math.Floor(sum/float64(len(s))/1e6))
}

var gatlingBegan = regexp.MustCompile(`^simulation (\S+).* began (\S+)$`)

// gatlingAnswers counts what a simulation recorded besides requests.
func gatlingAnswers(report *Report, r *rows, set func(string, float64), got map[string]string) {
	if r.m.Load.Tool != "gatling" {
		return
	}
	n := map[string]float64{}
	var scenarios []string
	for _, p := range r.points {
		n[p.Metric]++
		if p.Metric == "gatling.users_started" && !slices.Contains(scenarios, p.Entity) {
			scenarios = append(scenarios, p.Entity)
		}
	}
	set("user_start", n["gatling.users_started"])
	set("user_end", n["gatling.users_ended"])
	set("user_records", n["gatling.users_started"]+n["gatling.users_ended"])
	set("groups", n["gatling.group_duration"])
	set("errors", float64(len(r.markers)))
	got["gatling"] = r.m.Load.Version
	got["scenarios"] = strings.Join(scenarios, ",")
	for _, note := range report.Files[0].Notes {
		if m := gatlingBegan.FindStringSubmatch(note); m != nil {
			got["sim"] = m[1]
			start, _ := time.Parse(time.RFC3339Nano, m[2])
			got["run_start_ms"] = fmt.Sprint(start.UnixMilli())
		}
	}
}
