package table

import (
	"context"
	"sync"
)

// Chunk is a column of one row group of one file.
type Chunk struct {
	File   string // inside the run
	Group  int
	Column string
}

// Reads counts how often chunks were read.
type Reads struct {
	mu     sync.Mutex
	chunks map[Chunk]int
}

type readsKey struct{}

// With returns a context whose scans are counted.
func (r *Reads) With(ctx context.Context) context.Context {
	return context.WithValue(ctx, readsKey{}, r)
}

// readsOf returns who counts the scans of a context, nil if nobody does.
func readsOf(ctx context.Context) *Reads {
	r, _ := ctx.Value(readsKey{}).(*Reads)
	return r
}

// add counts a chunk; a nil Reads counts nothing.
func (r *Reads) add(c Chunk) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.chunks == nil {
		r.chunks = map[Chunk]int{}
	}
	r.chunks[c]++
}

// Each calls fn with every chunk that was read, and how often, in no order.
func (r *Reads) Each(fn func(c Chunk, times int)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c, n := range r.chunks {
		fn(c, n)
	}
}
