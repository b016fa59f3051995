package rescan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"headroom/analyze"
)

// documentName is the file of a document that holds its figures.
const documentName = "capacity.json"

// maxDocument bounds a capacity.json that is read, in bytes.
const maxDocument = 256 << 20

// Documents finds the documents of a published site: every capacity.json in the
// folder dir and below it, by path from it, in order. Links are not followed. A
// path that is a file is that document.
func Documents(dir string) ([]string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{"."}, nil
	}
	var out []string
	err = filepath.WalkDir(dir+string(filepath.Separator), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == documentName && d.Type().IsRegular() {
			rel, err := filepath.Rel(dir, path)
			out = append(out, rel)
			return err
		}
		return nil
	})
	return out, err
}

// readDocument reads a capacity.json.
func readDocument(path string) (*analyze.Capacity, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxDocument+1))
	if err != nil {
		return nil, withoutPath(err)
	}
	if len(text) > maxDocument {
		return nil, fmt.Errorf("larger than %d bytes, the most that is read", maxDocument)
	}
	c := &analyze.Capacity{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, err
	}
	if c.Schema != analyze.CapacitySchema {
		return nil, fmt.Errorf("schema %q, want %q", c.Schema, analyze.CapacitySchema)
	}
	c.Tables, c.Figures = nil, nil
	return c, nil
}

// document compares a published document with what its runs say now. What the
// runs it used say is added to published.
func (s *Scanner) document(ctx context.Context, d Document, published map[string][]Comparison) (*DocumentReport, error) {
	r := &DocumentReport{Path: d.Name, Runs: []DocumentRun{}, Own: newComparison(d.Name)}
	old, err := readDocument(d.Path)
	if err != nil {
		r.Error, r.Outcome = err.Error(), CouldNotLook
		r.Statement = fmt.Sprintf("This document could not be compared: %s.", r.Error)
		return r, nil
	}
	r.Title = old.Title
	p, err := s.rules(old, r)
	if err != nil {
		r.Error, r.Outcome = err.Error(), CouldNotLook
		r.Statement = fmt.Sprintf("This document could not be compared: %s.", r.Error)
		return r, nil
	}
	now, why, err := s.again(ctx, old, p, r)
	if err != nil {
		return nil, err
	}
	if now.whole != nil {
		compareQuantities(&r.Own.Quantities, old.Quantities, now.whole.Quantities)
		compareVerdicts(&r.Own.Verdicts, old.Verdicts, now.whole.Verdicts)
		compareSentences(&r.Own.Sentences, old.Answer, now.whole.Answer)
	} else {
		blindTo(&r.Own, old.Quantities, old.Verdicts, old.Answer, why)
	}
	s.outcomeOf(r, old, now, why)
	for i := range old.Results {
		c := newComparison(d.Name)
		was := &old.Results[i]
		if is := now.results[was.Run.Digest]; is != nil {
			c.Withdrawn = withdrawnSince(was, is)
			compareFindings(&c.Findings, was, is, s.ran, s.opt.Only)
			if old.Study == nil {
				compareQuantities(&c.Quantities, was.Quantities, is.Quantities)
				compareVerdicts(&c.Verdicts, was.Verdicts, is.Verdicts)
			} else { // which may withhold a figure, and has limits of its own
				compareQuantities(&c.Quantities, given(was.Quantities), is.Quantities)
				blindTo(&c, nil, was.Verdicts, nil, why)
			}
			published[was.Run.Digest] = append(published[was.Run.Digest], c)
		} else {
			blindTo(&c, was.Quantities, was.Verdicts, nil, r.Runs[i].Error)
			c.Findings.Blind = append(c.Findings.Blind, Blind{Detector: "all", Why: r.Runs[i].Error, Had: len(was.Findings)})
		}
		r.count(&c)
	}
	r.count(&r.Own)
	r.Statement = documentStatement(r, newcomers(old, s.ran))
	return r, nil
}

// withdrawnSince reports whether a run was withdrawn after a result was made of it.
func withdrawnSince(was, is *analyze.Result) bool {
	return was.Run.Withdrawn == "" && is.Run.Withdrawn != ""
}

// count adds a comparison to what the document is told of.
func (r *DocumentReport) count(c *Comparison) {
	r.Quantities.add(c.Quantities.tally())
	r.Verdicts.add(c.Verdicts.tally())
	r.Sentences.add(c.Sentences.tally())
	r.Findings.add(c.Findings.tally())
	r.Outcome = worst(r.Outcome, c.outcome())
}

// outcomeOf compares the verdict of the whole document, as one more verdict.
func (s *Scanner) outcomeOf(r *DocumentReport, old *analyze.Capacity, now again, why string) {
	was := []analyze.Verdict{{Gate: "document", Outcome: old.Outcome}}
	if now.whole == nil {
		blindTo(&r.Own, nil, was, nil, why)
		return
	}
	compareVerdicts(&r.Own.Verdicts, was, []analyze.Verdict{{Gate: "document", Outcome: now.whole.Outcome, Why: "a gate that decides is unknown"}})
}

