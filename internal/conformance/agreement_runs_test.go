package conformance

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
	"headroom/ingest"
	"headroom/runs"
)

// corpusRun is the files of the corpus that are of one run of a load generator.
type corpusRun struct {
	tool, name string
	files      []string // below the corpus, with slashes
}

// aloneTools print either their records or their report, never both of one run:
// files of one stem are of two runs.
var aloneTools = map[string]string{
	"hey":        "`-o csv` replaces the report",
	"bombardier": "`-o json` replaces the text",
}

var (
	stemOf       = regexp.MustCompile(`^[^.]+`)
	locustSuffix = regexp.MustCompile(`_(stats_history|stats|failures|exceptions)$`)
)

// runsOfCorpus puts the files of load generators together: those in a folder of
// their own, those of one stem beside others.
func runsOfCorpus(t *testing.T, root string) []corpusRun {
	t.Helper()
	byName := map[string]*corpusRun{}
	load := toolsOfIndex(t, root)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		parts := strings.Split(filepath.ToSlash(rel), "/")
		tool, base := parts[0], parts[len(parts)-1]
		if !load[tool] {
			return nil
		}
		name := strings.Join(parts[:len(parts)-1], "/")
		switch {
		case aloneTools[tool] != "":
			name += "/" + base
		case len(parts) == 2:
			name += "/" + locustSuffix.ReplaceAllString(stemOf.FindString(base), "")
		}
		g := byName[name]
		if g == nil {
			g = &corpusRun{tool: tool, name: name}
			byName[name] = g
		}
		g.files = append(g.files, filepath.ToSlash(rel))
		return nil
	})
	noError(t, root, err)
	var out []corpusRun
	for _, name := range sortedNames(byName) {
		out = append(out, *byName[name])
	}
	return out
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// options are what files that say too little are read with.
func (g corpusRun) options() ingest.Options {
	opt := ingest.Options{Zone: time.UTC, Start: time.Date(2026, 11, 30, 15, 0, 0, 0, time.UTC), Interval: time.Second}
	if g.tool == "hdrhistogram" {
		opt.TimeUnit, opt.Start = time.Nanosecond, time.Time{}
	}
	return opt
}

// read makes one run of what each format recorded together with the reports
// beside it, as somebody would who has both.
func (g corpusRun) read(t *testing.T, root string) []*side {
	t.Helper()
	recorded, reports, seen := map[string][]ingest.File{}, []ingest.File(nil), map[string]bool{}
	for _, file := range g.files {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		noError(t, file, err)
		if seen[string(text)] {
			continue // it is kept twice, and would be refused
		}
		seen[string(text)] = true
		f := ingest.File{Path: filepath.Join(root, filepath.FromSlash(file))}
		report, err := ingest.DryRun(context.Background(), ingest.Request{Files: []ingest.File{f}, Options: g.options()})
		if err != nil {
			continue // a console, or not for itself: TestCorpusRecognised says which
		}
		r := report.Files[0]
		im, err := ingest.Lookup(ingest.All, r.Format)
		noError(t, file, err)
		switch {
		case im.Load && r.Rows > 0:
			recorded[r.Format] = append(recorded[r.Format], f)
		case r.Format != ingest.AppJSONL.Name:
			reports = append(reports, f)
		}
	}
	var out []*side
	for _, format := range sortedNames(recorded) {
		s, err := g.side(t, format, recorded[format], reports)
		if err == nil {
			out = append(out, s)
			continue
		}
		if !errors.Is(err, ingest.ErrOverlap) && !errors.Is(err, ingest.ErrDuplicate) {
			t.Errorf("%s: %v", format, err)
			continue
		}
		for _, f := range recorded[format] { // one recording, kept twice
			s, err := g.side(t, format, []ingest.File{f}, reports)
			noError(t, f.Path, err)
			out = append(out, s)
		}
	}
	return slices.DeleteFunc(out, func(s *side) bool {
		return len(s.samples)+len(s.histograms) == 0 && !slices.Contains(intervals, s.format)
	})
}

// intervals are formats whose points add up to a run.
var intervals = []string{ingest.PgbenchAggregate.Name, ingest.BenchBaseWindows.Name}

