package encode

import (
	"math"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
)

func TestReals(t *testing.T) {
	want := []float64{0, 1, -1.5, math.MaxFloat64, math.SmallestNonzeroFloat64}
	got, err := parquet.Plain.DecodeDouble(nil, AppendReals(nil, want))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}
