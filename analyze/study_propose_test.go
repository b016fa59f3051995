package analyze_test

import (
	"fmt"
	"testing"

	"headroom/analyze"
	"headroom/runs"
)

// What a study of the runs at hand proposes, by what they hold and how they are
// labelled.
func TestPropose(t *testing.T) {
	run := func(table string, labels ...string) *runs.Manifest {
		m := &runs.Manifest{Labels: map[string]string{}}
		if table != "" {
			m.Tables = []runs.TableDigest{{Table: table, Rows: 5}}
		}
		for i := 0; i < len(labels); i += 2 {
			m.Labels[labels[i]] = labels[i+1]
		}
		return m
	}
	for name, c := range map[string]struct {
		runs []*runs.Manifest
		want string // name:protocol:key:runs of each
	}{
		"one run":       {[]*runs.Manifest{run("samples")}, "[all:run::1]"},
		"two arms":      {[]*runs.Manifest{run("samples", "arm", "control"), run("samples", "arm", "treatment")}, "[control:run::1 treatment:run::1]"},
		"a ladder":      {[]*runs.Manifest{run("samples", "rate", "10"), run("samples", "rate", "20")}, "[all:ladder:rate:2]"},
		"a sweep":       {[]*runs.Manifest{run("samples", "concurrency", "1"), run("samples", "concurrency", "2")}, "[all:sweep:concurrency:2]"},
		"equal runs":    {[]*runs.Manifest{run("samples"), run("samples")}, "[all:repeats::2]"},
		"benchmarks":    {[]*runs.Manifest{run("benchmarks"), run("benchmarks")}, "[all:bench::2]"},
		"counts":        {[]*runs.Manifest{run("snapshots/pg_stat_database")}, "[all:counts::1]"},
		"a host alone":  {[]*runs.Manifest{run("points")}, "[all:run::1]"},
		"nothing":       {[]*runs.Manifest{run("")}, "[all:run::1]"},
		"two kinds":     {[]*runs.Manifest{run("samples"), run("benchmarks")}, "[all:run::1 all-2:bench::1]"},
		"no runs":       {nil, "[]"},
		"totals of one": {[]*runs.Manifest{run("histograms")}, "[all:run::1]"},
	} {
		got := []string{}
		for _, p := range analyze.Propose(c.runs) {
			got = append(got, fmt.Sprintf("%s:%s:%s:%d", p.Name, p.Protocol, p.Key, len(p.Runs)))
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: got %v, want %s", name, got, c.want)
		}
	}
}
