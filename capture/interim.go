package capture

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"headroom/runs"
)

// flush makes everything so far certain, with a manifest that says what each
// collector has recorded: should the agent die now, that is the run's.
func (c *capture) flush() error {
	now := c.opt.Clock.Now()
	c.mu.Lock()
	steps, weight := closedSteps(c.steps, now), c.weight.Weight
	c.mu.Unlock()
	return c.rec.flush(now, func(m *runs.Manifest) {
		m.Steps = steps
		c.foldSoFar(m)
		c.foldLive(m)
		c.foldSnapshots(m)
		if group := c.group.Load(); group > 0 {
			m.Notes = append(m.Notes, fmt.Sprintf("the command was process group %d while this was recorded; what may be left of it ends with kill -- -%d", group, group))
		}
		if weight.Seconds > 0 {
			m.Notes = append(m.Notes, weight.String())
		}
		if m.Load.Model == "" {
			m.Load.Model = runs.UnknownLoop
		}
		c.foldAbsences(m)
	})
}

// foldSoFar adds a line for each log and each source of samples from which rows
// came. Their digests, and what a generator says at its end, are not known yet.
func (c *capture) foldSoFar(m *runs.Manifest) {
	for _, name := range slices.Sorted(maps.Keys(c.rec.sources)) {
		of := c.rec.sources[name]
		if name == sourceHost || name == sourcePostgres || name == sourceAgent || of.rows == 0 {
			continue
		}
		s := runs.Source{
			File: name, Format: of.format, Rows: of.rows, Samples: of.samples,
			Notes: []string{"what the last flush made certain; what came after, and the digest, are not known"},
		}
		of.span(&s)
		if name == "" { // files that are read when the load has ended
			s.File, s.Format = c.filesRead()
		}
		s.Cut = of.samples > 0
		m.Sources = append(m.Sources, s)
	}
	for _, f := range c.files {
		if c.rec.sources[""] == nil {
			m.NotCollected = append(m.NotCollected, runs.Absence{
				What: "samples of " + filepath.Base(f.Path), Why: runs.CollectorDied, Note: "a file is read when the command has ended, which the recording did not see: it may still be there",
			})
		}
	}
}

// filesRead names the files of samples by the first of them.
func (c *capture) filesRead() (file, format string) {
	if len(c.files) == 0 {
		return nameStdout, "samples"
	}
	return filepath.Base(c.files[0].Path), c.files[0].Format
}
