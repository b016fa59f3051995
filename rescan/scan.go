package rescan

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"headroom/analyze"
	"headroom/runs"
)

// Options say what is looked for, and with what it is compared.
type Options struct {
	// Protocol judges the runs. Detectors of one's own and the certificate of
	// calibration are part of it.
	Protocol analyze.Protocol
	// Only names the detectors whose findings are compared; none: all.
	Only []string
	// Program tells programs apart whose results may differ: the digest of the
	// executable.
	Program string
	// Jobs is how many runs are measured at a time; below 1 is 1.
	Jobs int
	// Cache is the folder that keeps results; "" is derived/rescan in the archive,
	// which is done without where nothing can be written.
	Cache string
	// Verify reads every byte of every run and compares it with its seal.
	Verify bool
	// Against are the documents that were published; none: the scan before.
	Against []Document
	// Progress is told after each run; nil is nobody. It is called from one
	// goroutine at a time.
	Progress func(Progress)
}

// Progress says how far a scan is.
type Progress struct {
	Measured int // runs that were measured by this scan
	Cached   int // that the cache had
	Failed   int // that could not be looked at
	Combined int // documents that were made again of their runs by this scan
	Of       int // runs of the archive
}

// Document is a published capacity.json.
type Document struct {
	Name string // as it is to be called in the report
	Path string // the file
}

// Scanner scans one archive.
type Scanner struct {
	archive *Archive
	opt     Options
	cache   *cache
	config  string            // of the archive's runs
	past    []string          // configurations of scans before, the latest last
	differs map[string]string // of those: in what they were made otherwise
	ran     []Detector

	mu       sync.Mutex
	progress Progress
	note     string // why nothing is kept
}

// New prepares a scan. ErrCache is for a cache folder that was asked for and
// takes nothing.
func New(a *Archive, opt Options) (*Scanner, error) {
	s := &Scanner{archive: a, opt: opt, ran: detectorsOf(opt.Protocol), progress: Progress{Of: len(a.Runs)}}
	var err error
	if s.config, err = configuration(opt.Program, opt.Protocol); err != nil {
		return nil, err
	}
	s.cache, err = openCache(a.Dir, opt.Cache)
	if err != nil && opt.Cache != "" {
		return nil, err
	}
	if err != nil {
		s.note = err.Error()
	}
	s.past = s.cache.history()
	s.differs, err = s.otherwise()
	return s, err
}

// Close lets go of the cache.
func (s *Scanner) Close() { s.cache.close() }

// Kept says why no result is kept, "" if they are.
func (s *Scanner) Kept() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.note
}

// Done returns how much was measured and how much the cache had.
func (s *Scanner) Done() Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.progress
}

// Remember makes this scan the one that a scan with other detectors, parameters
// or another program is compared with. It is called when the report has reached
// its reader: a scan that is killed before gives the same report again.
func (s *Scanner) Remember() error {
	past := slices.DeleteFunc(slices.Clone(s.past), func(c string) bool { return c == s.config })
	past = append(past, s.config)
	now, err := circumstancesOf(s.opt.Program, s.opt.Protocol)
	if err != nil {
		return err
	}
	if err := s.cache.keep(rulesKey(s.config), now); err != nil {
		return err
	}
	if n := len(past) - maxHistory; n > 0 {
		past = past[n:]
	}
	return s.cache.keep(historyKey, past)
}

