package encode

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// The shape of DELTA_BINARY_PACKED: blocks of 128 values in four miniblocks,
// each of which has a width of its own. It is what every writer uses.
const (
	blockValues = 128
	miniblocks  = 4
	miniValues  = blockValues / miniblocks
)

// maxBlock is the most bytes of a block: its least delta, the widths of its
// miniblocks and 64 bits a value; one word more, since words are stored whole.
const maxBlock = binary.MaxVarintLen64 + miniblocks + 8*blockValues + 8

// AppendDelta appends values in the encoding DELTA_BINARY_PACKED: the first as
// it is, of the others the difference to the one before, less the least
// difference of the block, in as few bits as the largest of a miniblock needs.
// Differences wrap around, as the format says.
func AppendDelta(dst []byte, values []int64) []byte {
	if len(values) == 0 {
		return appendHeader(dst, 0, 0)
	}
	dst = appendHeader(dst, len(values), values[0])
	for last := 0; last < len(values)-1; last += blockValues {
		block := values[last:min(last+blockValues+1, len(values))]
		dst = appendBlock(slices.Grow(dst, maxBlock), block)
	}
	return dst
}

// AppendSame is AppendDelta for n times the same value.
func AppendSame(dst []byte, value int64, n int) []byte {
	dst = appendHeader(dst, n, value)
	for last := 0; last < n-1; last += blockValues {
		dst = append(dst, 0, 0, 0, 0, 0) // the least delta, and four widths
	}
	return dst
}

func appendHeader(dst []byte, n int, first int64) []byte {
	dst = binary.AppendUvarint(dst, blockValues)
	dst = binary.AppendUvarint(dst, miniblocks)
	dst = binary.AppendUvarint(dst, uint64(n))
	return binary.AppendVarint(dst, first)
}

// appendBlock appends the differences between neighbours of values: 2 to 129 of
// them. dst has room for the block.
func appendBlock(dst []byte, values []int64) []byte {
	var deltas [blockValues]uint64
	n := len(values) - 1
	before, least := values[0], values[1]-values[0]
	for i, v := range values[1:] {
		d := v - before
		deltas[i] = uint64(d)
		least = min(least, d)
		before = v
	}
	dst = binary.AppendVarint(dst, least)
	widths := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	for m := 0; m*miniValues < n; m++ {
		mini := (*[miniValues]uint64)(deltas[m*miniValues:])
		all := uint64(0)
		for i := range min(miniValues, n-m*miniValues) {
			mini[i] -= uint64(least)
			all |= mini[i]
		}
		width := bits.Len64(all)
		dst[widths+m] = byte(width)
		dst = pack(dst, mini, width)
	}
	return dst
}

// pack appends a miniblock with width bits a value, the least significant first.
func pack(dst []byte, values *[miniValues]uint64, width int) []byte {
	start := len(dst)
	out := dst[start : start+4*width+8]
	word, used, at := uint64(0), 0, 0
	for _, v := range values {
		word |= v << used
		if used += width; used >= 64 {
			binary.LittleEndian.PutUint64(out[at:], word)
			at += 8
			used -= 64
			word = v >> (width - used)
		}
	}
	binary.LittleEndian.PutUint64(out[at:], word)
	return dst[:start+4*width]
}
