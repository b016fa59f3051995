package analyze

import (
	"strings"
	"testing"
)

func lockedDocument() *Capacity {
	rate := 100.0
	return &Capacity{Protocol: "sweep", Configurations: []Configuration{{Name: "main", Runs: []string{"a"}}}, Results: []Result{{
		Run:        RunInfo{ID: "a"},
		Quantities: []Quantity{{ID: "throughput", Value: &rate}},
		Verdicts:   []Verdict{{Gate: "reconciled", Outcome: Pass}, {Gate: contention.Name, Outcome: Pass, Got: 1.0}},
	}}}
}

func TestLocked(t *testing.T) {
	for name, x := range map[string]struct {
		change func(*Capacity)
		want   string
	}{
		"proven":                {func(*Capacity) {}, ""},
		"not reconciled":        {func(c *Capacity) { c.Results[0].Verdicts[0].Outcome = Unknown }, "run a: not reconciled"},
		"no count at all":       {func(c *Capacity) { c.Results[0].Verdicts = c.Results[0].Verdicts[1:] }, "run a: not reconciled"},
		"contention unrecorded": {func(c *Capacity) { c.Results[0].Verdicts[1] = Verdict{Gate: contention.Name, Outcome: Unknown} }, "contention"},
		"contention unjudged": {func(c *Capacity) {
			c.Results[0].Verdicts[1] = Verdict{Gate: contention.Name, Outcome: Unknown, Got: 0.97}
		}, ""},
		"a bare run warns":     {func(c *Capacity) { c.Protocol, c.Results[0].Verdicts = "run", nil }, ""},
		"a bare run, mismatch": {func(c *Capacity) { c.Protocol, c.Results[0].Verdicts[0].Outcome = "run", Fail }, "not what was claimed"},
		"a study that warns":   {func(c *Capacity) { c.Study, c.Results[0].Verdicts = &StudyInfo{}, nil }, ""},
		"a study that withholds": {func(c *Capacity) {
			c.Study = &StudyInfo{}
			c.Results[0].Quantities[0] = withhold(c.Results[0].Quantities[0], "not reconciled: no claim"+withoutIt)
		}, "run a: not reconciled: no claim"},
		"withheld aside": {func(c *Capacity) {
			c.Study, c.Configurations[0].Aside = &StudyInfo{}, true
			c.Results[0].Quantities[0] = withhold(c.Results[0].Quantities[0], "not reconciled: no claim"+withoutIt)
		}, ""},
		"withheld for want of samples": {func(c *Capacity) {
			c.Results[0].Quantities[0] = withhold(c.Results[0].Quantities[0], "too few samples")
		}, ""},
		"benchmarks have no rate": {func(c *Capacity) { c.Results[0].Quantities, c.Results[0].Verdicts = nil, nil }, ""},
	} {
		c := lockedDocument()
		x.change(c)
		got := strings.Join(c.Locked(), "; ")
		if (got == "") != (x.want == "") || !strings.Contains(got, x.want) {
			t.Errorf("%s: %q, want %q", name, got, x.want)
		}
	}
}
