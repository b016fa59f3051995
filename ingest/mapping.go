package ingest

import "path/filepath"

// Mapping declares what the columns of a generic CSV or JSON-lines file mean;
// docs/formats/mapping.md shows one.
type Mapping struct {
	// Format is "generic-csv" or "generic-jsonl".
	Format string
	// Files are patterns (as of path.Match) of the base names that the mapping
	// is for, even if another format claims their content. Empty: it is for the
	// files that no other format claims.
	Files []string
}

// covers reports whether the mapping names the file. A nil mapping names none.
func (m *Mapping) covers(base string) bool {
	if m == nil {
		return false
	}
	for _, pattern := range m.Files {
		if ok, _ := filepath.Match(pattern, base); ok {
			return true
		}
	}
	return false
}

// fallsTo reports whether files that nothing else claims are the mapping's.
func (m *Mapping) fallsTo() bool { return m != nil && len(m.Files) == 0 }
