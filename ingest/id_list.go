package ingest

import (
	"bytes"
	"strconv"
	"strings"

	"headroom/runs"
)

// IDList reads lists of what the system holds.
var IDList = &Importer{
	Name: "id-list",
	Doc: `List of ids: what the system holds after the load, one id a line

Recognised by lines of one word each, all of letters, digits, - and _, of one
length or nearly, nine in ten with a digit and a letter: batch numbers, UUIDs.
The ids of the run's samples are looked up in it, so that what was acknowledged
and is not there is found though the counts may agree. Counted are the ids
(ids.listed, each once), the samples that are ok and not listed
(ids.acknowledged_missing), and the listed ids that no sample has that is ok
(ids.listed_unacknowledged).

Samples without an id are not looked up; if none has one, nothing is compared.`,
	Gives: []string{"manifest: after"},
	Lacks: []string{"when the list was taken", "what the ids hold"},
	Sniff: sniffIDList,
	Read:  readIDList,
}

// Bounds of an id list.
const (
	idLength   = 128     // the longest id, in bytes
	idMost     = 4 << 20 // the most ids that are kept
	idSniffed  = 5       // fewer lines than these are no list
	idLengthen = 2       // how much the lengths of ids differ, for numbers that grow
)

func sniffIDList(head []byte) bool {
	lines, mixed, shortest, longest := 0, 0, idLength, 0
	for line := range bytes.Lines(head) {
		whole := bytes.HasSuffix(line, []byte("\n"))
		line = bytes.TrimSpace(line)
		if len(line) == 0 || !whole && len(head) >= HeadSize {
			continue
		}
		id, both := isID(line)
		if !id {
			return false
		}
		lines++
		if both {
			mixed++
		}
		shortest, longest = min(shortest, len(line)), max(longest, len(line))
	}
	return lines >= idSniffed && longest-shortest <= idLengthen && mixed*10 >= lines*9
}

// isID reports whether a line is one id, and whether that has both a digit and a
// letter, as all but few random ones have.
func isID(line []byte) (id, both bool) {
	digit, letter := false, false
	for _, c := range line {
		switch {
		case isDigit(c):
			digit = true
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '_':
			letter = true
		default:
			return false, false
		}
	}
	return len(line) <= idLength, digit && letter
}

func readIDList(in *Input, _ Sink) error {
	list := &idList{ids: map[string]bool{}}
	twice := 0
	l := in.Lines()
	for l.Next() {
		line := bytes.TrimSpace(l.Bytes())
		id, _ := isID(line)
		switch {
		case len(line) == 0:
		case !id:
			if err := in.BadAt(l, "%q is no id", clip(string(line))); err != nil {
				return err
			}
		case len(list.ids) >= idMost:
			list.full = true
		default:
			if _, ok := list.ids[string(line)]; ok {
				twice++
			}
			list.ids[string(line)] = false
		}
	}
	if err := l.Finish(); err != nil {
		return err
	}
	if twice > 0 {
		in.Note("%d ids are there more than once and count once", twice)
	}
	if list.full {
		in.Note("more than %d ids: the samples are not looked up in them", idMost)
	}
	in.Meta.Listed = list
	return nil
}

// idList is what the system holds, by id; true for those that a sample that is
// ok has.
type idList struct {
	ids  map[string]bool
	full bool // some were left out

	acknowledged, missing int
}

// and joins two lists; the other may be nil.
func (l *idList) and(other *idList) *idList {
	if other == nil {
		return l
	}
	for id := range l.ids {
		other.ids[id] = false
	}
	other.full = other.full || l.full || len(other.ids) > idMost
	return other
}

// look looks the id of a sample up.
func (l *idList) look(s *runs.Sample) {
	if s.ID == "" || s.Outcome != runs.OK {
		return
	}
	l.acknowledged++
	if _, ok := l.ids[strings.TrimSpace(s.ID)]; ok {
		l.ids[s.ID] = true
	} else {
		l.missing++
	}
}

// fold writes what the comparison gave beside the counts taken after the load.
func (l *idList) fold(m *runs.Manifest) {
	if l == nil || l.full {
		return
	}
	if m.After == nil {
		m.After = &runs.Counts{Values: map[string]string{}}
	}
	m.After.Values["ids.listed"] = strconv.Itoa(len(l.ids))
	if l.acknowledged == 0 {
		m.Notes = append(m.Notes, "the list of ids is compared with nothing: no sample that is ok has an id")
		return
	}
	unknown := 0
	for _, seen := range l.ids {
		if !seen {
			unknown++
		}
	}
	for name, n := range map[string]int{
		"ids.acknowledged": l.acknowledged, "ids.acknowledged_missing": l.missing, "ids.listed_unacknowledged": unknown,
	} {
		m.After.Values[name] = strconv.Itoa(n)
	}
}
