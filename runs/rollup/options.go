package rollup

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"headroom/runs"
)

// The latency bases. See [runs.Load].
const (
	Request  = "request"  // service time
	Response = "response" // wait plus service, as runs.Latency
)

// maxThresholds bounds the columns of the table.
const maxThresholds = 16

// Options says which seconds are computed, and how.
type Options struct {
	// Window keeps what lies in it: a sample counts by its start if it starts in
	// the window, and by its end if it ends in it. The zero Range keeps all. A
	// sample that starts at or after the window's end is not looked at.
	Window runs.Range
	// Anchor is where second 0 begins, in microseconds since the Unix epoch.
	Anchor int64
	// Basis is Request or Response; "" is Request.
	Basis string
	// Thresholds are the latencies above which requests are counted, strictly;
	// nil is 50 ms and 150 ms. At most 16, none negative, none twice.
	Thresholds []time.Duration
}

// defaults fills in what was left open, and checks the rest.
func (o Options) defaults() (Options, error) {
	if o.Basis == "" {
		o.Basis = Request
	}
	if o.Basis != Request && o.Basis != Response {
		return o, fmt.Errorf("rollup: latency basis %q: want %q or %q", o.Basis, Request, Response)
	}
	if o.Thresholds == nil {
		o.Thresholds = []time.Duration{50 * time.Millisecond, 150 * time.Millisecond}
	}
	if len(o.Thresholds) > maxThresholds {
		return o, fmt.Errorf("rollup: %d thresholds: want at most %d", len(o.Thresholds), maxThresholds)
	}
	for i, t := range o.Thresholds {
		if t < 0 || slices.Contains(o.Thresholds[:i], t) {
			return o, fmt.Errorf("rollup: threshold %v: is negative or given twice", t)
		}
	}
	if o.Anchor > maxInstant || o.Anchor < -maxInstant {
		return o, fmt.Errorf("rollup: anchor %d µs lies outside the years 1677 to 2262", o.Anchor)
	}
	return o, nil
}

// maxInstant bounds the instants of a run; see docs/format/run.md.
const maxInstant = 9_223_372_036_854_774

// String writes the options in the one form that a cache is stamped with.
func (o Options) String() string {
	return fmt.Sprintf("window=%d/%d anchor=%d basis=%s thresholds=%v", o.Window.Start, o.Window.End, o.Anchor, o.Basis, o.Thresholds)
}

// digest names the options in a file name.
func (o Options) digest() string {
	sum := sha256.Sum256([]byte(o.String()))
	return hex.EncodeToString(sum[:8])
}
