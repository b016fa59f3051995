package analyze

import (
	"fmt"
	"slices"
	"strings"

	"headroom/detect"
)

var benchRepeats = &Gate{
	Name: "bench-repeats",
	Doc: `Every benchmark of the run was repeated as often as it should be.

As often as was declared, else as often as the one with the most repeats, and with every
measure each time; where events per operation are declared, each benchmark reports the same
number (events/op). Applies to runs with benchmarks. What is missing makes it unknown, never a
failure: a result that is not there proves nothing.`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		if len(m.benchmarks) == 0 {
			return m.ifAsked("bench-repeats", "no benchmark was recorded")
		}
		want := m.wantRepeats()
		v := &Verdict{Want: countText(want, "repeat") + " of each", Outcome: Pass, Got: float64(len(m.benchmarks)), Display: countText(len(m.benchmarks), "benchmark")}
		if why := m.benchMissing(want); why != "" {
			v.Outcome, v.Why = Unknown, why
		}
		return v
	},
}

// benchMissing says what the benchmarks of a run lack, "" if nothing.
func (m *Measured) benchMissing(want int) string {
	var lacks []string
	declared := m.protocol.Bench.EventsPerOp
	for _, b := range m.benchmarks {
		n, short := b.repeats()
		_, note := b.events(declared)
		switch {
		case n != want:
			lacks = append(lacks, fmt.Sprintf("%s has %d of %d repeats", b.label, n, want))
		case short != "":
			lacks = append(lacks, fmt.Sprintf("%s has fewer values in %s than repeats", b.label, short))
		case note != "":
			lacks = append(lacks, b.label+": "+note)
		}
	}
	if why := m.incomplete(); why != "" {
		lacks = append(lacks, why)
	}
	return strings.Join(lacks, "; ")
}

var benchAllocs = &Gate{
	Name: "bench-allocs",
	Doc: `A benchmark allocates no more often than its limit.

Allocations by event, or by operation where no events are known, of the benchmark of the
whole path, or of every one where none is named so. Applies where a limit was given. A count
is the same on any machine, so that a noisy host does not matter. Unknown where no benchmark
reports allocations (-benchmem).`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		limit := m.protocol.Bench.AllocsMax
		if limit <= 0 {
			return nil
		}
		bs := m.benchmarks
		if b := benchNamed(bs, m.protocol.Bench.Total); b != nil {
			bs = []*benchmark{b}
		}
		b := bar{atMost, limit, "1", ""}
		var worst *Verdict
		for _, bench := range bs {
			v := b.judge(m.benchCost("bench.allocs", bench))
			if v.Outcome != Pass {
				v.Why = strings.TrimSuffix(bench.label+": "+v.Why, ": ")
			}
			if worst == nil || Worst(worst.Outcome, v.Outcome) != worst.Outcome {
				worst = v
			}
		}
		if worst == nil {
			return m.ifAsked("bench-allocs", "no benchmark was recorded")
		}
		return worst
	},
}

// ifAsked is the verdict of a gate that has nothing to look at: unknown if
// somebody asked for it, else none.
func (m *Measured) ifAsked(gate, why string) *Verdict {
	if !slices.Contains(m.protocol.Required, gate) {
		return nil
	}
	return &Verdict{Outcome: Unknown, Want: "recorded", Why: why}
}

// judgeBenchmarks judges a run without load by the gates on benchmarks.
func (m *Measured) judgeBenchmarks() {
	for _, g := range []*Gate{benchRepeats, benchAllocs} {
		if v := g.Run(m, nil); v != nil {
			v.Gate, v.Scope = g.Name, detect.Scope{}
			m.Result.Verdicts = append(m.Result.Verdicts, *v)
		}
	}
}
