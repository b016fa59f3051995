package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"headroom/analyze"
	"headroom/render"
)

// CapacityFile is the file of a document that holds all its values.
const CapacityFile = "capacity.json"

// Compare names every place where the files of a document differ from what they
// must be. c is the capacity that want was built from.
func Compare(have, want map[string][]byte, c *analyze.Capacity) []Difference {
	var out []Difference
	for _, name := range slices.Sorted(maps.Keys(want)) {
		got, ok := have[name]
		if !ok {
			out = append(out, Difference{File: name, Kind: Missing})
			continue
		}
		out = append(out, compareFile(name, got, want[name], c)...)
	}
	return out
}

// compareFile compares one file. Of capacity.json the seal is only looked at if
// all before it is equal: it differs whenever anything does.
func compareFile(name string, have, want []byte, c *analyze.Capacity) []Difference {
	have = bytes.ReplaceAll(have, []byte("\r\n"), []byte("\n"))
	if bytes.Equal(have, want) {
		return nil
	}
	if name == CapacityFile {
		sealed, okHave := render.ReadSeal(have)
		fresh, okWant := render.ReadSeal(want)
		if okHave && okWant && !bytes.Equal(sealed.Body, fresh.Body) {
			have, want = sealed.Body, fresh.Body
		}
	}
	a, b := lines(have), lines(want)
	context := newContext(name, b, c)
	var out []Difference
	last := 0 // line of the document before
	for _, p := range align(a, b) {
		switch {
		case p.have < 0:
			out = append(out, Difference{File: name, Line: last + 1, Kind: Line, Want: short(b[p.want]), What: context.what(p.want, "")})
			continue
		case p.want < 0:
			out = append(out, Difference{File: name, Line: p.have + 1, Kind: Line, Got: short(a[p.have])})
		case a[p.have] != b[p.want]:
			for _, d := range compareLine(a[p.have], b[p.want]) {
				d.File, d.Line = name, p.have+1
				d.What = context.what(p.want, d.Want)
				out = append(out, d)
			}
		}
		last = p.have + 1
	}
	return out
}

func lines(data []byte) []string {
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// tokens are numbers with their inner marks, words, runs of blanks, and other
// characters one by one.
var tokens = regexp.MustCompile(`[−-]?\pN+(?:[.,:]\pN+)*|\pL+|\s+|[^\pN\pL\s]`)

// compareLine names the numbers, and where there are none the words, in which a
// line differs.
func compareLine(have, want string) (out []Difference) {
	if len(have)+len(want) > maxLine {
		return []Difference{{Kind: Words, Got: short(have), Want: short(want)}}
	}
	a, b := tokens.FindAllString(have, -1), tokens.FindAllString(want, -1)
	columns := make([]int, len(a)+1)
	columns[0] = 1
	for i, t := range a {
		columns[i+1] = columns[i] + utf8.RuneCountInString(t)
	}
	for _, c := range changes(a, b) {
		d := Difference{Kind: Words, Column: columns[c.at], Got: short(c.got), Want: short(c.want)}
		if c.numeric {
			d.Kind = Number
		}
		out = append(out, d)
	}
	if len(out) == 0 { // only blanks, or bytes that are no text
		out = append(out, Difference{Kind: Words, Got: short(have), Want: short(want)})
	}
	return out
}

// change is a stretch of a line that is another.
type change struct {
	at        int // index of its first token
	got, want string
	numeric   bool // one number stands for another
}

// gap is how many blanks and marks may stand between two changes that are one: a
// sentence that is another is one place, not one for each of its words.
const gap = 3

// changes lists the stretches in which two lines differ. A number that stands for
// another is a change by itself.
func changes(a, b []string) (out []change) {
	at, next := 0, 0 // index of the token at hand, or of the one before which some are missing
	between := ""    // tokens since the last change, which are equal
	near := 0        // how many those are, more than gap if one of them is a word or number
	for _, p := range align(a, b) {
		var got, want string
		at = next
		if p.have >= 0 {
			at, next, got = p.have, p.have+1, a[p.have]
		}
		if p.want >= 0 {
			want = b[p.want]
		}
		if got == want {
			between, near = between+got, near+1
			if isNumber(got) || unicode.IsLetter([]rune(got)[0]) {
				near = gap + 1
			}
			continue
		}
		c := change{at, got, want, isNumber(got) && isNumber(want)}
		if n := len(out); n > 0 && near <= gap && !(c.numeric && out[n-1].numeric) {
			last := &out[n-1]
			last.got, last.want, last.numeric = last.got+between+got, last.want+between+want, false
		} else {
			out = append(out, c)
		}
		between, near = "", 0
	}
	return slices.DeleteFunc(out, func(c change) bool { return strings.TrimSpace(c.got+c.want) == "" }) // of blanks, the line as a whole is said
}

// maxLine is the longest pair of lines that are compared token by token, in bytes.
const maxLine = 4 << 20

func isNumber(s string) bool { return strings.ContainsFunc(s, unicode.IsNumber) }

// short is a text cut for a message.
func short(s string) string {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) <= 80 {
		return s
	}
	return string([]rune(s)[:80]) + "…"
}

