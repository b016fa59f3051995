package encode

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Of the hybrid of run lengths and bit packing: values come in groups of eight,
// and a run is worth its header once it fills a group.
const (
	group = 8
	// packedGroups is the most groups under one header, so that it is one byte.
	packedGroups = 63
)

// Width returns the bits that numbers below n need: one at least, for not every
// reader takes none.
func Width(n int) int { return max(1, bits.Len(uint(max(n-1, 0)))) }

// AppendRuns appends non-negative values of width bits, at most 32, in the
// hybrid of RLE and bit packing that levels and dictionary indexes have: runs of
// eight and more as their length and the value, what lies between in groups of
// eight, packed. The last group is filled up with zeros.
func AppendRuns[T ~uint8 | ~int32](dst []byte, values []T, width int) []byte {
	for len(values) > 0 {
		if n := run(values); n >= group {
			dst = AppendRun(dst, values[0], n, width)
			values = values[n:]
			continue
		}
		header, groups := len(dst), 0
		dst = append(slices.Grow(dst, 1+packedGroups*width+8), 0)
		for groups < packedGroups && len(values) > 0 && run(values) < group {
			n := min(group, len(values))
			dst = packGroup(dst, values[:n], width)
			values = values[n:]
			groups++
		}
		dst[header] = byte(groups<<1 | 1)
	}
	return dst
}

// AppendRun appends n times one value; n is not 0.
func AppendRun[T ~uint8 | ~int32](dst []byte, value T, n, width int) []byte {
	dst = binary.AppendUvarint(dst, uint64(n)<<1)
	for i := 0; i < width; i += 8 {
		dst = append(dst, byte(uint32(value)>>i))
	}
	return dst
}

// run returns how many of the values are equal to the first.
func run[T ~uint8 | ~int32](values []T) int {
	first, n := values[0], 1
	for n < len(values) && values[n] == first {
		n++
	}
	return n
}

// packGroup appends up to eight values with width bits each, the least
// significant first. dst has room for them and a word more.
func packGroup[T ~uint8 | ~int32](dst []byte, values []T, width int) []byte {
	start := len(dst)
	out := dst[start : start+width+8]
	word, used, at := uint64(0), 0, 0
	for _, v := range values {
		word |= uint64(uint32(v)) << used
		if used += width; used >= 32 { // 32 bits leave room for the next value
			binary.LittleEndian.PutUint32(out[at:], uint32(word))
			at += 4
			used -= 32
			word >>= 32
		}
	}
	binary.LittleEndian.PutUint64(out[at:], word)
	// What follows the last value is zero: the group may be only partly filled.
	if end := at + 8; end < width {
		clear(out[end:width])
	}
	return dst[:start+width]
}
