package calibrate

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"headroom/detect"
	"headroom/internal/runtest"
)

// planted is a simulated run with what was planted in it.
type planted struct {
	group string // configurations whose runs differ in phase and seed only
	cause string // of its freezes; "" for none
	run   *runtest.Run
}

// corpus says how much is simulated.
type corpus struct {
	rates     []int
	p50       []int // ms
	freezes   []int // ms
	shares    []float64
	phases    int
	seeds     int
	clean     int // minutes of clean runs at each rate
	long      int // clean runs of ten minutes, and as many of each kind of drift
	noisy     int // runs of ten minutes of each case of DETECTION's table of drifts
	causeRuns int // of each cause, and as many without one
	rhythms   int // series of onsets of each kind
}

// small is what `go test` can afford, full what `headroom calibrate --full` does
// (DETECTION 11.1).
var (
	small = corpus{rates: []int{200}, p50: []int{8}, freezes: []int{160, 200, 250, 600}, shares: []float64{1, 0.3}, phases: 10, seeds: 1, clean: 5, long: 2, noisy: 2, causeRuns: 2, rhythms: 20}
	full  = corpus{
		rates: []int{20, 200, 1200}, p50: []int{8, 36}, freezes: []int{100, 160, 200, 250, 600, 2000}, shares: []float64{1, 0.3, 0.15, 0.09},
		phases: 10, seeds: 5, clean: 30, long: 20, noisy: 60, causeRuns: 20, rhythms: 200,
	}
)

// build makes a run of the text language.
func build(group, cause string, lines ...string) (planted, error) {
	c, err := runtest.Parse(group, strings.Join(lines, "\n"))
	if err != nil {
		return planted{}, err
	}
	run, err := c.Run()
	return planted{group, cause, run}, err
}

// singles plants one freeze a run, at each phase of the second.
func (c corpus) singles(each func(rate int, share float64, length int, p planted) error) error {
	for _, rate := range c.rates {
		for _, p50 := range c.p50 {
			for _, length := range c.freezes {
				for _, share := range c.shares {
					for seed := range c.seeds {
						for phase := range c.phases {
							group := fmt.Sprintf("%d/s p50 %d ms, %d ms, share %g, seed %d", rate, p50, length, share, seed)
							p, err := build(group, "",
								fmt.Sprintf("run 20s %d/s p50=%dms p99=%dms seed=%d", rate, p50, 2*p50, 1000*seed+phase+1),
								fmt.Sprintf("freeze at=%dms for=%dms share=%g", 8000+phase*1000/c.phases, length, share))
							if err != nil {
								return err
							}
							if err := each(rate, share, length, p); err != nil {
								return err
							}
						}
					}
				}
			}
		}
	}
	return nil
}

// pairs plants two freezes so many seconds apart, at each second of the grid of
// ten.
func (c corpus) pairs(apart int, each func(p planted) error) error {
	for phase := range 10 {
		p, err := build(fmt.Sprintf("two freezes %d s apart", apart), "",
			fmt.Sprintf("run 90s 100/s p50=8ms p99=16ms seed=%d", phase+1),
			fmt.Sprintf("freeze at=%dms for=250ms", 40300+phase*1000),
			fmt.Sprintf("freeze at=%dms for=250ms", 40300+phase*1000+apart*1000))
		if err != nil {
			return err
		}
		if err := each(p); err != nil {
			return err
		}
	}
	return nil
}

// quiet makes a minute with a heavy tail: one request in two thousand is an
// outlier of up to five seconds, and nothing stands still.
func (c corpus) quiet(rate, minute int) (planted, error) {
	rnd := rand.New(rand.NewPCG(uint64(rate), uint64(minute)))
	lines := []string{fmt.Sprintf("run 60s %d/s p50=8ms p99=25ms seed=%d", rate, minute+1)}
	for range rate * 60 / 2000 {
		at := rnd.IntN(59000)
		latency := min(5000, 50/(1-rnd.Float64())) // Pareto, in ms
		lines = append(lines, fmt.Sprintf("request at=%dms latency=%dms", at, int(latency)))
	}
	return build(fmt.Sprintf("quiet, %d/s", rate), "", lines...)
}

// onsetsOf gives times of events, in seconds: rhythmic ones with a jittered
// period, or random ones.
func onsetsOf(rhythmic bool, events, seed int) []float64 {
	rnd := rand.New(rand.NewPCG(uint64(seed), uint64(events)))
	out := []float64{0}
	for len(out) < events {
		gap := 1 + rnd.ExpFloat64()*20
		if rhythmic {
			gap = 5 + rnd.NormFloat64()*0.5
		}
		out = append(out, out[len(out)-1]+gap)
	}
	return out
}

// rhythmsFound is the share of series that the rhythm test calls rhythmic.
func rhythmsFound(rhythmic bool, events, series int) (found, n int) {
	for seed := range series {
		if detect.TestRhythm(onsetsOf(rhythmic, events, seed), 1).Rhythmic {
			found++
		}
	}
	return found, series
}
