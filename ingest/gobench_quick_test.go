package ingest

import (
	"fmt"
	"slices"
	"testing"

	"headroom/runs"
)

// benchRows keeps results as text.
type benchRows struct {
	discard
	rows []string
}

func (b *benchRows) Benchmark(r *runs.Benchmark) error {
	b.rows = append(b.rows, fmt.Sprintf("%+v", *r))
	return nil
}

// readBench reads lines of go test -bench, by the general reader alone or not.
func readBench(lines []string, general bool) (rows []string, quick int, state string) {
	sink := &benchRows{}
	in := NewInput("bench.txt", nil, Options{})
	g := newGoBench(in, sink)
	p := g.of("")
	for _, line := range lines {
		if !general {
			if read, _ := p.quick([]byte(line), false); read {
				quick++
				continue
			}
		}
		_ = p.line(line, false) // the sink takes everything
	}
	return sink.rows, quick, fmt.Sprint(g.results, g.failed, g.skipped, len(g.series), p.pending, in.Meta.Notes)
}

// FuzzGoBenchQuick: what the quick reader reads, the general one reads alike, and
// the lines after it as well.
func FuzzGoBenchQuick(f *testing.F) {
	for _, line := range []string{
		"BenchmarkA-8   \t 1000\t 1589 ns/op", "BenchmarkA 1 0.25 ns/op\t12.5 MB/s\t 7 B/op\t 0 allocs/op", "BenchmarkA-8 1 2 p99-ns 3 widgets",
		"BenchmarkA", "BenchmarkA-08 5 1e3 ns/op", "BenchmarkA 5 1 ns/op ", "Benchmark 5 1 ns/op", "BenchmarkA- 5 1.2.3 ns/op", "BenchmarkA-1 5 1 ns/op 2",
		"BenchmarkÄ-8 5 1 ns/op", "BenchmarkA 99999999999999999999 1 ns/op", "BenchmarkA 5 1\u00a0x ns/op", "Benchmark-2 5 . ns/op", "BenchmarkA 5 1  ns/op",
		"BenchmarkA 5 1 ns/op\r", "BenchmarkA\v5 1 ns/op", "BenchmarkA 5 12345678901234567890123 ns/op 1 MB/s", "--- FAIL: BenchmarkA", "pkg: a/b",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		lines := []string{"goos: linux", "BenchmarkA-8 1 2 ns/op", line, line, "cpu: x", line, "BenchmarkA-8 1 2 ns/op", "7 3 ns/op"}
		quick, _, state := readBench(lines, false)
		general, _, want := readBench(lines, true)
		if !slices.Equal(quick, general) || state != want {
			t.Errorf("%q: quick\n%q %s\ngeneral\n%q %s", line, quick, state, general, want)
		}
	})
}

// TestGoBenchQuickReads: the results that go test prints are not left to the
// general reader.
func TestGoBenchQuickReads(t *testing.T) {
	for line, want := range map[string]int{
		"BenchmarkRead/size=64-8   \t   10000\t    104.5 ns/op\t 612.44 MB/s\t      16 B/op\t       1 allocs/op": 1,
		"BenchmarkRead 1 2 ns/op": 1, "BenchmarkRead-8": 0, "BenchmarkRead 1 1e3 ns/op": 0, "BenchmarkRead 1 2 ns/op and more": 0,
	} {
		if _, got, _ := readBench([]string{line}, false); got != want {
			t.Errorf("%q: %d lines are read quickly, want %d", line, got, want)
		}
	}
}
