package encode

import "unsafe"

// Dictionary gives texts codes in the order in which they come, from 0. Its zero
// value is ready to use.
//
// Importers hand the same strings again and again. A text that lies where one
// lay before is that one, and needs neither hash nor comparison: only new
// strings are looked up by what they say.
type Dictionary struct {
	// Fit returns the text that is stored for one that comes for the first time;
	// nil: the text itself.
	Fit func(string) string
	// Size is raised by the length of every such text; nil: nothing is counted.
	Size *int

	apart  bool // texts are not looked up any more
	texts  []string
	codes  map[string]int32
	recent [recentTexts]recentText
}

// Of how many places in memory the text is remembered, a power of two, and of
// how long texts at most: what is remembered is not let go.
const (
	recentTexts = 256
	recentBytes = 1 << 10
)

type recentText struct {
	data *byte // keeps the memory alive, so that no other text comes to lie there
	len  int
	code int32
}

// Code returns the code of a text.
func (d *Dictionary) Code(text string) int32 {
	if d.apart {
		return d.last(text)
	}
	data := unsafe.StringData(text)
	place := uintptr(unsafe.Pointer(data))
	r := &d.recent[(place^place>>5^place>>13)%recentTexts]
	if r.data == data && r.len == len(text) && data != nil {
		return r.code
	}
	code := d.lookup(text)
	if len(text) <= recentBytes {
		*r = recentText{data, len(text), code}
	}
	return code
}

func (d *Dictionary) lookup(text string) int32 {
	if code, ok := d.codes[text]; ok {
		return code
	}
	if d.Fit != nil {
		text = d.Fit(text)
		if code, ok := d.codes[text]; ok {
			return code
		}
	}
	if d.codes == nil {
		d.codes = map[string]int32{}
	}
	d.codes[text] = int32(len(d.texts))
	return d.add(text)
}

// Apart gives each text a code of its own from now on, unless it is the one
// added last: for columns in which nearly every row says something else, where
// looking up costs more than all the rest. A text may then be in the dictionary
// twice, which the format allows. (Nothing depends on where a text lies any more:
// the same texts would give other codes.)
func (d *Dictionary) Apart() {
	d.apart = true
	clear(d.codes)
	clear(d.recent[:])
}

// last is Code of a dictionary whose texts are apart.
func (d *Dictionary) last(text string) int32 {
	if d.Fit != nil {
		text = d.Fit(text)
	}
	if n := len(d.texts); n > 0 && d.texts[n-1] == text {
		return int32(n - 1)
	}
	return d.add(text)
}

func (d *Dictionary) add(text string) int32 {
	code := int32(len(d.texts))
	d.texts = append(d.texts, text)
	if d.Size != nil {
		*d.Size += len(text)
	}
	return code
}

// Len returns how many texts there are.
func (d *Dictionary) Len() int { return len(d.texts) }

// Bounds returns the least and the greatest text, by their bytes. There must be
// one.
func (d *Dictionary) Bounds() (least, greatest string) {
	least, greatest = d.texts[0], d.texts[0]
	for _, text := range d.texts[1:] {
		least, greatest = min(least, text), max(greatest, text)
	}
	return least, greatest
}

// Append appends the texts in the encoding PLAIN, as a dictionary page holds
// them.
func (d *Dictionary) Append(dst []byte) []byte {
	for _, text := range d.texts {
		dst = AppendText(dst, text)
	}
	return dst
}

// Reset forgets all texts, and lets go of their memory. What Size counts stays.
func (d *Dictionary) Reset() {
	clear(d.texts)
	d.texts, d.apart = d.texts[:0], false
	clear(d.codes)
	clear(d.recent[:])
}
