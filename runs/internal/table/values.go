package table

import (
	"strings"
	"unicode/utf8"
	"unsafe"

	"headroom/runs/internal/table/encode"
)

// values holds a column of the row group that is being written. Most columns of
// most files hold one value in all rows: as long as that is so, a row costs a
// comparison, and the column no memory.
type values struct {
	typ      Type
	optional bool

	// same rows hold the first value, and there is nothing in the slices; else
	// same is 0 and there is an element for every row.
	same  int
	ints  []int64 // of an Instant or Integer; Missing is null where optional
	first int64
	codes []int32 // of a Text or Document: codes of texts, noCode is null
	code  int32   // of the first text

	reals []float64 // of a Real: all of them
	texts encode.Dictionary
	last  string // the text before, as it came, and
	now   int32  // its code
}

// noCode stands in the place of the code of a text that is null.
const noCode int32 = -1

// newValues returns an empty column of a type; size counts the bytes of its
// texts, with those of other columns.
func newValues(typ Type, optional bool, size *int) *values {
	return &values{typ: typ, optional: optional, texts: encode.Dictionary{Fit: fitText, Size: size}, now: noCode}
}

// fitText makes a text one that can be stored: valid UTF-8 and bounded. (A
// Document is refused before it would be cut.)
func fitText(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return Cut(s, MaxText)
}

// addInt appends a number.
func (v *values) addInt(n int64) {
	if n == v.first && v.same > 0 {
		v.same++
		return
	}
	v.addOther(n)
}

// addOther appends a number that is not that of all rows before.
func (v *values) addOther(n int64) {
	if v.same > 0 {
		for range v.same {
			v.ints = append(v.ints, v.first)
		}
		v.same = 0
	} else if len(v.ints) == 0 {
		v.first, v.same = n, 1
		return
	}
	v.ints = append(v.ints, n)
}

// addReal appends a number with a fraction.
func (v *values) addReal(x float64) {
	v.reals = append(v.reals, x+0) // + 0: there is one zero
}

// Where the first apartTexts texts of a column stand in hardly more rows than
// that, the rest is not looked up (see encode.Dictionary.Apart).
const apartTexts = 2 << 10

// addText appends a text. One that lies in memory where the one before lies is
// that one.
func (v *values) addText(s string) {
	if v.same > 0 && len(s) == len(v.last) && unsafe.StringData(s) == unsafe.StringData(v.last) {
		v.same++
		return
	}
	v.addOtherText(s)
}

func (v *values) addOtherText(s string) {
	code := noCode
	switch {
	case s == "" && v.optional:
	case len(s) == len(v.last) && unsafe.StringData(s) == unsafe.StringData(v.last) && v.now != noCode:
		code = v.now
	default:
		code = v.texts.Code(s)
		if v.texts.Len() == apartTexts && len(v.codes) < apartTexts+apartTexts/8 {
			v.texts.Apart()
		}
	}
	v.last, v.now = s, code
	v.addCode(code)
}

// addCode appends the code of a text, or noCode for null.
func (v *values) addCode(code int32) {
	switch {
	case v.same > 0 && code == v.code:
		v.same++
		return
	case v.same > 0:
		for range v.same {
			v.codes = append(v.codes, v.code)
		}
		v.same = 0
	case len(v.codes) == 0:
		v.code, v.same = code, 1
		return
	}
	v.codes = append(v.codes, code)
}

// repeatNull makes an optional column null in so many rows.
func (v *values) repeatNull(rows int) {
	v.first, v.code, v.same = Missing, noCode, rows
}

// repeatText makes a column the same text in so many rows.
func (v *values) repeatText(text string, rows int) {
	v.addText(text)
	v.same = rows
}

// reset empties the column.
func (v *values) reset() {
	v.same, v.ints, v.codes, v.reals = 0, v.ints[:0], v.codes[:0], v.reals[:0]
	v.texts.Reset()
	v.last, v.now = "", noCode
}
