package rescan

import (
	"context"
	"slices"

	"headroom/analyze"
	"headroom/runs"
)

// opened is a run of a document while it is combined.
type opened struct {
	*runs.Run
	measured *analyze.Measured
}

// keptDocument is what the cache keeps of a document.
type keptDocument struct {
	Notes []string          `json:"notes"` // digests of those of its runs
	Whole *analyze.Capacity `json:"whole"`
}

// unlessCancelled makes the failure of a run one of its document, but for a scan
// that was interrupted.
func unlessCancelled(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &runError{err}
}

// singly measures the runs of a document that cannot be made as a whole.
func (s *Scanner) singly(ctx context.Context, entries []*Entry, p analyze.Protocol, config string, into map[string]*analyze.Result, r *DocumentReport) error {
	results := make([]*analyze.Result, len(entries))
	err := s.each(ctx, len(entries), func(ctx context.Context, i int) error {
		if entries[i] == nil {
			return nil
		}
		result, err := s.result(ctx, entries[i], p, config)
		if err != nil {
			r.Runs[i].Error = err.Error()
		}
		results[i] = result
		return ctx.Err()
	})
	for i, result := range results {
		if result != nil {
			into[entries[i].Digest] = result
		}
	}
	return err
}

// given returns the quantities that have a value.
func given(qs []analyze.Quantity) []analyze.Quantity {
	return slices.DeleteFunc(slices.Clone(qs), func(q analyze.Quantity) bool { return q.Value == nil })
}

// newcomers names the detectors that looked now and did not when the document
// was made.
func newcomers(old *analyze.Capacity, ran []Detector) []string {
	knew := map[string]bool{}
	for i := range old.Results {
		for _, l := range old.Results[i].Looked {
			knew[l.Detector] = true
		}
	}
	var out []string
	for _, d := range ran {
		if !knew[d.Name] {
			out = append(out, d.Name)
		}
	}
	return out
}
