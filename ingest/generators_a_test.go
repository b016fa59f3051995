package ingest

import (
	"bytes"
	"encoding/gob"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestGeneratorMetricsDocumented fails for a metric or a kind of marker of these
// formats that docs/format/metrics.md does not name.
func TestGeneratorMetricsDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "format", "metrics.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, im := range []*Importer{GatlingLog, GatlingBinary, LocustHistory} {
		paths, err := filepath.Glob(filepath.Join("testdata", im.Name, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, files := parseArchive(string(text))
			for _, f := range files {
				_, r, _ := tryText(im, f.name, f.text, Options{}) // what is refused has rows before
				for _, p := range r.points {
					names[p.Metric] = true
				}
				for _, m := range r.markers {
					names[m.Kind] = true
				}
			}
		}
	}
	if len(names) < 10 {
		t.Errorf("the cases bring forth only %d names", len(names))
	}
	for _, name := range sortedKeys(names) {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("%s is not in docs/format/metrics.md", name)
		}
	}
}

// TestWrkUnits reads each of wrk's units, and none of what is no number.
func TestWrkUnits(t *testing.T) {
	for text, want := range map[string]float64{
		"870.00us": 0.00087, "1.12ms": 0.00112, "1.02s": 1.02, "83.33m": 4999.8, "1.50h": 5400, "0.00us": 0,
	} {
		if got, ok := wrkTime(text); !ok || got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]float64{"512.33": 512.33, "3.04k": 3040, "1.2M": 1.2e6} {
		if got, ok := wrkCount(text); !ok || got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]float64{"0.00B": 0, "174.75KB": 178944, "1.00GB": 1 << 30} {
		if got, ok := wrkSize(text); !ok || got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"-nan", "-nan%", "nans", "", "ms", "-1.00ms", "1.00", "0x1ps"} {
		if got, ok := wrkTime(text); ok {
			t.Errorf("%q is a time: %v", text, got)
		}
	}
}

// TestVegetaGobBounds refuses a record that claims to be huge before it takes
// memory, and types that do not end.
func TestVegetaGobBounds(t *testing.T) {
	var b bytes.Buffer
	type Result struct {
		Code      uint16
		Timestamp time.Time
		Latency   int64
	}
	if err := gob.NewEncoder(&b).Encode(Result{200, time.Unix(1772445600, 0), 1}); err != nil {
		t.Fatal(err)
	}
	huge := b.String() + "\xfc\x7f\xff\xff\xff" + "x"
	if _, r, err := tryText(VegetaGob, "a.gob", huge, Options{}); err == nil || !strings.Contains(err.Error(), ErrTooLarge.Error()) || len(r.samples) != 1 {
		t.Errorf("a record of 2 GiB: %v", err)
	}
	length, ok := gobInt([]byte(b.String()[1:]))
	if !ok || length >= 0 {
		t.Fatalf("the stream begins with a type of id %d", length)
	}
	first := int(b.Bytes()[0]) + 1
	types := strings.Repeat(b.String()[:first], gobTypesMax/first+2)
	if _, _, err := tryText(VegetaGob, "a.gob", types, Options{}); err == nil || !strings.Contains(err.Error(), ErrTooLarge.Error()) {
		t.Errorf("types without end: %v", err)
	}
}

// TestXMLTextBounds keeps what lies between tags short, and refuses a tag
// without end.
func TestXMLTextBounds(t *testing.T) {
	reply := strings.Repeat("reply &lt; ", 1<<20)
	text := `<testResults><httpSample t="1" ts="1772445600000" s="true" lb="a"><responseData>` + reply + `</responseData></httpSample></testResults>`
	_, r := readText(t, JMeterXML, "a.jtl", text, Options{})
	if len(r.samples) != 1 {
		t.Errorf("%d samples", len(r.samples))
	}
	endless := `<testResults><httpSample t="1" lb="` + strings.Repeat("x", 2*xmlTagMax)
	if _, _, err := tryText(JMeterXML, "a.jtl", endless, Options{}); err == nil || !strings.Contains(err.Error(), ErrTooLarge.Error()) {
		t.Errorf("a tag without end: %v", err)
	}
	deep := strings.Repeat("<a>", xmlDepth+1)
	if _, _, err := tryText(JMeterXML, "a.jtl", deep, Options{}); err == nil || !strings.Contains(err.Error(), "deep") {
		t.Errorf("elements without end: %v", err)
	}
}
