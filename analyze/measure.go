package analyze

import (
	"context"
	"errors"

	"headroom/runs"
)

// Measured is one run, measured: its Result and what Combine needs for figures.
type Measured struct {
	Result Result
}

// Measure reads a run once and returns its quantities, verdicts and findings.
func Measure(ctx context.Context, run *runs.Run, p Protocol) (*Measured, error) {
	return nil, errors.New("analyze: stub")
}

// Combine judges measured runs as one document.
func Combine(ms []*Measured, p Protocol) (*Capacity, error) {
	return nil, errors.New("analyze: stub")
}

// A Gate is one rule that a run or a step must pass.
type Gate struct {
	Name string // "dropped": JSON word, for life
	Doc  string // first line is the title; then the rule, what it needs, what unknown means
}

// Gates lists every gate, in the order of pages.
var Gates []*Gate