// rules returns the protocol of a document with today's detectors: the one it
// records, or where it does not the command's.
func (s *Scanner) rules(old *analyze.Capacity, r *DocumentReport) (analyze.Protocol, error) {
	p, recorded, err := old.Asked()
	if err != nil {
		return p, err
	}
	r.Rules = "recorded"
	switch {
	case old.Study != nil: // a study has rules for each configuration, in its file
		r.Rules = "of a study"
		p = s.opt.Protocol
	case !recorded:
		r.Rules = "not recorded"
		p = s.opt.Protocol
		p.Name, p.Title = old.Protocol, old.Title
	}
	p.Detectors, p.Calibration = s.opt.Protocol.Detectors, s.opt.Protocol.Calibration
	if len(s.opt.Protocol.Params) > 0 { // what was asked for now outranks
		p.Params = maps.Clone(p.Params)
		if p.Params == nil {
			p.Params = map[string]float64{}
		}
		maps.Copy(p.Params, s.opt.Protocol.Params)
	}
	return p, nil
}

// again is what a document and its runs say now.
type again struct {
	whole   *analyze.Capacity          // nil if it could not be made
	results map[string]*analyze.Result // by digest; those that could be looked at
}

// again makes a document of its runs again. why says why it could not be made.
func (s *Scanner) again(ctx context.Context, old *analyze.Capacity, p analyze.Protocol, r *DocumentReport) (now again, why string, err error) {
	config, err := configuration(s.opt.Program, p)
	if err != nil {
		return now, "", err
	}
	entries, missing := s.entries(old, r)
	switch {
	case old.Study != nil:
		why = OfStudy
	case missing == 0 && len(entries) > 0:
		now.whole, err = s.combine(ctx, entries, p, config)
		var failed *runError
		switch {
		case errors.As(err, &failed):
			why = failed.Error()
		case err != nil:
			return now, "", err
		}
	default:
		why = fmt.Sprintf("%d of %d runs cannot be measured: missing from the archive, or not as sealed", missing, len(entries))
	}
	now.results = map[string]*analyze.Result{}
	if now.whole != nil {
		for i := range now.whole.Results {
			now.results[now.whole.Results[i].Run.Digest] = &now.whole.Results[i]
		}
	} else if err := s.singly(ctx, entries, p, config, now.results, r); err != nil {
		return now, "", err
	}
	for i := range r.Runs {
		if res := now.results[r.Runs[i].Digest]; res != nil {
			r.Runs[i].Withdrawn = res.Run.Withdrawn
		}
	}
	return now, why, nil
}

// entries finds the runs of a document in the archive; nil for one that is
// missing.
func (s *Scanner) entries(old *analyze.Capacity, r *DocumentReport) (out []*Entry, missing int) {
	for i := range old.Results {
		run := old.Results[i].Run
		e := s.archive.find(run.Digest)
		d := DocumentRun{ID: run.ID, Digest: run.Digest}
		switch bad := s.archive.broken(run.Digest); {
		case e == nil && bad != nil:
			missing++
			d.Path, d.Error = bad.Path, bad.Err.Error()
		case e == nil:
			missing++
			d.Error = "it is missing from the archive"
			if other := slices.IndexFunc(s.archive.Runs, func(o Entry) bool { return o.ID == run.ID && o.Err == nil }); other >= 0 {
				d.Error += fmt.Sprintf("; %s bears its id and is another run", s.archive.Runs[other].Path)
			}
		default:
			d.Path, d.State = e.Path, e.State
		}
		r.Runs, out = append(r.Runs, d), append(out, e)
	}
	return out, missing
}

// runError says that a document cannot be made of its runs any more.
type runError struct{ err error }

func (e *runError) Error() string { return e.err.Error() }

// combine measures runs and makes their document, or takes it from the cache.
func (s *Scanner) combine(ctx context.Context, entries []*Entry, p analyze.Protocol, config string) (*analyze.Capacity, error) {
	var digests, notes []string
	opened := make([]opened, len(entries))
	for i, e := range entries {
		run, err := s.verified(ctx, e)
		if err != nil {
			return nil, &runError{fmt.Errorf("%s: %w", e.Path, err)}
		}
		opened[i].Run = run
		digests, notes = append(digests, e.Digest), append(notes, notesDigest(run))
	}
	key := documentKey(config, p.Title, digests)
	var kept keptDocument
	if s.cache.load(key, &kept) && kept.Whole != nil && slices.Equal(kept.Notes, notes) {
		return kept.Whole, nil
	}
	err := s.each(ctx, len(entries), func(ctx context.Context, i int) (err error) {
		opened[i].measured, _, err = s.measure(ctx, opened[i].Run, entries[i], p, config)
		return err
	})
	if err != nil {
		return nil, unlessCancelled(ctx, err)
	}
	var ms []*analyze.Measured
	for i := range opened {
		ms = append(ms, opened[i].measured)
	}
	c, err := analyze.Combine(ms, p)
	if err != nil {
		return nil, &runError{err}
	}
	c.Tables, c.Figures = nil, nil
	whole := &analyze.Capacity{}
	if err := throughJSON(c, whole); err != nil {
		return nil, err
	}
	s.told(func(p *Progress) { p.Combined++ })
	s.keep(key, keptDocument{notes, whole})
	return whole, nil
}
