package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// checkRuns checks that RLE/bit-packed runs hold the values a page claims and
// no more than the padding of the last one, before they are decoded.
func checkRuns(data []byte, bits, values int) error {
	if bits > 32 {
		return fmt.Errorf("runs of %d bits a value", bits)
	}
	total := 0
	for len(data) > 0 {
		u, n := binary.Uvarint(data)
		if n <= 0 || u > math.MaxInt32 {
			return errors.New("run of a length that cannot be")
		}
		data = data[n:]
		count, size := int(u>>1), (bits+7)/8
		if u&1 == 1 {
			count, size = 8*count, count*bits
		}
		if total += count; size > len(data) || total > values+7 {
			return fmt.Errorf("runs hold more than the page's %d values, or are cut", values)
		}
		data = data[size:]
	}
	if total < values {
		return fmt.Errorf("runs hold %d of %d values", total, values)
	}
	return nil
}

// checkDelta checks that a delta-packed page holds as many values as its header
// claims: the third of the numbers it begins with.
func checkDelta(data []byte, values int) error {
	var total uint64
	for range 3 {
		u, n := binary.Uvarint(data)
		if n <= 0 {
			return errors.New("delta header is cut")
		}
		total, data = u, data[n:]
	}
	if total != uint64(values) {
		return fmt.Errorf("delta page of %d values, its header says %d", values, total)
	}
	return nil
}
