package ingest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// unnamedWords counts the words of an outcome that neither the mapping nor HTTP
// explains, and which therefore count as failures: "OK" may well be none. A number
// that is no HTTP status, as 0 for no answer, needs no explanation.
type unnamedWords struct {
	rows  map[string]int64
	other int64 // rows of words beyond maxUnnamed
}

// maxUnnamed is how many different words are told apart.
const maxUnnamed = 8

func (u *unnamedWords) add(word string) {
	if u.rows == nil {
		u.rows = map[string]int64{}
	}
	if _, known := u.rows[word]; !known && len(u.rows) >= maxUnnamed {
		u.other++
		return
	}
	u.rows[strings.Clone(word)]++
}

func (u *unnamedWords) note(in *Input) {
	if len(u.rows) == 0 {
		return
	}
	var list []string
	for _, word := range slices.Sorted(maps.Keys(u.rows)) {
		list = append(list, fmt.Sprintf("%q in %d", clip(word), u.rows[word]))
	}
	if u.other > 0 {
		list = append(list, fmt.Sprintf("others in %d", u.other))
	}
	in.Note("rows counted as failed because their outcome is no HTTP status and the mapping does not name it: %s; list what is no failure under outcome: {ok: […]}", strings.Join(list, ", "))
}

func isHTTPStatus(text string) bool {
	return len(text) == 3 && isDigits([]byte(text))
}
