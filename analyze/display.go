package analyze

import (
	"math"
	"strconv"
	"strings"

	"headroom/internal/thousands"
)

// Rounding says which way the last printed digit goes.
type Rounding int

// The roundings (DETECTION 0.4): a point figure goes to the nearest, a lower
// bound and an upper bound toward the weaker claim.
const (
	Nearest Rounding = iota
	Down
	Up
)

// scale is a way to write a unit: from least on, v is written v/10^power and suffix.
type scale struct {
	least  float64
	power  int
	suffix string
}

// share is the unit of a part of a whole that is written as a percentage.
const share = "share"

var scales = map[string][]scale{
	"s":   {{1, 0, " s"}, {1e-3, -3, " ms"}, {1e-6, -6, " µs"}, {0, -9, " ns"}},
	"B":   {{1e12, 12, " TB"}, {1e9, 9, " GB"}, {1e6, 6, " MB"}, {1e3, 3, " kB"}, {0, 0, " B"}},
	"B/s": {{1e9, 9, " GB/s"}, {1e6, 6, " MB/s"}, {1e3, 3, " kB/s"}, {0, 0, " B/s"}},
	"1":   {{0, 0, ""}},
	share: {{0, -2, " %"}},
	// What is counted by the second without a unit of its own is requests: offered
	// rates, rungs, throughput.requests.
	"1/s": {{0, 0, " requests/s"}},
}

// Display writes a value with its unit to three significant figures, whole
// numbers in full. Zero and whole counts have no decimals.
func Display(v float64, unit string) string { return display(v, unit, 3, Nearest) }

// DisplayRounded is Display with a direction.
func DisplayRounded(v float64, unit string, r Rounding) string { return display(v, unit, 3, r) }

// allDigits tell any two float64 apart.
const allDigits = 17

// DisplayLimit writes a limit in full: a reader who compares must see what the
// program compared with.
func DisplayLimit(limit float64, unit string) string {
	for digits := 3; digits < allDigits; digits++ {
		if text := display(limit, unit, digits, Nearest); parseDisplay(text, unit) == limit {
			return text
		}
	}
	return display(limit, unit, allDigits, Nearest)
}

// DisplayBeside writes v with as many digits as it takes to show on which side
// of the limit it is, or that it is the limit: a p99 of 999.6 ms beside a limit of
// 1 s is never printed as 1.00 s. DisplayLimit writes the limit.
func DisplayBeside(v, limit float64, unit string) string {
	if v == limit {
		return DisplayLimit(limit, unit)
	}
	for digits := 3; digits < allDigits; digits++ {
		text := display(v, unit, digits, Nearest)
		if sign(parseDisplay(text, unit)-limit) == sign(v-limit) {
			return text
		}
	}
	return display(v, unit, allDigits, Nearest)
}

// DisplayBoth writes a value and a limit that was computed, which may have no end
// of digits, so that the two as printed are on the same sides of each other.
func DisplayBoth(v, limit float64, unit string) (value, bound string) {
	for digits := 3; ; digits++ {
		value, bound = display(v, unit, digits, Nearest), display(limit, unit, digits, Nearest)
		if digits == allDigits || sign(parseDisplay(value, unit)-parseDisplay(bound, unit)) == sign(v-limit) {
			return value, bound
		}
	}
}

// Percent writes a share as a percentage.
func Percent(v float64) string { return Display(v, share) }

// Count writes a whole number with thousands separators.
func Count(n int64) string { return thousands.Group(strconv.FormatInt(n, 10)) }

// CountOf writes a number of things with thousands separators: "1 request",
// "7,661 requests".
func CountOf(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Count(n) + " " + thing + "s"
}

func display(v float64, unit string, sig int, r Rounding) string {
	ladder, ok := scales[unit]
	if !ok {
		ladder = []scale{{0, 0, " " + unit}}
	}
	a := math.Abs(v)
	if a == 0 && unit == "s" {
		return "0 s"
	}
	for i, s := range ladder {
		if a < s.least && i < len(ladder)-1 {
			continue
		}
		text := digits(tenfold(v, -s.power), sig, r)
		// 999.96 ms rounds to 1,000 ms: that is 1.00 s.
		if i > 0 && math.Abs(tenfold(parseNumber(text), s.power)) >= ladder[i-1].least {
			up := tenfold(parseNumber(text), s.power-ladder[i-1].power)
			return thousands.Group(strconv.FormatFloat(up, 'f', decimals(up, sig), 64)) + ladder[i-1].suffix
		}
		return text + s.suffix
	}
	return digits(v, sig, r)
}

// tenfold returns v·10^power, as its shortest decimal has it: moving the point
// of 0.29 by two gives 29, where a product of binary fractions does not.
func tenfold(v float64, power int) float64 {
	if power == 0 || v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	e, _ := strconv.Atoi(exponent) // FormatFloat's own
	moved, _ := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(e+power), 64)
	return moved
}

// digits writes v to sig significant figures, but never rounds the integer
// part; whole numbers are written whole.
func digits(v float64, sig int, r Rounding) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return thousands.Group(strconv.FormatFloat(v, 'f', 0, 64))
	}
	rounded := roundTo(v, sig, r)
	return thousands.Group(strconv.FormatFloat(rounded, 'f', decimals(rounded, sig), 64))
}

// decimals is how many decimals sig significant figures of v take, at least 0.
func decimals(v float64, sig int) int {
	if v == 0 {
		return 0
	}
	return max(0, sig-1-int(math.Floor(math.Log10(math.Abs(v)))))
}

func roundTo(v float64, sig int, r Rounding) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	d := decimals(v, sig)
	if r == Nearest {
		// The shortest decimal of v decides halves, as a reader would.
		w, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'f', d, 64), 64)
		return w
	}
	p := math.Pow(10, float64(d))
	if r == Down {
		return math.Floor(v*p) / p
	}
	return math.Ceil(v*p) / p
}

func parseNumber(text string) float64 {
	v, err := strconv.ParseFloat(strings.NewReplacer(",", "", "−", "-").Replace(text), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// parseDisplay reads what display wrote, to know what a reader will see.
func parseDisplay(text, unit string) float64 {
	for _, s := range scales[unit] {
		if n, ok := strings.CutSuffix(text, s.suffix); ok && s.suffix != "" {
			if v := parseNumber(n); !math.IsNaN(v) {
				return tenfold(v, s.power)
			}
		}
	}
	return parseNumber(strings.TrimSuffix(text, " "+unit))
}

func sign(v float64) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}
