package ingest

import (
	"errors"
	"strings"
	"testing"

	"headroom/runs"
)

// TestClaimBesideTheFilesOwn refuses a number that contradicts what the files count,
// and takes one that they do not count, or count alike.
func TestClaimBesideTheFilesOwn(t *testing.T) {
	dir := write(t, map[string]string{"k6.json": k6At("2026-03-02T10:00:00Z", 10)})
	for claim, refused := range map[string]bool{"requests=10": false, "requests=10.0": false, "events=500": false, "requests=11": true} {
		name, value, _ := strings.Cut(claim, "=")
		_, _, err := ingest(t, Request{Files: paths(dir, "k6.json"), Claims: map[string]string{name: value}})
		if errors.Is(err, ErrUsage) != refused || err != nil && !strings.Contains(err.Error(), "the files themselves count 10") {
			t.Errorf("%s: %v", claim, err)
		}
	}
}

// TestStampOfSeveralCounts keeps the stamp that lies furthest into the load.
func TestStampOfSeveralCounts(t *testing.T) {
	const early, late = "2026-03-02T10:00:00Z", "2026-03-02T10:00:00.5Z"
	for _, c := range []struct {
		a, b string
		role Role
		want string
	}{
		{early, late, Before, late}, {late, early, Before, late},
		{early, late, After, early}, {late, early, After, early},
		{"", late, After, late}, {early, "", Before, early},
	} {
		all := addCounts(&runs.Manifest{}, &runs.Counts{At: c.a, Values: map[string]string{}}, &source{meta: Meta{Counts: &runs.Counts{At: c.b}}}, c.role)
		if all.At != c.want {
			t.Errorf("%q and %q, %v: %q, want %q", c.a, c.b, c.role, all.At, c.want)
		}
	}
}
