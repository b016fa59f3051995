package conformance

import "headroom/ingest"

// mapping turns an artifact's declared fields into a mapping file's.
func (a refArtifact) mapping() *ingest.Mapping {
	return &ingest.Mapping{Format: "generic-csv"}
}
