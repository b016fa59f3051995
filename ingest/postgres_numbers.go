package ingest

import (
	"strconv"
	"strings"

	"headroom/runs"
)

// Numbers out of PostgreSQL's messages. Each is found by the words beside it, so
// that a version that adds, drops or reorders them changes nothing.

// numberAfter returns the number that follows the first mark in s.
func numberAfter(s, mark string) (float64, bool) {
	_, after, ok := strings.Cut(s, mark)
	if !ok {
		return 0, false
	}
	return decimal(after[:decimalLength(after)])
}

// numberBefore returns the number that stands right before the first mark in s.
func numberBefore(s, mark string) (float64, bool) {
	i := strings.Index(s, mark)
	if i < 0 {
		return 0, false
	}
	start := i
	for start > 0 && (isDigit(s[start-1]) || s[start-1] == '.') {
		start--
	}
	return decimal(s[start:i])
}

// durationAfter returns the seconds that follow mark, "1.25 s" or "1.25 sec", in ns.
func durationAfter(s, mark string) (int64, bool) {
	_, after, ok := strings.Cut(s, mark)
	if !ok {
		return 0, false
	}
	n := decimalLength(after)
	if n == 0 || !strings.HasPrefix(after[n:], " s") {
		return 0, false
	}
	return scaled([]byte(after[:n]), 9)
}

// cutMillis reads "12.345 ms" at the start of s, in ns, and returns what follows.
func cutMillis(s string) (ns int64, rest string, ok bool) {
	n := decimalLength(s)
	if n == 0 || !strings.HasPrefix(s[n:], " ms") {
		return 0, "", false
	}
	ns, ok = scaled([]byte(s[:n]), 6)
	return ns, s[n+len(" ms"):], ok
}

// decimalLength returns the length of the digits, with at most one point among
// them, that s begins with.
func decimalLength(s string) int {
	point := false
	for i := range len(s) {
		switch {
		case isDigit(s[i]):
		case s[i] == '.' && !point && i > 0 && i+1 < len(s) && isDigit(s[i+1]):
			point = true
		default:
			return i
		}
	}
	return len(s)
}

func decimal(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && s != ""
}

// seconds turns nanoseconds into the nearest float of seconds.
func seconds(ns int64) float64 { return float64(ns) / 1e9 }

// systemUsage reads what pg_rusage_show writes: "CPU: user: 4.10 s, system: 2.20
// s, elapsed: 68.40 s", until 9.6 "CPU 0.00s/0.01u sec elapsed 0.08 sec". It
// returns the elapsed time in ns.
func systemUsage(s string, a *attrs) int64 {
	if ns, ok := durationAfter(s, "user: "); ok {
		a.number("cpu_user", seconds(ns))
	}
	if ns, ok := durationAfter(s, "system: "); ok {
		a.number("cpu_system", seconds(ns))
	}
	ns, ok := durationAfter(s, "elapsed: ")
	if !ok {
		ns, ok = durationAfter(s, "elapsed ")
	}
	if !ok {
		return runs.Missing
	}
	a.number("elapsed", seconds(ns))
	return ns
}
