package capture

import (
	"os"
	"testing"
)

// A name may hold parentheses, blanks and line ends; what is cut is no process.
func TestParseProcessStat(t *testing.T) {
	line := "42 (a) (b\n c) S 7 42 42 0 -1 4194560 100 0 3 0 150 50 30 20 20 0 1 0 123456 1000000 25 18446744073709551615 1 1 0"
	p, err := parseProcessStat([]byte(line))
	want := processTime{pid: 42, parent: 7, start: 123456, name: "a) (b\n c", own: 2, children: 0.5, rss: 25 * int64(os.Getpagesize())}
	if err != nil || p != want {
		t.Errorf("%+v, %v", p, err)
	}
	for n := range len(line) - 60 {
		if p, err := parseProcessStat([]byte(line[:n])); err == nil {
			t.Fatalf("cut after %d bytes: %+v", n, p)
		}
	}
}

// The agent finds itself, and its CPU time does not go back.
func TestProcessTable(t *testing.T) {
	table := &processTable{root: "/proc"}
	last := -1.0
	for range 3 {
		all, err := table.read(func(processKey) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, p := range all {
			if p.pid == os.Getpid() {
				found = true
				if p.own < last || p.parent != os.Getppid() || p.rss <= 0 {
					t.Errorf("%+v", p)
				}
				last = p.own
			}
		}
		if !found {
			t.Fatalf("%d processes, and not this one", len(all))
		}
	}
}