// The reasons why a document cannot be held against itself.
var (
	ErrNoCapacity = errors.New("the folder has no capacity.json, so it is no document")
	ErrNoSeal     = errors.New("capacity.json has no seal: an earlier version wrote it, and what was changed in it since cannot be told; check it with the runs, or build it again")
)

// Alone holds a document against itself: capacity.json against its seal, and the
// pages against capacity.json. It returns the capacity where it can be read; a
// file that was damaged beyond reading is a difference if its seal proves it, an
// error if nothing does.
func Alone(have map[string][]byte) (list []Difference, c *analyze.Capacity, err error) {
	data, ok := have[CapacityFile]
	if !ok {
		return nil, nil, ErrNoCapacity
	}
	seal, sealed := render.ReadSeal(data)
	if sealed {
		list = checkSeal(seal)
	}
	c = new(analyze.Capacity)
	if err := json.Unmarshal(data, c); err != nil {
		if len(list) > 0 {
			return ordered(list), nil, nil
		}
		return nil, nil, errors.New(CapacityFile + ": " + err.Error())
	}
	want, err := render.Files(c, render.Options{Version: Version(have), Unfinished: true})
	if err != nil {
		if len(list) > 0 {
			return ordered(list), nil, nil
		}
		return nil, nil, err
	}
	if !sealed {
		delete(want, CapacityFile)
		return Compare(have, want, c), c, ErrNoSeal
	}
	pages := Compare(have, want, c)
	if len(list) > 0 { // the seal has named the lines of capacity.json
		pages = slices.DeleteFunc(pages, func(d Difference) bool { return d.File == CapacityFile })
	}
	return ordered(append(list, pages...)), c, nil
}

// pageFile has the footer in which a version of headroom names itself.
const pageFile = "index.md"

var footer = regexp.MustCompile(`\nMade by headroom (\S+) from recorded runs\.`)

// Version is the version of headroom that wrote a document: by the seal, else by
// the footer of its page. That another version looks at it is no difference.
func Version(have map[string][]byte) string {
	if seal, ok := render.ReadSeal(have[CapacityFile]); ok && seal.By != "" {
		return seal.By
	}
	if m := footer.FindSubmatch(have[pageFile]); m != nil {
		return string(m[1])
	}
	return ""
}

// checkSeal names the lines of capacity.json that are not as they were sealed.
func checkSeal(s render.Seal) (out []Difference) {
	if s.Sums == nil {
		return []Difference{{File: CapacityFile, Line: s.Line, Kind: Changed, What: "the seal itself"}}
	}
	now := render.Sums(s.Body)
	if slices.Equal(now, s.Sums) {
		return nil
	}
	text := lines(s.Body)
	context := newContext(CapacityFile, text, nil)
	last := 0
	for _, p := range align(written(now), written(s.Sums)) {
		switch {
		case p.have < 0:
			out = append(out, Difference{File: CapacityFile, Line: last + 1, Kind: Changed, What: "a line was taken out"})
		case p.want < 0 || now[p.have] != s.Sums[p.want]:
			out = append(out, Difference{File: CapacityFile, Line: p.have + 1, Kind: Changed, Got: short(text[p.have]), What: context.what(p.have, "")})
		}
		if p.have >= 0 {
			last = p.have + 1
		}
	}
	return out
}

// written makes sums comparable as lines.
func written(sums []uint32) []string {
	out := make([]string, 0, len(sums))
	for _, s := range sums {
		out = append(out, string([]byte{byte(s >> 24), byte(s >> 16), byte(s >> 8), byte(s)}))
	}
	return out
}
