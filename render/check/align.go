package check

import (
	"slices"
	"sort"
)

// pair says which line of one text is which of the other; -1 for none.
type pair struct{ have, want int }

// align pairs the lines (or tokens) of two texts: those that are equal at both
// ends, those that occur once in either and keep their order (patience), and
// between them one with one.
func align(have, want []string) []pair {
	a := aligner{have: have, want: want}
	a.between(0, len(have), 0, len(want))
	return a.out
}

type aligner struct {
	have, want []string
	out        []pair
}

func (a *aligner) between(h0, h1, w0, w1 int) {
	for h0 < h1 && w0 < w1 && a.have[h0] == a.want[w0] {
		a.out = append(a.out, pair{h0, w0})
		h0, w0 = h0+1, w0+1
	}
	tail := 0
	for h0 < h1-tail && w0 < w1-tail && a.have[h1-1-tail] == a.want[w1-1-tail] {
		tail++
	}
	h1, w1 = h1-tail, w1-tail
	switch anchors := a.anchors(h0, h1, w0, w1); {
	case h1-h0 == w1-w0 && !a.shifted(anchors):
		for i := range h1 - h0 {
			a.out = append(a.out, pair{h0 + i, w0 + i})
		}
	case len(anchors) > 0:
		h, w := h0, w0
		for _, m := range anchors {
			a.between(h, m.have, w, m.want)
			a.out = append(a.out, m)
			h, w = m.have+1, m.want+1
		}
		a.between(h, h1, w, w1)
	default:
		a.oneByOne(h0, h1, w0, w1)
	}
	for i := range tail {
		a.out = append(a.out, pair{h1 + i, w1 + i})
	}
}

// shifted reports whether equal lines stand at other distances, so that a block
// of equal length is not simply edited in place.
func (a *aligner) shifted(anchors []pair) bool {
	return slices.ContainsFunc(anchors, func(m pair) bool { return m.have-m.want != anchors[0].have-anchors[0].want })
}

func (a *aligner) oneByOne(h0, h1, w0, w1 int) {
	for h0 < h1 || w0 < w1 {
		p := pair{-1, -1}
		if h0 < h1 {
			p.have = h0
			h0++
		}
		if w0 < w1 {
			p.want = w0
			w0++
		}
		a.out = append(a.out, p)
	}
}

// anchors are the lines that occur once on both sides, in the longest order that
// both share.
func (a *aligner) anchors(h0, h1, w0, w1 int) []pair {
	type count struct{ have, want, at int }
	seen := map[string]count{}
	for i := w0; i < w1; i++ {
		c := seen[a.want[i]]
		c.want, c.at = c.want+1, i
		seen[a.want[i]] = c
	}
	for i := h0; i < h1; i++ {
		c := seen[a.have[i]]
		c.have++
		seen[a.have[i]] = c
	}
	var list []pair
	for i := h0; i < h1; i++ {
		if c := seen[a.have[i]]; c.have == 1 && c.want == 1 {
			list = append(list, pair{i, c.at})
		}
	}
	return increasing(list)
}

// increasing is the longest subsequence of pairs whose want grows; have grows
// already.
func increasing(list []pair) []pair {
	var ends []int // by length less one: the pair that ends the best of that length
	before := make([]int, len(list))
	for i, p := range list {
		k := sort.Search(len(ends), func(k int) bool { return list[ends[k]].want >= p.want })
		before[i] = -1
		if k > 0 {
			before[i] = ends[k-1]
		}
		if k == len(ends) {
			ends = append(ends, i)
		} else {
			ends[k] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	var out []pair
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		out = append(out, list[i])
	}
	slices.Reverse(out)
	return out
}
