package ingest

import (
	"testing"
	"time"
)

// TestStampsFold reads the hour that occurs twice when the clock is put back.
func TestStampsFold(t *testing.T) {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	for stamp, want := range map[string]string{
		"2026-11-01 00:30:00 EDT": "2026-11-01T04:30:00.000000Z",
		"2026-11-01 01:30:00 EDT": "2026-11-01T05:30:00.000000Z",
		"2026-11-01 01:30:00 EST": "2026-11-01T06:30:00.000000Z",
		"2026-11-01 01:30:00":     "2026-11-01T05:30:00.000000Z",
		"2026-11-01 02:30:00":     "2026-11-01T07:30:00.000000Z",
		"2026-03-08 02:30:00":     "2026-03-08T07:30:00.000000Z", // does not occur
		"2026-07-01 12:00:00 EDT": "2026-07-01T16:00:00.000000Z",
	} {
		s := NewInput("", nil, Options{Zone: zone}).Stamps()
		ns, err := s.Parse(stamp)
		if err != nil || stampText(micros(ns)) != want {
			t.Errorf("%s: got %s, want %s (%v)", stamp, stampText(micros(ns)), want, err)
		}
		if doubtful := stamp == "2026-11-01 01:30:00"; (s.folds == 1) != doubtful {
			t.Errorf("%s: %d doubtful stamps", stamp, s.folds)
		}
	}
}
