package ingest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func paris(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestStamps(t *testing.T) {
	for _, c := range []struct {
		text       string
		zone       *time.Location
		unit       time.Duration
		want       string
		how        string
		resolution time.Duration
	}{
		{"2026-03-02T10:00:00Z", nil, 0, "2026-03-02T10:00:00Z", "UTC, written", time.Second},
		{"2026-03-02T11:00:00.1+01:00", nil, 0, "2026-03-02T10:00:00.1Z", "explicit offset", 100 * time.Millisecond},
		{"2026-11-30T15:31:34.133469413-05:00", nil, 0, "2026-11-30T20:31:34.133469413Z", "explicit offset", 1},
		{"2026-08-16 18:00:00.123456+00", nil, 0, "2026-08-16T18:00:00.123456Z", "explicit offset", time.Microsecond},
		{"2026-08-16 18:00:00+0530", nil, 0, "2026-08-16T12:30:00Z", "explicit offset", time.Second},
		{"2026-08-16 18:00:00-03:00:30", nil, 0, "2026-08-16T21:00:30Z", "explicit offset", time.Second},
		{" 2026-11-30 17:10:43.297 UTC ", nil, 0, "2026-11-30T17:10:43.297Z", "UTC, written", time.Millisecond},
		{"2026-11-30 17:10:43,297 GMT", nil, 0, "2026-11-30T17:10:43.297Z", "UTC, written", time.Millisecond},
		{"2026-07-01 12:00:00", paris(t), 0, "2026-07-01T10:00:00Z", "--timezone Europe/Paris", time.Second},
		{"2026-07-01 12:00:00 CEST", paris(t), 0, "2026-07-01T10:00:00Z", "--timezone Europe/Paris", time.Second},
		{"2026-03-29 02:30:00", paris(t), 0, "2026-03-29T01:30:00Z", "--timezone Europe/Paris", time.Second}, // never was: the offset before the gap
		{"2026-12-31 23:59:60Z", nil, 0, "2027-01-01T00:00:00Z", "UTC, written", time.Second},
		{"2026-03-02T10:00:00.1234567899Z", nil, 0, "2026-03-02T10:00:00.123456789Z", "UTC, written", 1},
		{"1772445600", nil, 0, "2026-03-02T10:00:00Z", "Unix epoch in seconds, by magnitude", time.Second},
		{"1772445600.25", nil, 0, "2026-03-02T10:00:00.25Z", "Unix epoch in seconds, by magnitude", 10 * time.Millisecond},
		{"1772445600100", nil, 0, "2026-03-02T10:00:00.1Z", "Unix epoch in milliseconds, by magnitude", time.Millisecond},
		{"1772445600100000", nil, 0, "2026-03-02T10:00:00.1Z", "Unix epoch in microseconds, by magnitude", time.Microsecond},
		{"1772445600100000000", nil, 0, "2026-03-02T10:00:00.1Z", "Unix epoch in nanoseconds, by magnitude", 1},
		{"1772445600100", nil, time.Millisecond, "2026-03-02T10:00:00.1Z", "Unix epoch in milliseconds, as given", time.Millisecond},
	} {
		in := NewInput("f", nil, Options{Zone: c.zone, TimeUnit: c.unit})
		ns, err := in.Stamps().Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := time.Unix(0, ns).UTC().Format(time.RFC3339Nano); got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
		if got := in.Stamps().Zone(); got != c.how {
			t.Errorf("%s: zone %q, want %q", c.text, got, c.how)
		}
		if got := in.Stamps().Resolution(); got != c.resolution {
			t.Errorf("%s: resolution %v, want %v", c.text, got, c.resolution)
		}
	}
}

func TestStampsRefuse(t *testing.T) {
	for _, c := range []struct {
		text string
		zone *time.Location
		want string
	}{
		{"2026-03-02 10:00:00", nil, "give --timezone"},
		{"2026-03-02 10:00:00 IST", nil, "IST stands for more than one zone"},
		{"2026-03-02 10:00:00 -", nil, "offset that cannot be read"},
		{"2026-03-02 10:00:00+25", nil, "offset that cannot be read"},
		{"2026-03-02 10:00:00 [pid]", nil, "no zone"},
		{"2026-02-30 10:00:00Z", nil, "not a date and time"},
		{"2026-13-02 10:00:00Z", nil, "not a date and time"},
		{"2026-03-02 24:00:00Z", nil, "not a date and time"},
		{"2026-03-02_10:00:00Z", nil, "not a date and time"},
		{"1826-03-02T10:00:00Z", nil, "not between 2000 and 2100"},
		{"12345", nil, "in no unit"},
		{"99999999999999999999999", nil, "neither a date nor an epoch number"},
		{"", nil, "neither a date nor an epoch number"},
		{"-1772445600", nil, "neither a date nor an epoch number"},
	} {
		in := NewInput("f", nil, Options{Zone: c.zone})
		ns, err := in.Stamps().Parse(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %d, %v; want an error with %q", c.text, ns, err, c.want)
		}
		if strings.Contains(c.want, "zone") != errors.Is(err, ErrZone) && c.want != "no zone" {
			t.Errorf("%q: ErrZone is %v", c.text, errors.Is(err, ErrZone))
		}
	}
}

func TestStampsOfAnotherUnitThanGiven(t *testing.T) {
	s := NewInput("f", nil, Options{TimeUnit: time.Millisecond}).Stamps()
	if ns, err := s.Parse("1772445600"); err == nil || errors.Is(err, errMixedUnits) {
		t.Errorf("got %d, %v", ns, err)
	}
}

func TestStampsMixedUnits(t *testing.T) {
	s := NewInput("f", nil, Options{}).Stamps()
	if _, err := s.Parse("1772445600"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Parse("1772445600100"); !errors.Is(err, errMixedUnits) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Parse("1772445601"); err != nil {
		t.Errorf("after the mixture: %v", err)
	}
}

// TestStampsAgree compares with package time, whatever the instant and offset.
func TestStampsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64Range(earliest*1e9, latest*1e9-1).Draw(t, "ns")
		offset := rapid.IntRange(-14*60, 14*60).Draw(t, "minutes") * 60
		at := time.Unix(0, ns).In(time.FixedZone("", offset))
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999-0700", "2006-01-02 15:04:05.000000000 Z07:00"} {
			got, err := NewInput("f", nil, Options{}).Stamps().Parse(at.Format(layout))
			if err != nil || got != ns {
				t.Fatalf("%s: got %d, %v; want %d", at.Format(layout), got, err, ns)
			}
		}
	})
}

