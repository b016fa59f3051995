package ingest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// TestCasesCloudWatchOrder answers the case cloudwatch-order-gaps-alignment from
// the points alone: each says what it covers, from Time less Resolution to Time.
func TestCasesCloudWatchOrder(t *testing.T) {
	const name = "cloudwatch-order-gaps-alignment"
	from := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC).UnixMicro()
	to := time.Date(2026, 3, 2, 10, 10, 0, 0, time.UTC).UnixMicro()
	minute := time.Minute.Microseconds()

	in, r, err := readFile(t, CloudWatchStatistics, caseFile(t, name, "input.a.json"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var values []float64
	starts := map[int64]bool{}
	covered, highest := int64(0), r.points[0]
	for _, p := range r.points {
		if p.Resolution != minute || p.Unit != "1" {
			t.Errorf("point %+v", p)
		}
		values = append(values, p.Value)
		starts[p.Time-p.Resolution] = true
		covered += overlap(&p, from, to)
		if p.Value > highest.Value {
			highest = p
		}
	}
	if want := []float64{0.395, 0.41, 0.67, 0.445, 0.43, 0.42, 0.40, 0.39}; !slices.Equal(values, want) {
		t.Errorf("a: in order %v, want %v", values, want)
	}
	var missing []string
	for us := from; us < to; us += minute {
		if !starts[us] {
			missing = append(missing, time.UnixMicro(us).UTC().Format("15:04"))
		}
	}
	if !slices.Equal(missing, []string{"10:02", "10:07"}) || float64(covered) != 0.8*float64(to-from) {
		t.Errorf("a: missing %v, covered %v", missing, time.Duration(covered*1000))
	}
	if !sameNumber(number(mean(values)), "0.445") || highest.Value != 0.67 || second(highest.Time-highest.Resolution) != "2026-03-02T10:03:00Z" {
		t.Errorf("a: mean %v, highest %+v", mean(values), highest)
	}
	if notes := strings.Join(in.Meta.Notes, "\n"); !strings.Contains(notes, "1m0s, derived from the distances") || in.Meta.Resolution != minute {
		t.Errorf("a: the period is not said to be derived: %s", notes)
	}

	_, r, err = readFile(t, CloudWatchStatistics, caseFile(t, name, "input.b.json"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	sum, whole, partly := 0.0, 0, 0
	var buckets []string
	for _, p := range r.points {
		if p.Metric != "cloudwatch.WriteIOPS" {
			continue // the counts of samples
		}
		buckets = append(buckets, time.UnixMicro(p.Time-p.Resolution).UTC().Format("15:04")+"-"+time.UnixMicro(p.Time).UTC().Format("15:04")+" "+number(p.Value))
		inside := overlap(&p, from, to)
		sum += p.Value * float64(inside)
		if inside == p.Resolution {
			whole++
		} else if inside > 0 {
			partly++
		}
	}
	if want := []string{"09:59-10:04 800", "10:04-10:09 2900", "10:09-10:14 1200"}; !slices.Equal(buckets, want) || whole != 1 || partly != 2 {
		t.Errorf("b: %v, %d inside and %d partly", buckets, whole, partly)
	}
	if got := sum / float64(to-from); got != 1890 {
		t.Errorf("b: %v over the run, weighted by overlap", got)
	}

	in, r, err = readFile(t, CloudWatchData, caseFile(t, name, "input.c.json"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := r.series("cloudwatch.DiskQueueDepth", "m1"); !slices.Equal(v, []float64{0.5, 37, 65}) {
		t.Errorf("c: %v", v)
	}
	if notes := strings.Join(in.Meta.Notes, "\n"); !strings.Contains(notes, "not complete: PartialData") || !strings.Contains(r.points[0].Tags, "PartialData") {
		t.Errorf("c is not marked incomplete: %s, %s", notes, r.points[0].Tags)
	}
}

// overlap returns how much of what a point covers lies in a window, µs.
func overlap(p *runs.Point, from, to int64) int64 {
	return max(min(p.Time, to)-max(p.Time-p.Resolution, from), 0)
}
