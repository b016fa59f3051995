package detect

import (
	"slices"
	"testing"

	"headroom/runs"
	"headroom/stat"

	"pgregory.net/rapid"
)

// anyRequests draws requests of any order, with waits, clocks that went backwards and
// services that are missing.
var anyRequests = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Request {
	return Request{
		Start:   rapid.Int64Range(0, 30).Draw(t, "start") * 100 * ms,
		Wait:    rapid.SampledFrom([]int64{runs.Missing, 0, 40 * ms, 3 * second}).Draw(t, "wait"),
		Service: rapid.SampledFrom([]int64{runs.Missing, -2 * second, 0, 7 * ms, 100 * ms, 9 * second}).Draw(t, "service"),
		outcome: uint8(rapid.IntRange(0, 3).Draw(t, "outcome")),
	}
}), 0, 80)

// What is found in one pass and in order is what sorting everything finds.
func TestPassesEqualSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := anyRequests.Draw(t, "requests")
		r := NewRequests("s", true, rows...)
		var starts, sent, ends []int64
		for _, q := range rows {
			starts, sent, ends = append(starts, q.Start), append(sent, q.Start+max(q.Wait, 0)), append(ends, q.End())
		}
		for name, ts := range map[string][]int64{"starts": starts, "sent": sent, "ends": ends} {
			slices.Sort(ts)
			var want Span
			for i := 1; i < len(ts); i++ {
				if ts[i]-ts[i-1] > want.Len() {
					want = Span{ts[i-1], ts[i]}
				}
			}
			s, e := r.LongestGaps()
			if got := map[string]Span{"starts": s, "ends": e}[name]; name != "sent" && got != want {
				t.Fatalf("longest gap of %s is %+v, want %+v", name, got, want)
			}
		}
		peak, done := 0, 0 // in flight, all in memory
		for i, at := range sent {
			for done < len(ends) && ends[done] <= at {
				done++
			}
			peak = max(peak, i+1-done)
		}
		if got, of := r.peak(func(c *Chunk, i int) (int64, bool) { return c.Sent(i), true }); got != peak || int(of) != len(rows) {
			t.Fatalf("%d of %d in flight at most, want %d of %d", got, of, peak, len(rows))
		}
		begun := make([]int64, 0, len(rows))
		for q := range r.All() {
			begun = append(begun, q.Start+max(q.Wait, 0))
		}
		if j := JobsOf([]*Requests{r}); j.N != len(rows) || j.Peak != stat.PeakWaiting(starts, begun) {
			t.Fatalf("jobs %+v, want a peak of %d", j, stat.PeakWaiting(starts, begun))
		} else if busy, served := whileWaiting(rows); j.Busy != busy || j.Served != served {
			t.Fatalf("jobs %+v, want %d begun in %d ns with one waiting", j, served, busy)
		}
		checkLate(t, r, rows, peak)
	})
}

// whileWaiting steps through the instants at which anything happened and counts those
// that wait anew at each: between two of them the number does not change.
func whileWaiting(rows []Request) (busy int64, served int) {
	var at []int64
	for _, q := range rows {
		at = append(at, q.Start, q.Start+max(q.Wait, 0))
	}
	slices.Sort(at)
	at = slices.Compact(at)
	waitingAfter := func(t int64) (n int) {
		for _, q := range rows {
			if q.Start <= t && q.Start+max(q.Wait, 0) > t {
				n++
			}
		}
		return n
	}
	for i := 1; i < len(at); i++ {
		n := waitingAfter(at[i-1])
		if n > 0 {
			busy += at[i] - at[i-1]
		}
		begun := 0
		for _, q := range rows {
			if q.Start+max(q.Wait, 0) == at[i] {
				begun++
			}
		}
		served += min(n, begun) // one more than waited came at that instant
	}
	return busy, served
}

// checkLate compares the late requests with what counting in flight at each finds.
func checkLate(t *rapid.T, r *Requests, rows []Request, peak int) {
	late := lateAndFree(r, 30*ms)
	row := 0
	for q := range r.All() {
		flying := 0
		for _, o := range rows {
			if at := q.Start + q.Wait; o.Start+max(o.Wait, 0) < at {
				flying++
			}
			if o.End() < q.Start+q.Wait {
				flying--
			}
		}
		want := q.Wait != runs.Missing && q.Wait > 30*ms && 2*flying <= peak
		if late.has(row) != want {
			t.Fatalf("request %d, %+v, is late with workers free: %v, want %v (%d of %d in flight)", row, *q, late.has(row), want, flying, peak)
		}
		row++
	}
}

// The requests that end, or begin, in a span are those of all that do, however the
// two are put together.
func TestEndingAndStarting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := anyRequests.Draw(t, "requests")
		r := NewRequests("s", false, rows...)
		span := func(name string) Span {
			from := rapid.Int64Range(-1, 45).Draw(t, name) * 100 * ms
			return Span{from, from + rapid.Int64Range(0, 30).Draw(t, name+" for")*100*ms}
		}
		a, b, c := span("ending"), span("starting"), span("starting, again")
		got := r.Ending(a).Starting(b).Starting(c)
		var want []int64
		for q := range r.All() {
			if a.Contains(q.End()) && b.Contains(q.Start) && c.Contains(q.Start) {
				want = append(want, q.Start, q.Wait, q.Service, int64(q.outcome))
			}
		}
		var have []int64
		for q := range got.All() {
			have = append(have, q.Start, q.Wait, q.Service, int64(q.outcome))
		}
		if !slices.Equal(have, want) || got.Len() != len(want)/4 {
			t.Fatalf("%d requests %v, want %v", got.Len(), have, want)
		}
	})
}

// Requests that begin earlier take the place that their start gives them.
func TestEarlier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := anyRequests.Draw(t, "requests")
		r := NewRequests("s", false, rows...)
		var places []int
		moved := r.collected()
		for i := range moved {
			if rapid.IntRange(0, 5).Draw(t, "move") == 0 {
				places = append(places, i)
				moved[i].Start -= 100 * ms
			}
		}
		want := NewRequests("s", false, moved...).collected()
		if r.Earlier(places, 100*ms); !slices.Equal(r.collected(), want) {
			t.Fatalf("%+v, want %+v", r.collected(), want)
		}
	})
}
