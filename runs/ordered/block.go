package ordered

import "encoding/binary"

// blockRows is how many rows a block has at most: few enough that a column of
// one stays in the fastest cache.
const blockRows = 4096

// block is consecutive rows, column by column: each column is its least value,
// and for every row as many bytes as the largest difference from it takes, least
// byte first. A column that is the same in all rows takes none.
type block struct {
	first   int // index of its first row
	rows    int
	columns []packed
	at      place
}

// packed is a column of a block.
type packed struct {
	base   int64
	offset uint32 // of its bytes in the block
	width  uint8  // bytes a row, 0 to 8
}

// spare bytes at the end of a block let every value be read as eight bytes.
const spare = 8

// pack appends the columns to buf and returns what describes them.
func pack(buf []byte, columns [][]int64) ([]byte, []packed) {
	out := make([]packed, len(columns))
	for i, values := range columns {
		low, high := values[0], values[0]
		for _, v := range values {
			low, high = min(low, v), max(high, v)
		}
		p := packed{base: low, offset: uint32(len(buf))}
		for d := uint64(high) - uint64(low); d > 0; d >>= 8 {
			p.width++
		}
		if p.width > 0 {
			buf = appendColumn(buf, values, p)
		}
		out[i] = p
	}
	return append(buf, make([]byte, spare)...), out
}

func appendColumn(buf []byte, values []int64, p packed) []byte {
	at, width := len(buf), int(p.width)
	buf = append(buf, make([]byte, width*len(values)+spare)...)
	for _, v := range values {
		binary.LittleEndian.PutUint64(buf[at:], uint64(v)-uint64(p.base))
		at += width
	}
	return buf[:at]
}

// unpack fills dst with the values of a column from row from of the block on.
// Without data (the file failed) all are the least, so that their number and
// order are those of the rows; Space.Err tells.
func (p packed) unpack(data []byte, from int, dst []int64) {
	if p.width == 0 || data == nil {
		for i := range dst {
			dst[i] = p.base
		}
		return
	}
	width, base := int(p.width), p.base
	data = data[int(p.offset)+from*width:]
	if width > 4 {
		mask := ^uint64(0) >> (64 - 8*p.width)
		for i := range dst {
			dst[i] = base + int64(binary.LittleEndian.Uint64(data)&mask)
			data = data[width:]
		}
		return
	}
	mask := ^uint32(0) >> (32 - 8*p.width)
	for i := range dst {
		dst[i] = base + int64(binary.LittleEndian.Uint32(data)&mask)
		data = data[width:]
	}
}

// value returns the value of one row.
func (p packed) value(data []byte, row int) int64 {
	var v [1]int64
	p.unpack(data, row, v[:])
	return v[0]
}
