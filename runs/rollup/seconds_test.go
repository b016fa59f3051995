package rollup

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"headroom/runs"
)

const t0 = 1_700_000_000_000_000

// newRun writes a run with samples.
func newRun(t interface{ Fatal(...any) }, dir string, samples []runs.Sample) *runs.Run {
	w, err := runs.Create(filepath.Join(dir, "run"), runs.CreateOptions{ID: "r"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for i := range samples {
		if err := w.Sample(&samples[i]); err != nil {
			t.Fatal(err)
		}
	}
	r, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func sample(start, service int64) runs.Sample {
	s := runs.NewSample()
	s.Start, s.Service, s.Scenario, s.Outcome = start, service, "default", runs.OK
	return s
}

func seconds(t *testing.T, r *runs.Run, opt Options) []Second {
	t.Helper()
	rows, err := Seconds(context.Background(), r, opt)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestSecondsCounts(t *testing.T) {
	const ms = 1_000_000
	with := func(s runs.Sample, change func(*runs.Sample)) runs.Sample { change(&s); return s }
	samples := []runs.Sample{
		sample(t0, 50*ms),           // exactly a threshold: not over it
		sample(t0+999_999, 50*ms+1), // over 50 ms; ends in the next second
		with(sample(t0+1, 151*ms), func(s *runs.Sample) { s.Outcome = runs.Failed; s.Events = 7 }),
		with(sample(t0+2, 1*ms), func(s *runs.Sample) { s.Outcome = runs.Rejected }),
		with(sample(t0+3, 2*ms), func(s *runs.Sample) { s.Outcome = runs.Timeout }),
		with(sample(t0+4, runs.Missing), func(s *runs.Sample) { s.Outcome = runs.Dropped }),
		with(sample(t0+5, runs.Missing), func(s *runs.Sample) { s.Outcome = runs.Skipped }),
		sample(t0+6, -5*ms), // a request, and no latency; ends the second before
		with(sample(t0+7, 10*ms), func(s *runs.Sample) { s.Wait = 190 * ms; s.Events = 10 }),
		with(sample(t0-1, 3*ms), func(s *runs.Sample) { s.Scenario = "probe" }),
	}
	r := newRun(t, t.TempDir(), samples)
	m := runs.Missing
	want := []Second{
		{Scenario: "default", Second: -1, Start: t0 - 1e6, P50: m, P99: m, Max: m, Over: []int64{0, 0}, Completed: 1, Events: 1},
		{Scenario: "default", Second: 0, Start: t0, Sent: 7, OK: 4, Failed: 1, Rejected: 1, Timeout: 1, Dropped: 1, Skipped: 1,
			Latencies: 6, P50: 10 * ms, P99: 151 * ms, Max: 151 * ms, Over: []int64{2, 1}, Completed: 2, Events: 11},
		{Scenario: "default", Second: 1, Start: t0 + 1e6, P50: m, P99: m, Max: m, Over: []int64{0, 0}, Completed: 1, Events: 1},
		{Scenario: "probe", Second: -1, Start: t0 - 1e6, Sent: 1, OK: 1, Latencies: 1, P50: 3 * ms, P99: 3 * ms, Max: 3 * ms, Over: []int64{0, 0}},
		{Scenario: "probe", Second: 0, Start: t0, P50: m, P99: m, Max: m, Over: []int64{0, 0}, Completed: 1, Events: 1},
	}
	if got := seconds(t, r, Options{Anchor: t0}); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	want[1].P50, want[1].P99, want[1].Max, want[1].Over = 50*ms, 200*ms, 200*ms, []int64{3, 2}
	if got := seconds(t, r, Options{Anchor: t0, Basis: Response}); !reflect.DeepEqual(got, want) {
		t.Errorf("response basis:\ngot  %+v\nwant %+v", got, want)
	}
}

func TestSecondsOfAnEmptyRun(t *testing.T) {
	r := newRun(t, t.TempDir(), nil)
	for range 2 {
		if got := seconds(t, r, Options{}); len(got) != 0 {
			t.Errorf("got %+v", got)
		}
	}
}

func TestSecondsRefusesOptions(t *testing.T) {
	r := newRun(t, t.TempDir(), nil)
	for _, c := range []struct {
		opt  Options
		want string
	}{
		{Options{Basis: "service"}, `latency basis "service"`},
		{Options{Thresholds: []time.Duration{1, 2, 1}}, "threshold 1ns: is negative or given twice"},
		{Options{Thresholds: []time.Duration{-1}}, "threshold -1ns"},
		{Options{Thresholds: make([]time.Duration, 17)}, "17 thresholds"},
		{Options{Anchor: math.MaxInt64}, "outside the years"},
	} {
		if _, err := Seconds(context.Background(), r, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.opt, err, c.want)
		}
	}
}

func TestSecondsEndsWithTheContext(t *testing.T) {
	r := newRun(t, t.TempDir(), []runs.Sample{sample(t0, 1)})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Seconds(ctx, r, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// The table equals one that is computed in the plainest way from all samples.
func TestPropertySeconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) runs.Sample {
			s := sample(t0+rapid.Int64Range(-3_000_000, 6_000_000).Draw(t, "start"), rapid.Int64Range(-1e6, 3e9).Draw(t, "service"))
			s.Outcome = rapid.SampledFrom([]runs.Outcome{runs.OK, runs.OK, runs.Failed, runs.Rejected, runs.Timeout, runs.Dropped}).Draw(t, "outcome")
			s.Scenario = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "scenario")
			s.Wait = rapid.SampledFrom([]int64{runs.Missing, 0, 700_000_000}).Draw(t, "wait")
			s.Events = rapid.Int64Range(0, 20).Draw(t, "events")
			return s
		}), 0, 60).Draw(t, "samples")
		opt := Options{
			Anchor:     t0 + rapid.Int64Range(-2_000_000, 2_000_000).Draw(t, "anchor"),
			Basis:      rapid.SampledFrom([]string{Request, Response}).Draw(t, "basis"),
			Thresholds: []time.Duration{0, 500 * time.Millisecond, time.Second},
		}
		if rapid.Bool().Draw(t, "windowed") {
			opt.Window = runs.Range{Start: t0 - 1_500_000, End: t0 + 2_500_000}
		}
		b := newBuilder(opt)
		for left := samples; len(left) > 0; {
			n := rapid.IntRange(1, len(left)).Draw(t, "batch")
			batch := batchOf(left[:n], floorOf(left[n:]))
			left = left[n:]
			if err := b.batch(batch); err != nil {
				t.Fatal(err)
			}
		}
		got, err := b.seconds()
		if want := plain(samples, opt); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v\ngot  %+v\nwant %+v", err, got, want)
		}
	})
}

