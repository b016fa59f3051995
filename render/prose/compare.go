package prose

import (
	"fmt"
	"strings"

	"headroom/analyze"
)

// comparable returns why two operands cannot be compared, nil if they can.
func comparable(a, b operand) error {
	switch {
	case a.unit != b.unit && !(perSecond(a) && perSecond(b) && !(a.quantity && b.quantity)):
		return fmt.Errorf("%s is in %s, %s in %s", a.said, a.unit, b.said, b.unit)
	case (a.bound == analyze.ComparisonOnly) != (b.bound == analyze.ComparisonOnly):
		one := a
		if b.bound == analyze.ComparisonOnly {
			one = b
		}
		return fmt.Errorf("%s may only be compared with another of its set", one.said)
	}
	return nil
}

// perSecond reports whether the unit is so many of something a second.
func perSecond(o operand) bool { return strings.HasSuffix(o.unit, "/s") && o.unit != "B/s" }

// gatePrefix begins a claim about a verdict.
const gatePrefix = "gate:"

// claim prints nothing. It is an error if the comparison does not hold, if the
// bounds do not carry it, or if what the page prints does not show it.
func claim(b *binding, args []string) (string, error) {
	if gate, ok := strings.CutPrefix(args[0], gatePrefix); ok {
		return "", b.claimVerdict(gate, args[1], args[2])
	}
	left, err := b.operandOf(args[0])
	if err != nil {
		return "", err
	}
	right, err := b.operandOf(args[2])
	if err != nil {
		return "", err
	}
	if err := comparable(left, right); err != nil {
		return "", err
	}
	holds, ok := map[string]bool{
		"<": left.value < right.value, "≤": left.value <= right.value, "<=": left.value <= right.value,
		">": left.value > right.value, "≥": left.value >= right.value, ">=": left.value >= right.value,
		"=": left.value == right.value, "==": left.value == right.value, "≠": left.value != right.value, "!=": left.value != right.value,
	}[args[1]]
	switch {
	case !ok:
		return "", fmt.Errorf("%q is no comparison; there are < ≤ > ≥ = ≠", args[1])
	case !holds:
		return "", unsupportedf("the claim does not hold: %s is %s, %s is %s", left.said, left.text, right.said, right.text)
	}
	if err := carried(left, args[1], right); err != nil {
		return "", err
	}
	return "", shown(left, args[1], right)
}

// carried is an error if a value may lie on the other side of what it is compared
// with: that a floor is less than something says nothing about what it stands for.
func carried(left operand, op string, right operand) error {
	less, greater := strings.ContainsAny(op, "<≤"), strings.ContainsAny(op, ">≥")
	for _, o := range []struct {
		operand
		bad bool
	}{
		{left, less && left.mayBeHigher() || greater && left.mayBeLower()},
		{right, less && right.mayBeLower() || greater && right.mayBeHigher()},
		{left, !less && !greater && left.bound != "" && (left.mayBeHigher() || left.mayBeLower())},
		{right, !less && !greater && right.bound != "" && (right.mayBeHigher() || right.mayBeLower())},
	} {
		if o.bad {
			return unsupportedf("the claim is not carried: %s is %q, and what it stands for may lie on the other side", o.said, o.bound)
		}
	}
	return nil
}

// shown is an error if the two values, as the page prints them, do not show a
// difference that the claim speaks of.
func shown(left operand, op string, right operand) error {
	if left.value == right.value {
		return nil
	}
	a, okA := readNumber(left.text)
	b, okB := readNumber(right.text)
	if !okA || !okB || side(a.value, b.value) == side(left.value, right.value) {
		return nil
	}
	return fmt.Errorf("%s and %s are printed %s and %s, which does not show that the first is %s the second; add beside='%s' to the name, here and where it is printed",
		left.said, right.said, left.text, right.text, op, right.said)
}

func (b *binding) claimVerdict(gate, op, want string) error {
	n, err := parseName(gate)
	if err != nil {
		return err
	}
	e, err := b.gates.find(n)
	if err != nil {
		return err
	}
	got := string(outcome(b.verdicts[e.at].Outcome))
	switch {
	case want != string(analyze.Pass) && want != string(analyze.Fail) && want != string(analyze.Unknown):
		return fmt.Errorf("%q is no outcome; there are pass, fail and unknown", want)
	case op != "is" && op != "is not":
		return fmt.Errorf("%q is no comparison of a verdict; there are \"is\" and \"is not\"", op)
	case (got == want) != (op == "is"):
		return unsupportedf("the claim does not hold: the gate %s says %s", gate, got)
	}
	return nil
}

// ratio prints the first quantity over the second. The bound of the ratio follows
// from theirs; where it has none in either direction, there is no ratio.
func ratio(b *binding, args []string) (string, error) {
	v, bound, err := b.divide(args)
	if err != nil {
		return "", err
	}
	return bounded(figure(v, toward(bound), 1), bound), nil
}

// share prints a percentage; 0 % and 100 % are only written where they are exact.
func share(b *binding, args []string) (string, error) {
	var v float64
	var bound analyze.Bound
	if len(args) == 2 {
		var err error
		if v, bound, err = b.divide(args); err != nil {
			return "", err
		}
	} else {
		o, err := b.operandOf(args[0])
		if err != nil {
			return "", err
		}
		if o.unit != "1" {
			return "", fmt.Errorf("%s is in %s, which is no share", o.said, o.unit)
		}
		v, bound = o.value, o.bound
	}
	if v < 0 || v > 1 {
		return "", fmt.Errorf("%s is no share: %s", strings.Join(args, " in "), figure(v, nearest, 0, 1))
	}
	return bounded(figure(v*100, toward(bound), 0, 100)+" %", bound), nil
}

// divide returns the ratio of two operands, and its bound.
func (b *binding) divide(args []string) (v float64, bound analyze.Bound, err error) {
	over, err := b.operandOf(args[0])
	if err != nil {
		return 0, "", err
	}
	under, err := b.operandOf(args[1])
	if err != nil {
		return 0, "", err
	}
	if err := comparable(over, under); err != nil {
		return 0, "", err
	}
	if under.value == 0 {
		return 0, "", fmt.Errorf("%s is 0, and nothing is a multiple of that", under.said)
	}
	higher := over.mayBeHigher() || under.mayBeLower()
	lower := over.mayBeLower() || under.mayBeHigher()
	switch {
	case higher && lower:
		return 0, "", fmt.Errorf("%s is %q and %s is %q: their ratio may be higher or lower than it looks", over.said, over.bound, under.said, under.bound)
	case higher:
		bound = analyze.AtLeast
	case lower:
		bound = analyze.AtMost
	}
	return over.value / under.value, bound, nil
}

// toward is the rounding of a bound: to the weaker claim.
func toward(bound analyze.Bound) rounding {
	switch bound {
	case analyze.Floor, analyze.AtLeast:
		return down
	case analyze.AtMost:
		return up
	}
	return nearest
}
