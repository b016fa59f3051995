package analyze

import "testing"

// Who names the gates that decide takes the others away: those that did not pass are
// said.
func TestNamedGates(t *testing.T) {
	repeat := func(failed, reconciled Outcome) *cell {
		return &cell{m: &Measured{Result: Result{Verdicts: []Verdict{
			{Gate: "samples", Outcome: Pass}, {Gate: "failed", Outcome: failed}, {Gate: "reconciled", Outcome: reconciled},
		}}}}
	}
	for name, x := range map[string]struct {
		required       []string
		cells          []*cell
		gates, unnamed string
	}{
		"the protocol's": {nil, []*cell{repeat(Fail, Pass)}, "every gate", ""},
		"all passed":     {[]string{"samples"}, []*cell{repeat(Pass, Pass)}, "every gate", ""},
		"one failed": {[]string{"samples"}, []*cell{repeat(Fail, Pass), repeat(Pass, Unknown)}, "the gates that were named, and only these decide: samples",
			". Not named: failed did not pass in 1 of 2; reconciled could not be judged in 1 of 2"},
		"named itself": {[]string{"samples", "failed", "reconciled"}, []*cell{repeat(Fail, Unknown)}, "every gate", ""},
	} {
		d := &document{protocol: Protocol{Required: x.required}}
		if gates, unnamed := d.namedGates(&group{cells: x.cells}); gates != x.gates || unnamed != x.unnamed {
			t.Errorf("%s: %q, %q", name, gates, unnamed)
		}
	}
}
