package detect

import (
	"fmt"
	"math"
	"slices"
)

var clockStep = &Detector{
	Name:    "clock-step",
	Version: 1,
	Doc: `Clock steps: the host's clock was set while the run was recorded.

Two kinds of evidence. The agent of headroom compares the wall clock with the one that
nobody sets and writes a marker. And the CPU time of all modes together passes as time
does: where the stamps of two readings of it are further apart, or less far, than the
CPU time between them says, by more than "least" and "portion" of their distance, the
clock went a different way. A host that slept looks the same as one set forward.
Latencies are taken with the clock that nobody sets; starts, steps and everything that
is compared across hosts are not.
Cannot see: a clock that is wrong all the time; one that is slewed; steps shorter than
"least"; hosts of which neither was recorded.`,
	Params: []Param{
		{"least", 0.5, "s", "a step is longer than this"},
		{"portion", 0.2, "1", "and longer than this share of the distance between two readings"},
	},
	Needs:   []string{"markers", "points"},
	Metrics: append([]string{"host.cpus"}, cpuModes...),
	Run:     lookForClockSteps,
}

// cpuModes are the counters that add up to the time of all CPUs; those of guests
// are within user and nice.
var cpuModes = []string{
	"cpu.user_seconds", "cpu.nice_seconds", "cpu.system_seconds", "cpu.idle_seconds",
	"cpu.iowait_seconds", "cpu.irq_seconds", "cpu.softirq_seconds", "cpu.steal_seconds",
}

const clockMarker = "capture.clock_step"

func lookForClockSteps(p *Pass) error {
	scope := p.Scope("")
	looked := false
	for i := range p.Evidence.Markers {
		m := &p.Evidence.Markers[i]
		t := m.Time * 1000
		if m.Kind != clockMarker || t < p.Window.Start || t > p.Window.End {
			continue
		}
		looked = true
		step, _ := Attr(m, "step")
		p.reportClockStep(Span{t, t}, step, "the agent saw it")
	}
	for _, source := range p.Evidence.clocks() {
		looked = true
		for _, d := range source {
			if !p.Window.Contains(d.End) {
				continue
			}
			if off := math.Abs(d.off); off > p.Param("least") && off > p.Param("portion")*seconds(d.Len()) {
				p.reportClockStep(d.Span, d.off, "by the CPU time that passed")
			}
		}
	}
	if !looked {
		p.CouldNotLook(scope, "neither the agent's look at the clock nor the host's CPU time was recorded")
		return nil
	}
	p.Looked(scope)
	return nil
}

func (p *Pass) reportClockStep(at Span, step float64, why string) {
	way := "forward"
	if step < 0 {
		way = "back"
	}
	p.Report(p.Scope(""), Warning, at, map[string]float64{"step": step}, "the host's clock went %s by %s (%s)", way, fmt.Sprintf("%.2f s", math.Abs(step)), why)
}

// ticked is the distance between two readings, and by how many seconds the wall
// clock went further than the CPU time did.
type ticked struct {
	Span
	off float64
}

// clocks compares wall clock and CPU time of each source that recorded all modes
// of the whole host.
func (e *Evidence) clocks() [][]ticked {
	var out [][]ticked
	for _, idle := range e.Of("cpu.idle_seconds") {
		if idle.Entity != "cpu" {
			continue
		}
		cpus := 0.0
		for _, s := range e.Of("host.cpus") {
			if s.Source == idle.Source && len(s.Values) > 0 {
				cpus = s.Values[len(s.Values)-1]
			}
		}
		total, ok := e.sumOf(cpuModes, idle.Source, "cpu", idle.At)
		if !ok || cpus < 1 {
			continue
		}
		var list []ticked
		for i := 1; i < len(idle.At); i++ {
			wall, passed := seconds(idle.At[i]-idle.At[i-1]), (total[i]-total[i-1])/cpus
			if passed >= 0 { // else the host was started again
				list = append(list, ticked{Span{idle.At[i-1], idle.At[i]}, wall - passed})
			}
		}
		out = append(out, list)
	}
	return out
}

// sumOf adds series of one source and entity that have the same instants.
func (e *Evidence) sumOf(metrics []string, source, entity string, at []int64) ([]float64, bool) {
	sum := make([]float64, len(at))
	for _, metric := range metrics {
		list := e.Of(metric)
		i := slices.IndexFunc(list, func(s Series) bool { return s.Source == source && s.Entity == entity })
		if i < 0 || !slices.Equal(list[i].At, at) {
			return nil, false
		}
		for k, v := range list[i].Values {
			sum[k] += v
		}
	}
	return sum, true
}
