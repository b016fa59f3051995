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
	load := 0.5
	for name, x := range map[string]struct {
		change func(*Capacity)
		want   string
	}{
		"proven":          {func(*Capacity) {}, ""},
		"not reconciled":  {func(c *Capacity) { c.Results[0].Verdicts[0].Outcome = Unknown }, "run a is locked: not reconciled"},
		"no count at all": {func(c *Capacity) { c.Results[0].Verdicts = c.Results[0].Verdicts[1:] }, "run a is locked: not reconciled"},
		"withdrawn": {func(c *Capacity) {
			c.Study, c.Results[0].Run.Withdrawn = &StudyInfo{Contention: Required, Reconciliation: Required}, "throttled"
			c.Results[0].Quantities[0] = withhold(c.Results[0].Quantities[0], "the run was withdrawn, throttled")
			c.Results[0].Verdicts = []Verdict{{Gate: "reconciled", Outcome: Unknown}}
		}, ""},
		"withdrawn, mismatch": {func(c *Capacity) {
			c.Results[0].Run.Withdrawn, c.Results[0].Verdicts[0].Outcome = "throttled", Fail
		}, "not what was claimed"},
		"contention unrecorded": {func(c *Capacity) { c.Results[0].Verdicts[1] = Verdict{Gate: contention.Name, Outcome: Unknown} }, "contention"},
		"contention unjudged": {func(c *Capacity) {
			c.Results[0].Verdicts[1] = Verdict{Gate: contention.Name, Outcome: Unknown, Got: 0.97}
			c.Results[0].Quantities = append(c.Results[0].Quantities, Quantity{ID: "contention.load", Value: &load})
		}, ""},
		"no load average": {func(c *Capacity) {
			c.Results[0].Verdicts[1] = Verdict{Gate: contention.Name, Outcome: Unknown, Got: 0.0}
		}, "the rate of run a is locked: contention not recorded. To publish it, record a load average"},
		"a bare run warns":     {func(c *Capacity) { c.Protocol, c.Results[0].Verdicts = "run", nil }, ""},
		"a bare run, mismatch": {func(c *Capacity) { c.Protocol, c.Results[0].Verdicts[0].Outcome = "run", Fail }, "not what was claimed"},
		"a study that warns":   {func(c *Capacity) { c.Study, c.Results[0].Verdicts = &StudyInfo{}, nil }, ""},
		"a study that withholds": {func(c *Capacity) {
			c.Study = &StudyInfo{}
			c.Results[0].Quantities[0] = withhold(c.Results[0].Quantities[0], "not reconciled: no claim"+withoutIt)
		}, "run a is locked: not reconciled: no claim. To publish it, count"},
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
		var said []string
		for _, o := range c.Locked() {
			said = append(said, o.String())
		}
		got := strings.Join(said, "; ")
		if (got == "") != (x.want == "") || !strings.Contains(got, x.want) {
			t.Errorf("%s: %q, want %q", name, got, x.want)
		}
	}
}

// TestObstaclesOnce names each piece of evidence that is missing once, with all the
// runs that lack it, and all of them, also where the first already withholds a rate.
func TestObstaclesOnce(t *testing.T) {
	c := lockedDocument()
	c.Results[0].Verdicts = nil
	second := c.Results[0]
	second.Run.ID = "b"
	c.Results = append(c.Results, second)
	list := c.Locked()
	if len(list) != 2 || strings.Join(list[0].Runs, " ") != "a b" || strings.Join(list[1].Runs, " ") != "a b" {
		t.Fatalf("without a study: %v", list)
	}
	c.Study = &StudyInfo{File: "s.yaml", Contention: Required, Reconciliation: Required}
	for i := range c.Results {
		q := []Quantity{c.Results[i].Quantities[0]}
		q[0] = withhold(q[0], "not reconciled: no claim"+withoutIt)
		c.Results[i].Quantities = q
	}
	list = c.Locked()
	if len(list) != 2 || !strings.Contains(list[0].String()+list[1].String(), `"reconciliation: warn" into s.yaml`) || !strings.Contains(list[0].String()+list[1].String(), `"contention: warn" into s.yaml`) {
		t.Errorf("with a study: %v", list)
	}
	c.Configurations[0].Runs = []string{"a", "b"}
	c.Study.Waivers = []Waived{{Configuration: "main", Gate: contention.Name, Reason: "a quiet host"}}
	if list = c.Locked(); len(list) != 1 {
		t.Errorf("what is waived locks: %v", list)
	}
}
