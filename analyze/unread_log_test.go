package analyze_test

import (
	"testing"

	"headroom/detect"
	"headroom/runs"
)

// A log of which no line could be read counts nothing: not zero.
func TestMaintenanceOfAnUnreadLog(t *testing.T) {
	for _, rows := range []int64{0, 3} {
		m := load(t, 2000, func(_ *runs.Writer, m *runs.Manifest) {
			m.Sources = append(m.Sources, runs.Source{File: "pg.log", Format: "postgres-log", SHA256: "x", Rows: rows, BadLines: 18})
		})
		for _, id := range []string{"vacuum.completions", "checkpoint.starts"} {
			q := m.Result.Quantity(id, detect.Scope{})
			if q == nil || (q.Value == nil) != (rows == 0) {
				t.Errorf("%d rows: %s is %+v", rows, id, q)
			}
		}
		if q := m.Result.Quantity("vacuum.pages_dirtied_max", detect.Scope{}); q == nil || (q.Why == "no line of the server's log could be read") != (rows == 0) {
			t.Errorf("%d rows: %+v", rows, q)
		}
	}
}
