package analyze

import (
	"slices"
	"testing"

	"headroom/detect"
	"headroom/runs"
)

// TestCostsByRun: costs that several runs have stand in one table, a row a run;
// rare statements, totals and shares of time have no column, and steps of a sweep
// are not compared as versions of one thing.
func TestCostsByRun(t *testing.T) {
	d := &document{Capacity: &Capacity{}}
	d.Protocol = "sweep"
	for i, wal := range []float64{400, 5000} {
		m := &Measured{manifest: &runs.Manifest{}}
		m.Result.Run.ID = string(rune('a' + i))
		for id, v := range map[string]float64{"costs.events": 100, "wal.bytes": 1e6, "wal.bytes_per_event": wal, "calls.insert_per_event": 1, "calls.begin_per_event": 0.001, "growth.own": 5} {
			m.Result.Quantities = append(m.Result.Quantities, quantity(id, detect.Scope{}, v, "1", -1, From{}))
		}
		d.runs = append(d.runs, m)
	}
	by, ids := d.costsByRun()
	if want := []string{"wal.bytes_per_event", "calls.insert_per_event"}; !slices.Equal(ids, want) || len(by.Rows) != 2 || len(by.Rows[0].Cells) != 4 {
		t.Errorf("columns %v of %d rows, want %v", ids, len(by.Rows), want)
	}
	for _, r := range d.costTable(ids).Rows {
		if id := r.Cells[3].ID; id != "growth.own" {
			t.Errorf("the list has %s", id)
		}
	}
	d.reductions()
	if len(d.Quantities) > 0 {
		t.Errorf("steps of a sweep are compared: %v", d.Quantities)
	}
}
