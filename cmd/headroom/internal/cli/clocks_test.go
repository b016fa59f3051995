package cli

import (
	"strings"
	"testing"
	"time"
)

// TestClocks reads zones and offsets of single files.
func TestClocks(t *testing.T) {
	o := mustParse(t, newIngestCmd, "--out", "r", "--timezone", "UTC", "--timezone", "vmstat.txt=Europe/Paris",
		"--clock-offset", "logs/a=b.log=-1.5s", "vmstat.txt", "logs/a=b.log")
	req, err := o.evidence.request(o.Env, o.evidence.places.split(o.Files, func(string) string { return "" })[0].files)
	if err != nil {
		t.Fatal(err)
	}
	if req.Options.Zone != time.UTC || len(req.Clocks) != 2 {
		t.Fatalf("zone %v, clocks %v", req.Options.Zone, req.Clocks)
	}
	if c := req.Clocks[0]; c.File != "vmstat.txt" || c.Zone.String() != "Europe/Paris" || c.Offset != 0 {
		t.Errorf("zone of a file: %+v", c)
	}
	if c := req.Clocks[1]; c.File != req.Files[1].Path || c.Offset != -1500*time.Millisecond || c.Zone != nil {
		t.Errorf("offset of a file: %+v, the file is %s", c, req.Files[1].Path)
	}
}

// TestClocksRefused says what a clock should be.
func TestClocksRefused(t *testing.T) {
	for _, c := range []struct{ flag, value, want string }{
		{"--timezone", "IST", "there is no time zone"},
		{"--timezone", "a=", "there is no time zone"},
		{"--clock-offset", "5s", "want FILE=DURATION"},
		{"--clock-offset", "=5s", "want FILE=DURATION"},
		{"--clock-offset", "a=soon", `"soon" is no duration`},
	} {
		o := mustParse(t, newIngestCmd, "--out", "r", c.flag, c.value, "a")
		_, err := o.evidence.request(o.Env, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v", c.flag, c.value, err)
		}
	}
}
