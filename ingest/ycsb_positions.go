package ingest

import (
	"math"
	"strconv"
	"strings"

	"headroom/runs"
)

// isSeries tells a time series from a histogram, whose lines have the same form:
// a histogram counts whole values from 0 by ones and ends with ">N".
func (op *ycsbOp) isSeries() bool {
	for i, p := range op.positions {
		if strings.Contains(p[1], ".") {
			return true
		}
		if p[0] != strconv.Itoa(i) && !strings.HasPrefix(p[0], ">") {
			return true
		}
	}
	return false
}

// positions places the histogram or the time series of an operation.
func (r *ycsbReader) positions(op *ycsbOp) error {
	if len(op.positions) == 0 {
		return nil
	}
	if _, ok := r.in.start(); !ok {
		r.in.timeless(len(op.positions), "lines of the histogram or time series of "+clip(op.name))
		return nil
	}
	if op.isSeries() {
		r.in.placed("the time series of " + clip(op.name) + " is")
		return r.series(op)
	}
	r.in.placed("the histogram of " + clip(op.name) + " is")
	return r.histogram(op)
}

func (r *ycsbReader) series(op *ycsbOp) error {
	points := cadence{sink: r.sink}
	for _, p := range op.positions {
		offset, ok := scaled([]byte(p[0]), 6)
		mean := jsonNumber(p[1]).scaled(-6)
		if !ok || offset > maxDuration || math.IsNaN(mean) {
			continue
		}
		us, _ := r.in.clock(offset)
		if err := points.point(&runs.Point{Time: us, Metric: "ycsb.latency_mean", Entity: op.name, Kind: runs.Gauge, Unit: "s", Value: mean}); err != nil {
			return err
		}
	}
	return points.finish()
}

func (r *ycsbReader) histogram(op *ycsbOp) error {
	start, _ := r.in.start()
	for _, p := range op.positions {
		n, ok := scaled([]byte(p[1]), 0)
		low, placed := scaled([]byte(strings.TrimPrefix(p[0], ">")), 6)
		if !ok || !placed || n <= 0 || low > maxDuration {
			continue
		}
		h := runs.Histogram{Start: start, Scenario: r.in.NewSample().Scenario, Op: op.name, Low: low, High: low + 1e6 - 1, Count: n}
		if p[0][0] == '>' {
			h.High = math.MaxInt64 // not bounded
		}
		if err := r.sink.Histogram(&h); err != nil {
			return err
		}
	}
	return nil
}
