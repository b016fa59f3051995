package encode

import (
	"encoding/binary"
	"math"
	"slices"
)

// AppendReals appends numbers in the encoding PLAIN: IEEE 754, little-endian.
func AppendReals(dst []byte, values []float64) []byte {
	dst = slices.Grow(dst, 8*len(values))
	for _, v := range values {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	return dst
}

// AppendText appends a text in the encoding PLAIN: its length in four bytes,
// then its bytes.
func AppendText(dst []byte, text string) []byte {
	return append(binary.LittleEndian.AppendUint32(dst, uint32(len(text))), text...)
}
