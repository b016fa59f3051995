package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"headroom/analyze"
	"headroom/analyze/study"
	"headroom/detect"
	"headroom/internal/exitcode"
	"headroom/internal/yamlfile"
	"headroom/rescan"
)

// isStudy reports whether an argument names a study: a file of YAML.
func isStudy(env *Env, arg string) bool {
	ext := path.Ext(arg)
	return (ext == ".yaml" || ext == ".yml") && !isFolder(env.Path(arg))
}

// loadedStudy is a study, where it is, and where else its runs may be.
type loadedStudy struct {
	*study.Study
	path   string   // as typed
	places []string // folders that paths of runs are relative to, as typed: the study's own first
	own    []*detect.Detector
}

// loadStudy reads a study and its detectors. Folders are further places in which
// its runs are looked for.
func loadStudy(env *Env, path string, folders []string) (*loadedStudy, error) {
	text, err := readSmall(env.Path(path), yamlfile.MaxSize)
	if err != nil {
		return nil, lookf("%s: %w", path, pathless(err))
	}
	s, err := study.Parse(path, text)
	if err != nil {
		return nil, wrong(err)
	}
	l := &loadedStudy{Study: s, path: path, places: append([]string{filepath.Dir(path)}, folders...)}
	for _, dir := range folders {
		if !isFolder(env.Path(dir)) {
			return nil, lookf("%s: is no folder; what follows a study is a folder in which its runs are looked for as well", dir)
		}
	}
	for _, file := range s.Detectors {
		in, err := insideOf(env, l.places[0], file)
		if err != nil {
			return nil, lookf("%s: detector %s: %w", path, file, err)
		}
		d, err := readDetector(env, in)
		if err != nil {
			return nil, err
		}
		if slices.Contains(detectorNames(append(slices.Clone(detect.All), l.own...)), d.Name) {
			return nil, usagef("%s: the name %q is taken by another detector", in, d.Name)
		}
		l.own = append(l.own, d)
	}
	if s.Text != "" {
		in, err := insideOf(env, l.places[0], s.Text)
		if err == nil {
			text, err = readSmall(env.Path(in), yamlfile.MaxSize)
		}
		if err != nil {
			return nil, lookf("%s: prose %s: %w", path, s.Text, pathless(err))
		}
		s.Prose = &analyze.Prose{File: s.Text, Text: string(text)} // as the study names it, wherever it stands
	}
	if err := l.rescan(env); err != nil {
		return nil, err
	}
	if err := s.CheckParams(l.own); err != nil {
		return nil, wrong(err)
	}
	for i := range s.Configurations {
		s.Configurations[i].Protocol.Detectors = l.own
	}
	return l, nil
}

// rescan reads what a scan of the archive said of the document.
func (l *loadedStudy) rescan(env *Env) error {
	if l.Rescanned == "" {
		return nil
	}
	in, err := insideOf(env, l.places[0], l.Rescanned)
	var text []byte
	if err == nil {
		text, err = readSmall(env.Path(in), maxRescan)
	}
	if err == nil {
		l.Rescan, err = rescan.Quoted(text, l.Title)
	}
	if err != nil {
		return lookf("%s: rescan %s: %w", l.path, l.Rescanned, pathless(err))
	}
	return nil
}

// maxRescan bounds the report of a scan that a study quotes, in bytes.
const maxRescan = 64 << 20

// wrong makes an error of a study's author: status 3.
func wrong(err error) error { return &exitcode.Error{Code: exitcode.Usage, Err: err} }

// studyFlags are the flags that may stand beside a study: everything else is the
// study's to say.
var studyFlags = []string{"study", "out", "json", "quiet", "all", "words"}

// onlyStudyFlags refuses flags that a study would have to contradict.
func onlyStudyFlags(command string, fs *pflag.FlagSet) error {
	var err error
	fs.Visit(func(f *pflag.Flag) {
		if err == nil && !slices.Contains(studyFlags, f.Name) {
			err = usagef("%s: --%s does not go with a study: write it there", command, f.Name)
		}
	})
	return err
}

// document measures the runs of a study and judges them as one document.
func (l *loadedStudy) document(ctx context.Context, env *Env, o Output) (*analyze.Capacity, error) {
	members, err := l.runs(env)
	if err != nil {
		return nil, err
	}
	meter := newProgress(env, o)
	defer meter.clear()
	certificate, err := calibrated()
	if err != nil {
		return nil, err
	}
	done := map[string]*analyze.Measured{}
	measured := make([][]*analyze.Measured, len(members))
	for i, list := range members {
		p := l.Configurations[i].Protocol
		p.Calibration = certificate
		rules, err := json.Marshal(rulesOfOneRun(p))
		if err != nil {
			return nil, err
		}
		for k, r := range list {
			key := r.run.Digest() + string(rules)
			if done[key] == nil {
				meter.draw("%s: measuring run %d of %d  %s", l.Configurations[i].Name, k+1, len(list), r.path)
				if done[key], err = measureOne(ctx, env, r, p); err != nil {
					return nil, err
				}
			}
			measured[i] = append(measured[i], done[key])
		}
	}
	c, err := analyze.Document(l.Study.Study, measured)
	switch {
	case errors.Is(err, analyze.ErrSame):
		return nil, usagef("%s: %w", l.path, err)
	case err != nil:
		return nil, looked(fmt.Errorf("%s: %w", l.path, err))
	}
	return c, nil
}

// rulesOfOneRun is what of a protocol a run by itself is measured by: two
// configurations that differ in the rest share the measurement.
func rulesOfOneRun(p analyze.Protocol) analyze.Protocol {
	p.Name, p.Title, p.FleetRates, p.Targets, p.Required, p.Calibration = "", "", nil, nil, nil, nil
	return p
}

// runs opens the runs of every configuration.
func (l *loadedStudy) runs(env *Env) ([][]namedRun, error) {
	opened := map[string]namedRun{}
	var out [][]namedRun
	for i, sel := range l.Selections {
		found, err := l.find(env, i)
		if err != nil {
			return nil, err
		}
		var list []namedRun
		seen := map[string]string{}
		for _, p := range found {
			r, ok := opened[p]
			if !ok {
				list, err := openRuns(env, []string{p})
				if err != nil {
					return nil, err
				}
				r = list[0]
				opened[p] = r
			}
			if !sel.Matches(labelsOf(r)) {
				continue
			}
			if first, twice := seen[r.run.Digest()]; twice {
				return nil, wrong(l.Errorf(i, "%s is the same run as %s; a configuration has it once", p, first))
			}
			seen[r.run.Digest()] = p
			list = append(list, r)
		}
		if len(list) == 0 {
			return nil, &exitcode.Error{Code: exitcode.CouldNotLook, Err: l.Errorf(i, "%s: no run%s%s", l.Configurations[i].Name, inPlaces(l.places), withLabels(sel.Where))}
		}
		out = append(out, list)
	}
	return out, nil
}

func inPlaces(places []string) string { return " of these paths in " + strings.Join(places, ", ") }

func withLabels(where map[string]string) string {
	if len(where) == 0 {
		return ""
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(where)) {
		parts = append(parts, k+": "+where[k])
	}
	return " with " + strings.Join(parts, ", ")
}

// labelsOf returns the labels of a run and, if it has one step only, of that.
func labelsOf(r namedRun) map[string]string {
	m := r.run.Manifest()
	labels := map[string]string{}
	maps.Copy(labels, m.Labels)
	if len(m.Steps) == 1 {
		maps.Copy(labels, m.Steps[0].Labels)
	}
	return labels
}
