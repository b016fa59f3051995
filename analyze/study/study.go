package study

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"headroom/analyze"
	"headroom/detect"
	"headroom/internal/near"
	"headroom/internal/yamlfile"
)

// MaxConfigurations bounds a study.
const MaxConfigurations = 500

// Study is a study file, read and checked.
type Study struct {
	analyze.Study
	Selections []Selection // of each configuration
	Detectors  []string    // files of detectors, relative to the study
	Text       string      // file of the author's text, relative to the study; "" if there is none
	Rescanned  string      // file of what a scan said, relative to the study; "" if there is none

	doc *yamlfile.Document
}

// Selection says which runs a configuration has.
type Selection struct {
	Runs  []string          // slash paths with *, ? and [a-z], relative to the study
	Where map[string]string // labels that a run must have

	path []any // of the configuration in the file
}

// Matches reports whether a run with these labels is selected.
func (s Selection) Matches(labels map[string]string) bool {
	for k, v := range s.Where {
		if labels[k] != v {
			return false
		}
	}
	return true
}

// Is reports whether a text is meant to be a study: a mapping with a list of
// configurations. A text that is no YAML at all is.
func Is(file string, text []byte) bool {
	d, err := yamlfile.Parse(file, text)
	return err != nil || d.Has("configurations")
}

