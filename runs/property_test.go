package runs

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Generators of values as importers may hand them over: missing, empty, extreme
// and of any script.
var (
	anyInstant  = rapid.OneOf(rapid.Int64Range(-9_223_372_036_854_774, 9_223_372_036_854_774), rapid.Int64Range(1_700_000_000_000_000, 1_700_000_600_000_000))
	anyDuration = rapid.OneOf(rapid.Just(Missing), rapid.Just(int64(math.MaxInt64)), rapid.Just(Missing+1), rapid.Int64Range(-1e9, 1e10))
	anyText     = rapid.OneOf(rapid.SampledFrom([]string{"", "ok", "GET /", "é", "日本", "\x00", " "}), rapid.String())
)

func drawSample(t *rapid.T) Sample {
	return Sample{
		Start:   anyInstant.Draw(t, "start"),
		StartNS: rapid.OneOf(rapid.Just(Missing), rapid.Int64Range(0, 999)).Draw(t, "start_ns"),
		Wait:    anyDuration.Draw(t, "wait"), Service: anyDuration.Draw(t, "service"),
		Scenario: anyText.Draw(t, "scenario"), Op: anyText.Draw(t, "op"), Status: anyText.Draw(t, "status"),
		Outcome: rapid.SampledFrom([]Outcome{OK, Failed, Rejected, Timeout, Dropped, Skipped}).Draw(t, "outcome"),
		Target:  anyText.Draw(t, "target"), Events: rapid.Int64Range(0, math.MaxInt64).Draw(t, "events"),
		Error: anyText.Draw(t, "error"), Worker: anyText.Draw(t, "worker"), ID: anyText.Draw(t, "id"), Tags: anyText.Draw(t, "tags"),
		Connecting: anyDuration.Draw(t, "connecting"), TLS: anyDuration.Draw(t, "tls"), Sending: anyDuration.Draw(t, "sending"),
		Waiting: anyDuration.Draw(t, "waiting"), Receiving: anyDuration.Draw(t, "receiving"),
	}
}

func drawPoint(t *rapid.T) Point {
	return Point{
		Time: anyInstant.Draw(t, "time"), TimeNS: rapid.Int64Range(0, 999).Draw(t, "time_ns"), Source: anyText.Draw(t, "source"), Entity: anyText.Draw(t, "entity"), Metric: anyText.Draw(t, "metric"),
		Kind: rapid.SampledFrom([]Kind{Gauge, Counter, Delta}).Draw(t, "kind"), Value: rapid.Float64().Draw(t, "value"),
		Unit: anyText.Draw(t, "unit"), Resolution: rapid.Int64Range(0, math.MaxInt64).Draw(t, "resolution"), Tags: anyText.Draw(t, "tags"),
	}
}

// What is written is read again, whatever the values; and a window keeps the
// rows that lie in it, in order, and no other.
func TestPropertyRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		want := contents{
			Samples: rapid.SliceOfN(rapid.Custom(drawSample), 1, 30).Draw(t, "samples"),
			Points:  rapid.SliceOfN(rapid.Custom(drawPoint), 1, 10).Draw(t, "points"),
		}
		within := Range{anyInstant.Draw(t, "from"), anyInstant.Draw(t, "to")}
		path := filepath.Join(dir, "run")
		defer os.RemoveAll(path)
		w, err := Create(path, CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		if err := want.write(w); err != nil {
			t.Fatal(err)
		}
		r, err := w.Commit()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := readAll(r, Range{}); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("got  %+v, %v\nwant %+v", got, err, want)
		}
		got, err := readSamples(r, within)
		kept := slices.DeleteFunc(want.Samples, func(s Sample) bool { return s.Start < within.Start || s.Start >= within.End })
		if err != nil || !slices.Equal(got, kept) {
			t.Fatalf("within %v: %d rows, %v; want %d", within, len(got), err, len(kept))
		}
	})
}

// The end is start, wait and service added up, and splitting loses nothing.
func TestPropertyInstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64().Draw(t, "ns")
		start, rest := SplitNanos(ns)
		if rest < 0 || rest > 999 || (start > math.MinInt64/1000 && StartNanos(start, rest) != ns) {
			t.Fatalf("%d splits into %d µs and %d ns", ns, start, rest)
		}
		wait, service := rapid.Int64Range(0, 1e12).Draw(t, "wait"), rapid.Int64Range(-1e9, 1e12).Draw(t, "service")
		at := rapid.Int64Range(-4e15, 4e15).Draw(t, "start")
		if got := EndNanos(at, 5, wait, service); got != at*1000+5+wait+service {
			t.Fatalf("end %d", got)
		}
		if EndNanos(at, Missing, Missing, Missing) != at*1000 {
			t.Fatal("what is missing must count as nothing")
		}
	})
}
