package redact

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
	"headroom/render"
	"headroom/render/check"
)

func read(t testing.TB, name string) *analyze.Capacity {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	c := &analyze.Capacity{}
	if err := json.Unmarshal(data, c); err != nil {
		t.Fatal(err)
	}
	return c
}

// told is a document in which names stand in many places.
func told(t testing.TB) *analyze.Capacity {
	c := read(t, "run.json")
	r := &c.Results[0]
	r.Run.Host = "db-primary-7, AMD EPYC, 16 cores"
	r.Run.Labels = map[string]string{"host": "loadgen01", "owner": "alice", "concurrency": "16"}
	r.Run.Load.Command = "k6 run --out json=/home/alice/k6/out.json https://bob:x@shop.example.test:8443/api -e DB=10.20.30.40"
	c.Title = "Checkout on db-primary-7"
	c.Warnings = append(c.Warnings, "db-primary-7: clock differs from loadgen01 (10.20.30.40, 2001:db8::17) by 3 ms", "ask alice@corp.example.test", "seen on ip-10-0-3-17.eu-west-1.compute.internal")
	c.Findings = append(c.Findings, detect.Finding{Detector: "freeze", Version: 1, Message: "blocked: UPDATE accounts SET balance = balance + 125 WHERE email = 'carol@shop.test' AND id = 4711; on db-primary-7 waited 3.2 s"})
	c.Reproduce = append(c.Reproduce, "ssh alice@loadgen01 'cd /home/alice && ./load.sh'", "psql -h db-primary-7.corp.internal -U alice app", `cat C:\Users\alice\runs\a.txt`)
	c.Figures[0].Title = "Latency as loadgen01 saw it"
	c.Tables[0].Rows[0].Cells[0].Text = "loadgen01 → db-primary-7"
	return c
}

// names are what must not be left anywhere.
var names = regexp.MustCompile(`(?i)alice|\bbob\b|loadgen01|db-primary-7|10\.20\.30\.40|2001:db8|corp\.|example\.test|carol|4711|ip-10-0`)

// TestNothingIsLeft builds the pages of a document and looks for names in all of
// its files.
func TestNothingIsLeft(t *testing.T) {
	c := Capacity(told(t))
	files, err := render.Files(c, render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if m := names.FindString(string(data)); m != "" {
			i := names.FindIndex(data)
			t.Errorf("%s holds %q: …%s…", name, m, data[max(0, i[0]-60):min(len(data), i[1]+60)])
		}
	}
	if list, _, err := check.Alone(files); err != nil || len(list) > 0 {
		t.Errorf("a masked document is stale: %v %v", list, err)
	}
}

// TestOneNameOneMask follows names through the places that they stand in.
func TestOneNameOneMask(t *testing.T) {
	c := Capacity(told(t))
	host1 := strings.TrimPrefix(c.Title, "Checkout on ")
	if !regexp.MustCompile(`^host-\d+$`).MatchString(host1) {
		t.Fatalf("the title is %q", c.Title)
	}
	r := c.Results[0].Run
	if r.Host != host1+", AMD EPYC, 16 cores" || r.Labels["concurrency"] != "16" {
		t.Errorf("host %q, labels %v", r.Host, r.Labels)
	}
	other := r.Labels["host"]
	if got := c.Tables[0].Rows[0].Cells[0].Text; got != other+" → "+host1 {
		t.Errorf("the cell is %q", got)
	}
	user1 := r.Labels["owner"]
	if got := c.Reproduce[len(c.Reproduce)-3]; got != "ssh "+user1+"@"+other+" 'cd /home/"+user1+" && ./load.sh'" {
		t.Errorf("the command is %q", got)
	}
	if got := c.Findings[len(c.Findings)-1].Message; got != "blocked: UPDATE accounts SET balance = balance + ? WHERE email = ? AND id = ?; on "+host1+" waited 3.2 s" {
		t.Errorf("the finding is %q", got)
	}
}

// TestNamesInIDs masks a host where a configuration is named after it: ids take its
// dots as hyphens.
func TestNamesInIDs(t *testing.T) {
	c := told(t)
	c.Results[0].Run.Labels["host"] = "Web01.shop"
	c.Quantities = append(c.Quantities, analyze.Quantity{ID: "over.web01-shop.failed", Display: "3"})
	c = Capacity(c)
	mask := c.Results[0].Run.Labels["host"]
	if got := c.Quantities[len(c.Quantities)-1].ID; got != "over."+mask+".failed" || mask == "Web01.shop" {
		t.Errorf("the id is %q, the host %q", got, mask)
	}
}

