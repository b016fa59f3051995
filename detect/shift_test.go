package detect

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"headroom/internal/runtest"
)

// Every detector, over every case of its own: shifting the whole run by any
// amount, part of a second included, moves what is found by that amount and
// changes nothing else.
func TestShiftInvarianceOfAll(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := allLines(t, file, string(text))
		for _, offset := range []string{"377ms", "86413.123457s", "-9999.999999s"} {
			moved := runLine.ReplaceAllString(string(text), "$0 offset="+offset)
			if got := allLines(t, file, moved); got != want {
				t.Errorf("%s: moved by %s\n%s\nwant\n%s", file, offset, got, want)
			}
		}
	}
}

var runLine = regexp.MustCompile(`(?m)^run +\S+ +\S+/s`)

// allLines is what the detectors that the case names, with all they measure, say
// of it.
func allLines(t *testing.T, file, text string) string {
	t.Helper()
	c, err := runtest.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	run, err := c.Run()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, block := range c.Blocks {
		d := Named(block.Detector)
		done, err := d.Apply(pass(run), nil)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(lines(done, run.Start, nil))
		for _, m := range done.Measures {
			fmt.Fprintf(&b, "= %s %v %v\n", m.ID, m.Value, m.Interval)
		}
	}
	return b.String()
}
