package encode

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/rle"
)

// The example of the format's page on bit packing: 0 to 7 in three bits each.
func TestRunsExample(t *testing.T) {
	got := AppendRuns(nil, []int32{0, 1, 2, 3, 4, 5, 6, 7}, 3)
	if want := []byte{1<<1 | 1, 0b10001000, 0b11000110, 0b11111010}; !bytes.Equal(got, want) {
		t.Errorf("% b\nwant % b", got, want)
	}
	// A run: its length, then the value in whole bytes.
	got = AppendRuns(nil, slices.Repeat([]int32{300}, 200), 9)
	if want := []byte{0x90, 3, 0x2c, 1}; !bytes.Equal(got, want) {
		t.Errorf("% x\nwant % x", got, want)
	}
}

func TestWidth(t *testing.T) {
	for n, want := range map[int]int{0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 256: 8, 257: 9, 1 << 20: 20} {
		if got := Width(n); got != want {
			t.Errorf("%d values take %d bits, want %d", n, got, want)
		}
	}
}

// runsRead compares what was written with what parquet-go reads, as dictionary
// indexes and, of one bit, as levels.
func runsRead(t *testing.T, values []int32, width int) {
	t.Helper()
	data := AppendRuns([]byte{byte(width)}, values, width)
	got, err := parquet.RLEDictionary.DecodeInt32(nil, data)
	if err != nil || len(got) < len(values) || len(got) > len(values)+7 || !slices.Equal(got[:len(values)], values) {
		t.Fatalf("%d values of %d bits became %d, %v", len(values), width, len(got), err)
	}
	for _, padding := range got[len(values):] {
		if padding != 0 {
			t.Errorf("filled up with %d", padding)
		}
	}
	if width != 1 {
		return
	}
	levels := make([]byte, len(values))
	for i, v := range values {
		levels[i] = byte(v)
	}
	e := rle.Encoding{BitWidth: 1}
	read, err := e.DecodeLevels(nil, AppendRuns(nil, levels, 1))
	if err != nil || len(read) < len(levels) || !bytes.Equal(read[:len(levels)], levels) {
		t.Errorf("%d levels became %d, %v", len(levels), len(read), err)
	}
}

func TestRunsAreRead(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 7, 8, 9, 15, 16, 63, 504, 505, 512, 3000} {
		for width := 1; width <= 31; width++ {
			for _, stay := range []int{1, 2, 12, 100} {
				values := make([]int32, n)
				v := int32(0)
				for i := range values {
					if random.IntN(stay) == 0 {
						v = int32(random.Uint32() >> (32 - width))
					}
					values[i] = v
				}
				runsRead(t, values, width)
			}
		}
	}
}

func FuzzRuns(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 2)
	f.Fuzz(func(t *testing.T, data []byte, width int) {
		if width < 1 || width > 31 || len(data) == 0 {
			return
		}
		values := make([]int32, len(data))
		for i, b := range data {
			values[i] = int32(uint32(b) * 0x01010101 >> (32 - width))
		}
		runsRead(t, values, width)
	})
}
