package ingest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"headroom/runs"
	"headroom/stat"
)

// generatorCases answer the rows of a case's expect.md, as loadCases do.
var generatorCases = map[string]func(t *testing.T, dir string) map[string][]string{
	"gatling-truncated-eol":   answerGatlingCut,
	"locust-history-na-reset": answerLocustReset,
	"vegeta-hist-below-first": answerVegetaBelow,
	"vegeta-out-of-order":     answerVegetaOrder,
	"wrk-garbage-and-errors":  answerWrkGarbage,
}

// TestCasesGeneratorsA answers the cases about load generators whose right
// answers are tables: every row has an answer, and says what it must.
func TestCasesGeneratorsA(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_CASES", "cases", "README.md")
	for _, name := range sortedKeys(generatorCases) {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(root, name)
			text, err := os.ReadFile(filepath.Join(dir, "expect.md"))
			if err != nil {
				t.Fatal(err)
			}
			answers, answered := generatorCases[name](t, dir), 0
			rows := expectRows(string(text))
			for _, row := range rows {
				got, ok := answers[row[0]]
				if !ok {
					t.Errorf("the row %q has no answer", row[0])
					continue
				}
				answered++
				for _, want := range got {
					if !hasPhrase(strings.Join(row[1:], " | "), want) {
						t.Errorf("%s: got %q, want %q", row[0], want, row[1:])
					}
				}
			}
			t.Logf("answered %d of %d ids", answered, len(rows))
			if answered == 0 {
				t.Error("the case has no rows")
			}
		})
	}
}

