package calibrate

import (
	"fmt"
	"slices"

	"headroom/analyze"
	"headroom/detect"
)

// drifts are the kinds of ten minutes that drift is looked for in.
var drifts = []struct {
	name  string
	lines []string
	drift bool // a drift, and no stalls
}{
	{"none", nil, false},
	{"x1.4 in the last third", []string{"factor at=400s for=200s by=1.4"}, true},
	{"x3.9 in the last third", []string{"factor at=400s for=200s by=3.9"}, true},
	{"none, and stalls in the last third", []string{"freeze at=411s for=300ms every=17s until=590s"}, false},
	{"x1.4, and a slow beginning", []string{"factor at=0s for=15s by=3", "factor at=400s for=200s by=1.4"}, true},
}

// drifting makes ten minutes of that kind.
func (c corpus) drifting(kind, seed int) (planted, error) {
	lines := append([]string{fmt.Sprintf("run 600s 60/s p50=8ms p99=20ms seed=%d", 100*kind+seed+1)}, drifts[kind].lines...)
	return build(drifts[kind].name, "", lines...)
}

// drifts looks at runs of ten minutes, of which some drift and some are clean:
// what needs so long is judged there.
func (s *scorer) drifts() error {
	long := []string{"drift", "warm-up", "change-point"}
	for kind, d := range drifts {
		called, n := 0, 0
		found := map[string]int{}
		for seed := range s.long {
			p, err := s.drifting(kind, seed)
			if err != nil {
				return err
			}
			r, err := s.run(p)
			if err != nil {
				return err
			}
			n++
			drifted := false
			for _, f := range r.Findings {
				found[f.Detector]++
				drifted = drifted || f.Detector == "drift" && f.Severity == detect.Warning
			}
			if drifted {
				called++
			}
		}
		if d.drift {
			s.share("drift", "called a drift", d.name, called, n, 0.95)
		} else {
			s.value("drift", "called a drift", d.name, float64(called)/float64(n), "1", n, 0.05)
		}
		if d.lines == nil {
			for _, name := range long {
				s.value(name, "findings in 10 clean minutes", "ten minutes at 60/s", float64(found[name])/float64(n), "1", n, 1)
			}
		}
	}
	return nil
}

// driftLimit is the limit of the drift rule, of the gate and of the detector.
var driftLimit = analyze.Protocol{}.Defaults().DriftLimit

// A noisy case has seconds that are slow together, as those of real systems are:
// an autoregressive series modulates them. stated are the shares of 120 runs that
// DETECTION 5.3 found: plain ratio over the limit, over 1.4, ratio of medians over
// the limit, ratio without freezes over the limit, bound of the medians over 1.
type noisy struct {
	name   string
	lines  []string
	stated [5]float64
	// least and most are the bounds of the share that is warned of, where the rule
	// is to tell at all; most 1 and least 0 bound nothing.
	least, most float64
}

const mild, rough = "modulate phi=0.9 sd=0.1", "modulate phi=0.98 sd=0.15"

// A ramp to 1.667 times over the whole run is 1.4 between the middles of the outer
// thirds, one to 1.316 is 1.2.
const ramp14, ramp12 = "ramp at=0s for=600s by=1.667", "ramp at=0s for=600s by=1.316"

var noisyCases = []noisy{
	{"stationary, phi .9 sd 10 %", []string{mild}, [5]float64{0, 0, 0, 0, 0.10}, 0, 0.05},
	{"stationary, phi .98 sd 15 %", []string{rough}, [5]float64{0.03, 0.01, 0.05, 0.03, 0.17}, 0, 0.10},
	{"9 freezes in the last third, no drift", []string{mild, "freeze at=405s for=300ms every=21s until=590s"}, [5]float64{1, 1, 0.03, 0, 0.87}, 0, 0.05},
	{"12 freezes spread evenly", []string{mild, "freeze at=25s for=300ms every=50s until=600s"}, [5]float64{0, 0, 0, 0, 0.09}, 0, 0.05},
	{"linear x1.2", []string{mild, ramp12}, [5]float64{0.16, 0, 0.18, 0.16, 0.97}, 0, 1},
	{"linear x1.4, phi .9", []string{mild, ramp14}, [5]float64{1, 0.40, 0.98, 1, 1}, 0.95, 1},
	{"linear x1.4, phi .98 sd 15 %", []string{rough, ramp14}, [5]float64{0.80, 0.46, 0.79, 0.80, 0.94}, 0.6, 1},
	{"step x1.4 in the last third", []string{mild, "factor at=400s for=200s by=1.4"}, [5]float64{1, 0.49, 1, 1, 1}, 0.95, 1},
	{"linear x1.4 with an uncut warm-up", []string{mild, ramp14, "settle by=3 tau=10s"}, [5]float64{0.02, 0.01, 0.92, 0.02, 1}, 0.8, 1},
}

// shares of few runs are reported and held to nothing.
const enoughRuns = 40

// noisyDrifts compares the shares that are flagged with those stated, and holds
// the word to what it may miss.
func (s *scorer) noisyDrifts() error {
	for kind, c := range noisyCases {
		var flagged [5]int
		warned, n := 0, 0
		for seed := range s.noisy {
			if err := s.ctx.Err(); err != nil {
				return err
			}
			p, err := build(c.name, "", append([]string{fmt.Sprintf("run 600s 60/s p50=8ms p99=20ms seed=%d", 1000*(kind+1)+seed)}, c.lines...)...)
			if err != nil {
				return err
			}
			d, err := detect.CompareThirds(detect.Collect(p.run.Samples, false)[0], detect.Span{Start: p.run.Start, End: p.run.End})
			if err != nil {
				return err
			}
			n++
			for i, over := range voices(&d) {
				if over {
					flagged[i]++
				}
			}
			if slices.Contains([]detect.DriftWord{detect.DriftShown, detect.DriftLoosely, detect.DriftHidden}, d.Word(driftLimit)) {
				warned++
			}
		}
		s.told(c, flagged, warned, n)
	}
	return nil
}

// voices are what the columns of the table ask.
func voices(d *detect.Drift) [5]bool {
	plain, _ := d.Thirds.Ratio()
	free := plain
	if d.Free != nil {
		free = *d.Free
	}
	return [5]bool{
		plain > driftLimit, plain > 1.4, d.Medians != nil && *d.Medians > driftLimit,
		free > driftLimit, d.Bounds != nil && d.Bounds[0] > 1,
	}
}

// told adds the rows of a case: in the full corpus each voice beside what is stated.
func (s *scorer) told(c noisy, flagged [5]int, warned, n int) {
	least := c.least
	if n < enoughRuns || least == 0 {
		least = -1
	}
	s.share("drift", "warned of", c.name, warned, n, least)
	if row := &s.card.Rows[len(s.card.Rows)-1]; c.most < 1 && n >= enoughRuns {
		row.Must, row.Met = fmt.Sprintf("≤ %g", c.most), row.Value <= c.most
	}
	if n < enoughRuns {
		return
	}
	for i, what := range []string{"p99 of the thirds over 1.25", "p99 of the thirds over 1.4", "medians over 1.25", "without freezes over 1.25", "bound of the medians over 1"} {
		s.share("drift", what, c.name, flagged[i], n, -1)
		s.card.Rows[len(s.card.Rows)-1].Stated = &c.stated[i]
	}
}
