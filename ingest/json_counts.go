package ingest

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
)

// JSONCounts reads counts taken from the system, as one JSON object.
var JSONCounts = &Importer{
	Name: "json-counts",
	Doc: `Counts from the system: one JSON object

An object of names with numbers and one stamp, as a script writes it after asking
a database or an API: {"at": "…Z", "collection": "Posts", "count": 17012}. By a
number alone it is not told from other objects: without a stamp it is read where it
is given as counts (--before, --after) or by its format (--as json-counts). Members
that are words name what was counted: they stand in front of the names of the
numbers, so that the count above is Posts.count as well as count. Anything deeper,
a list, a second stamp, or a level and a message as of a log, is another format.
null is missing, and not zero.

Whether the counts were taken before or after the load is said when they are
given, or follows from their stamps.`,
	Gives: []string{"manifest: before, after"},
	Lacks: []string{"what changed in between"},
	Sniff: func(head []byte) bool {
		if len(head) >= jsonCountsMax {
			return false
		}
		c, err := parseJSONCounts(head)
		return err == nil && c.stamp != ""
	},
	Read: readJSONCounts,
}

// jsonCountsMax is the size of a file that is larger than any counts, in bytes.
const jsonCountsMax = 16 << 10

func readJSONCounts(in *Input, _ Sink) error {
	var c countsRow
	err := in.eachJSON(func(w *jsonWalk) error {
		raw, err := w.raw()
		if err != nil {
			return err
		}
		if c.values != nil {
			err = errors.New("a second object")
		} else {
			c, err = parseJSONCounts(raw)
		}
		if err != nil { // the object is whole, and there is no other to go on with
			return &SyntaxError{in.Name, w.at(), plainly(err.Error()) + "; " + countsForm}
		}
		return nil
	})
	if err != nil || len(c.values) == 0 {
		return err
	}
	return c.fold(in)
}

// parseJSONCounts reads the members of a flat object. One without a stamp holds
// counts only if it was given as such.
func parseJSONCounts(text []byte) (countsRow, error) {
	c := countsRow{values: map[string]string{}}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return c, err
	}
	var words []string
	for name, raw := range members {
		value := strings.TrimSpace(string(raw))
		switch {
		case appLevels[name] || appMessages[name]:
			return c, shapeError("it is a record of a log")
		case isNumber(value):
			c.values[name] = value
		case value == "null":
			c.empty = append(c.empty, name)
		case strings.HasPrefix(value, `"`):
			var word string
			_ = json.Unmarshal(raw, &word) // it was read once
			if isDate([]byte(word)) {
				if c.stamp != "" {
					return c, shapeError("there is a second stamp")
				}
				c.stamp = word
			} else {
				words = append(words, word)
			}
		default:
			return c, shapeError("counts are numbers, words and a stamp")
		}
	}
	if findPGView(slices.Collect(maps.Keys(members))) != nil {
		return c, shapeError("it is a row of a view of PostgreSQL")
	}
	if len(c.values) == 0 {
		return c, shapeError("no member is a number")
	}
	slices.Sort(words)
	slices.Sort(c.empty)
	if prefix := strings.Join(words, "."); prefix != "" {
		for name, value := range maps.Clone(c.values) {
			c.values[cutTag(prefix)+"."+name] = value
		}
	}
	return c, nil
}
