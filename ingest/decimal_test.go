package ingest

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestScaled(t *testing.T) {
	for _, c := range []struct {
		text   string
		places int
		want   int64
		ok     bool
	}{
		{"26.913837", 6, 26913837, true},
		{"0.000001", 6, 1, true},
		{"-5.25", 6, -5250000, true},
		{"12", 6, 12000000, true},
		{"0.0000005", 6, 1, true}, // halves away from zero
		{"-0.0000005", 6, -1, true},
		{"0.00000049", 6, 0, true},
		{"1e-05", 6, 10, true},
		{"1.64797E+12", 0, 1647970000000, true},
		{"9223372036854775807", 0, math.MaxInt64, true},
		{"9223372036854775808", 0, 0, false},
		{"100000000000000000000.5e-6", 0, 100000000000000, true},
		{"1e999999999", 0, 0, false},
		{"", 0, 0, false}, {"-", 0, 0, false}, {".", 0, 0, false}, {"1.2.3", 0, 0, false}, {"0x10", 0, 0, false},
		{"1/3", 0, 0, false}, {"NaN", 0, 0, false}, {"1_000", 0, 0, false}, {"1e", 0, 0, false},
	} {
		got, ok := scaled([]byte(c.text), c.places)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%q with %d places: got %d, %v; want %d, %v", c.text, c.places, got, ok, c.want, c.ok)
		}
	}
}

// TestScaledIsExact: what k6 prints of a duration is the duration again.
func TestScaledIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64Range(-1e15, 1e15).Draw(t, "ns")
		text := strconv.FormatFloat(float64(ns)/1e6, 'g', -1, 64) // as encoding/json prints it
		if got, ok := scaled([]byte(text), 6); !ok || got != ns {
			t.Fatalf("%s: got %d, %v; want %d", text, got, ok, ns)
		}
	})
}

func TestDecimalSum(t *testing.T) {
	var d decimalSum
	for range 1_000 {
		d.add([]byte("1261.25975"))
	}
	d.add([]byte("0.1"))
	d.add([]byte("0.2"))
	d.add([]byte("-0.0000001"))
	d.add([]byte("1e3"))
	if got := d.String(); got != "1262260.0499999" {
		t.Errorf("got %s", got)
	}
	if d.add([]byte("many")) {
		t.Error("a word was added")
	}
}

// TestDecimalSumIsExact adds up numbers of all sizes and compares with big.Rat.
func TestDecimalSumIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var d decimalSum
		want := new(big.Rat)
		for _, text := range rapid.SliceOf(rapid.StringMatching(`-?[0-9]{1,20}(\.[0-9]{1,9})?`)).Draw(t, "numbers") {
			if !d.add([]byte(text)) {
				t.Fatalf("%s was not added", text)
			}
			r, _ := new(big.Rat).SetString(text)
			want.Add(want, r)
		}
		got, ok := new(big.Rat).SetString(d.String())
		if !ok || got.Cmp(want) != 0 {
			t.Fatalf("got %s, want %s", d.String(), want.FloatString(9))
		}
	})
}

// exactQuotient gives the float that strconv gives, or nothing.
func FuzzExactQuotient(f *testing.F) {
	for _, text := range []string{"0", "1.5", "12.345678", "123456789012345678", "9007199254740993", "9007199254740991", "0.1", ".5", "5.", "1.23456789", "12345678901.2345678", "1e5", "-1", "00.10"} {
		for _, places := range []int{0, 3, 9, 22, 23, -3} {
			f.Add([]byte(text), places)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, places int) {
		if places > 400 || places < -400 {
			return
		}
		got, ok := exactQuotient(text, places)
		if !ok {
			return
		}
		want, err := strconv.ParseFloat(fmt.Sprintf("%se%d", text, -places), 64)
		if err != nil || got != want {
			t.Errorf("%q over 10^%d is %v, want %v (%v)", text, places, got, want, err)
		}
	})
}

func TestExactQuotientReads(t *testing.T) {
	for _, text := range []string{"0", "12.345678", "123456789.123456", "9007199254740991"} {
		if _, ok := exactQuotient([]byte(text), 3); !ok {
			t.Errorf("%s is left to strconv", text)
		}
	}
}
