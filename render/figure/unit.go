package figure

import (
	"math"
	"strconv"
	"strings"

	"headroom/render/label"
)

// unit is how the numbers of an axis are written: a value is shown divided by
// Factor, with Name in the label of the axis.
type unit struct {
	name   string
	factor float64
}

var (
	secondUnits = []unit{{"ns", 1e-9}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}}
	byteUnits   = []unit{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}}
	prefixes    = []unit{{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}}
	counts      = []unit{{"", 1}, {"thousand", 1e3}, {"million", 1e6}, {"billion", 1e9}}
)

// unitFor chooses the prefix of an SI base unit for an axis from low to high.
// typical is the value that should read well: the highest of a linear axis, the
// middle of a logarithmic one.
func unitFor(base string, low, high, typical float64) unit {
	typical = math.Abs(typical)
	switch base {
	case "s":
		return lastNotAbove(secondUnits, typical)
	case "B":
		return lastNotAbove(byteUnits, typical)
	}
	base = label.Clean(base, 24) // from data
	names := prefixes
	if base == "1" || base == "" {
		names, base = counts, ""
	}
	u := names[0]
	// Up to 99,999 a number reads well as it is; and where the axis shows the
	// small differences of large numbers, a prefix would only add digits.
	if typical >= 1e5 && high-low > typical*1e-3 {
		u = lastNotAbove(names, typical)
	}
	return unit{strings.TrimSpace(u.name + " " + base), u.factor}
}

func lastNotAbove(units []unit, v float64) unit {
	u := units[0]
	for _, next := range units[1:] {
		if next.factor <= v*(1+1e-9) {
			u = next
		}
	}
	return u
}

// format writes a tick of an axis whose ticks are step apart: as many decimals
// as tell neighbours apart, thousands grouped.
func (u unit) format(v, step float64) string {
	v, step = v/u.factor, math.Abs(step/u.factor)
	decimals := 0
	if step > 0 && step < 1 {
		decimals = int(math.Ceil(-math.Log10(step) - 1e-9))
	}
	if decimals > 12 || math.Abs(v) >= 1e15 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return group(strconv.FormatFloat(v, 'f', decimals, 64))
}

// plain writes one value with its unit: 12 ms.
func (u unit) plain(v float64) string { return strings.TrimSpace(u.number(v) + " " + u.name) }

// number writes one value to four digits, whole numbers in full.
func (u unit) number(v float64) string {
	v /= u.factor
	s := strconv.FormatFloat(v, 'g', 4, 64)
	if strings.Contains(s, "e") && math.Abs(v) < 1e15 && math.Abs(v) >= 1 {
		s = strconv.FormatFloat(v, 'f', 0, 64)
	}
	return group(s)
}

// group puts a comma between thousands and takes the sign of a zero away.
func group(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "−", s[1:]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	if strings.Trim(s, "0.") == "" {
		sign = ""
	}
	if strings.Contains(whole, "e") {
		return sign + s
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return sign + whole
}
