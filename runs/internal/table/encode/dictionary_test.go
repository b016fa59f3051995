package encode

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/plain"
)

func TestDictionary(t *testing.T) {
	size := 0
	d := Dictionary{Fit: func(s string) string { return strings.ToUpper(s) }, Size: &size}
	a := "a"
	for i, text := range []string{a, "B", a, strings.Clone(a), "A", "", "b", ""} {
		if got, want := d.Code(text), []int32{0, 1, 0, 0, 0, 2, 1, 2}[i]; got != want {
			t.Errorf("text %d, %q, has code %d, want %d", i, text, got, want)
		}
	}
	least, greatest := d.Bounds()
	if d.Len() != 3 || size != 2 || least != "" || greatest != "B" {
		t.Errorf("%d texts of %d bytes from %q to %q", d.Len(), size, least, greatest)
	}
	var read []string
	if err := plain.RangeByteArray(d.Append(nil), func(b []byte) error { read = append(read, string(b)); return nil }); err != nil || !slices.Equal(read, []string{"A", "B", ""}) {
		t.Errorf("parquet-go reads %q, %v", read, err)
	}
	d.Reset()
	if d.Code("x") != 0 || d.Code("A") != 1 || size != 4 {
		t.Errorf("after a reset: %q", d.texts)
	}
}

// Texts that lie in one memory, one the beginning of another, are not confused,
// nor are more of them than places that are remembered.
func TestDictionaryOfManyPlaces(t *testing.T) {
	long := strings.Repeat("0123456789", 1000)
	var d Dictionary
	want := map[string]int32{}
	for range 3 {
		for i := range 3000 {
			text := long[i : i+i%5]
			code := d.Code(text)
			if was, ok := want[text]; ok && was != code {
				t.Fatalf("%q has code %d and %d", text, was, code)
			}
			if d.texts[code] != text {
				t.Fatalf("code %d of %q is %q", code, text, d.texts[code])
			}
			want[text] = code
		}
	}
	if d.Len() != len(want) {
		t.Errorf("%d texts for %d", d.Len(), len(want))
	}
}

// Apart, only a text that follows itself keeps its code, wherever it lies.
func TestDictionaryApart(t *testing.T) {
	var d Dictionary
	for range 2 {
		a := "a"
		d.Code(a)
		d.Apart()
		for i, text := range []string{a, strings.Clone(a), "b", strings.Clone("b"), a, "", ""} {
			if got, want := d.Code(text), []int32{0, 0, 1, 1, 2, 3, 3}[i]; got != want {
				t.Errorf("text %d, %q, has code %d, want %d", i, text, got, want)
			}
		}
		d.Reset()
	}
}

func BenchmarkDictionary(b *testing.B) {
	words := make([]string, 50)
	for i := range words {
		words[i] = fmt.Sprint(i)
	}
	var d Dictionary
	i := 0
	for b.Loop() {
		d.Code(words[i%len(words)])
		i++
	}
}
