package ingest

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// readLines reads all lines of a reader.
func readLines(r io.Reader) (lines []string, cut bool, err error) {
	in := NewInput("x", r, Options{})
	l := in.Lines()
	for l.Next() {
		lines = append(lines, string(l.Bytes()))
		if l.Number() != int64(len(lines)) || in.lines != l.Number() {
			return nil, false, errors.New("lines are numbered wrongly")
		}
	}
	return lines, l.Cut(), l.Err()
}

// Lines are the same however a reader hands them out.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", linesBuffer-1)
	for _, c := range []struct {
		text string
		want []string
		cut  bool
	}{
		{"", nil, false}, {"\n", []string{""}, false}, {"a", []string{"a"}, true}, {"a\nb\r\n\n\r\nc", []string{"a", "b", "", "", "c"}, true},
		{"a\r", []string{"a"}, true}, {long + "\n" + long + long + "yy\nz\n", []string{long, long + long + "yy", "z"}, false},
	} {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(c.text), "by bytes": iotest.OneByteReader(strings.NewReader(c.text)),
			"by halves": iotest.HalfReader(strings.NewReader(c.text)), "with the end": iotest.DataErrReader(strings.NewReader(c.text)),
		} {
			if name == "by bytes" && len(c.text) > 100 {
				continue
			}
			got, cut, err := readLines(r)
			if err != nil || !slices.Equal(got, c.want) || cut != c.cut {
				t.Errorf("%s: %d lines of %d bytes, cut %v, %v; want %d", name, len(got), len(c.text), cut, err, len(c.want))
			}
		}
	}
}

// What was read before an error is given, then the error.
func TestLinesEndInErrors(t *testing.T) {
	broken := errors.New("broken")
	got, cut, err := readLines(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)))
	if !slices.Equal(got, []string{"a", "b"}) || !cut || err != broken {
		t.Errorf("%q, cut %v, %v", got, cut, err)
	}
	got, _, err = readLines(io.MultiReader(strings.NewReader("a\n"), bytes.NewReader(make([]byte, MaxLine+linesBuffer))))
	if len(got) != 1 || err == nil || !strings.Contains(err.Error(), "x:2: the line is longer than") {
		t.Errorf("%d lines, %v", len(got), err)
	}
	if _, _, err = readLines(silent{}); err != io.ErrNoProgress {
		t.Errorf("a reader that gives nothing: %v", err)
	}
}

type silent struct{}

func (silent) Read([]byte) (int, error) { return 0, nil }
