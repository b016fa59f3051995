package ordered

import "slices"

// Stream sorts pairs that come nearly in order of their keys, such as the ends of
// requests that come in order of their starts. It holds back only those that may
// still be overtaken.
type Stream struct {
	fn      func([]Pair)
	held    []Pair
	tmp     []Pair
	room    int
	settled int64
}

// streamRoom is how many pairs are sorted at a time, at least.
const streamRoom = 1 << 14

// NewStream returns a Stream that calls fn with pairs in ascending order; equal
// keys come in the order in which they were added. What fn is given is valid until
// it returns.
func NewStream(fn func([]Pair)) *Stream { return &Stream{fn: fn, room: streamRoom} }

// Add adds pairs. No pair added later has a key below settled, which must not
// fall from one call to the next.
func (s *Stream) Add(key, value, settled int64) {
	s.held = append(s.held, Pair{key, value})
	s.settled = settled
	if len(s.held) >= s.room {
		s.give()
	}
}

// give hands on what cannot be overtaken.
func (s *Stream) give() {
	s.sort()
	n, _ := slices.BinarySearchFunc(s.held, s.settled, func(p Pair, t int64) int {
		if p.Key < t {
			return -1
		}
		return 1
	})
	if n > 0 {
		s.fn(s.held[:n])
	}
	s.held = slices.Delete(s.held, 0, n)
	s.room = max(streamRoom, 2*len(s.held)) // no pair is sorted often
}

// Close hands on the rest.
func (s *Stream) Close() {
	if len(s.held) == 0 {
		return
	}
	s.sort()
	s.fn(s.held)
	s.held = nil
}

func (s *Stream) sort() { s.tmp = sortPairs(s.held, s.tmp) }
