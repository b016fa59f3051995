package analyze

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"headroom/detect"
	"headroom/runs"
)

// inputs is how many gate inputs the boundary is tried with.
const inputs = 100_000

// decimalOf is the number that a limit or a rate was written as.
func decimalOf(v float64) *big.Rat {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	return r
}

func frac(a, b int64) *big.Rat { return big.NewRat(a, b) }

// near draws a whole number at, beside or far from the limit, whose nearest whole
// number is at.
func near(rnd *rand.Rand, at int64) int64 {
	switch rnd.IntN(4) {
	case 0:
		return max(at, 0)
	case 1:
		return max(at+rnd.Int64N(5)-2, 0)
	}
	return max(at+rnd.Int64N(2*at+1)-at, 0)
}

// boundary is a gate's comparison: try draws an input, hands it to the gate and
// says what exact arithmetic says.
type boundary struct {
	name string
	try  func(rnd *rand.Rand) (got *Verdict, want bool, value, limit *big.Rat, unit string)
}

// ask asks a gate about a unit whose quantities are given.
func ask(g *Gate, p Protocol, qs ...Quantity) *Verdict {
	scope := detect.Scope{Scenario: "default"}
	m := &Measured{manifest: &runs.Manifest{State: runs.Sealed}, protocol: p.Defaults()}
	u := unit{scope: scope, probe: g == probe, all: detect.NewRequests("", false, detect.Request{})}
	for _, q := range qs {
		q.Scope = scope
		if g.PerRun {
			q.Scope = detect.Scope{}
		}
		m.Result.Quantities = append(m.Result.Quantities, q)
	}
	if g.PerRun && g != contention {
		m.depth = series{{}}
	}
	return g.Run(m, &u)
}

// durations tries a gate whose value and limit are whole nanoseconds.
func durations(g *Gate, id string, set func(*Protocol, time.Duration), strict bool) boundary {
	return boundary{g.Name, func(rnd *rand.Rand) (*Verdict, bool, *big.Rat, *big.Rat, string) {
		limit := 1 + rnd.Int64N([]int64{1e3, 1e6, 1e9, 1e12}[rnd.IntN(4)])
		v := near(rnd, limit)
		var p Protocol
		set(&p, time.Duration(limit))
		got := ask(g, p, quantity(id, detect.Scope{}, float64(v)/1e9, "s", 1000, From{}))
		return got, v < limit || v == limit && !strict, frac(v, 1e9), frac(limit, 1e9), "s"
	}}
}

// zeroes tries a gate that allows none.
func zeroes(g *Gate, id string) boundary {
	return boundary{g.Name, func(rnd *rand.Rand) (*Verdict, bool, *big.Rat, *big.Rat, string) {
		v := near(rnd, 1)
		return ask(g, Protocol{}, quantity(id, detect.Scope{}, float64(v), "1", 1000, From{})), v == 0, frac(v, 1), new(big.Rat), "1"
	}}
}

// tenths draws a limit as people write one: some digits, no more.
func tenths(rnd *rand.Rand, low, high float64) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(low+rnd.Float64()*(high-low), 'f', 1+rnd.IntN(4), 64), 64)
	return v
}

