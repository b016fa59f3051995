package stat

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"
)

// Selection finds exact order statistics of integers that are too many to hold.
// They are read several times, in any order: once with Add, then, after Find said
// which ranks are wanted, with Again as long as More asks for it. Two or three
// readings are usual; few values take one.
//
// The first reading counts values in cells that are 1/128 of an octave wide. Each
// further one gathers the values of the cells that hold a wanted rank, or counts
// them in 256 parts of the cell where they are too many.
type Selection struct {
	room      int // how many values are held, about
	n         int
	low, high int64
	hi, lo    int64 // the sum is hi·2³² + lo, which no order of adding changes

	held   []int64              // all values, as long as they are few
	counts [2]*[cellsAll]uint64 // of the first reading: of negative values, mirrored, and others

	cells  []cell               // ascending; those that hold a wanted rank
	marks  [2]*[cellsAll]uint16 // by cell of the first reading: 1 + index of the first of cells in it, 0 if there is none
	values map[int]int64
}

const (
	cellBits  = 7
	cellsEach = 1 << cellBits               // of an octave
	cellsAll  = (64 - cellBits) << cellBits // of all values that are not negative
	partBits  = 8                           // parts that a cell is cut into
	mostCells = math.MaxUint16 - 1          // that can be marked
)

// cellOf returns the cell of the first reading that holds v, which is not negative.
func cellOf(v int64) int {
	if v < cellsEach {
		return int(v)
	}
	width := bits.Len64(uint64(v)) - 1 - cellBits
	return width<<cellBits + int(v>>width)
}

// boundsOf returns the least value of a cell and how many bits it is wide.
func boundsOf(side, index int) (low int64, width int) {
	low = int64(index)
	if index >= cellsEach {
		width = index>>cellBits - 1
		low = int64(index-width<<cellBits) << width
	}
	if side == 0 { // mirrored: ^v of its greatest value is low
		low = ^(low + (1<<width - 1))
	}
	return low, width
}

// cell is a half-open range of values, [low, low + 2^width), that holds wanted ranks.
type cell struct {
	low    int64
	width  int   // bits
	before int   // values below low
	n      int   // values in it
	ranks  []int // wanted, from 1, among all values
	parts  []int // how many values each part holds, where they are counted
	values []int64
}

// NewSelection returns a Selection that holds about room values at most.
func NewSelection(room int) *Selection {
	return &Selection{room: max(room, 1), low: math.MaxInt64, high: math.MinInt64}
}

// N returns how many values were added.
func (s *Selection) N() int { return s.n }

// Max returns the greatest value, 0 if there is none.
func (s *Selection) Max() int64 {
	if s.n == 0 {
		return 0
	}
	return s.high
}

// Mean returns the mean, 0 if there is no value. It is added up in integers, so
// that the order of the values does not matter.
func (s *Selection) Mean() float64 {
	if s.n == 0 {
		return 0
	}
	return (float64(s.hi)*(1<<32) + float64(s.lo)) / float64(s.n)
}

// Add adds values, in the first reading.
func (s *Selection) Add(values ...int64) {
	low, high, hi, lo := s.low, s.high, s.hi, s.lo
	for _, v := range values {
		low, high = min(low, v), max(high, v)
		hi, lo = hi+v>>32, lo+v&math.MaxUint32
	}
	s.low, s.high, s.hi, s.lo = low, high, hi, lo
	was := s.n
	s.n += len(values)
	if s.n < s.room {
		s.held = append(s.held, values...)
		return
	}
	if was < s.room {
		s.count(s.held)
		s.held = nil
	}
	s.count(values)
}

// count counts values by their cells.
func (s *Selection) count(values []int64) {
	if s.low < 0 && s.counts[0] == nil {
		s.counts[0] = new([cellsAll]uint64)
	}
	if s.counts[1] == nil {
		s.counts[1] = new([cellsAll]uint64)
	}
	below, above := s.counts[0], s.counts[1]
	for _, v := range values {
		if v >= 0 {
			above[cellOf(v)]++
		} else {
			below[cellOf(^v)]++
		}
	}
}

// Find ends the first reading and says which ranks are wanted, from 1 to N; others
// are an error.
func (s *Selection) Find(ranks ...int) error {
	ranks = slices.Compact(slices.Sorted(slices.Values(ranks)))
	if len(ranks) == 0 {
		return nil
	}
	if len(ranks) > mostCells {
		return fmt.Errorf("%d ranks are wanted at once: want at most %d", len(ranks), mostCells)
	}
	if ranks[0] < 1 || ranks[len(ranks)-1] > s.n {
		return fmt.Errorf("ranks %d to %d of %d values: want 1 to %d", ranks[0], ranks[len(ranks)-1], s.n, s.n)
	}
	s.values = make(map[int]int64, len(ranks))
	if s.n < s.room {
		if err := Select(s.held, ranks...); err != nil {
			return err
		}
		for _, r := range ranks {
			s.values[r] = s.held[r-1]
		}
		return nil
	}
	before := 0
	for side, counts := range s.counts {
		if counts == nil {
			continue
		}
		s.marks[side] = new([cellsAll]uint16)
		for i := range counts {
			if side == 0 { // the most negative first
				i = cellsAll - 1 - i
			}
			n := int(counts[i])
			if here := upToRank(ranks, before+n); here > 0 && n > 0 {
				low, width := boundsOf(side, i)
				s.cells = append(s.cells, cell{low: low, width: width, before: before, n: n, ranks: ranks[:here]})
				ranks = ranks[here:]
			}
			before += n
		}
		s.counts[side] = nil
	}
	s.settle()
	return nil
}

