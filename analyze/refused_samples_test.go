package analyze_test

import (
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

// Samples that the recording refused while it read them may be there twice: the run has
// no rate and no verdict.
func TestSamplesThatWereRefused(t *testing.T) {
	for _, refused := range []bool{false, true} {
		m := load(t, 2000, func(_ *runs.Writer, m *runs.Manifest) {
			if refused {
				m.NotCollected = append(m.NotCollected, runs.Absence{What: runs.AbsentSamples, Why: runs.CollectorDied, Note: "a.json and b.json overlap"})
			}
		})
		q := m.Result.Quantity("throughput", detect.Scope{Scenario: "default"})
		if q == nil || (q.Value == nil) != refused || strings.Contains(q.Why, "a.json and b.json overlap") != refused {
			t.Errorf("refused %v: %+v", refused, q)
		}
		c, err := analyze.Combine([]*analyze.Measured{m}, analyze.Protocol{})
		if err != nil || (c.Outcome == analyze.Unknown) != refused {
			t.Errorf("refused %v: %v, %v", refused, c.Outcome, err)
		}
	}
}