// TestStampsLocal compares local times with package time, away from the hours at
// which clocks are put forward or back.
func TestStampsLocal(t *testing.T) {
	zone := paris(t)
	rapid.Check(t, func(t *rapid.T) {
		sec := rapid.Int64Range(earliest+86400, latest-86400).Draw(t, "sec")
		at := time.Unix(sec, 0).In(zone)
		_, before := at.Add(-3 * time.Hour).Zone()
		if _, after := at.Add(3 * time.Hour).Zone(); after != before {
			return
		}
		got, err := NewInput("f", nil, Options{Zone: zone}).Stamps().Parse(at.Format("2006-01-02 15:04:05"))
		if err != nil || got != sec*1e9 {
			t.Fatalf("%v: got %d, %v", at, got, err)
		}
	})
}

func FuzzStamps(f *testing.F) {
	for _, text := range []string{"2026-03-02T10:00:00.5+01:00", "1772445600.25", "2026-03-02 10:00:00 UTC", "2026-10-25 02:30:00"} {
		f.Add(text)
	}
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ns, err := NewInput("f", nil, Options{Zone: zone}).Stamps().Parse(text)
		if err == nil && (ns < (earliest-1)*1e9 || ns > (latest+1)*1e9) {
			t.Fatalf("%q gives %d", text, ns)
		}
	})
}
