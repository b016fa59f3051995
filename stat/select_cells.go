package stat

import "slices"

// manyInts is the number of integers from which counting them by cells is quicker
// than selecting among them.
const manyInts = 2048

// ranksOfMany finds the values of ranks among integers that are not negative: it
// counts them by the cells of Selection, and sorts those of the cells that hold a
// rank. ok is false where that is no short cut: a value is negative, or most are in
// those cells.
func ranksOfMany(x []int64, ranks []int, out []int64) (ok bool) {
	var counts [cellsAll]uint32
	for _, v := range x {
		if v < 0 {
			return false
		}
		counts[cellOf(v)]++
	}
	var wanted []int64
	for i, rank := range ranks {
		cell, before := 0, 0
		for ; before+int(counts[cell]) < rank; cell++ {
			before += int(counts[cell])
		}
		if int(counts[cell]) > len(x)/4 {
			return false
		}
		low, width := boundsOf(1, cell)
		if width == 0 {
			out[i] = low
			continue
		}
		wanted = wanted[:0]
		for _, v := range x {
			if uint64(v-low)>>width == 0 {
				wanted = append(wanted, v)
			}
		}
		slices.Sort(wanted)
		out[i] = wanted[rank-before-1]
	}
	return true
}