// upToRank returns how many of the ascending ranks are at most r.
func upToRank(ranks []int, r int) int {
	n, _ := slices.BinarySearch(ranks, r+1)
	return n
}

// More reports whether the values have to be read again.
func (s *Selection) More() bool { return len(s.cells) > 0 }

// Again adds values in a further reading, in which all are given once more.
func (s *Selection) Again(values ...int64) {
	if len(s.cells) == 0 {
		return
	}
	below, above := s.marks[0], s.marks[1]
	for _, v := range values {
		mark := uint16(0)
		if v >= 0 {
			mark = above[cellOf(v)]
		} else if below != nil {
			mark = below[cellOf(^v)]
		}
		if mark > 0 {
			s.again(int(mark)-1, v)
		}
	}
}

// again adds a value to the cell that holds it, the i-th or one after it.
func (s *Selection) again(i int, v int64) {
	for ; i < len(s.cells) && s.cells[i].low <= v; i++ {
		c := &s.cells[i]
		switch at := uint64(v) - uint64(c.low); {
		case at>>c.width != 0: // above it
			continue
		case c.parts != nil:
			c.parts[at>>max(c.width-partBits, 0)]++
		default:
			c.values = append(c.values, v)
		}
		return
	}
}

// Done ends a further reading.
func (s *Selection) Done() error {
	cells := s.cells
	s.cells = nil
	for _, c := range cells {
		if c.parts != nil {
			if err := s.cut(c); err != nil {
				return err
			}
			continue
		}
		within := make([]int, len(c.ranks))
		for i, r := range c.ranks {
			within[i] = r - c.before
		}
		if err := Select(c.values, within...); err != nil || len(c.values) != c.n {
			return errReading(len(c.values), c.n)
		}
		for i, r := range c.ranks {
			s.values[r] = c.values[within[i]-1]
		}
	}
	s.settle()
	return nil
}

// cut replaces a cell by those of its parts that hold a wanted rank.
func (s *Selection) cut(c cell) error {
	width := max(c.width-partBits, 0)
	before := c.before
	for i, n := range c.parts {
		if here := upToRank(c.ranks, before+n); here > 0 {
			s.cells = append(s.cells, cell{low: c.low + int64(i)<<width, width: width, before: before, n: n, ranks: c.ranks[:here]})
			c.ranks = c.ranks[here:]
		}
		before += n
	}
	if n := before - c.before; n != c.n {
		return errReading(n, c.n)
	}
	return nil
}

func errReading(n, first int) error {
	return fmt.Errorf("%d values in a range that held %d when they were read first: they must be the same in each reading", n, first)
}

// settle takes out the cells of one value, and says of the others what is to be
// done with theirs.
func (s *Selection) settle() {
	s.cells = slices.DeleteFunc(s.cells, func(c cell) bool {
		if c.width > 0 {
			return false
		}
		for _, r := range c.ranks {
			s.values[r] = c.low
		}
		return true
	})
	for _, marks := range s.marks {
		if marks != nil {
			clear(marks[:])
		}
	}
	for i := range s.cells {
		c := &s.cells[i]
		if c.n > max(s.room/len(s.cells), 16) {
			c.parts = make([]int, 1<<min(c.width, partBits))
		} else {
			c.values = make([]int64, 0, c.n)
		}
		side, v := 1, c.low
		if v < 0 {
			side, v = 0, ^v
		}
		if mark := &s.marks[side][cellOf(v)]; *mark == 0 {
			*mark = uint16(i + 1)
		}
	}
}

// At returns the value of a rank that Find was asked for, once More is false.
func (s *Selection) At(rank int) int64 { return s.values[rank] }

// QuantilesOf returns the nearest-rank quantiles of values that can be read
// several times, in the order asked, without holding more than about room of them.
// Without values it is ErrNoSamples.
func QuantilesOf(values iter.Seq[[]int64], room int, ps ...P) ([]int64, error) {
	s := NewSelection(room)
	for part := range values {
		s.Add(part...)
	}
	if s.n == 0 {
		return nil, ErrNoSamples
	}
	ranks := make([]int, len(ps))
	for i, p := range ps {
		ranks[i] = Rank(p, s.n)
	}
	if err := s.FindIn(values, ranks...); err != nil {
		return nil, err
	}
	out := make([]int64, len(ps))
	for i, r := range ranks {
		out[i] = s.values[r]
	}
	return out, nil
}

// FindIn finds the ranks by reading the values again, which were added.
func (s *Selection) FindIn(values iter.Seq[[]int64], ranks ...int) error {
	if err := s.Find(ranks...); err != nil {
		return err
	}
	return s.Reread(values)
}

// Reread reads the values again, as often as More asks for it.
func (s *Selection) Reread(values iter.Seq[[]int64]) error {
	for s.More() {
		for part := range values {
			s.Again(part...)
		}
		if err := s.Done(); err != nil {
			return err
		}
	}
	return nil
}