var boundaries = []boundary{
	durations(limit, "latency.p99", func(p *Protocol, d time.Duration) { p.P99Limit = d }, true),
	durations(probe, "latency.p99", func(p *Protocol, d time.Duration) { p.ProbeP99 = d }, false),
	durations(drained, "queue.drain", func(p *Protocol, d time.Duration) { p.DrainMax = d }, false),
	zeroes(dropped, "dropped"), zeroes(failed, "failed"), zeroes(invalid, "invalid"),
	{"samples", func(rnd *rand.Rand) (*Verdict, bool, *big.Rat, *big.Rat, string) {
		least := 1 + rnd.Int64N(100_000)
		v := near(rnd, least)
		got := ask(samples, Protocol{MinSamples: least}, quantity("samples", detect.Scope{}, float64(v), "1", v, From{}))
		return got, v >= least, frac(v, 1), frac(least, 1), "1"
	}},
	{"drift", func(rnd *rand.Rand) (*Verdict, bool, *big.Rat, *big.Rat, string) {
		most := 1 + tenths(rnd, 0.01, 3)
		first := 1 + rnd.Int64N(1e10)
		at, _ := new(big.Rat).Mul(decimalOf(most), frac(first, 1)).Float64()
		last := near(rnd, int64(at))
		if rnd.IntN(2) == 0 { // a fraction that is the limit exactly
			first -= first % 10_000
			first = max(first, 10_000)
			exact := new(big.Rat).Mul(decimalOf(most), frac(first, 1))
			last = exact.Num().Int64()
		}
		q := quantity("drift.ratio", detect.Scope{}, float64(last)/float64(first), "1", 1000, From{})
		return ask(drift, Protocol{DriftLimit: most}, q), frac(last, first).Cmp(decimalOf(most)) <= 0, frac(last, first), decimalOf(most), "1"
	}},
	{"delivered", func(rnd *rand.Rand) (*Verdict, bool, *big.Rat, *big.Rat, string) {
		least, rate := tenths(rnd, 0.5, 1), 1+tenths(rnd, 0, 2000)
		length := (1 + rnd.Int64N(600_000)) * 1_000_000
		if rnd.IntN(2) == 0 { // the limit is then a whole number of requests
			rate, length = float64(1+rnd.IntN(2000)), int64(1+rnd.IntN(60))*1e13
		}
		at := new(big.Rat).Mul(new(big.Rat).Mul(decimalOf(least), decimalOf(rate)), frac(length, 1e9))
		f, _ := at.Float64()
		v := near(rnd, int64(f))
		if at.IsInt() && rnd.IntN(2) == 0 {
			v = at.Num().Int64()
		}
		q := quantity("delivered.ratio", detect.Scope{}, shareOfRate(v, length, rate), "1", v, From{})
		scope := detect.Scope{Scenario: "default"}
		q.Scope = scope
		m := &Measured{manifest: &runs.Manifest{Load: runs.Load{Rate: rate}}, protocol: Protocol{DeliveredMin: least}.Defaults()}
		m.Result.Quantities = []Quantity{q}
		exact := new(big.Rat).Quo(new(big.Rat).Mul(frac(v, 1), frac(1e9, length)), decimalOf(rate))
		return delivered.Run(m, &unit{scope: scope}), exact.Cmp(decimalOf(least)) >= 0, exact, decimalOf(least), share
	}},
	{"isolation", func(rnd *rand.Rand) (*Verdict, bool, *big.Rat, *big.Rat, string) {
		most := rnd.Int64N([]int64{1, 10, 1e6}[rnd.IntN(3)])
		v := near(rnd, most)
		p := Protocol{Scenario: ScenarioRules{Quiet: []string{"a"}, QuietRefusedMax: most}}
		got := ask(isolation, p, quantity("quiet.refused", detect.Scope{}, float64(v), "1", 1000, From{}))
		got.Want, _ = strings.CutSuffix(got.Want, " refused of a")
		return got, v <= most, frac(v, 1), frac(most, 1), "1"
	}},
	{"allocations", func(rnd *rand.Rand) (*Verdict, bool, *big.Rat, *big.Rat, string) {
		most, v := perEventNear(rnd, 1e5)
		value, _ := v.Float64()
		q := quantity("alloc.bytes_per_event", detect.Scope{}, value, "B", 1000, From{})
		return ask(allocations, Protocol{Scenario: ScenarioRules{AllocBytesMax: most}}, q), v.Cmp(decimalOf(most)) <= 0, v, decimalOf(most), "B"
	}},
	{"bench-allocs", func(rnd *rand.Rand) (*Verdict, bool, *big.Rat, *big.Rat, string) {
		most, v := perEventNear(rnd, 100)
		value, _ := v.Float64()
		b := &benchmark{name: "Path", label: "Path"}
		m := &Measured{manifest: &runs.Manifest{}, protocol: Protocol{Bench: BenchRules{AllocsMax: most}}.Defaults(), benchmarks: []*benchmark{b}}
		m.Result.Quantities = []Quantity{quantity("bench.allocs"+perEvent, b.scope(), value, "1", 6, From{})}
		return benchAllocs.Run(m, nil), v.Cmp(decimalOf(most)) <= 0, v, decimalOf(most), "1"
	}},
}

