package ingest

import "strings"

// wrkTimeUnits are the powers of ten and factors of the units that wrk puts
// behind a time, longest suffix first.
var wrkTimeUnits = []struct {
	suffix string
	power  int
	factor float64
}{{"us", -6, 1}, {"ms", -3, 1}, {"s", 0, 1}, {"m", 0, 60}, {"h", 0, 3600}}

// wrkTime reads a time as wrk prints it ("870.00us", "1.02s", "83.33m"), in
// seconds. "-nan" and the like are none.
func wrkTime(text string) (float64, bool) {
	for _, u := range wrkTimeUnits {
		number, ok := strings.CutSuffix(text, u.suffix)
		if !ok || !startsNumber([]byte(number)) {
			continue
		}
		v, ok := shifted([]byte(number), u.power)
		return v * u.factor, ok && v >= 0
	}
	return 0, false
}

// wrkCount reads a number with a metric suffix ("3.04k", "1.2M").
func wrkCount(text string) (float64, bool) {
	power := 0
	for i, suffix := range []string{"k", "M", "G", "T", "P"} {
		if number, ok := strings.CutSuffix(text, suffix); ok {
			text, power = number, 3*(i+1)
			break
		}
	}
	if !startsNumber([]byte(text)) {
		return 0, false
	}
	return shifted([]byte(text), power)
}

// wrkSize reads a size with a binary suffix ("5.37MB"), in bytes.
func wrkSize(text string) (float64, bool) {
	number, ok := strings.CutSuffix(text, "B")
	if !ok {
		return 0, false
	}
	factor := 1.0
	for i, suffix := range []string{"K", "M", "G", "T", "P"} {
		if n, ok := strings.CutSuffix(number, suffix); ok {
			number = n
			for range i + 1 {
				factor *= 1024
			}
			break
		}
	}
	if !startsNumber([]byte(number)) {
		return 0, false
	}
	v, ok := shifted([]byte(number), 0)
	return v * factor, ok
}