// batches numbers the batches that are made.
var batches int

// batchOf returns samples by column, as a row group of their own.
func batchOf(samples []runs.Sample, floor int64) *runs.Batch {
	b := &runs.Batch{Len: len(samples), Floor: floor}
	var scenarios, ended runs.Labels
	for i, s := range samples {
		b.Start, b.StartNS, b.Wait, b.Service = append(b.Start, s.Start), append(b.StartNS, s.StartNS), append(b.Wait, s.Wait), append(b.Service, s.Service)
		b.Events = append(b.Events, s.Events)
		scenarios.Codes, scenarios.Words = append(scenarios.Codes, int32(i)), append(scenarios.Words, s.Scenario)
		ended.Codes, ended.Words = append(ended.Codes, int32(i)), append(ended.Words, string(s.Outcome))
	}
	b.SetLabels(runs.ColScenario, scenarios)
	b.SetLabels(runs.ColOutcome, ended)
	batches++
	b.Group = batches
	return b
}

// floorOf returns the first start of samples that are still to come.
func floorOf(samples []runs.Sample) int64 {
	floor := int64(math.MaxInt64)
	for _, s := range samples {
		floor = min(floor, s.Start)
	}
	return floor
}

// Many row groups, samples in the order of their ends, windows: the same as the
// plain way.
func TestSecondsOfManyRowGroups(t *testing.T) {
	var samples []runs.Sample
	for i := range int64(300_000) {
		service := i * 7919 % 40_000_000
		if i%1000 == 0 {
			service = 3_000_000_000
		}
		samples = append(samples, sample(t0+i*100-service/1000, service))
	}
	r := newRun(t, t.TempDir(), samples)
	for _, window := range []runs.Range{{}, {Start: t0 + 5_300_000, End: t0 + 12_000_000}} {
		opt := Options{Anchor: t0, Window: window, Thresholds: []time.Duration{20 * time.Millisecond}}
		if got, want := seconds(t, r, opt), plain(samples, opt); !reflect.DeepEqual(got, want) {
			t.Errorf("window %v: got  %+v\nwant %+v", window, got, want)
		}
	}
}