// perEventNear draws a limit as people write one, and a whole number over a number of
// events at, beside or far from it.
func perEventNear(rnd *rand.Rand, high float64) (limit float64, v *big.Rat) {
	limit = tenths(rnd, 0.1, high)
	if limit == 0 {
		limit = high
	}
	events := 1 + rnd.Int64N(1e6)
	if rnd.IntN(2) == 0 { // the limit is then a whole number over them
		events = 10_000 * (1 + rnd.Int64N(100))
	}
	at := new(big.Rat).Mul(decimalOf(limit), frac(events, 1))
	if at.IsInt() && rnd.IntN(2) == 0 {
		return limit, frac(at.Num().Int64(), events)
	}
	f, _ := at.Float64()
	return limit, frac(near(rnd, int64(f)), events)
}

// TestBoundary tries each gate's comparison at, beside and far from its limit
// against exact arithmetic, and reads what is printed as a reader does.
func TestBoundary(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 5))
	exact := map[string]int{}
	for i := range inputs {
		b := boundaries[i%len(boundaries)]
		got, want, value, limit, unit := b.try(rnd)
		if value.Cmp(limit) == 0 {
			exact[b.name]++
		}
		if (got.Outcome == Pass) != want || got.Outcome == Unknown {
			t.Fatalf("%s: %s against %s is %s, want pass: %v", b.name, value.RatString(), limit.RatString(), got.Outcome, want)
		}
		if why := misprinted(got, value, limit, unit); why != "" {
			t.Fatalf("%s: %s against %s: %s", b.name, value.RatString(), limit.RatString(), why)
		}
	}
	for _, b := range boundaries {
		if exact[b.name] < inputs/len(boundaries)/50 {
			t.Errorf("%s: only %d inputs were at the limit", b.name, exact[b.name])
		}
	}
}

// misprinted compares the value and the limit as they are printed.
func misprinted(v *Verdict, value, limit *big.Rat, unit string) string {
	mark, shown, ok := cutMark(v.Want)
	a, b := parseDisplay(v.Display, unit), parseDisplay(shown, unit)
	if want := value.Cmp(limit); !ok || sign(a-b) != want {
		return fmt.Sprintf("printed %q beside %q", v.Display, v.Want)
	}
	holds := map[string]bool{"=": a == b, "≤": a <= b, "≥": a >= b, "<": a < b}[mark]
	if holds != (v.Outcome == Pass) {
		return fmt.Sprintf("%s, printed %q beside %q", v.Outcome, v.Display, v.Want)
	}
	return ""
}

func cutMark(want string) (mark, limit string, ok bool) {
	for _, s := range []side{equalTo, atMost, atLeast, below} {
		if len(want) > len(s)+1 && want[:len(s)] == string(s) {
			return string(s), want[len(s)+1:], true
		}
	}
	return "", "", false
}

// TestEveryComparisonIsTried names the gates that compare a number with a limit
// and those that do not.
func TestEveryComparisonIsTried(t *testing.T) {
	others := []string{ // look at words, at pairs of whole numbers, or whether something is there at all
		"thresholds", "replicas", "processed", "reconciled", "contention-recorded", "evidence", "stored", "bench-repeats",
		"counted", "setting", "keeps-up", "cleared",
		"linear", // TestLinearIsPrintedOnItsSide
	}
	for _, g := range Gates {
		tried := slices.ContainsFunc(boundaries, func(b boundary) bool { return b.name == g.Name })
		if tried == slices.Contains(others, g.Name) {
			t.Errorf("the gate %s must stand in exactly one of the lists boundaries and others", g.Name)
		}
	}
}

