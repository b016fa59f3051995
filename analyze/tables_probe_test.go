package analyze

import (
	"slices"
	"testing"

	"headroom/detect"
	"headroom/runs"
)

// TestProbesAskRequests: a probe carries no event, so its rate is that of its
// requests, whatever the load's requests carry.
func TestProbesAskRequests(t *testing.T) {
	m := &Measured{manifest: &runs.Manifest{}, probes: map[string]bool{"probe": true}}
	for _, name := range []string{"ingest", "probe"} {
		scope := detect.Scope{Scenario: name}
		m.Result.Quantities = append(m.Result.Quantities, quantity("requests", scope, 205, "1", 205, From{}),
			quantity("throughput", scope, 17.1, "events/s", 205, From{}), quantity("throughput.requests", scope, 1.71, "1/s", 205, From{}))
	}
	d := &document{runs: []*Measured{m}}
	table, got := d.latencyTable(), map[string]string{}
	at := func(name string) int {
		return slices.IndexFunc(table.Columns, func(c Column) bool { return c.Name == name })
	}
	for _, r := range table.Rows {
		got[r.Cells[at("scenario")].Text] = r.Cells[at("throughput")].Text
	}
	if got["ingest"] != "17.1 events/s" || got["probe"] != "1.71 requests/s" {
		t.Errorf("rates: %q", got)
	}
}
