package stat

import "slices"

// Sliding holds the values of a window that moves: the oldest leave as new ones
// come. It finds any order statistic of what it holds, exactly; one that moves
// little from one look to the next costs a few steps.
//
// Values are counted in the cells of Selection. Those of the cells about the rank
// that was asked for last are kept in order besides.
type Sliding struct {
	queue []int64 // in order of coming; the first gone have left
	gone  int

	counts *[cellsAll]int32
	at     int // a cell
	below  int // values in the cells before it

	sorted   []int64 // the values of the cells from up to to
	from, to int
}

// near is how many cells on each side of the rank's are kept in order.
const near = 3

// NewSliding returns an empty window.
func NewSliding() *Sliding { return &Sliding{counts: new([cellsAll]int32)} }

// Len returns how many values the window holds.
func (s *Sliding) Len() int { return len(s.queue) - s.gone }

// Push adds a value, which must not be negative.
func (s *Sliding) Push(v int64) {
	if s.gone > len(s.queue)/2 {
		s.queue = slices.Delete(s.queue, 0, s.gone)
		s.gone = 0
	}
	s.queue = append(s.queue, v)
	c := cellOf(v)
	s.counts[c]++
	if c < s.at {
		s.below++
	}
	if c >= s.from && c < s.to {
		s.sorted = slices.Insert(s.sorted, s.behind(v), v)
	}
}

// Pop takes the oldest value out.
func (s *Sliding) Pop() {
	v := s.queue[s.gone]
	s.gone++
	c := cellOf(v)
	s.counts[c]--
	if c < s.at {
		s.below--
	}
	if c >= s.from && c < s.to {
		i := s.behind(v)
		s.sorted = slices.Delete(s.sorted, i-1, i)
	}
}

// behind is where the sorted values above v begin: equal ones come and go there,
// where the fewest have to move.
func (s *Sliding) behind(v int64) int {
	i, _ := slices.BinarySearchFunc(s.sorted, v, func(have, v int64) int {
		if have <= v {
			return -1
		}
		return 1
	})
	return i
}

// At returns the value of a rank, from 1 to Len.
func (s *Sliding) At(rank int) int64 {
	for s.below >= rank {
		s.at--
		s.below -= int(s.counts[s.at])
	}
	for s.below+int(s.counts[s.at]) < rank {
		s.below += int(s.counts[s.at])
		s.at++
	}
	if s.at < s.from || s.at >= s.to {
		s.sort()
	}
	i := rank - s.below - 1 // in the cell
	for c := s.from; c < s.at; c++ {
		i += int(s.counts[c])
	}
	return s.sorted[i]
}

// sort puts the values of the cells about the current one in order.
func (s *Sliding) sort() {
	s.from, s.to = max(s.at-near, 0), min(s.at+near+1, cellsAll)
	s.sorted = s.sorted[:0]
	for _, v := range s.queue[s.gone:] {
		if c := cellOf(v); c >= s.from && c < s.to {
			s.sorted = append(s.sorted, v)
		}
	}
	slices.Sort(s.sorted)
}
