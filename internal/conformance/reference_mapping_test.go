package conformance

import "headroom/ingest"

// mapping turns an artifact's declared fields into what a mapping file says. A
// declared field that has no place in a mapping is kept as a label.
func (a refArtifact) mapping() *ingest.Mapping {
	m := &ingest.Mapping{Format: "generic-csv"}
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
		case "wait":
			m.Wait = &ingest.DurationField{Field: column, Unit: f.Unit}
		case "service":
			m.Service = &ingest.DurationField{Field: column, Unit: f.Unit}
		case "status":
			m.Status = column
		case "replica", "target":
			m.Target = column
		case "events":
			m.Events = column
		default:
			m.Tags = append(m.Tags, column)
		}
	}
	return m
}
