package cli

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"headroom/ingest"
	"headroom/runs"
)

// collectRuns opens the runs among the arguments, and makes a run in tmp of the
// files outside any group and of the files of each group.
func collectRuns(ctx context.Context, opts *ReportBuildOptions, tmp string) ([]namedRun, error) {
	groups := opts.evidence.places.split(opts.Args, formatOf(opts.Env))
	args, files, err := partition(opts.Env, groups[0].files)
	if err != nil {
		return nil, err
	}
	list, err := openRuns(opts.Env, args)
	if err != nil {
		return nil, err
	}
	groups[0].files = files
	if len(files) == 0 {
		groups = groups[1:]
	}
	if name := opts.evidence.used(); len(groups) == 0 && name != "" {
		return nil, usagef("report build: %s is about recorded files, but only runs were given; give it to headroom ingest", name)
	}
	seen := map[string]bool{}
	for i, g := range groups {
		if seen[g.name] {
			return nil, usagef("report build: --run %s is given twice", g.name)
		}
		seen[g.name] = true
		run, err := ingestGroup(ctx, opts, g, filepath.Join(tmp, fmt.Sprintf("run-%d", i)))
		if err != nil {
			return nil, err
		}
		if g.name == "" && len(list)+len(groups) > 1 && !slices.ContainsFunc(run.run.Manifest().Sources, func(s runs.Source) bool { return s.Samples > 0 }) {
			return nil, usagef("report build: %s: no requests are recorded in it, so it is no run of its own; evidence is given with the load that it is about (headroom ingest, or after its --run)", g.files[0].Path)
		}
		list = append(list, run)
	}
	return list, nil
}

// partition separates runs (and folders of runs) from foreign files.
func partition(env *Env, files []ingest.File) (args []string, foreign []ingest.File, err error) {
	evidence := 0
	for _, f := range files {
		isRuns := false
		if f.Role == ingest.Evidence && f.Path != "-" {
			if isRuns, err = holdsRuns(env, f.Path); err != nil {
				return nil, nil, err
			}
		}
		switch {
		case isRuns:
			args = append(args, f.Path)
			continue
		case f.Role == ingest.Evidence:
			evidence++
		}
		foreign = append(foreign, f)
	}
	if len(foreign) > 0 && evidence == 0 {
		return nil, nil, usagef("report build: --%s %s belongs to no FILE; it goes after the --run of its files", foreign[0].Role, foreign[0].Path)
	}
	return args, foreign, nil
}

// holdsRuns reports whether path is a run, to be one, or a folder with runs in it.
func holdsRuns(env *Env, path string) (bool, error) {
	if !isFolder(env.Path(path)) {
		return runs.Unsealed(env.Path(path)), nil
	}
	found, err := listRuns(env, path)
	return len(found) > 0, err
}

// ingestGroup makes one run of the files of a group.
func ingestGroup(ctx context.Context, opts *ReportBuildOptions, g fileGroup, path string) (namedRun, error) {
	env := opts.Env
	for _, f := range g.files {
		if isRuns, err := holdsRuns(env, f.Path); err != nil || isRuns && g.name != "" {
			return namedRun{}, usagef("report build: --run %s takes recorded files; %s is a run already and is given without --run", g.name, f.Path)
		}
	}
	if len(g.files) == 0 {
		return namedRun{}, usagef("report build: --run %s has no FILE after it", g.name)
	}
	req, err := opts.evidence.request(env, g.files)
	if err != nil {
		return namedRun{}, err
	}
	id, err := g.label(&req)
	if err != nil {
		return namedRun{}, err
	}
	req.Window = window{opts.Protocol.WindowStart, opts.Protocol.WindowEnd}.manifest()
	meter := newProgress(env, opts.Output)
	req.Progress = meter.file
	run, report, err := writeRun(ctx, newRun{path: path, id: id}, req)
	meter.clear()
	if err != nil {
		return namedRun{}, err
	}
	showPaths(env, report)
	sayRun(env, opts.Output, run, report)
	name := g.name
	if name == "" {
		name = g.files[0].Path
	}
	return namedRun{name, run}, nil
}

// label puts the name of a group on its run. In KEY=VALUE,… numbers are what a
// step was set to and words are labels of the run; a bare number counts repeats,
// and any other name is the id of the run.
func (g fileGroup) label(req *ingest.Request) (id string, err error) {
	pairs := map[string]string{}
	switch {
	case strings.Contains(g.name, "="):
		if err := (pairsValue{&pairs, true}).Set(g.name); err != nil {
			return "", usagef("report build: --run %s: %v", g.name, err)
		}
	case isNumber(g.name):
		pairs["repeat"] = g.name
	default:
		return g.name, nil
	}
	labels, step := maps.Clone(req.Labels), map[string]string{}
	if labels == nil {
		labels = map[string]string{}
	}
	for _, s := range req.Steps {
		maps.Copy(step, s.Labels)
	}
	for key, value := range pairs {
		if isNumber(value) && key != "repeat" {
			step[key] = value
		} else {
			labels[key] = value
		}
	}
	req.Labels = labels
	if len(step) > 0 {
		req.Steps = []runs.Step{{Labels: step}}
	}
	return "", nil
}

func isNumber(s string) bool {
	_, err := parseFinite(s)
	return err == nil
}
