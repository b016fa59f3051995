package encode

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// The second example of the format's page on DELTA_BINARY_PACKED, 7, 5, 3, 1,
// 2, 3, 4, 5, in blocks of 128 values: the least delta is -2, and of the rest
// three are 0 and four are 3, in two bits each.
func TestDeltaExample(t *testing.T) {
	got := AppendDelta(nil, []int64{7, 5, 3, 1, 2, 3, 4, 5})
	want := []byte{0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0b11_00_00_00, 0b00_11_11_11, 0, 0, 0, 0, 0, 0}
	if !bytes.Equal(got, want) {
		t.Errorf("% x\nwant % x", got, want)
	}
	// The first: equal deltas need no bits.
	got = AppendDelta(nil, []int64{1, 2, 3, 4, 5})
	if want := []byte{0x80, 1, 4, 5, 2, 2, 0, 0, 0, 0}; !bytes.Equal(got, want) {
		t.Errorf("% x\nwant % x", got, want)
	}
}

// deltaReads compares what was written with what parquet-go reads.
func deltaReads(t *testing.T, values []int64) {
	t.Helper()
	data := AppendDelta([]byte("before"), values)
	got, err := parquet.DeltaBinaryPacked.DecodeInt64(nil, data[len("before"):])
	if err != nil || !slices.Equal(got, values) {
		t.Errorf("%d values became %d, %v", len(values), len(got), err)
	}
}

func TestDeltaIsRead(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 31, 32, 33, 34, 127, 128, 129, 130, 257, 5000} {
		for width := range 65 {
			values := make([]int64, n)
			for i := range values {
				values[i] = int64(random.Uint64() >> (64 - width))
				if i%3 == 0 {
					values[i] = -values[i]
				}
			}
			deltaReads(t, values)
		}
	}
	deltaReads(t, []int64{math.MinInt64, math.MaxInt64, math.MinInt64, 0, math.MaxInt64, -1})
}

// A constant column is the same bytes by either way.
func TestSameIsDelta(t *testing.T) {
	for _, n := range []int{0, 1, 2, 128, 129, 130, 1000} {
		for _, v := range []int64{0, -7, math.MaxInt64} {
			want := AppendDelta(nil, slices.Repeat([]int64{v}, n))
			if n == 0 {
				v = 0
			}
			if got := AppendSame(nil, v, n); !bytes.Equal(got, want) {
				t.Errorf("%d times %d: % x, want % x", n, v, got, want)
			}
		}
	}
}

func FuzzDelta(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 255, 255, 255, 255, 255, 255, 255, 127})
	f.Fuzz(func(t *testing.T, data []byte) {
		var values []int64
		for ; len(data) >= 8; data = data[8:] {
			values = append(values, int64(binary.LittleEndian.Uint64(data)))
		}
		deltaReads(t, values)
	})
}

func BenchmarkAppendDelta(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	values := make([]int64, 64<<10)
	for i := range values {
		values[i] = int64(random.Uint64() % 10_000_000)
	}
	var dst []byte
	b.SetBytes(int64(8 * len(values)))
	for b.Loop() {
		dst = AppendDelta(dst[:0], values)
	}
}
