package ingest

// Mapping declares what the columns of a generic CSV or JSON-lines file mean;
// docs/formats/mapping.md shows one.
type Mapping struct{}
