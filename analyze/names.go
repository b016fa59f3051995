package analyze

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

// sortedNames are the keys of a map in their order.
func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// merged are the keys of both maps.
func merged(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// numericFirst sorts texts by the numbers that they are, words after numbers.
func numericFirst(set map[string]bool) []string {
	out := slices.Collect(maps.Keys(set))
	slices.SortFunc(out, func(a, b string) int {
		x, errX := strconv.ParseFloat(a, 64)
		y, errY := strconv.ParseFloat(b, 64)
		switch {
		case errX == nil && errY == nil:
			return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
		case errX == nil:
			return -1
		case errY == nil:
			return 1
		}
		return cmp.Compare(a, b)
	})
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// nonEmpty are the texts that say something.
func nonEmpty(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// stamp is an instant as day and time of day, to the second.
func stamp(instant string) string {
	if len(instant) < len("2006-01-02T15:04:05") {
		return instant
	}
	return instant[:len("2006-01-02")] + " " + instant[len("2006-01-02T"):len("2006-01-02T15:04:05")]
}
