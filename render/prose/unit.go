package prose

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"headroom/internal/thousands"
)

// units are the ways in which a page or a constant writes a unit: the SI base
// unit, and the factor to it.
var units = map[string]struct {
	base   string
	factor float64
}{
	"": {"1", 1}, "%": {"1", 0.01}, "×": {"1", 1},
	"s": {"s", 1}, "ms": {"s", 1e-3}, "µs": {"s", 1e-6}, "us": {"s", 1e-6}, "ns": {"s", 1e-9}, "min": {"s", 60}, "h": {"s", 3600},
	"B": {"B", 1}, "kB": {"B", 1e3}, "MB": {"B", 1e6}, "GB": {"B", 1e9}, "TB": {"B", 1e12},
	"KiB": {"B", 1 << 10}, "MiB": {"B", 1 << 20}, "GiB": {"B", 1 << 30}, "TiB": {"B", 1 << 40},
	"B/s": {"B/s", 1}, "kB/s": {"B/s", 1e3}, "MB/s": {"B/s", 1e6}, "GB/s": {"B/s", 1e9},
	"requests/s": {"1/s", 1}, "/s": {"1/s", 1}, "1/s": {"1/s", 1},
}

// number is a value as it is written: in which unit, with how many decimals.
type number struct {
	value    float64 // in the base unit
	base     string
	factor   float64 // base units of one of the unit written
	decimals int
	suffix   string // what stands after the digits, with its blank
}

// readNumber reads a text like "1,234.5 ms". ok is false where there is more in
// the text than a number and its unit. A unit that is not known is its own base.
func readNumber(text string) (n number, ok bool) {
	rest := strings.TrimSpace(text)
	negative := false
	for _, minus := range []string{"−", "-"} {
		if after, cut := strings.CutPrefix(rest, minus); cut {
			rest, negative = after, true
			break
		}
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return !(r >= '0' && r <= '9' || r == '.' || r == ',') })
	if end < 0 {
		end = len(rest)
	}
	digits := strings.ReplaceAll(rest[:end], ",", "")
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return n, false
	}
	n.suffix = rest[end:]
	unit := strings.TrimSpace(n.suffix)
	if strings.ContainsAny(unit, "0123456789(") {
		return n, unit == "1/s"
	}
	u, known := units[unit]
	if !known {
		u.base, u.factor = unit, 1
	}
	n.base, n.factor, n.value = u.base, u.factor, v*u.factor
	if negative {
		n.value = -n.value
	}
	if _, fraction, cut := strings.Cut(digits, "."); cut {
		n.decimals = len(fraction)
	}
	return n, true
}

// withDecimals writes a value in the unit of n.
func (n number) withDecimals(v float64, decimals int) string {
	return thousands.Group(strconv.FormatFloat(v/n.factor, 'f', decimals, 64)) + n.suffix
}

// beside writes v, which shown shows, with as many decimals as it takes to tell
// on which side of the limit it is.
func beside(shown string, v, limit float64) (string, error) {
	n, ok := readNumber(shown)
	if !ok {
		return "", fmt.Errorf("%q is no single number that could be written beside a limit", shown)
	}
	for decimals := n.decimals; decimals <= n.decimals+15; decimals++ {
		text := n.withDecimals(v, decimals)
		if again, ok := readNumber(text); ok && side(again.value, limit) == side(v, limit) {
			return text, nil
		}
	}
	return "", fmt.Errorf("%v and %v cannot be told apart in print", v, limit)
}

// side is -1 below the limit, 1 above it, 0 at it.
func side(v, limit float64) int {
	switch {
	case v < limit:
		return -1
	case v > limit:
		return 1
	}
	return 0
}

// rounding is the way in which the last digit goes.
type rounding int

const (
	nearest rounding = iota
	down
	up
)

// figure writes a number to three significant figures, whole parts in full, and
// never across one of the limits: 0.9996 is not written 1.00.
func figure(v float64, r rounding, limits ...float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return thousands.Group(strconv.FormatFloat(v, 'f', 0, 64))
	}
	least := max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	for decimals := least; ; decimals++ {
		text := strconv.FormatFloat(rounded(v, decimals, r), 'f', decimals, 64)
		w, _ := strconv.ParseFloat(text, 64)
		told := true
		for _, limit := range limits {
			told = told && side(w, limit) == side(v, limit)
		}
		if told || decimals > least+15 {
			return thousands.Group(text)
		}
	}
}

func rounded(v float64, decimals int, r rounding) float64 {
	p := math.Pow(10, float64(decimals))
	switch r {
	case down:
		return math.Floor(v*p) / p
	case up:
		return math.Ceil(v*p) / p
	}
	return v
}
