package analyze

import (
	"strings"
	"testing"

	"headroom/detect"
	"headroom/runs"
)

// A fleet as it is printed is on the side of every target that the fleet is on; a
// need is never printed as less than it is.
func TestFleetIsRoundedToTheUnfavourableSide(t *testing.T) {
	for _, x := range []struct{ v, target, want float64 }{
		{99_960, 100_000, 99_900}, // to the nearest: 100,000
		{100_040, 100_020, 100_040},
		{20_310, 20_000, 20_300},
		{157_999, 0, 157_000},
		{9_999.9, 10_000, 9_999},
		{1_000_000, 1_000_000, 1_000_000},
	} {
		if got := quotedEndpoints(x.v, []float64{x.target}); got != x.want || (got >= x.target) != (x.v >= x.target) {
			t.Errorf("%v beside %v is quoted %v, want %v", x.v, x.target, got, x.want)
		}
	}
	if n := hostsFor(10_000, 3333.4); n != 4 {
		t.Errorf("3,333 endpoints a host carry 10,000 with %v hosts", n)
	}
	if n := hostsFor(9_999, 3333); n != 3 {
		t.Errorf("9,999 of 3,333 each take %v hosts", n)
	}
	d := &document{Capacity: &Capacity{}}
	d.target(&group{}, 100, 600, 9997.5, Verdict{Outcome: Pass})
	if q := d.Quantities[0]; q.Display != "1,667 requests/s" || *q.Value != 1666.25 {
		t.Errorf("%s for %v", q.Display, *q.Value)
	}
}

// A cause is ruled out by moments without a freeze; where there is none, nobody could
// look.
func TestNothingIsRuledOutWithoutAControl(t *testing.T) {
	cause := detect.Causes[0]
	of := func(hits, controls int) suspicion {
		m := &Measured{Result: Result{Findings: []detect.Finding{{Detector: "freeze", Attribution: &detect.Attribution{}}}}, comparisons: []detect.Comparison{{Cause: cause.Name, Score: detect.Score{Episodes: 4, Hits: hits, Controls: controls}}}}
		return (&document{Capacity: &Capacity{}, runs: []*Measured{m}}).causeCandidate(cause)
	}
	if got := of(0, 50); got.verdict != eliminated {
		t.Errorf("with controls: %+v", got)
	}
	if got := of(0, 0); got.verdict != notLooked || strings.Contains(got.result, "0/0") {
		t.Errorf("without: %+v", got)
	}
	if got := of(2, 0); !strings.HasPrefix(got.verdict, suspected) {
		t.Errorf("seen, without: %+v", got)
	}
}

// Workers that pause for a constant time after each reply are no schedule, however
// even their starts are; one function says so to every view.
func TestModelOfWorkersThatPause(t *testing.T) {
	ms := int64(1_000_000)
	var paced, pausing []detect.Request
	at := int64(0)
	for i := range int64(400) {
		latency := (1 + i%7) * ms // from 1 to 7 ms
		paced = append(paced, detect.Request{Start: i * 100 * ms, Service: latency})
		pausing = append(pausing, detect.Request{Start: at, Service: latency})
		at += latency + 95*ms
	}
	for _, x := range []struct {
		of   []detect.Request
		want runs.LoadModel
	}{{paced, runs.OpenLoop}, {pausing, runs.UnknownLoop}} {
		scenarios := []*detect.Requests{detect.NewRequests("default", false, x.of...)}
		if got := modelOf(&runs.Manifest{}, scenarios); got.Model != x.want {
			t.Errorf("%+v, want %s", got, x.want)
		}
		contradiction := contradicted(loadModel{Model: runs.ClosedLoop, From: "declared"}, scenarios)
		if (contradiction != "") != (x.want == runs.OpenLoop) {
			t.Errorf("declared closed: %q", contradiction)
		}
		// What nobody declared is not said to be.
		supposed := contradicted(modelOf(&runs.Manifest{Load: runs.Load{Model: runs.ClosedLoop, ModelAs: "JMeter's thread groups"}}, scenarios), scenarios)
		if (supposed != "") != (x.want == runs.OpenLoop) || strings.Contains(supposed, "declared") ||
			supposed != "" && (!strings.HasPrefix(supposed, "taken to be closed loop, as JMeter's thread groups are, but ") || !strings.HasSuffix(supposed, "--load-model open")) {
			t.Errorf("supposed closed: %q", supposed)
		}
	}
}

// A share over 100 % says why it is none where it stands, and rules nothing out.
func TestShareOverTheWhole(t *testing.T) {
	rate := quantity("denominator.rate", detect.Scope{}, 100, "events/s", 10, From{})
	y := yardstick{m: &Measured{manifest: &runs.Manifest{}}, cell: &cell{}, name: "one row", role: denominatorRole, rate: &rate}
	d := &document{Capacity: &Capacity{}, yardsticks: []yardstick{y}}
	table := Table{}
	d.shares(&table, "all runs", 575, NoBound, Cell{}, Cell{})
	if c := table.Rows[0].Cells[7]; c.Text != "575 %" || c.Note != overWhole {
		t.Errorf("%+v", c)
	}
	if list := d.ranked(); len(list) != 1 || strings.Contains(list[0].word(), "of what it gives by itself") {
		t.Errorf("ranked: %+v: %s", list, list[0].word())
	}
	if got := d.resourceCandidates(); len(got) != 1 || !strings.HasPrefix(got[0].verdict, notLooked) {
		t.Errorf("%+v", got)
	}
}
