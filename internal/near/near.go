// Package near finds the names that a mistyped one was meant to be. Errors end in
// what it says.
package near

import (
	"slices"
	"strings"
)

// most is how many names are suggested.
const most = 3

// Names returns the names nearest to a word, all at one distance, three at most: of
// those with at most a third of the word's letters wrong and one more (one letter
// of words of two), whatever their case, and those of which one is a part of the other, from
// three letters on. They keep their order.
func Names(word string, names []string) []string {
	type guess struct {
		name string
		d    int
	}
	var list []guess
	lower := strings.ToLower(word)
	room := 1
	if len(word) >= 3 {
		room = len(word)/3 + 1
	}
	if word == "" {
		return nil
	}
	for _, n := range names {
		other := strings.ToLower(n)
		d := distance(lower, other)
		if len(lower) >= 3 && (strings.Contains(other, lower) || len(other) >= 3 && strings.Contains(lower, other)) {
			d = min(d, room)
		}
		if g := (guess{n, d}); d <= room && !slices.Contains(list, g) {
			list = append(list, g)
		}
	}
	slices.SortStableFunc(list, func(a, b guess) int { return a.d - b.d })
	var out []string
	for _, g := range list[:min(most, len(list))] {
		if g.d == list[0].d { // one that is nearer leaves no doubt
			out = append(out, g.name)
		}
	}
	return out
}

// DidYouMean is the end of an error about a name that does not exist: "; did you
// mean a, b or c?", or nothing if no name is near.
func DidYouMean(word string, names []string) string {
	switch out := Names(word, names); len(out) {
	case 0:
		return ""
	case 1:
		return "; did you mean " + out[0] + "?"
	default:
		return "; did you mean " + strings.Join(out[:len(out)-1], ", ") + " or " + out[len(out)-1] + "?"
	}
}

// distance is the Levenshtein distance between a and b, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
