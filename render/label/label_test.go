package label

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"GET /orders", "GET /orders"},
		{"two\nlines\tand\rmore", "two lines and more"},
		{"пример 日本語 🚀", "пример 日本語 🚀"},
		{"family 👩\u200d👩\u200d👧", "family 👩\u200d👩\u200d👧"},
		{"a\u202egnp.exe", "a⟨U+202E⟩gnp.exe"},
		{"zero\u200bwidth\ufeff", "zero⟨U+200B⟩width⟨U+FEFF⟩"},
		{"bell\a nul\x00", "bell⟨U+0007⟩ nul⟨U+0000⟩"},
		{"tag\U000e0041", "tag⟨U+E0041⟩"},
		{"bad \xff byte", "bad \ufffd byte"},
		{"kept \ufffd as it is", "kept \ufffd as it is"},
		{"non\ufffecharacter", "non⟨U+FFFE⟩character"},
	} {
		if got := Clean(c.in, Cell); got != c.want {
			t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestCleanCutsAndSaysSo(t *testing.T) {
	long := strings.Repeat("ж", 1<<20)
	got := Clean(long, Cell)
	if n := utf8.RuneCountInString(got); n != Cell+1 {
		t.Errorf("a label of a million characters is shown with %d, want %d and a mark", n, Cell)
	}
	if !strings.HasSuffix(got, Ellipsis) {
		t.Errorf("the cut is not marked: …%q", got[len(got)-8:])
	}
	exact := strings.Repeat("x", Cell)
	if got := Clean(exact, Cell); got != exact {
		t.Errorf("a label of exactly the limit was changed: %q", got)
	}
}
