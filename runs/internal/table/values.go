package table

import (
	"slices"
	"strings"
	"unicode/utf8"

	"headroom/runs/internal/table/encode"
)

// values holds a column of the row group that is being written, one element a
// row, in reused memory.
type values struct {
	typ      Type
	optional bool

	ints  []int64   // of an Instant or Integer; Missing is null where optional
	reals []float64 // of a Real
	codes []int32   // of a Text or Document: codes of texts, noCode is null
	texts encode.Dictionary
}

// noCode stands in the place of the code of a text that is null.
const noCode int32 = -1

func newValues(typ Type, optional bool) *values {
	return &values{typ: typ, optional: optional, texts: encode.Dictionary{Fit: fitText}}
}

// fitText makes a text one that can be stored: valid UTF-8 and bounded. (A
// Document is refused before it would be cut.)
func fitText(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return Cut(s, MaxText)
}

// fill appends the column f of rows.
func fill[R any](v *values, f *Field[R], rows []R) {
	switch f.Type {
	case Instant, Integer:
		n := len(v.ints)
		v.ints = slices.Grow(v.ints, len(rows))[:n+len(rows)]
		for i, dst := 0, v.ints[n:]; i < len(rows) && i < len(dst); i++ {
			dst[i] = *f.Int(&rows[i])
		}
	case Real:
		for i := range rows {
			v.reals = append(v.reals, *f.Real(&rows[i])+0) // + 0: there is one zero
		}
	default:
		fillTexts(v, f, rows)
	}
}

func fillTexts[R any](v *values, f *Field[R], rows []R) {
	n := len(v.codes)
	v.codes = slices.Grow(v.codes, len(rows))[:n+len(rows)]
	for i, dst := 0, v.codes[n:]; i < len(rows) && i < len(dst); i++ {
		if s := *f.Text(&rows[i]); s == "" && f.Optional {
			dst[i] = noCode
		} else {
			dst[i] = v.texts.Code(s)
		}
	}
}

// repeat makes the column n times the same text, or n times null if it is
// optional and the text is "".
func (v *values) repeat(text string, n int) {
	code := noCode
	if text != "" || !v.optional {
		code = v.texts.Code(text)
	}
	for range n {
		v.codes = append(v.codes, code)
	}
}

// repeatNull makes the optional column n times null.
func (v *values) repeatNull(n int) {
	if v.typ == Instant || v.typ == Integer {
		for range n {
			v.ints = append(v.ints, Missing)
		}
		return
	}
	v.repeat("", n)
}

// reset empties the column.
func (v *values) reset() {
	v.ints, v.reals, v.codes = v.ints[:0], v.reals[:0], v.codes[:0]
	v.texts.Reset()
}
