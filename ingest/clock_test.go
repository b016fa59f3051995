package ingest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// vmstatIST is a log of vmstat whose header names no zone that is known.
const vmstatIST = `procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 IST
 1  0      0 900000  10000 200000    0    0     0     0  100  200 10  5 85  0  0 2026-03-02 15:30:00
 2  0      0 900000  10000 200000    0    0     0     0  900 9000 20  5 75  0  0 2026-03-02 15:30:01
 3  0      0 900000  10000 200000    0    0     0     0  900 9000 30  5 65  0  0 2026-03-02 15:30:02
`

// TestClocks puts the stamps of single files on the clock of the load.
func TestClocks(t *testing.T) {
	files := map[string]string{
		"k6.json": k6At("2026-03-02T10:00:00Z", 5), "vmstat.txt": vmstatIST, "before.csv": countsBefore,
		"load.log": "2026-03-02T10:00:01Z 1.50 1.00 1.00 1/100 7\n2026-03-02T10:00:02.0000015Z 2.50 1.00 1.00 1/100 7\n",
	}
	dir := write(t, files)
	req := Request{Files: []File{{Path: dir}}, Clocks: []Clock{
		{File: "vmstat.txt", Zone: time.FixedZone("IST", 5*3600+1800), Offset: -1500 * time.Millisecond},
		{File: "load.log", Offset: 250 * time.Microsecond},
		{File: "before.csv", Offset: time.Second},
	}}
	req.Options.Zone = time.UTC // of the others
	_, dst := must(t, req)
	if v, at := dst.series("procs.running", ""); len(v) != 2 || at[0] != "2026-03-02T09:59:59.500000Z" || at[1] != "2026-03-02T10:00:00.500000Z" {
		t.Errorf("vmstat %v at %v", v, at)
	}
	if v, at := dst.series("load.1m", ""); len(v) != 2 || at[0] != "2026-03-02T10:00:01.000250Z" || at[1] != "2026-03-02T10:00:02.000251Z" {
		t.Errorf("load %v at %v", v, at)
	}
	offsets := map[string]int64{}
	for _, s := range dst.m.Sources {
		offsets[s.File] = s.Offset
	}
	if offsets["vmstat.txt"] != -1_500_000 || offsets["load.log"] != 250 || offsets["k6.json"] != 0 {
		t.Errorf("offsets in the manifest: %v", offsets)
	}
	if s := dst.samples[0]; stampText(s.Start) != "2026-03-02T10:00:00.000000Z" {
		t.Errorf("a file without an offset moved: %s", stampText(s.Start))
	}
	if got := strings.Join(dst.m.Notes, "\n"); !strings.Contains(got, "before.csv") {
		t.Errorf("one file of counts without a role is not told: %s", got)
	}
}

