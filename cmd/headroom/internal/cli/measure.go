package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"headroom/analyze"
	"headroom/runs"
)

// measureAll measures runs one after the other.
func measureAll(ctx context.Context, env *Env, o Output, list []namedRun, p analyze.Protocol) ([]*analyze.Measured, error) {
	meter := newProgress(env, o)
	defer meter.clear()
	var err error
	if p.Calibration, err = calibrated(); err != nil {
		return nil, err
	}
	var out []*analyze.Measured
	for i, r := range list {
		meter.draw("measuring run %d of %d  %s", i+1, len(list), r.path)
		m, err := measureOne(ctx, env, r, p)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// measureOne measures a run, within the memory that its samples need.
func measureOne(ctx context.Context, env *Env, r namedRun, p analyze.Protocol) (*analyze.Measured, error) {
	for _, t := range r.run.Manifest().Tables {
		if t.Table == "samples" {
			env.limitMemory(max(leastMemory, t.Rows*memoryOfSample(r.run.Manifest(), p)))
		}
	}
	m, err := analyze.Measure(ctx, r.run, p)
	if err != nil {
		return nil, looked(about(env, r.path, err))
	}
	return m, nil
}

// combine makes the document of measured runs.
func combine(list []*analyze.Measured, p analyze.Protocol) (*analyze.Capacity, error) {
	c, err := analyze.Combine(list, p)
	switch {
	case errors.Is(err, analyze.ErrSame):
		return nil, usagef("%w", err)
	case err != nil:
		return nil, looked(err)
	}
	return c, nil
}

// The samples of one run at a time are in memory while it is measured. Garbage
// is collected in time to stay within this much, and no run of few samples
// needs more; well above what measuring takes, the collector is not in the way.
const (
	leastMemory  = 224 << 20
	heldMemory   = 50                        // bytes a sample in memory
	sortMemory   = 80                        // bytes a sample that one analysis sorts beside it
	sampleMemory = 3*heldMemory + sortMemory // the most
)

// memoryOfSample returns how much memory a sample of the run takes: it is held
// once, once more where a window cuts the run, and once more where steps do.
func memoryOfSample(m *runs.Manifest, p analyze.Protocol) int64 {
	n := int64(heldMemory + sortMemory)
	if m.Window != nil || !p.WindowStart.IsZero() || p.Warmup > 0 {
		n += heldMemory
	}
	if len(m.Steps) > 0 {
		n += heldMemory
	}
	return n
}

// about puts the path of a run before an error, unless it begins with it.
func about(env *Env, path string, err error) error {
	if strings.HasPrefix(err.Error(), env.Path(path)) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// results puts the results of measured runs into the envelope of --json.
func results(list []*analyze.Measured) analyze.Results {
	out := analyze.Results{Schema: analyze.ResultSchema, Results: []analyze.Result{}}
	for _, m := range list {
		out.Results = append(out.Results, m.Result)
	}
	return out
}
