package ingest

import (
	"strconv"
	"testing"
)

// FuzzDigits: what digits reads, strconv reads alike.
func FuzzDigits(f *testing.F) {
	for _, text := range []string{"", "7", "12345678", "123456789 0", "1234567890123456", "123456789012345678", "1234567890123456789", "12345678x2345678", "0000000000000000001 ", "12\xff\xff45678", "99999999\x8a9999999"} {
		f.Add([]byte(text), 0)
		f.Add([]byte("abc"+text+"defghijkl"), 3)
	}
	f.Fuzz(func(t *testing.T, b []byte, i int) {
		if i < 0 || i > len(b) {
			return
		}
		end := i
		for end < len(b) && isDigit(b[end]) {
			end++
		}
		want := int64(0)
		if end-i > 18 {
			end = i
		} else if end > i {
			want, _ = strconv.ParseInt(string(b[i:end]), 10, 64)
		}
		if n, at := digits(b, i); at != end || n != want {
			t.Errorf("%q at %d: %d up to %d, want %d up to %d", b, i, n, at, want, end)
		}
	})
}

func TestNumbered(t *testing.T) {
	var w numbered
	shared := intern{}
	for _, text := range []string{"7", "07", "7", "4095", "4096", "999999999", "0"} {
		n, _ := strconv.ParseInt(text, 10, 64)
		for range 2 {
			if got := w.word(n, []byte(text), shared); got != text {
				t.Errorf("%q became %q", text, got)
			}
		}
	}
}
