package stat

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// P is a probability held as an exact fraction, so that a rank never depends on
// how 0.07 looks in binary: 0.07·100 is 7.000000000000001 in float64, whose
// ceiling is one rank too high. P is comparable; its zero value is 0.
type P struct{ num, less uint64 } // num / (less+1), in lowest terms

// The probabilities that headroom prints.
var (
	P50  = mustP("0.5")
	P90  = mustP("0.9")
	P95  = mustP("0.95")
	P99  = mustP("0.99")
	P999 = mustP("0.999")
)

// maxDigits bounds the decimal places of a P, so that its denominator fits.
const (
	maxDigits = 18
	maxDen    = 1e18
)

// ParseP reads a probability written as a decimal ("0.999"), a percentage
// ("99.9%") or a fraction ("999/1000"). It must lie in [0, 1] and be as fine as
// 1/10^18 at most.
func ParseP(s string) (P, error) {
	if a, b, ok := strings.Cut(s, "/"); ok {
		num, errA := strconv.ParseUint(a, 10, 64)
		den, errB := strconv.ParseUint(b, 10, 64)
		if errA != nil || errB != nil || den == 0 || den > maxDen || num > den {
			return P{}, badP(s)
		}
		return reduce(num, den), nil
	}
	digits, percent := strings.CutSuffix(s, "%")
	whole, frac, _ := strings.Cut(digits, ".")
	places := len(frac)
	if percent {
		places += 2
	}
	if whole+frac == "" || strings.Trim(whole+frac, "0123456789") != "" || places > maxDigits {
		return P{}, badP(s)
	}
	num, err := strconv.ParseUint(whole+frac, 10, 64)
	den := uint64(1)
	for range places {
		den *= 10
	}
	if err != nil || num > den {
		return P{}, badP(s)
	}
	return reduce(num, den), nil
}

func badP(s string) error {
	return fmt.Errorf("probability %q: want a number from 0 to 1 such as 0.99, 99%% or 99/100, of at most %d decimal places", s, maxDigits)
}

func mustP(s string) P {
	p, err := ParseP(s)
	if err != nil {
		panic(err)
	}
	return p
}

func reduce(num, den uint64) P {
	a, b := num, den
	for b != 0 {
		a, b = b, a%b
	}
	return P{num / a, den/a - 1}
}

func (p P) den() uint64 { return p.less + 1 }

// complement returns 1 - p, exactly.
func (p P) complement() P { return P{p.den() - p.num, p.less} }

// Float returns the float64 nearest to p.
func (p P) Float() float64 {
	f, _ := p.rat().Float64()
	return f
}

func (p P) rat() *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(p.num), new(big.Int).SetUint64(p.den()))
}

// String returns p as a percentile: "p50", "p99.9", or "p(1/3)" where the
// percentage has no finite decimal form.
func (p P) String() string {
	percent := p.rat()
	percent.Mul(percent, big.NewRat(100, 1))
	n, finite := percent.FloatPrec()
	if !finite {
		return fmt.Sprintf("p(%d/%d)", p.num, p.den())
	}
	return "p" + percent.FloatString(n)
}

// Rank returns the nearest rank of the p-quantile of n values, 1-based:
// max(1, ceil(p·n)), or 0 if n is not positive. p = 0 is the minimum, p = 1 the
// maximum.
func Rank(p P, n int) int {
	if n <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(p.num, uint64(n))
	k, rest := bits.Div64(hi, lo, p.den()) // p ≤ 1, so k ≤ n and nothing overflows
	if rest > 0 {
		k++
	}
	return int(max(k, 1))
}

// QuantileAbove reports whether the nearest-rank p-quantile of n values exceeds
// a limit that exactly above of them exceed. It is the same comparison as
// Quantile(…) > limit, from counts only, so that windows can be tested without
// sorting them. It is false for n ≤ 0.
func QuantileAbove(p P, n, above int) bool {
	return n > 0 && above > n-Rank(p, n)
}

// ErrNoSamples is the error of a statistic of nothing.
var ErrNoSamples = errors.New("no samples")

// ErrNaN is the error of a statistic of values that are not all numbers.
var ErrNaN = errors.New("a value is not a number")
