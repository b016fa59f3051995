package rescan

import (
	"context"
	"encoding/json"
	"fmt"

	"headroom/analyze"
	"headroom/runs"
)

// entry is what the cache keeps of a run.
type entry struct {
	Notes  string          `json:"notes"` // digest of those it was made with
	Result *analyze.Result `json:"result"`
}

// keep stores a value as JSON.
func (c *cache) keep(key string, v any) error {
	if c == nil {
		return nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.store(key, text)
}

// result returns what a run says under a protocol: from the cache, or measured.
func (s *Scanner) result(ctx context.Context, e *Entry, p analyze.Protocol, config string) (*analyze.Result, error) {
	run, err := s.verified(ctx, e)
	if err != nil {
		return nil, err
	}
	var kept entry
	if s.cache.load(runKey(config, e.Digest), &kept) && kept.Result != nil && kept.Notes == notesDigest(run) {
		s.told(func(p *Progress) { p.Cached++ })
		return kept.Result, nil
	}
	_, result, err := s.measure(ctx, run, e, p, config)
	return result, err
}

// measure measures a run and keeps its result. The result that is returned has
// been through JSON, so that it is the one the cache will give.
func (s *Scanner) measure(ctx context.Context, run *runs.Run, e *Entry, p analyze.Protocol, config string) (*analyze.Measured, *analyze.Result, error) {
	notes := notesDigest(run)
	m, err := analyze.Measure(ctx, run, p)
	if err != nil {
		return nil, nil, withoutRun(err, run.Path())
	}
	result := &analyze.Result{}
	if err := throughJSON(&m.Result, result); err != nil {
		return nil, nil, err
	}
	s.keep(runKey(config, e.Digest), entry{notes, result})
	s.told(func(p *Progress) { p.Measured++ })
	return m, result, nil
}

// keep stores what was made. Where that cannot be done any more (a full disk) the
// scan goes on without.
func (s *Scanner) keep(key string, v any) {
	if err := s.cache.keep(key, v); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.note = fmt.Sprintf("%v: %v", ErrCache, withoutPath(err))
	}
}

// throughJSON copies a value by writing and reading it.
func throughJSON(from, to any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}