// isoMillis writes an instant in ns as the cases do.
func isoMillis(ns int64) string { return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05.000Z") }

func answerVegetaOrder(t *testing.T, dir string) map[string][]string {
	_, r := ingestFile(t, filepath.Join(dir, "input.csv"))
	ok := r.with(runs.OK)
	failed := 0
	var first, last, done int64
	perSecond := map[int64]int{}
	for i := range r.samples {
		s := &r.samples[i]
		if s.Outcome != runs.OK && s.Status == "0" {
			failed++
		}
		if i == 0 || s.StartNanos() < first {
			first = s.StartNanos()
		}
		last, done = max(last, s.StartNanos()), max(done, end(s))
		perSecond[s.Start/1e6]++
	}
	all, good := services(r.samples), services(ok)
	span := float64(last-first) / 1e9
	return map[string][]string{
		"requests / failed":           {fmt.Sprintf("%d / %d (code 0", len(r.samples), failed)},
		"first send":                  {isoMillis(first)},
		"last send":                   {isoMillis(last)},
		"last completion":             {isoMillis(done)},
		"send span":                   {fmt.Sprintf("%.3f s", span)},
		"offered rate from intervals": {fmt.Sprintf("%.1f per s", float64(len(r.samples)-1)/span)},
		"requests sent in second 10:00:00Z / 10:00:01Z":     {fmt.Sprintf("%d / %d", perSecond[first/1e9], perSecond[last/1e9])},
		"max latency, all / successes only":                 {fmt.Sprintf("%s ms / %s ms", ms(all[len(all)-1]), ms(good[len(good)-1]))},
		"p50 of all 11 / of the 10 successes, nearest rank": {fmt.Sprintf("%s / %s ms", ms(rank(all, 500)), ms(rank(good, 500)))},
	}
}

var bucketEdge = regexp.MustCompile(`([\d.]+) (ms|s)`)

// answerVegetaBelow counts latencies between the edges that the case names: an
// edge belongs to the bucket that begins there.
func answerVegetaBelow(t *testing.T, dir string) map[string][]string {
	_, r := ingestFile(t, filepath.Join(dir, "input.csv"))
	text, err := os.ReadFile(filepath.Join(dir, "expect.md"))
	if err != nil {
		t.Fatal(err)
	}
	answers, sum := map[string][]string{}, 0
	for _, row := range expectRows(string(text)) {
		var edges []int64
		for _, m := range bucketEdge.FindAllStringSubmatch(row[0], -1) {
			power := map[string]int{"ms": 6, "s": 9}[m[2]]
			ns, ok := scaled([]byte(m[1]), power)
			if !ok {
				t.Fatalf("edge %q", m[0])
			}
			edges = append(edges, ns)
		}
		n := 0
		for _, s := range r.samples {
			switch {
			case strings.HasPrefix(row[0], "below"):
				if s.Service < edges[0] {
					n++
				}
			case strings.HasSuffix(row[0], "above"):
				if s.Service >= edges[0] {
					n++
				}
			case s.Service >= edges[0] && s.Service < edges[1]:
				n++
			}
		}
		sum += n
		answers[row[0]] = []string{strconv.Itoa(n)}
	}
	if sum != len(r.samples) {
		t.Errorf("the buckets hold %d of %d", sum, len(r.samples))
	}
	return answers
}

func answerGatlingCut(t *testing.T, dir string) map[string][]string {
	report, r := ingestFile(t, filepath.Join(dir, "input.simulation.log"))
	notes := strings.Join(report.Files[0].Notes, "\n")
	number := func(form string) string {
		m := regexp.MustCompile(form).FindStringSubmatch(notes)
		if m == nil {
			t.Fatalf("no note %q in %s", form, notes)
		}
		return m[1]
	}
	ok := r.with(runs.OK)
	var times []string
	var last int64
	for i := range r.samples {
		times = append(times, ms(r.samples[i].Service))
		last = max(last, end(&r.samples[i]))
	}
	began, err := time.Parse(time.RFC3339Nano, number(`began (\S+)`))
	if err != nil {
		t.Fatal(err)
	}
	all, good := services(r.samples), services(ok)
	linear := func(s []int64, p stat.P) string {
		v, err := stat.QuantileR7(s, p)
		if err != nil {
			t.Fatal(err)
		}
		return strconv.FormatFloat(v/1e6, 'f', -1, 64)
	}
	cut := 0
	if report.Files[0].Cut && report.Files[0].BadLines == 0 {
		cut = 1
	}
	incomplete := "no"
	if cut == 1 && number(`users started and (\d+) ended`) == "0" {
		incomplete = "yes (no END records, cut tail)"
	}
	return map[string][]string{
		"requests OK / KO":                   {fmt.Sprintf("%d / %d", len(ok), len(r.samples)-len(ok))},
		"continuation lines":                 {number(`(\d+) lines continue`)},
		"cut last record":                    {fmt.Sprintf("%d (set apart)", cut)},
		"response times":                     {strings.Join(times, ", ") + " ms"},
		"run start / last request end":       {isoMillis(began.UnixNano()) + " / " + isoMillis(last)},
		"mean rate over 1.330 s":             {fmt.Sprintf("%.3f per s", float64(len(r.samples))/(float64(last-began.UnixNano())/1e9))},
		"p50 OK only, nearest rank / linear": {ms(rank(good, 500)) + " / " + linear(good, stat.P50) + " ms"},
		"p95 all, nearest rank / linear":     {ms(rank(all, 950)) + " / " + linear(all, stat.P95) + " ms"},
		"users started / ended":              {number(`(\d+) users started`) + " / not known"},
		"incomplete":                         {incomplete},
	}
}

func answerLocustReset(t *testing.T, dir string) map[string][]string {
	report, r := ingestFile(t, filepath.Join(dir, "input_stats_history.csv"))
	notes := strings.Join(report.Files[0].Notes, "\n")
	seconds, p99 := map[int64]bool{}, map[int64]bool{}
	var totals []float64
	var at []int64
	var users []string
	rows := map[string]int{}
	for _, p := range r.points {
		seconds[p.Time] = true
		if p.Metric == "locust.requests" {
			rows[p.Entity]++
		}
		switch {
		case p.Metric == "locust.latency_p99":
			p99[p.Time] = true
		case p.Metric == "locust.requests" && p.Entity == "":
			totals, at = append(totals, p.Value), append(at, p.Time)
		case p.Metric == "locust.users":
			if u := fmt.Sprint(p.Value); !slices.Contains(users, u) {
				users = append(users, u)
			}
		}
	}
	var between []string
	least, sinceReset := totals[0], totals[len(totals)-1]
	for i := 1; i < len(totals); i++ {
		d := totals[i] - totals[i-1]
		if d < 0 {
			least += totals[i]
			continue
		}
		least += d
		if i > 1 {
			between = append(between, fmt.Sprint(d))
		}
	}
	missing := "missing"
	if p99[at[0]] || p99[at[1]] {
		missing = "there"
	}
	failures := regexp.MustCompile(`at least (\d+) requests and (\d+) failures, the last row (\d+)`).FindStringSubmatch(notes)
	if failures == nil || failures[1] != fmt.Sprint(least) || failures[3] != fmt.Sprint(sinceReset) {
		t.Fatalf("the notes do not tell the reset: %s", notes)
	}
	n := 0
	for _, c := range rows {
		n += c
	}
	return map[string][]string{
		"rows / seconds":                              {fmt.Sprintf("%d rows, %d distinct seconds", n, len(seconds))},
		"p99 at seconds 0 and 1":                      {missing},
		"requests between seconds 1-2, 2-3, 4-5, 5-6": {strings.Join(between, ", ")},
		"requests between 3 and 4":                    {fmt.Sprintf("at least %v", totals[4])},
		"requests in the whole file":                  {fmt.Sprintf("at least %v", least)},
		"requests since the reset":                    {fmt.Sprint(sinceReset)},
		"failures in the whole file":                  {"at least " + failures[2]},
		"users":                                       {strings.Join(users[:2], ", ") + ", then " + users[2]},
	}
}

func answerWrkGarbage(t *testing.T, dir string) map[string][]string {
	read := func(name string) (map[string]float64, string) {
		report, r := ingestFile(t, filepath.Join(dir, name))
		return r.m.Summaries[0].Values, strings.Join(report.Files[0].Notes, "\n")
	}
	latency := func(v map[string]float64, names ...string) string {
		var out []string
		for _, n := range names {
			x, ok := v["latency."+n]
			if !ok {
				return "no data"
			}
			out = append(out, ms(int64(x*1e9+0.5)))
		}
		return strings.Join(out, " / ") + " ms"
	}
	a, notesA := read("input.a.txt")
	b, notesB := read("input.b.txt")
	c, _ := read("input.c.txt")
	c2 := func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
	var refused []string
	if _, rate := a["throughput.requests"]; !rate && latency(a, "p99") == "no data" {
		refused = []string{"no rate", "latency not used"}
	}
	if !strings.Contains(notesA, "refused") || !strings.Contains(notesA, "307445734560.90m") || !strings.Contains(notesB, "no latency") {
		t.Errorf("the notes say %q and %q", notesA, notesB)
	}
	return map[string][]string{
		"a": append(refused, fmt.Sprintf("%v requests", a["requests"]), fmt.Sprintf("%v timeouts", a["failed.timeout"])),
		"b": {fmt.Sprintf("%v requests completed", b["requests"]), fmt.Sprintf("%v read errors", b["failed.read"]),
			latency(b, "p50"), fmt.Sprintf("rate %v", b["throughput.requests"])},
		"c: completed / rate":      {fmt.Sprintf("%.0f in %s s / %s per s", c["requests"], c2(c["duration"]), c2(c["throughput.requests"]))},
		"c: p50 / p75 / p90 / p99": {strings.Replace(latency(c, "p50", "p75", "p90", "p99"), "1.9 ", "1.90 ", 1)},
		"c: avg / max":             {latency(c, "mean", "max")},
		"c: socket errors":         {fmt.Sprintf("read %v, timeout %v", c["failed.read"], c["failed.timeout"])},
		"c: non-2xx or 3xx":        {fmt.Sprint(c["failed.status"])},
		"c: failed in all":         {fmt.Sprint(c["failed"])},
	}
}

var sentenceEnd = regexp.MustCompile(`\.( |$)`)

var dialect = regexp.MustCompile(`(?m)^- \*\*(\w)\*\*(.*)$`)

// TestCasesJMeterDialects answers the case about JMeter's dialects: each of its
// points must say what reading the file gives, or why it is refused.
func TestCasesJMeterDialects(t *testing.T) {
	dir := filepath.Join(sharedFolder(t, "HEADROOM_CASES", "cases", "README.md"), "jmeter-dialects")
	text, err := os.ReadFile(filepath.Join(dir, "expect.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, m := range dialect.FindAllStringSubmatch(string(text), -1) {
		want[m[1]] = sentenceEnd.ReplaceAllString(m[2], " ")
	}
	answered := 0
	says := func(point string, phrases ...string) {
		t.Helper()
		answered++
		for _, p := range phrases {
			if !hasPhrase(want[point], p) {
				t.Errorf("%s: got %q, want %s", point, p, want[point])
			}
		}
	}
	says("a", dialectWithoutHeader(t, filepath.Join(dir, "input.a.pipe.jtl"), want["a"])...)
	says("b", dialectDated(t, filepath.Join(dir, "input.b.dated.jtl"))...)
	_, r := ingestFile(t, filepath.Join(dir, "input.c.semicolon.jtl"))
	says("c", fmt.Sprintf("%d samples", len(r.samples)), "label `"+r.samples[0].Op+"`", "elapsed "+elapsedList(r)+" ms")
	err = ingestError(filepath.Join(dir, "input.d.spreadsheet.jtl"), Options{})
	if err == nil || !strings.Contains(err.Error(), "rewritten by a spreadsheet") {
		t.Errorf("d is not refused by name: %v", err)
	} else {
		within := regexp.MustCompile(`within (\d+) ms`).FindStringSubmatch(err.Error())
		ms, _ := strconv.Atoi(within[1])
		says("d", "refused", "rewritten by a spreadsheet", fmt.Sprintf("within about %d,%03d,%03d ms", ms/1e6, ms/1e3%1e3, ms%1e3))
	}
	t.Logf("answered %d of %d ids", answered, len(want))
	if answered != len(want) {
		t.Error("a point of the case has no answer")
	}
}

func ingestError(path string, opt Options, maps ...*Mapping) error {
	_, err := Ingest(context.Background(), Request{Files: []File{{Path: path}}, Options: opt, Maps: maps}, &rows{})
	return err
}

// elapsedList returns the times of samples in ms, in order.
func elapsedList(r *rows) string {
	var list []string
	for _, s := range r.samples {
		list = append(list, ms(s.Service))
	}
	return strings.Join(list, ", ")
}

// dialectWithoutHeader reads the file without a header, first without its
// columns, then with those that the case lists.
func dialectWithoutHeader(t *testing.T, path, point string) []string {
	t.Helper()
	err := ingestError(path, Options{})
	if err == nil {
		t.Fatal("a file whose columns are not known was read")
	}
	_, asked, _ := strings.Cut(err.Error(), "no header")
	asked, _, _ = strings.Cut("no header"+asked, " (")
	list := regexp.MustCompile(`With the list ([^:]+):`).FindStringSubmatch(point)
	m := &Mapping{
		Format: genericCSVName, Delimiter: "|", Columns: strings.Split(list[1], ", "),
		Start:   &InstantField{Field: "timeStamp", Unit: "unix_ms"},
		Latency: &DurationField{Field: "elapsed", Unit: "ms"},
		Op:      "label", Status: "responseCode",
	}
	dst := &rows{}
	_, err = Ingest(context.Background(), Request{
		Files: []File{{Path: path, As: genericCSVName}}, Maps: []*Mapping{m},
	}, dst)
	if err != nil {
		t.Fatal(err)
	}
	linear, _ := stat.QuantileR7(services(dst.samples), stat.P50)
	return []string{
		asked, fmt.Sprintf("%d samples", len(dst.samples)), "elapsed " + elapsedList(dst) + " ms",
		"first at " + isoMillis(dst.samples[0].StartNanos()),
		fmt.Sprintf("p50 nearest rank %s / linear %v ms", ms(rank(services(dst.samples), 500)), linear/1e6),
	}
}

// dialectDated reads the file with dates without a zone, and in two zones.
func dialectDated(t *testing.T, path string) []string {
	t.Helper()
	if err := ingestError(path, Options{}); err == nil || !strings.Contains(err.Error(), ErrZone.Error()) {
		t.Errorf("without a zone: %v", err)
	}
	out := []string{"an error"}
	for _, name := range []string{"UTC", "Europe/Berlin"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		dst := &rows{}
		if _, err := Ingest(context.Background(), Request{Files: []File{{Path: path}}, Options: Options{Zone: zone}}, dst); err != nil {
			t.Fatal(err)
		}
		first := isoMillis(dst.samples[0].StartNanos())
		if name == "UTC" {
			out = append(out, fmt.Sprintf("zone UTC: %d samples, first %s", len(dst.samples), first))
		} else {
			out = append(out, "first "+first)
		}
	}
	return out
}
