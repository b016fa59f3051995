package prose

import (
	"slices"
	"testing"
)

// TestFamily places a thing by its own name before those whose names it begins.
func TestFamily(t *testing.T) {
	names := []string{"steps-ingest", "steps-matching", "glance", "glance-aside", "stepsize"}
	for id, want := range map[string][]string{
		"steps": {"steps-ingest", "steps-matching"}, "glance": {"glance"}, "steps-ingest": {"steps-ingest"}, "step": nil,
	} {
		if got := family(names, id); !slices.Equal(got, want) {
			t.Errorf("%s places %q, want %q", id, got, want)
		}
	}
}
