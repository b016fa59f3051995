package stat

import (
	"fmt"
	"iter"
)

// ThirdsOf is SplitThirds of samples that are too many to hold: they are read
// several times, in parts, and about room of them are held at a time.
func ThirdsOf(parts iter.Seq2[[]int64, []int64], from, length int64, room int, p P) (Thirds, error) {
	if length <= 0 {
		return Thirds{}, fmt.Errorf("thirds of a window of length %d: want a positive length", length)
	}
	r := thirdsReader{parts: parts, from: from, length: length}
	for k := range r.third {
		r.third[k] = NewSelection(room / len(r.third))
	}
	if err := r.read((*Selection).Add); err != nil {
		return Thirds{}, err
	}
	var t Thirds
	for k, s := range r.third {
		if t.N[k] = s.N(); s.N() == 0 {
			return Thirds{}, fmt.Errorf("third %d of 3: %w", k+1, ErrNoSamples)
		}
		if err := s.Find(Rank(p, s.N())); err != nil {
			return Thirds{}, err
		}
	}
	for r.third[0].More() || r.third[1].More() || r.third[2].More() {
		if err := r.read((*Selection).Again); err != nil {
			return Thirds{}, err
		}
		for _, s := range r.third {
			if err := s.Done(); err != nil {
				return Thirds{}, err
			}
		}
	}
	for k, s := range r.third {
		t.Quantile[k] = s.At(Rank(p, s.N()))
	}
	return t, nil
}

// thirdsReader gives samples to the third that they belong to.
type thirdsReader struct {
	parts        iter.Seq2[[]int64, []int64]
	from, length int64
	third        [3]*Selection
}

func (r *thirdsReader) read(to func(s *Selection, values ...int64)) error {
	for starts, latencies := range r.parts {
		// What comes in order changes from one third to the next seldom.
		for i := 0; i < len(starts); {
			k, err := thirdAt(starts[i], r.from, r.length)
			if err != nil {
				return err
			}
			j := i + 1
			for ; j < len(starts); j++ {
				if next, err := thirdAt(starts[j], r.from, r.length); err != nil || next != k {
					break
				}
			}
			to(r.third[k], latencies[i:j]...)
			i = j
		}
	}
	return nil
}