// Scan measures the archive and says what changed.
func (s *Scanner) Scan(ctx context.Context) (*Report, error) {
	r := &Report{
		Schema: Schema, Outcome: Unchanged, Detectors: s.ran, Only: s.opt.Only, Baseline: "none",
		Runs: make([]RunReport, len(s.archive.Runs)), Documents: []DocumentReport{}, Notes: append([]string{}, s.archive.Notes...),
	}
	published := map[string][]Comparison{} // by digest of the run
	for _, d := range s.opt.Against {
		report, err := s.document(ctx, d, published)
		if err != nil {
			return nil, err
		}
		r.Documents = append(r.Documents, *report)
		r.Outcome = worst(r.Outcome, report.Outcome)
	}
	err := s.each(ctx, len(r.Runs), func(ctx context.Context, i int) error {
		r.Runs[i] = s.run(ctx, &s.archive.Runs[i], published)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	s.conclude(r)
	return r, nil
}

// run reports on one run of the archive.
func (s *Scanner) run(ctx context.Context, e *Entry, published map[string][]Comparison) RunReport {
	r := RunReport{Path: e.Path, ID: e.ID, Digest: e.Digest, State: e.State, Against: []Comparison{}}
	now, err := s.result(ctx, e, s.opt.Protocol, s.config)
	if err != nil {
		r.Error = err.Error()
		s.told(func(p *Progress) { p.Failed++ })
		return r
	}
	r.Withdrawn = now.Run.Withdrawn
	for _, f := range now.Findings {
		if len(s.opt.Only) == 0 || slices.Contains(s.opt.Only, f.Detector) {
			r.Findings++
		}
	}
	r.Blind = blindOf(now, s.opt.Only)
	if r.Against = append(r.Against, published[e.Digest]...); len(r.Against) > 0 {
		return r
	}
	if old, differs := s.before(e); old != nil {
		c := newComparison("previous scan")
		c.Differs, c.Withdrawn = differs, withdrawnSince(old, now)
		compareFindings(&c.Findings, old, now, s.ran, s.opt.Only)
		compareQuantities(&c.Quantities, old.Quantities, now.Quantities)
		compareVerdicts(&c.Verdicts, old.Verdicts, now.Verdicts)
		r.Against = append(r.Against, c)
	}
	return r
}

// before returns what the latest scan that was made otherwise said of a run, and in
// what it was made otherwise; nil if there is none.
func (s *Scanner) before(e *Entry) (old *analyze.Result, differs string) {
	for _, config := range slices.Backward(s.past) {
		var kept entry
		if config != s.config && s.cache.load(runKey(config, e.Digest), &kept) {
			return kept.Result, s.differs[config]
		}
	}
	return nil, ""
}

// conclude makes the outcome of the whole: with documents that of what they
// published, without that of the runs.
func (s *Scanner) conclude(r *Report) {
	if len(s.opt.Against) > 0 {
		r.Baseline = "documents"
	}
	for i := range r.Runs {
		run := &r.Runs[i]
		if run.Error != "" || len(run.Blind) > 0 {
			r.Outcome = worst(r.Outcome, CouldNotLook)
		}
		for j := range run.Against {
			c := &run.Against[j]
			if c.Baseline == "previous scan" && len(s.opt.Against) > 0 {
				continue // of no document
			}
			if r.Baseline == "none" {
				r.Baseline = "previous scan"
			}
			r.Outcome = worst(r.Outcome, c.outcome())
		}
	}
	r.Statement = statement(r)
}

// each calls do for 0 to n-1, as many at a time as there are jobs, and returns
// the first error in that order. A panic of one is a panic of the caller.
func (s *Scanner) each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, n)
	panics := make([]any, n)
	work := make(chan int)
	var wait sync.WaitGroup
	for range min(max(s.opt.Jobs, 1), n) {
		wait.Go(func() {
			for i := range work {
				func() {
					defer func() {
						if panics[i] = recover(); panics[i] != nil {
							cancel()
						}
					}()
					if errs[i] = do(ctx, i); errs[i] != nil {
						cancel()
					}
				}()
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		work <- i
	}
	close(work)
	wait.Wait()
	for i := range n {
		if panics[i] != nil {
			panic(panics[i])
		}
	}
	return firstError(ctx, errs)
}

// firstError prefers what went wrong to what was cancelled because of it.
func firstError(ctx context.Context, errs []error) error {
	for _, err := range errs {
		if err != nil && err != context.Canceled {
			return err
		}
	}
	return ctx.Err()
}

// told changes the progress, and says so.
func (s *Scanner) told(change func(*Progress)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.progress)
	if s.opt.Progress != nil {
		s.opt.Progress(s.progress)
	}
}

// verified opens a run of the archive and compares it with its seal, as far as
// was asked.
func (s *Scanner) verified(ctx context.Context, e *Entry) (*runs.Run, error) {
	if e.Err != nil {
		return nil, e.Err
	}
	path := s.archive.at(e)
	run, err := runs.Open(path)
	if err != nil {
		return nil, withoutRun(err, path)
	}
	if run.Digest() != e.Digest {
		return nil, fmt.Errorf("the run was replaced while the archive was scanned; scan it again")
	}
	if s.opt.Verify {
		if err := run.Verify(ctx); err != nil {
			return nil, withoutRun(err, path)
		}
	}
	return run, nil
}