// TestSameMasks gives the same bytes each time, and changes neither what it is
// given nor what is masked already.
func TestSameMasks(t *testing.T) {
	c := told(t)
	before := text(t, c)
	first := Capacity(c)
	for range 5 {
		if got := text(t, Capacity(c)); got != text(t, first) {
			t.Fatal("other masks")
		}
	}
	if text(t, c) != before {
		t.Error("the capacity was changed")
	}
	if text(t, Capacity(first)) != text(t, first) {
		t.Error("what is masked was changed again")
	}
}

func text(t testing.TB, c *analyze.Capacity) string {
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestFiguresStay compares every number and id of the samples with what they are
// when masked.
func TestFiguresStay(t *testing.T) {
	for _, name := range []string{"run.json", "sweep.json", "repeats.json", "withheld.json"} {
		c := read(t, name)
		m := Capacity(c)
		for i, q := range c.Quantities {
			if got := m.Quantities[i]; got.ID != q.ID || got.Display != q.Display || fmt.Sprint(got.Value == nil) != fmt.Sprint(q.Value == nil) {
				t.Errorf("%s: %s became %s %s", name, q.ID, got.ID, got.Display)
			}
		}
		for i, r := range c.Results {
			for k, q := range r.Quantities {
				if got := m.Results[i].Quantities[k]; got.ID != q.ID || got.Display != q.Display || got.From.Method != q.From.Method {
					t.Errorf("%s: %s became %s %s", name, q.ID, got.ID, got.Display)
				}
			}
		}
	}
}

// metricID is an id of a figure or a metric in the project's own pages.
var metricID = regexp.MustCompile("`([a-z0-9_]+(?:\\.[a-z0-9_]+)+)`")

// TestIdsAreNoHosts holds every id that the documentation names against what is
// taken for a host.
func TestIdsAreNoHosts(t *testing.T) {
	seen := 0
	for _, page := range []string{"format/metrics.md", "analyses.md", "detectors.md", "study.md", "prose.md", "capture.md", "format/run.md"} {
		data, err := os.ReadFile(filepath.Join("../../docs", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range metricID.FindAllStringSubmatch(string(data), -1) {
			seen++
			if got := newMasker().mask(m[1], "id"); got != m[1] {
				t.Errorf("%s: %s became %s", page, m[1], got)
			}
		}
	}
	if seen < 200 {
		t.Errorf("only %d ids were seen", seen)
	}
}

func TestTexts(t *testing.T) {
	for in, want := range map[string]string{
		"nearest-rank@1":                                           "nearest-rank@1",
		"2026-08-17T12:00:00Z":                                     "2026-08-17T12:00:00Z",
		"12:00:00 to 12:10:00":                                     "12:00:00 to 12:10:00",
		"5,506 requests/s at concurrency 16":                       "5,506 requests/s at concurrency 16",
		"k6.json.gz":                                               "k6.json.gz",
		"listening on 127.0.0.1:5432, ::1":                         "listening on 127.0.0.1:5432, ::1",
		"psql -h /tmp/x -U postgres app":                           "psql -h /tmp/x -U postgres app",
		"from 192.0.2.7:5432 to 192.0.2.8":                         "from address-1:5432 to address-2",
		"192.0.2.7, 192.0.2.8, 192.0.2.7":                          "address-1, address-2, address-1",
		"fe80::1ff:fe23:4567:890a is up":                           "address-1 is up",
		"PostgreSQL 16.3, kernel 6.18.44":                          "PostgreSQL 16.3, kernel 6.18.44",
		"user=carol host=db7 password":                             "user=user-1 host=host-1 password",
		"carol's run; carolina stays":                              "carol's run; carolina stays",
		"select version":                                           "select version",
		"SELECT * FROM t WHERE a='it''s' AND b IN (1, 2) LIMIT 10": "SELECT * FROM t WHERE a=? AND b IN (?, ?) LIMIT ?",
		"m6i.4xlarge, 16 cores":                                    "m6i.4xlarge, 16 cores",
		"std::vector":                                              "std::vector",
	} {
		m := newMasker()
		m.look(in, "")
		m.learned()
		if got := m.mask(in, ""); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzMask(f *testing.F) {
	for _, s := range []string{"alice@x.test", "://a:b@c", "1.2.3.4", "::", "-h x", "INSERT INTO t VALUES (1,'a')"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m := newMasker()
		m.look(s, "host")
		m.learned()
		_ = m.mask(s, "host") // it ends, and does not panic
	})
}
