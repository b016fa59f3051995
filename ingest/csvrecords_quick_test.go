package ingest

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// FuzzCSVPlain: a line that is split without encoding/csv has the fields that
// encoding/csv finds in it.
func FuzzCSVPlain(f *testing.F) {
	for _, line := range []string{"a,b,c", "", ",", "a,,", "1.5;2;x", "a b\tc", "é,ü", "\xff,\x00", "a,b\rc", "x|y", " a , b ", `a,"b"`, "\u2028,"} {
		for _, comma := range []rune{0, ';', '\t', '|', 'é'} {
			f.Add([]byte(line), comma)
		}
	}
	f.Fuzz(func(t *testing.T, line []byte, comma rune) {
		if bytes.IndexByte(line, '\n') >= 0 || !slices.Contains([]rune{0, ',', ';', '\t', '|', 'é'}, comma) || len(bytes.TrimSpace(line)) == 0 {
			return
		}
		records := func() *csvRecords {
			in := NewInput("x.csv", bytes.NewReader(nil), Options{})
			r := in.csvRecords(func([]byte) bool { return true })
			r.comma = comma
			return r
		}
		quick, general := records(), records()
		if !quick.plain(line) {
			return
		}
		if !general.collect(line) || !general.decode() || !slices.Equal(quick.fields, general.fields) {
			t.Errorf("%q: quick %q, general %q %v", line, quick.fields, general.fields, general.err)
		}
	})
}

// TestCSVPlainReads: lines with quotes are left to encoding/csv, others are not.
func TestCSVPlainReads(t *testing.T) {
	in := NewInput("x.csv", strings.NewReader(""), Options{})
	r := in.csvRecords(nil)
	if !r.plain([]byte("1,2,three")) || len(r.fields) != 3 {
		t.Errorf("fields %q of a line without quotes", r.fields)
	}
	if r.plain([]byte(`1,"2",three`)) {
		t.Error("a line with quotes was split without regard to them")
	}
}
