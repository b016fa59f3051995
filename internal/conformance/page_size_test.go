package conformance

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/internal/browsertest"
	"headroom/render"
)

// longRepeat is a repeat of ten minutes at 100 requests a second (the size of a page
// follows the seconds that it shows, and hardly the rate): latencies that
// drift from second to second, a checkpoint every two and a half minutes that slows
// requests down and begins with a stall, and what a host and its database tell
// meanwhile, second by second.
const longRepeat = `
run      10m 100/s p50=8ms p99=22ms seed=%d
modulate phi=0.8 sd=0.2
slow     at=60s for=15s by=5ms every=150s until=600s
freeze   at=60s for=400ms every=150s until=600s
marker   at=75s kind=postgres.checkpoint.complete lasting=15s every=150s until=600s
points   metric=cpu.user value=0.3 to=0.35 source=vmstat
points   metric=cpu.system value=0.1 source=vmstat
points   metric=cpu.idle value=0.6 to=0.55 source=vmstat
points   metric=load.1m value=2 to=4 source=loadavg
points   metric=disk.queue value=0.5 to=2 entity=vda source=iostat
sessions n=3 step=1s
sessions n=2 step=1s wait=IO:WALSync pid=2000
sessions n=2 step=1s wait=Lock:transactionid pid=3000`

// maxPage is the size of a page in bytes (DESIGN section 7).
const maxPage = 3_000_000

// TestPageOfFiveRepeats builds the page of five ten-minute repeats. It stays below
// 3 MB with all five timelines on it; and when it opens, no more is set up than is
// seen: no plot before somebody asks for one, no buttons in the folded appendix.
// With HEADROOM_SCREENSHOTS=DIR it leaves the page there.
func TestPageOfFiveRepeats(t *testing.T) {
	var measured []*analyze.Measured
	for n := range 5 {
		id := fmt.Sprintf("repeat-%d", n+1)
		run := seal(t, scripted{script: fmt.Sprintf(longRepeat, n+1), labels: map[string]string{"repeat": fmt.Sprint(n + 1)}}, id, nil)
		m, err := analyze.Measure(context.Background(), run, analyze.Protocol{})
		if err != nil {
			t.Fatal(err)
		}
		measured = append(measured, m)
	}
	c, err := analyze.Combine(measured, analyze.Protocol{Title: "Five repeats of ten minutes"})
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "page")
	if dir := os.Getenv("HEADROOM_SCREENSHOTS"); dir != "" {
		out = filepath.Join(dir, "five-repeats")
	}
	if err := render.Build(c, out, render.Options{}); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(out, "index.html")
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the page has %d bytes", len(data))
	if len(data) >= maxPage {
		t.Errorf("the page has %d bytes, want less than %d", len(data), maxPage)
	}
	for n := range 5 {
		if id := fmt.Sprintf(`<figure id="figure-timeline-%d">`, n+1); !strings.Contains(string(data), id) {
			t.Errorf("the page has no %s", id)
		}
	}
	b := browsertest.Start(t)
	b.Open(page, browsertest.View{Width: 1280, Height: 800})
	var seen struct{ Drawn, Plots, Folded, Explorable int }
	b.Eval(`
const count = s => document.querySelectorAll(s).length;
return {Drawn: count("figure[id^='figure-timeline-'] svg.plot.wide"), Plots: count("canvas, .uplot"), Folded: count("details:not([open]) .sort"), Explorable: count("button.explore")}`, &seen)
	if seen.Drawn != 5 || seen.Plots > 0 || seen.Folded > 0 || seen.Explorable < 5 {
		t.Errorf("on opening: %+v", seen)
	}
}
