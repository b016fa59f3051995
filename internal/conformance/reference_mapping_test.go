package conformance

import (
	"path/filepath"

	"headroom/ingest"
	"headroom/runs"
)

// mappedKinds are artifacts that are read by a mapping of their declared fields,
// and the scenario that their rows are.
var mappedKinds = map[string]string{
	"samples-csv": "", "deliveries-jsonl": "crowd", "app-json-log": "interactions", "probe-jsonl": "home-probe", "queue-depth-csv": "", "points-csv": "",
}

// scenario names what the rows of a mapped artifact are.
func (a refArtifact) scenario() string { return mappedKinds[a.Kind] }

// mapping turns an artifact's declared fields into what a mapping file says. A
// declared field that has no place in a mapping is kept as a label.
func (a refArtifact) mapping() *ingest.Mapping {
	m := &ingest.Mapping{Format: "generic-csv", Files: []string{filepath.Base(a.Path)}, Set: ingest.Constants{Scenario: a.scenario()}}
	if a.Select.Field != "" {
		m.Where = []ingest.Condition{{Field: a.Select.Field, In: []string{a.Select.Equals}}}
	}
	if a.Kind == "deliveries-jsonl" || a.Kind == "samples-csv" {
		m.Outcome = &ingest.OutcomeRule{Rejected: []string{"429"}} // refused by design, as the manifest's gate says
	}
	if a.Kind == "queue-depth-csv" {
		m.Start = &ingest.InstantField{Field: "sampled_at", Unit: "rfc3339"}
		m.Points = []ingest.PointField{{Field: "due", Metric: "queue.depth"}}
	}
	if a.Kind == "points-csv" {
		m.Fit = a.fit(0)
		return m
	}
	for name, f := range a.Fields {
		column := f.Column
		if column == "" {
			column = f.Field
			m.Format = "generic-jsonl"
		}
		switch name {
		case "start":
			m.Start = &ingest.InstantField{Field: column, Unit: f.Unit}
		case "end":
			m.End = &ingest.InstantField{Field: column, Unit: f.Unit}
		case "latency":
			m.Latency = &ingest.DurationField{Field: column, Unit: f.Unit}
		case "time": // of an answer, or when a job was done
			if a.Kind == "app-json-log" {
				m.End = &ingest.InstantField{Field: column, Unit: f.Unit}
			} else {
				m.Start = &ingest.InstantField{Field: column, Unit: f.Unit}
			}
		case "wait", "queue_wait":
			m.Wait = &ingest.DurationField{Field: column, Unit: f.Unit}
		case "service", "processing":
			m.Service = &ingest.DurationField{Field: column, Unit: f.Unit}
		case "status":
			m.Status = column
		case "replica", "target":
			m.Target = column
		case "events":
			m.Events = column
		case "removed": // by a pass of a clean-up
			m.Points = append(m.Points, ingest.PointField{Field: column, Metric: "prune.removed", Kind: runs.Delta})
		case "agent":
			m.Worker = column
		case "batch":
			m.ID = column
		default:
			m.Tags = append(m.Tags, column)
		}
	}
	return m
}
