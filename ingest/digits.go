package ingest

import (
	"encoding/binary"
	"math/bits"
)

// digits reads the whole number, of up to 18 digits, that stands at b[i:] and
// returns it with the place behind it. That is i where no digit stands there,
// and where more than 18 do.
//
// Eight digits are read at a time: as one word, of which the bytes that are no
// digits are shifted out.
func digits(b []byte, i int) (n int64, end int) {
	end = i
	for end+8 <= len(b) && end-i <= 8 {
		word := binary.LittleEndian.Uint64(b[end:]) ^ 0x3030303030303030 // a digit becomes its value
		// The high bit of a byte that is above 9. A carry out of one falsifies
		// only those behind it.
		other := (word + 0x7676767676767676 | word) & 0x8080808080808080
		k := bits.TrailingZeros64(other) / 8
		n, end = n*powersOf10[k]+eightDigits(word<<(64-8*k)), end+k
		if k < 8 {
			return n, end
		}
	}
	for end < len(b) && isDigit(b[end]) {
		if end-i == 18 {
			return 0, i
		}
		n = n*10 + int64(b[end]-'0')
		end++
	}
	return n, end
}

// eightDigits returns the number whose digits are the bytes of word, the first
// in the lowest. Neighbours are joined: first digits, then pairs, then fours.
func eightDigits(word uint64) int64 {
	const mask = 0x000000FF000000FF
	word = word*10 + word>>8
	return int64(((word&mask)*(100+1000000<<32) + (word>>16&mask)*(1+10000<<32)) >> 32)
}

var powersOf10 = [...]int64{1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000}

// numbered shares the words that are small numbers, found by the number: names
// of clients, threads and scripts.
type numbered []string

// maxNumbered bounds the numbers that are kept.
const maxNumbered = 1 << 12

// word returns text, whose value is n, as a string that other rows share.
func (w *numbered) word(n int64, text []byte, shared intern) string {
	if n < int64(len(*w)) && (*w)[n] == string(text) {
		return (*w)[n]
	}
	s := shared.text(text)
	if n < maxNumbered {
		for int64(len(*w)) <= n {
			*w = append(*w, "")
		}
		(*w)[n] = s
	}
	return s
}
