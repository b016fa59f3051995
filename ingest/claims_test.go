package ingest

import (
	"errors"
	"slices"
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

// TestAgreed takes from several files what those say that say something, and nothing
// where two differ, in whatever order.
func TestAgreed(t *testing.T) {
	for _, c := range []struct {
		said []int
		want int
	}{{nil, 0}, {[]int{0, 4}, 4}, {[]int{4, 0, 4}, 4}, {[]int{1, 4}, 0}, {[]int{4, 1, 4}, 0}, {[]int{0, 0}, 0}} {
		var sources []*source
		for _, n := range c.said {
			sources = append(sources, &source{meta: Meta{Concurrency: n}})
		}
		if got := agreed(sources, func(s *source) int { return s.meta.Concurrency }); got != c.want {
			t.Errorf("%v: %d, want %d", c.said, got, c.want)
		}
	}
}

// TestUnanswered tells of a pair to be reconciled that one side is missing.
func TestUnanswered(t *testing.T) {
	m := &runs.Manifest{
		Reconcile: map[string]string{"rows": "sent", "none": "requests", "both": "events", "neither": "sold"},
		Claims:    map[string]string{"sent": "7"},
		Before:    &runs.Counts{Values: map[string]string{"rows": "1", "both": "1"}}, After: &runs.Counts{Values: map[string]string{"rows": "8", "both": "8"}},
	}
	want := []string{
		`reconcile neither=sold: nothing claims "sold", so that the gate stays unknown; there are claims of events, requests, sent`,
		`reconcile neither=sold: nothing counted "neither", so that the gate stays unknown; there are counts of both, rows`,
		`reconcile none=requests: nothing counted "none", so that the gate stays unknown; there are counts of both, rows`,
	}
	if got := Unanswered(m); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
