package cli

import (
	"context"
	"encoding/json"
	"errors"
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
	if err := l.readFiles(env); err != nil {
		return nil, err
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

// readFiles reads the files that the study names: detectors and prose.
func (l *loadedStudy) readFiles(env *Env) error {
	for i, file := range l.Detectors {
		at := []any{"detectors", i}
		in, err := insideOf(env, l.places[0], file)
		if err != nil {
			return unlooked(l.ErrorAt(at, "%s: %v", file, err))
		}
		d, err := readDetector(env, in)
		if err != nil {
			return err
		}
		if slices.Contains(detectorNames(append(slices.Clone(detect.All), l.own...)), d.Name) {
			return wrong(l.ErrorAt(at, "%s: the name %q is taken by another detector; give it one of its own", file, d.Name))
		}
		l.own = append(l.own, d)
	}
	if l.Text == "" {
		return nil
	}
	in, err := insideOf(env, l.places[0], l.Text)
	var text []byte
	if err == nil {
		text, err = readSmall(env.Path(in), yamlfile.MaxSize)
	}
	if err != nil {
		return unlooked(l.ErrorAt([]any{"prose"}, "%s: %v", l.Text, pathless(err)))
	}
	l.Prose = &analyze.Prose{File: l.Text, Text: string(text)} // as the study names it, wherever it stands
	return nil
}

// unlooked makes an error of something that a study names and that could not be
// looked at: status 2.
func unlooked(err error) error { return &exitcode.Error{Code: exitcode.CouldNotLook, Err: err} }

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
		return unlooked(l.ErrorAt([]any{"rescan"}, "%s: %v", l.Rescanned, pathless(err)))
	}
	return nil
}

// maxRescan bounds the report of a scan that a study quotes, in bytes.
const maxRescan = 64 << 20

// wrong makes an error of a study's author: status 3.
func wrong(err error) error { return &exitcode.Error{Code: exitcode.Usage, Err: err} }

// studyFlags are the flags that may stand beside a study: everything else is the
// study's to say.
var studyFlags = []string{"study", "out", "json", "quiet", "all", "words", "redact"}

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
	if err != nil {
		return nil, l.judged(err)
	}
	l.sayHeld(env, o, c)
	return c, nil
}

// judged gives an error of the judgement its place in the study.
func (l *loadedStudy) judged(err error) error {
	at := []any{"configurations"}
	var of *analyze.ConfigurationError
	if errors.As(err, &of) {
		at = append(at, of.Index, "name")
	}
	if errors.Is(err, analyze.ErrSame) {
		return wrong(l.ErrorAt(at, "%v", err))
	}
	return unlooked(l.ErrorAt(at, "%v", err))
}

// sayHeld says on stderr which line of the study withholds rates: the page names
// the key, and no line, which would change with every comment above it.
func (l *loadedStudy) sayHeld(env *Env, o Output, c *analyze.Capacity) {
	if o.Quiet {
		return
	}
	for _, w := range c.Warnings {
		for _, key := range []string{"contention", "reconciliation"} {
			if strings.HasPrefix(w, analyze.HowToHave) && strings.Contains(w, key+": warn") {
				where, _, _ := strings.Cut(l.ErrorAt([]any{key}, "%s", w).Error(), "\n")
				env.sayText("", plain("warning: "+where))
			}
		}
	}
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
			return nil, unlooked(l.Errorf(i, "%s: no run%s%s", l.Configurations[i].Name, inPlaces(l.places), withLabels(sel.Where)))
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
