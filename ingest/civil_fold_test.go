package ingest

import (
	"errors"
	"strings"
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
		if doubtful := stamp == "2026-11-01 01:30:00"; (s.undecided() != nil) != doubtful {
			t.Errorf("%s: %v", stamp, s.undecided())
		}
	}
}

// TestStampsFoldByOrder reads a log that goes through the hour that occurs twice,
// in each of the two ways that stamps come in, and says what it chose.
func TestStampsFoldByOrder(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	stamps := []string{"01:59:00", "02:10:00", "02:59:00", "02:50:00", "02:00:00", "02:30:00", "03:00:00"}
	want := []string{"23:59:00", "00:10:00", "00:59:00", "00:50:00", "01:00:00", "01:30:00", "02:00:00"}
	for name, parse := range map[string]func(s *Stamps, clock string) (int64, error){
		"civil": func(s *Stamps, clock string) (int64, error) { return s.Parse("2026-10-25 " + clock) },
		"layout": func(s *Stamps, clock string) (int64, error) {
			return s.Layout("2006/01/02 15:04:05", "2026/10/25 "+clock)
		},
	} {
		in := NewInput("", nil, Options{Zone: zone})
		for i, clock := range stamps {
			ns, err := parse(in.Stamps(), clock)
			if got := time.Unix(0, ns).UTC().Format(time.TimeOnly); err != nil || got != want[i] {
				t.Errorf("%s: %s: got %s, want %s (%v)", name, clock, got, want[i], err)
			}
		}
		if _, err := parse(in.Stamps(), "12:00:00"); err != nil {
			t.Error(err)
		}
		in.Stamps().describe(&in.Meta)
		notes := strings.Join(in.Meta.Notes, "\n")
		if !strings.Contains(notes, "3 stamps in Europe/Berlin: the local time occurs twice") || !strings.Contains(notes, "2 stamps in Europe/Berlin: the local time occurs twice") {
			t.Errorf("%s: notes %q", name, notes)
		}
	}
}

// TestStampsFoldAsked reads the hour that occurs twice where the order of the stamps
// tells which is meant, and refuses it where it does not.
func TestStampsFoldAsked(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, stamps string
		doubt        int
	}{
		{"it follows the hour before", "01:50:00 02:05:00 02:20:00", 0},
		{"both passes, from within the first", "02:30:00 02:50:00 02:00:00 02:30:00", 0},
		{"both passes, and the hour after", "01:59:00 02:15:00 02:30:00 02:45:00 02:59:00 02:10:00 02:25:00 02:40:00 02:59:00 03:01:00", 0},
		{"nothing beside it", "02:30:00 02:31:00", 2},
		{"it precedes the hour after", "02:50:00 02:59:00 03:00:00", 2},
		{"one pass between the hours", "01:59:00 02:15:00 02:30:00 02:45:00 02:59:00 03:00:00", 4},
		{"a silence before it", "01:30:00 02:05:00", 1},
	} {
		s := NewInput("", nil, Options{Zone: zone}).Stamps()
		for _, clock := range strings.Fields(c.stamps) {
			if _, err := s.Parse("2026-10-25 " + clock); err != nil {
				t.Fatal(err)
			}
		}
		err := s.undecided()
		if s.fold.undecided != c.doubt || (err != nil) != (c.doubt > 0) {
			t.Errorf("%s: %d in doubt, %v", c.name, s.fold.undecided, err)
		}
		if err != nil && (!errors.Is(err, ErrZone) || !strings.Contains(err.Error(), "--timezone +02:00 or --timezone +01:00")) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestIngestAsksForTheHour refuses a file of such stamps, and reads it with the
// offset that it names.
func TestIngestAsksForTheHour(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	dir := write(t, map[string]string{"log.csv": "at,took\n2026-10-25 02:30:00,5\n2026-10-25 02:30:01,5\n"})
	m := &Mapping{Format: genericCSVName, Files: []string{"log.csv"}, Start: &InstantField{Field: "at", Unit: "auto"}, Latency: &DurationField{Field: "took", Unit: "ms"}}
	req := Request{Files: paths(dir, "log.csv"), Maps: []*Mapping{m}, Options: Options{Zone: zone}}
	if _, _, err := ingest(t, req); !errors.Is(err, ErrZone) || !strings.HasPrefix(err.Error(), "log.csv: ") {
		t.Errorf("got %v", err)
	}
	if req.Options.Zone, err = ParseZone("+01:00"); err != nil {
		t.Fatal(err)
	}
	if _, dst := must(t, req); stampText(dst.samples[0].Start) != "2026-10-25T01:30:00.000000Z" {
		t.Errorf("got %s", stampText(dst.samples[0].Start))
	}
}

// TestParseZone takes names and offsets, and not what differs between machines.
func TestParseZone(t *testing.T) {
	for text, want := range map[string]string{"Europe/Paris": "Europe/Paris", "UTC": "UTC", "+02:00": "+02:00", "-0330": "-0330", "+5": "", "Local": "", "": "", "IST": "", "+19:00": ""} {
		zone, err := ParseZone(text)
		if (err == nil) != (want != "") || err == nil && zone.String() != want {
			t.Errorf("%q: got %v, %v", text, zone, err)
		}
		if err != nil && !strings.Contains(err.Error(), "want a name as Europe/Paris or UTC, or how far") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestStampsGap says of a time that never occurs how it was read.
func TestStampsGap(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	in := NewInput("", nil, Options{Zone: zone})
	ns, err := in.Stamps().Layout("02.01.2006 15:04:05", "29.03.2026 02:30:00")
	if got := time.Unix(0, ns).UTC().Format(time.TimeOnly); err != nil || got != "01:30:00" {
		t.Errorf("got %s (%v)", got, err)
	}
	in.Stamps().describe(&in.Meta)
	if len(in.Meta.Notes) != 1 || !strings.HasPrefix(in.Meta.Notes[0], "1 stamp in Europe/Berlin: the local time never occurs") {
		t.Errorf("notes %q", in.Meta.Notes)
	}
}