// Parse reads the text of a study. File is its path as a user knows it; errors
// begin with it, then line and column.
func Parse(file string, text []byte) (*Study, error) {
	doc, err := yamlfile.Parse(file, text)
	if err != nil {
		return nil, err
	}
	var w written
	if err := doc.Decode(&w); err != nil {
		return nil, suggest(err)
	}
	r := &reader{doc: doc, w: &w, study: &Study{doc: doc}}
	if err := r.check(); err != nil {
		return nil, err
	}
	r.study.File = path.Base(strings.ReplaceAll(file, `\`, "/"))
	return r.study, r.read()
}

// Errorf returns an error at the place of a configuration's entry.
func (s *Study) Errorf(configuration int, format string, args ...any) error {
	p := append(slices.Clone(s.Selections[configuration].path), "runs")
	return s.doc.Errorf(p, format, args...)
}

// ErrorAt returns an error at the place of a key, by the names and positions that
// lead to it: "detectors", 0.
func (s *Study) ErrorAt(path []any, format string, args ...any) error {
	return s.doc.Errorf(path, format, args...)
}

// reader turns what is written into a study.
type reader struct {
	doc   *yamlfile.Document
	w     *written
	study *Study
	taken map[string]bool // names of entries of lists, as "compare cost"
}

func (r *reader) errorf(p []any, format string, args ...any) error {
	return r.doc.Errorf(p, format, args...)
}

// check makes the checks that hold for every key alike.
func (r *reader) check() error {
	if err := r.needs(); err != nil {
		return err
	}
	if n := len(r.w.Configurations); n > MaxConfigurations {
		return r.errorf([]any{"configurations"}, "%d configurations; the most that one document has is %d", n, MaxConfigurations)
	}
	return nil
}

func (r *reader) read() error {
	w, s := r.w, r.study
	s.Title, s.Kind = w.Title, w.Kind
	s.Contention, s.Reconciliation = analyze.Lock(w.Contention), analyze.Lock(w.Reconciliation)
	s.Uncovered, s.Text, s.Detectors = w.NotCovered, w.Prose, w.Detectors
	s.Rescanned, s.Again = w.Rescan, w.Again
	for _, step := range []func() error{r.paths, r.host, r.constants, r.history, r.params, r.configurations, r.references, r.first} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// paths checks every path but those of runs, which are patterns.
func (r *reader) paths() error {
	if err := r.path([]any{"prose"}, r.w.Prose); err != nil {
		return err
	}
	if err := r.path([]any{"rescan"}, r.w.Rescan); err != nil {
		return err
	}
	for i, file := range r.w.Detectors {
		if err := r.path([]any{"detectors", i}, file); err != nil {
			return err
		}
	}
	return r.patterns([]any{"runs"}, r.w.Runs)
}

// path refuses a path that leads out of the study's folder.
func (r *reader) path(at []any, p string) error {
	if why := outside(p); p != "" && why != "" {
		return r.errorf(at, "%s", why)
	}
	return nil
}

func (r *reader) patterns(at []any, ps []string) error {
	for i, p := range ps {
		here := append(slices.Clone(at), i)
		if p == "" {
			return r.errorf(here, "an empty path; . is the study's own folder")
		}
		if why := outside(p); why != "" {
			return r.errorf(here, "%s", why)
		}
		if _, err := path.Match(p, ""); err != nil {
			return r.errorf(here, "%q is no pattern: a [ needs its ]", p)
		}
	}
	return nil
}

// outside says why a path may leave the study's folder, "" if it cannot.
func outside(p string) string {
	switch {
	case strings.ContainsAny(p, "\x00\\"):
		return fmt.Sprintf("%q: paths are written with /", p)
	case path.IsAbs(p) || len(p) > 1 && p[1] == ':':
		return fmt.Sprintf("%q is absolute: paths are relative to the study; a folder elsewhere is given on the command line, after the study", p)
	case slices.Contains(strings.Split(p, "/"), ".."):
		return fmt.Sprintf("%q leads out of the study's folder; a folder elsewhere is given on the command line, after the study", p)
	}
	return ""
}

func (r *reader) host() error {
	h := r.w.Host
	if h.Cores < 0 {
		return r.errorf([]any{"host", "cores"}, "%d cores: want at least 1", h.Cores)
	}
	if !(h.PricePerHour >= 0) {
		return r.errorf([]any{"host", "price_per_hour"}, "a price is not below zero")
	}
	r.study.Host = analyze.StudyHost{Text: h.Text, Cores: h.Cores, PricePerHour: h.PricePerHour, Currency: h.Currency}
	return nil
}

func (r *reader) constants() error {
	for _, name := range slices.Sorted(maps.Keys(r.w.Constants)) {
		c := r.w.Constants[name]
		if !nameForm.MatchString(name) {
			return r.errorf([]any{"constants", name}, "%q is no name: %s", name, nameWords)
		}
		if r.study.Constants == nil {
			r.study.Constants = map[string]analyze.Constant{}
		}
		r.study.Constants[name] = analyze.Constant{Value: c.Value, Doc: c.Doc}
	}
	return nil
}

func (r *reader) history() error {
	for i, h := range r.w.History {
		if !finite(*h.Was) {
			return r.errorf([]any{"history", i, "was"}, "the figure is no finite number")
		}
		r.study.History = append(r.study.History, analyze.Superseded{Figure: h.Figure, Was: *h.Was, At: h.At, Why: h.Reason})
	}
	return nil
}

// params checks that parameters have a value that a detector could take; their
// names are checked by CheckParams, when the detectors are known.
func (r *reader) params() error {
	for _, name := range slices.Sorted(maps.Keys(r.w.Params)) {
		if v := r.w.Params[name]; !finite(v) || v < 0 {
			return r.errorf([]any{"params", name}, "%v: want a number that is not below zero", v)
		}
	}
	return nil
}

// CheckParams refuses parameters that no detector has: not a built-in one, and
// not one of the study's own.
func (s *Study) CheckParams(own []*detect.Detector) error {
	var known []string
	for _, d := range append(slices.Clone(detect.All), own...) {
		for _, p := range d.Params {
			known = append(known, d.Name+"."+p.Name)
		}
	}
	if len(s.Configurations) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.Configurations[0].Protocol.Params)) {
		if !slices.Contains(known, name) {
			return s.doc.Errorf([]any{"params", name}, "there is no parameter %q%s", name, near.DidYouMean(name, known))
		}
	}
	return nil
}
