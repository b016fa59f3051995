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
	of := func(tool string, m *runs.Manifest) *runs.Manifest {
		m.Load.Tool = tool
		return m
	}
	for name, c := range map[string]struct {
		runs []*runs.Manifest
		want string // name:protocol:key:runs of each
	}{
		"one run":       {[]*runs.Manifest{run("samples")}, "[checkout-1:run::1]"},
		"two arms":      {[]*runs.Manifest{run("samples", "arm", "control"), run("samples", "arm", "treatment")}, "[control:run::1 treatment:run::1]"},
		"a ladder":      {[]*runs.Manifest{run("samples", "rate", "10"), run("samples", "rate", "20")}, "[checkout:ladder:rate:2]"},
		"a sweep":       {[]*runs.Manifest{run("samples", "concurrency", "1"), run("samples", "concurrency", "2")}, "[checkout:sweep:concurrency:2]"},
		"equal runs":    {[]*runs.Manifest{run("samples"), run("samples")}, "[checkout:repeats::2]"},
		"benchmarks":    {[]*runs.Manifest{run("benchmarks"), run("benchmarks")}, "[checkout:bench::2]"},
		"counts":        {[]*runs.Manifest{run("snapshots/pg_stat_database")}, "[checkout-1:counts::1]"},
		"a host alone":  {[]*runs.Manifest{run("points")}, "[checkout-1:run::1]"},
		"nothing":       {[]*runs.Manifest{run("")}, "[checkout-1:run::1]"},
		"two kinds":     {[]*runs.Manifest{run("samples"), run("benchmarks")}, "[checkout-1:run::1 checkout-2:bench::1]"},
		"two tools":     {[]*runs.Manifest{of("hey", run("samples")), of("pgbench", run("samples")), of("hey", run("samples"))}, "[hey:repeats::2 pgbench:run::1]"},
		"a tool's own":  {[]*runs.Manifest{of("hey", run("samples", "tool", "a")), of("pgbench", run("samples", "tool", "a"))}, "[checkout:repeats::2]"},
		"no runs":       {nil, "[]"},
		"totals of one": {[]*runs.Manifest{run("histograms")}, "[checkout-1:run::1]"},
	} {
		got := []string{}
		for _, p := range analyze.Propose(c.runs, called(len(c.runs))) {
			got = append(got, fmt.Sprintf("%s:%s:%s:%d", p.Name, p.Protocol, p.Key, len(p.Runs)))
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: got %v, want %s", name, got, c.want)
		}
	}
}

// called are what the folders of n runs are called.
func called(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("checkout-%d", i+1))
	}
	return names
}

// TestProposedNames names configurations after labels, then after what the runs are
// called, then after how they were measured; never all, and none twice.
func TestProposedNames(t *testing.T) {
	load := func(labels ...string) *runs.Manifest {
		m := &runs.Manifest{Labels: map[string]string{}, Tables: []runs.TableDigest{{Table: "samples", Rows: 5}}}
		for i := 0; i < len(labels); i += 2 {
			m.Labels[labels[i]] = labels[i+1]
		}
		return m
	}
	bench := &runs.Manifest{Tables: []runs.TableDigest{{Table: "benchmarks", Rows: 5}}}
	for name, c := range map[string]struct {
		runs    []*runs.Manifest
		folders []string
		want    string
	}{
		"a label":            {[]*runs.Manifest{load("arm", "a b"), load()}, []string{"x", "spike"}, "[a-b spike]"},
		"numbered":           {[]*runs.Manifest{load("concurrency", "1"), load("concurrency", "2")}, []string{"c001", "c002"}, "[sweep]"},
		"a word and numbers": {[]*runs.Manifest{load("concurrency", "1"), load("concurrency", "2")}, []string{"match-01", "match-02"}, "[match]"},
		"nothing in common":  {[]*runs.Manifest{load(), load()}, []string{"monday", "friday"}, "[repeats]"},
		"several kinds":      {[]*runs.Manifest{load(), bench, load(), bench}, []string{"a", "b", "c", "d"}, "[repeats bench]"},
		"named alike":        {[]*runs.Manifest{load("concurrency", "1"), load("concurrency", "2"), load("rate", "1"), load("rate", "2")}, []string{"r1", "r2", "r3", "r4"}, "[sweep ladder]"},
		"one name for both":  {[]*runs.Manifest{load(), bench}, []string{"main", "main"}, "[main bench]"},
		"no letters":         {[]*runs.Manifest{load()}, []string{"--"}, "[run]"},
		"hostile":            {[]*runs.Manifest{load()}, []string{"x: {y}\n# z"}, "[x---y----z]"},
	} {
		var got []string
		for _, p := range analyze.Propose(c.runs, c.folders) {
			got = append(got, p.Name)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: got %v, want %s", name, got, c.want)
		}
	}
}
