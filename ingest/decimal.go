package ingest

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// scaled reads a decimal number exactly and returns it times 10^places, rounded
// to the nearest whole (halves away from zero). It is how durations and epoch
// numbers become integers without passing through a float. ok is false if b is
// not a number or the result does not fit.
func scaled(b []byte, places int) (n int64, ok bool) {
	i, neg, all := 0, false, places
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		neg = b[i] == '-'
		i++
	}
	digits, point, up := 0, false, false
	for ; i < len(b); i++ {
		c := b[i]
		switch {
		case c == '.' && !point:
			point = true
			continue
		case c == 'e' || c == 'E':
			return scaledSlow(b, all)
		case !isDigit(c):
			return 0, false
		}
		digits++
		if point {
			if places--; places < 0 {
				if places == -1 {
					up = c >= '5'
				}
				continue
			}
		}
		if n > (math.MaxInt64-9)/10 {
			return scaledSlow(b, all)
		}
		n = n*10 + int64(c-'0')
	}
	if digits == 0 {
		return 0, false
	}
	for ; places > 0; places-- {
		if n > math.MaxInt64/10 {
			return 0, false
		}
		n *= 10
	}
	if up {
		n++
	}
	if neg {
		n = -n
	}
	return n, true
}

// maxExponent bounds the exponent of a number, and with it the memory that
// reading one can take.
const maxExponent = 400

// scaledSlow is scaled for numbers with exponents or many digits.
func scaledSlow(b []byte, places int) (int64, bool) {
	r, ok := rational(string(b))
	if !ok {
		return 0, false
	}
	r.Mul(r, new(big.Rat).SetInt(pow10(places)))
	half := big.NewRat(1, 2)
	if r.Sign() < 0 {
		half.Neg(half)
	}
	r.Add(r, half)
	q := new(big.Int).Quo(r.Num(), r.Denom())
	return q.Int64(), q.IsInt64()
}

// rational reads a decimal number of any size that a hostile file may hold.
func rational(text string) (*big.Rat, bool) {
	if len(text) == 0 || len(text) > 2*maxExponent {
		return nil, false
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		e, err := strconv.Atoi(text[i+1:])
		if err != nil || e > maxExponent || e < -maxExponent {
			return nil, false
		}
	}
	if strings.ContainsAny(text, "/_xXpPbBoO") {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

func pow10(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// splitDecimal returns the whole part of a plain decimal number and how many
// digits follow its point.
func splitDecimal(b []byte) (whole int64, frac int, ok bool) {
	i := 0
	for ; i < len(b) && isDigit(b[i]); i++ {
		if whole > (math.MaxInt64-9)/10 {
			return 0, 0, false
		}
		whole = whole*10 + int64(b[i]-'0')
	}
	if i == 0 {
		return 0, 0, false
	}
	if i < len(b) && b[i] == '.' {
		for i++; i < len(b) && isDigit(b[i]); i++ {
			frac++
		}
	}
	return whole, frac, i == len(b)
}

// shifted reads a decimal number times 10^exponent as the nearest float, which a
// division of the nearest float of the number is not always.
func shifted(text []byte, exponent int) (float64, bool) {
	if v, ok := exactQuotient(text, -exponent); ok {
		return v, true
	}
	if bytes.ContainsAny(text, "eExXpPnNiI_") {
		v, err := strconv.ParseFloat(string(text), 64)
		return v / math.Pow10(-exponent), err == nil && v-v == 0
	}
	var buf [32]byte
	number := append(append(buf[:0], text...), 'e')
	v, err := strconv.ParseFloat(string(strconv.AppendInt(number, int64(exponent), 10)), 64)
	return v, err == nil
}

// exactQuotient reads digits with a point among them, divided by 10^places. A whole
// number below 2^53 and a power of ten up to 10^22 are floats without an error,
// so that their quotient is the float nearest to the number (W. D. Clinger, How to
// read floating point numbers accurately, PLDI 1990). Whatever else text is, it
// is left to strconv.
func exactQuotient(text []byte, places int) (float64, bool) {
	n, end := digits(text, 0)
	if end == 0 {
		return 0, false
	}
	if end < len(text) {
		if text[end] != '.' {
			return 0, false
		}
		from := end + 1
		rest, last := digits(text, from)
		if last != len(text) || last == from || last-from > 8 || n >= 1<<53/powersOf10[last-from] {
			return 0, false
		}
		places += last - from
		n = n*powersOf10[last-from] + rest
	}
	if n >= 1<<53 || places < 0 || places >= len(quotients) {
		return 0, false
	}
	return float64(n) / quotients[places], true
}

// quotients are the powers of ten that are floats without an error.
var quotients = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// decimalSum adds decimal numbers exactly.
type decimalSum struct {
	fast int64 // in millionths
	slow *big.Rat
}

// add adds a number as it is written. It reports whether it is one.
func (d *decimalSum) add(text []byte) bool {
	if plain(text) {
		if n, ok := scaled(text, sumPlaces); ok {
			if s := d.fast + n; (s > d.fast) == (n > 0) {
				d.fast = s
				return true
			}
		}
	}
	r, ok := rational(string(text))
	if !ok {
		return false
	}
	if d.slow == nil {
		d.slow = new(big.Rat)
	}
	d.slow.Add(d.slow, r)
	return true
}

// sumPlaces is how many decimals the fast half of a decimalSum holds.
const sumPlaces = 6

// plain reports whether a number has no exponent and at most sumPlaces decimals.
func plain(text []byte) bool {
	point := -1
	for i, c := range text {
		switch c {
		case '.':
			point = i
		case 'e', 'E':
			return false
		}
	}
	return point < 0 || len(text)-point-1 <= sumPlaces
}

// String returns the sum as decimal text without needless zeros.
func (d *decimalSum) String() string {
	r := new(big.Rat).SetFrac(big.NewInt(d.fast), pow10(sumPlaces))
	if d.slow != nil {
		r.Add(r, d.slow)
	}
	return decimalText(r)
}

// decimalText writes a sum of decimals, which always has an end.
func decimalText(r *big.Rat) string {
	n, _ := r.FloatPrec()
	return r.FloatString(n)
}