// recordedGrain is what one more in the last digit of a recorded latency is worth.
var recordedGrain = map[string]float64{ingest.AbGnuplot.Name: 1e-3}

// side makes a run of recorded files and reports and returns what headroom has.
func (g corpusRun) side(t *testing.T, format string, recorded, reports []ingest.File) (*side, error) {
	t.Helper()
	w, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.CreateOptions{})
	noError(t, "create", err)
	defer w.Abort()
	dst := &kept{Writer: w, side: side{run: g.name, format: format}}
	_, err = ingest.Ingest(context.Background(), ingest.Request{Files: slices.Concat(recorded, reports), Options: g.options()}, dst)
	if err != nil {
		return nil, err
	}
	dst.response = w.Manifest().Load.Basis == "response"
	run, err := w.Commit()
	noError(t, "commit", err)
	dst.grain = recordedGrain[format]
	for _, src := range run.Manifest().Sources {
		if src.Format == format {
			dst.resolution = float64(src.Resolution) / 1e6
		}
	}
	for _, sum := range run.Manifest().Summaries {
		dst.reported = append(dst.reported, g.reportedBy(sum)...)
	}
	if len(dst.samples) > 0 {
		m, err := analyze.Measure(context.Background(), run, analyze.Protocol{})
		noError(t, "measure", err)
		dst.sameAsMeasured(t, &m.Result)
	}
	return &dst.side, nil
}

// reports reads the reports of a run of which nothing else is recorded.
func (g corpusRun) reports(t *testing.T, root string) map[string][]figure {
	t.Helper()
	out := map[string][]figure{}
	for _, file := range g.files {
		w, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.CreateOptions{})
		noError(t, "create", err)
		defer w.Abort()
		path := filepath.Join(root, filepath.FromSlash(file))
		if _, err := ingest.Ingest(context.Background(), ingest.Request{Files: []ingest.File{{Path: path}}, Options: g.options()}, w); err != nil {
			continue
		}
		for _, sum := range w.Manifest().Summaries {
			for _, f := range g.reportedBy(sum) {
				f.file = file
				out[file] = append(out[file], f)
			}
		}
	}
	return out
}

// kept keeps what goes into a run.
type kept struct {
	*runs.Writer
	side
}

func (k *kept) Sample(s *runs.Sample) error {
	k.samples = append(k.samples, *s)
	return k.Writer.Sample(s)
}

func (k *kept) Point(p *runs.Point) error {
	k.points = append(k.points, *p)
	return k.Writer.Point(p)
}

func (k *kept) Histogram(h *runs.Histogram) error {
	k.histograms = append(k.histograms, *h)
	return k.Writer.Histogram(h)
}

// sameAsMeasured checks that what is compared with the tools is what headroom
// prints: the quantities of each scenario, and of each kind of request.
func (s *side) sameAsMeasured(t *testing.T, r *analyze.Result) {
	t.Helper()
	for _, q := range r.Quantities {
		if q.Value == nil || q.Scope.Step != "" || q.Scope.Op == "(no kind)" {
			continue
		}
		own, ok := s.pick(q.Scope, q.ID)
		if ok && *q.Value != own && !near(*q.Value, own) {
			t.Errorf("%s %+v: the Result has %v, the test %v", q.ID, q.Scope, *q.Value, own)
		}
	}
}

// pick computes a quantity of one scope.
func (s *side) pick(scope detect.Scope, id string) (float64, bool) {
	part := s.only(func(x *runs.Sample) bool {
		return x.Scenario == scope.Scenario && (scope.Op == "" || x.Op == scope.Op)
	})
	if len(part.samples) == 0 || !slices.Contains([]string{"requests", "latency.p50", "latency.p90", "latency.p95", "latency.p99", "latency.p999", "latency.max", "latency.mean"}, id) {
		return 0, false
	}
	own, ok := part.figure(figure{id: id}, false)
	return own.value, ok
}

func near(a, b float64) bool { return a-b <= 1e-12+1e-9*b && b-a <= 1e-12+1e-9*b }