// TestBothArePrintedOnTheirSides tries the comparison of a throughput with what a fleet
// sends, as both are printed.
func TestBothArePrintedOnTheirSides(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 5))
	for range inputs {
		need := RequiredRate(float64(1+rnd.IntN(1e5)), float64(1+rnd.IntN(5000)))
		v := need
		switch rnd.IntN(3) {
		case 0:
			v = need * (1 + (rnd.Float64()-0.5)*1e-9)
		case 1:
			v = need * (1 + (rnd.Float64()-0.5)*1e-3)
		}
		a, b := DisplayBoth(v, need, "events/s")
		if sign(parseDisplay(a, "events/s")-parseDisplay(b, "events/s")) != sign(v-need) {
			t.Fatalf("%v against %v is printed as %q against %q", v, need, a, b)
		}
	}
}

// TestLinearIsPrintedOnItsSide tries fits about R² = 0.98, and at it: of four points
// with a cubic residual of one seventh of the slope R² is 49/50, and no parabola fits
// them better.
func TestLinearIsPrintedOnItsSide(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 5))
	limit := big.NewRat(98, 100)
	at := 0
	for range inputs / 10 {
		s, d := 7*(1+rnd.Int64N(1000)), int64(0)
		if d = s/7 + rnd.Int64N(3) - 1; rnd.IntN(3) == 0 {
			d = rnd.Int64N(s / 3)
		}
		f := fitPoints{x: []float64{1, 2, 3, 4}}
		for i, e := range []int64{-1, 3, -3, 1} {
			f.y = append(f.y, float64(s*int64(2*i-3)+d*e+100*s))
		}
		r2 := new(big.Rat).SetFrac64(s*s, s*s+d*d)
		v := f.verdict()
		if r2.Cmp(limit) == 0 {
			at++
		}
		if want := r2.Cmp(limit) >= 0; (v.Outcome == Pass) != want {
			t.Fatalf("s %d, d %d: R² %s is %s (%v, %s), want pass: %v", s, d, r2.RatString(), v.Outcome, v.Got, v.Why, want)
		}
		shown := parseDisplay(strings.TrimPrefix(v.Display, "R² "), "1")
		if sign(shown-0.98) != r2.Cmp(limit) {
			t.Fatalf("s %d, d %d: R² %s is printed as %q", s, d, r2.RatString(), v.Display)
		}
	}
	if at < inputs/100 {
		t.Errorf("only %d fits were at the limit", at)
	}
}

// TestFourOfFiveNeverHolds counts every mixture of outcomes of up to nine repeats.
func TestFourOfFiveNeverHolds(t *testing.T) {
	words := []Outcome{Pass, Fail, Unknown}
	rnd := rand.New(rand.NewPCG(3, 5))
	for range 20_000 {
		var rs []Repeat
		passed := 0
		for range 1 + rnd.IntN(9) {
			o := words[rnd.IntN(3)]
			if rnd.IntN(3) > 0 {
				o = Pass
			}
			if o == Pass {
				passed++
			}
			rs = append(rs, Repeat{Outcome: o})
		}
		s := Summarize(rs, nil)
		whole := big.NewRat(int64(passed), int64(len(rs))).Cmp(big.NewRat(1, 1)) == 0
		if s.Held() != whole || (s.Outcome == Pass) != whole || s.String() != fmt.Sprintf("%d/%d", passed, len(rs)) {
			t.Fatalf("%d of %d is %q, held %v, %s", passed, len(rs), s, s.Held(), s.Outcome)
		}
	}
}
