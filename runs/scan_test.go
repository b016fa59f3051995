package runs

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestScanReturnsWhatWasWritten(t *testing.T) {
	got, err := readAll(everyRun(t), Range{})
	if err != nil {
		t.Fatal(err)
	}
	if want := everyTable(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestScanEmptyRun(t *testing.T) {
	r := commit(t, newWriter(t, CreateOptions{}))
	got, err := readAll(r, Range{})
	if err != nil || !reflect.DeepEqual(got, contents{}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Several row groups: windows across their edges, batches, and the floor.
func TestScanSamplesWithin(t *testing.T) {
	samples := manySamples(300_000)
	// Late ones, as a slow request is recorded after quick ones that began later.
	for i := 0; i < len(samples); i += 1000 {
		samples[i].Start -= 40_000
	}
	w := newWriter(t, CreateOptions{})
	writeSamples(t, w, samples)
	r := commit(t, w)
	at := func(i int) int64 { return samples[i].Start }
	for name, within := range map[string]Range{
		"all":              {},
		"one row group":    {at(10), at(20_000)},
		"across groups":    {at(130_001), at(131_500)},
		"from a start on":  {at(299_000), math.MaxInt64},
		"up to an end":     {math.MinInt64, at(5)},
		"end excluded":     {at(7), at(7) + 1},
		"empty":            {at(7), at(7)},
		"reversed":         {at(9), at(7)},
		"before all":       {1, 2},
		"between two rows": {at(7) + 1, at(8)},
	} {
		var want []Sample
		for _, s := range samples {
			if (within == Range{}) || s.Start >= within.Start && s.Start < within.End {
				want = append(want, s)
			}
		}
		got, err := readSamples(r, within)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %d rows (%v), want %d", name, len(got), err, len(want))
		}
	}
	checkFloor(t, r, Range{})
	checkFloor(t, r, Range{at(100), at(290_000)})
}

// checkFloor checks that no sample starts before the floor of an earlier batch,
// that batches are bounded, and that the floor rises as the scan goes on.
func checkFloor(t *testing.T, r *Run, within Range) {
	t.Helper()
	floor := int64(math.MinInt64)
	floors := map[int64]bool{}
	err := r.ScanSamples(context.Background(), []Column{ColStart}, within, func(b *Batch) error {
		if b.Len < 1 || b.Len > 16<<10 || len(b.Start) != b.Len {
			t.Errorf("batch of %d rows, column of %d", b.Len, len(b.Start))
		}
		if first := slices.Min(b.Start); first < floor {
			t.Errorf("a sample starts at %d, before the floor %d", first, floor)
		}
		floor = max(floor, b.Floor)
		floors[b.Floor] = true
		return nil
	})
	if err != nil || len(floors) < 3 {
		t.Errorf("%d floors, %v", len(floors), err)
	}
	if within == (Range{}) && floor != math.MaxInt64 {
		t.Errorf("last floor %d", floor)
	}
}

func TestScanSamplesColumns(t *testing.T) {
	r := everyRun(t)
	err := r.ScanSamples(context.Background(), []Column{ColOutcome, ColService, ColService}, Range{}, func(b *Batch) error {
		v := reflect.ValueOf(*b)
		for i := range v.NumField() {
			f := v.Type().Field(i)
			asked := f.Name == "Outcome" || f.Name == "Service"
			if f.Type.Kind() == reflect.Slice && v.Field(i).IsNil() == asked {
				t.Errorf("%s: %v", f.Name, v.Field(i))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.ScanSamples(context.Background(), []Column{"latency"}, Range{}, nil); err == nil || !strings.Contains(err.Error(), `no column "latency"`) {
		t.Errorf("unknown column: %v", err)
	}
}

func TestScanFilters(t *testing.T) {
	r := everyRun(t)
	all := everyTable()
	ctx := context.Background()
	within := Range{all.Points[2].Time, all.Points[9].Time}
	for _, metrics := range [][]string{nil, {}, {"cpu.idle"}, {"cpu.idle", "load.1m"}, {"cpu"}} {
		var got, want []Point
		for _, p := range all.Points {
			if (metrics == nil || slices.Contains(metrics, p.Metric)) && p.Time >= within.Start && p.Time < within.End {
				want = append(want, p)
			}
		}
		err := r.ScanPoints(ctx, metrics, within, func(p *Point) error { got = append(got, *p); return nil })
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("metrics %v: %d points (%v), want %d", metrics, len(got), err, len(want))
		}
	}
	for _, c := range []struct {
		kinds []string
		want  int
	}{{nil, 12}, {[]string{}, 0}, {[]string{"postgres.log"}, 6}, {[]string{"postgres."}, 12}, {[]string{"postgres"}, 0}, {[]string{"postgres.checkpoint."}, 6}, {[]string{"postgres.checkpoint.complete", "x"}, 6}} {
		n := 0
		err := r.ScanMarkers(ctx, c.kinds, Range{}, func(*Marker) error { n++; return nil })
		if err != nil || n != c.want {
			t.Errorf("kinds %v: %d markers (%v), want %d", c.kinds, n, err, c.want)
		}
	}
}

func TestScanEndsWithTheCallersError(t *testing.T) {
	r := everyRun(t)
	ctx, cancel := context.WithCancel(context.Background())
	stop := errors.New("stop")
	cancel()
	for name, scan := range map[string]func(context.Context) error{
		"samples": func(ctx context.Context) error {
			return r.ScanSamples(ctx, allColumns(), Range{}, func(*Batch) error { return stop })
		},
		"points": func(ctx context.Context) error {
			return r.ScanPoints(ctx, nil, Range{}, func(*Point) error { return stop })
		},
		"markers": func(ctx context.Context) error {
			return r.ScanMarkers(ctx, nil, Range{}, func(*Marker) error { return stop })
		},
		"activity": func(ctx context.Context) error {
			return r.ScanActivity(ctx, Range{}, func(*Activity) error { return stop })
		},
		"histograms": func(ctx context.Context) error {
			return r.ScanHistograms(ctx, Range{}, func(*Histogram) error { return stop })
		},
		"benchmarks": func(ctx context.Context) error {
			return r.ScanBenchmarks(ctx, func(*Benchmark) error { return stop })
		},
	} {
		if err := scan(context.Background()); err != stop {
			t.Errorf("%s: %v", name, err)
		}
		if err := scan(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", name, err)
		}
	}
}

// Strings outlive the batch they came with.
func TestScanStringsStayValid(t *testing.T) {
	samples := manySamples(300_000)
	for i := range samples {
		samples[i].ID = strings.Repeat("x", i%7) + string(rune('a'+i%26))
	}
	w := newWriter(t, CreateOptions{})
	writeSamples(t, w, samples)
	var kept []string
	err := commit(t, w).ScanSamples(context.Background(), []Column{ColID}, Range{}, func(b *Batch) error {
		kept = append(kept, b.ID...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range kept {
		if id != samples[i].ID {
			t.Fatalf("row %d: %q, want %q", i, id, samples[i].ID)
		}
	}
}