// plain computes the seconds without any of the builder's means.
func plain(samples []runs.Sample, opt Options) []Second {
	type key struct {
		scenario string
		second   int64
	}
	rows := map[key]*Second{}
	latencies := map[key][]int64{}
	at := func(s runs.Sample, us int64) (key, *Second) {
		k := key{s.Scenario, int64(math.Floor(float64(us-opt.Anchor) / 1e6))}
		if rows[k] == nil {
			rows[k] = &Second{Scenario: k.scenario, Second: k.second, Start: opt.Anchor + k.second*1e6,
				P50: runs.Missing, P99: runs.Missing, Max: runs.Missing, Over: make([]int64, len(opt.Thresholds))}
		}
		return k, rows[k]
	}
	in := func(us int64) bool {
		return opt.Window == runs.Range{} || us >= opt.Window.Start && us < opt.Window.End
	}
	for _, s := range samples {
		if opt.Window.End != 0 && s.Start >= opt.Window.End {
			continue
		}
		took, latency := s.Service, s.Service
		if s.Wait != runs.Missing {
			took += s.Wait
			if opt.Basis == Response && s.Service >= 0 {
				latency += s.Wait
			}
		}
		if in(s.Start) {
			k, row := at(s, s.Start)
			*map[runs.Outcome]*int64{runs.OK: &row.OK, runs.Failed: &row.Failed, runs.Rejected: &row.Rejected, runs.Timeout: &row.Timeout, runs.Dropped: &row.Dropped}[s.Outcome]++
			if s.Outcome != runs.Dropped {
				row.Sent++
				if s.Service >= 0 {
					latencies[k] = append(latencies[k], latency)
				}
			}
		}
		if end := s.Start + int64(math.Floor(float64(took)/1000)); s.Outcome == runs.OK && in(end) {
			_, row := at(s, end)
			row.Completed++
			row.Events += s.Events
		}
	}
	out := []Second{}
	for k, row := range rows {
		if l := latencies[k]; len(l) > 0 {
			slices.Sort(l)
			row.Latencies = int64(len(l))
			row.P50, row.P99, row.Max = l[max(1, (50*len(l)+99)/100)-1], l[max(1, (99*len(l)+99)/100)-1], l[len(l)-1]
			for _, v := range l {
				for i, threshold := range opt.Thresholds {
					if v > int64(threshold) {
						row.Over[i]++
					}
				}
			}
		}
		out = append(out, *row)
	}
	slices.SortFunc(out, func(a, b Second) int {
		if c := strings.Compare(a.Scenario, b.Scenario); c != 0 {
			return c
		}
		return int(a.Second - b.Second)
	})
	return out
}

// Latencies are held only while their second is open.
func TestBuilderClosesSeconds(t *testing.T) {
	opt, err := Options{}.defaults()
	if err != nil {
		t.Fatal(err)
	}
	b := newBuilder(opt)
	batch := func(start, floor int64) error { return b.batch(batchOf([]runs.Sample{sample(start, 5)}, floor)) }
	for i := range int64(100) {
		if err := batch(i*1e6, (i-2)*1e6); err != nil {
			t.Fatal(err)
		}
		if len(b.open) > 3 {
			t.Fatalf("%d seconds are open", len(b.open))
		}
	}
	if err := batch(0, math.MaxInt64); err == nil || !strings.Contains(err.Error(), "the run is damaged") {
		t.Errorf("a sample of a closed second: %v", err)
	}
}
