package cli

import (
	"context"
	"fmt"
	"strings"

	"headroom/analyze"
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
		m, err := analyze.Measure(ctx, r.run, p)
		if err != nil {
			return nil, looked(about(env, r.path, err))
		}
		out = append(out, m)
	}
	return out, nil
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
