package ingest

import (
	"strings"
	"testing"
)

// TestPGPrefixes reads back a line of each known prefix, and knows it from its
// own lines.
func TestPGPrefixes(t *testing.T) {
	values := map[byte]string{
		'm': "2026-03-02 10:00:06.250 UTC", 't': "2026-03-02 10:00:06 UTC", 's': "2026-03-02 09:00:00 UTC", 'n': "1772445606.250",
		'p': "20777", 'u': "app", 'd': "bench", 'a': "loadgen", 'r': "192.0.2.7(50418)", 'h': "192.0.2.7", 'b': "client backend",
		'c': "69a56128.5129", 'l': "17", 'e': "00000", 'v': "5/1201", 'x': "0", 'Q': "-7781234567890123456", 'q': "",
	}
	for _, format := range pgPrefixes {
		p := compilePGPrefix(format)
		var line strings.Builder
		for _, part := range p.parts {
			line.WriteString(part.literal + values[part.escape])
		}
		line.WriteString("LOG:  some text")
		form, ok := learnPGForm([]byte(line.String() + "\n"))
		var got pgLine
		if !ok || !form.match([]byte(line.String()), &got) {
			t.Errorf("%q: the line %q is not read", format, line.String())
			continue
		}
		if form.prefix.parts == nil {
			t.Errorf("%q: its line is not told from its shape", format)
		}
		if string(got.text) != "some text" || got.pid != 20777 || got.stamp == nil {
			t.Errorf("%q: read as %+v", format, got)
		}
		for escape, v := range map[byte][]byte{'u': got.user, 'd': got.database} {
			if strings.Contains(format, "%"+string(escape)) && string(v) != values[escape] {
				t.Errorf("%q: %%%c read as %q", format, escape, v)
			}
		}
	}
}

// TestPGPrefixBounded refuses prefixes that a hostile log could announce to make
// each line costly.
func TestPGPrefixBounded(t *testing.T) {
	for _, format := range []string{strings.Repeat("%a ", 50), "%m " + strings.Repeat("%q", 60)} {
		if p := compilePGPrefix(format); p.parts != nil {
			t.Errorf("%q is compiled", format)
		}
	}
}

func TestPGStampLength(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-02 10:00:06 UTC:192":       "2026-03-02 10:00:06 UTC",
		"2026-03-02 10:00:06.250 -03 [1]":   "2026-03-02 10:00:06.250 -03",
		"2026-03-02 10:00:06.250 +0530:":    "2026-03-02 10:00:06.250 +0530",
		"2026-03-02 10:00:06.250 +05:30:":   "2026-03-02 10:00:06.250 +05:30",
		"2026-03-02 10:00:06 [1]":           "2026-03-02 10:00:06",
		"2026-03-02T10:00:06Z x":            "2026-03-02T10:00:06Z",
		"2026-03-02 10:00:06 CEST-69a56128": "2026-03-02 10:00:06 CEST",
	} {
		if n := pgStampLength([]byte(text)); n < 0 || text[:n] != want {
			t.Errorf("%q: %d, want %q", text, n, want)
		}
	}
	if n := pgStampLength([]byte("2026-03-02 10:00")); n >= 0 {
		t.Errorf("half a stamp has length %d", n)
	}
}