// TestShiftIsExact moves every kind of row, and no other.
func TestShiftIsExact(t *testing.T) {
	r := &rows{}
	s := &shift{r, -int64(1500 * time.Nanosecond)}
	sample := runs.NewSample()
	sample.Start, sample.StartNS = 10, 250
	point := runs.Point{Time: 10, TimeNS: 600}
	for _, err := range []error{
		s.Sample(&sample), s.Point(&point), s.Point(&point), s.Activity(&runs.Activity{Time: 10}),
		s.Marker(&runs.Marker{Time: 10}), s.Histogram(&runs.Histogram{Start: 10}), s.Snapshot(&runs.Snapshot{Time: runs.Missing}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if q := r.samples[0]; q.StartNanos() != 8750 || sample.Start != 10 {
		t.Errorf("sample at %d, the importer's own at %d", q.StartNanos(), sample.Start)
	}
	if r.points[0] != r.points[1] || r.points[0].Nanos() != 9100 || r.activity[0].Time != 8 || r.markers[0].Time != 8 || r.histograms[0].Start != 8 {
		t.Errorf("%+v %+v %+v %+v", r.points, r.activity, r.markers, r.histograms)
	}
}

// TestClocksRefused names a file that is not there, and an offset that is none.
func TestClocksRefused(t *testing.T) {
	dir := write(t, map[string]string{"k6.json": k6At("2026-03-02T10:00:00Z", 5)})
	for name, clock := range map[string]Clock{
		"no file has that path": {File: "other.json", Offset: time.Second},
		"more than a year":      {File: "k6.json", Offset: 400 * 24 * time.Hour},
	} {
		_, _, err := ingest(t, Request{Files: paths(dir, "k6.json"), Clocks: []Clock{clock}})
		if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), name) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestPointChecks tells resets, impossible values and series in two files.
func TestPointChecks(t *testing.T) {
	dir := write(t, map[string]string{
		"a.prom":  "# TYPE x_total counter\nx_total 100 1772445600000\nx_total 99 1772445601000\nx_total 3 1772445602000\n# TYPE y_bytes gauge\ny_bytes -5 1772445600000\n",
		"b.prom":  "# TYPE x_total counter\nx_total 100 1772445601000\n",
		"c.prom":  "# TYPE x_total counter\nx_total 100 1772445603000\n",
		"em.json": `{"engine":"POSTGRES","instanceID":"a","instanceResourceID":"db-A","timestamp":"2026-03-02T10:00:01Z","numVCPUs":2,"cpuUtilization":{"user":1671,"idle":-40}}`,
	})
	report, dst := must(t, Request{Files: []File{{Path: dir}}})
	notes := map[string]string{}
	for _, f := range report.Files {
		notes[f.Path[len(dir)+1:]] = strings.Join(f.Notes, "\n")
	}
	for file, want := range map[string]string{
		"a.prom":  "counters fall to less than half 1 time, first prometheus.x_total",
		"em.json": "3 shares of the CPU are not between 0 and 1",
	} {
		if !strings.Contains(notes[file], want) {
			t.Errorf("%s: %q is not said: %s", file, want, notes[file])
		}
	}
	if !strings.Contains(notes["a.prom"], "1 value is below zero, first of prometheus.y_bytes") {
		t.Errorf("a negative size is not told: %s", notes["a.prom"])
	}
	if got := strings.Join(dst.m.Notes, "\n"); !strings.Contains(got, "a.prom and b.prom have 1 series in common") || strings.Contains(got, "c.prom") {
		t.Errorf("overlaps: %s", got)
	}
}

// TestZoneThatDecidesNothing: a file that says itself when its stamps were keeps
// that, and says so where a zone was given.
func TestZoneThatDecidesNothing(t *testing.T) {
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	jtl := func(stamp string) string {
		return "timeStamp,elapsed,label,responseCode,threadName,success\n" + strings.Repeat(stamp+",12,home,200,t 1-1,true\n", 3)
	}
	const local = "2026/03/02 11:00:04.123"
	dir := write(t, map[string]string{
		"k6.json": k6At("2026-03-02T10:00:00Z", 5), "load.jtl": jtl("1790000000123"), "local.jtl": jtl(local), "bare.csv": "rows,quantity\n7,8\n",
	})
	path := func(name string) File { return File{Path: dir + "/" + name} }
	for _, c := range []struct {
		files  []File
		clocks []Clock
		zone   *time.Location
		want   string // of the notes of the first file; "": none of the kind
	}{
		{[]File{path("k6.json")}, nil, paris, "--timezone Europe/Paris decided nothing: the file's stamps say themselves when they were (UTC, written), and that was kept"},
		{[]File{path("load.jtl")}, nil, paris, "(Unix epoch in milliseconds, by magnitude), and that was kept"},
		{[]File{path("local.jtl")}, nil, paris, ""},
		{[]File{path("load.jtl")}, nil, nil, ""},
		{[]File{path("k6.json"), path("local.jtl")}, []Clock{{File: "k6.json", Zone: paris}, {File: "local.jtl", Zone: paris}}, nil, "decided nothing"},
		{[]File{path("bare.csv"), path("k6.json")}, []Clock{{File: "bare.csv", Zone: paris}}, nil, "the file has no stamp that takes a zone"},
	} {
		req := Request{Files: c.files, Clocks: c.clocks}
		req.Options.Zone = c.zone
		for _, dry := range []bool{true, false} {
			var report *Report
			if dry {
				report, err = DryRun(t.Context(), req)
			} else {
				report, _, err = ingest(t, req)
			}
			if report == nil {
				t.Fatal(err)
			}
			notes := strings.Join(report.Files[0].Notes, "\n")
			if strings.Contains(notes, "decided nothing") != (c.want != "") || !strings.Contains(notes, c.want) {
				t.Errorf("%v %v, dry %v: notes %q, want %q", c.files, c.zone, dry, notes, c.want)
			}
		}
	}
}
