package capture

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"headroom/runs"
)

// rates are the rates that the live line showed while the load ran, and how often
// it showed none.
type rates struct {
	mu    sync.Mutex
	shown []float64
	none  int
	atEnd bool
}

func (r *rates) tell(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case e.Kind != Progress:
	case e.Status.Rate != nil:
		r.shown = append(r.shown, *e.Status.Rate)
	default:
		r.none++
	}
	r.atEnd = r.atEnd || e.Kind == Progress && e.Status.AtEnd
}

// The live line shows the rate of samples that come through a pipe as they come,
// however slowly; samples in a file have no rate until they are read, and what is
// read then says nothing of the load.
func TestRateOfWhatStreams(t *testing.T) {
	t.Parallel()
	load := `exec > "$0"; N=60; ` + strings.Replace(k6Script, "sleep 0.01", "sleep 0.05", 1)
	t.Run("pipe", func(t *testing.T) {
		t.Parallel()
		var seen rates
		o := testOptions(t, "sh", "-c", load, PipeWord)
		o.Samples, o.Tell = []SampleSource{{"k6", PipePath}}, seen.tell
		record(t, o)
		if n := len(seen.shown); n < 2 || slices.Max(seen.shown) < 2 || slices.Max(seen.shown) > 25 || seen.atEnd {
			t.Errorf("rates %v, at the end: %v", seen.shown, seen.atEnd)
		}
		if slices.Max(seen.shown[:2]) == 0 {
			t.Errorf("nothing was seen of the first seconds: %v", seen.shown)
		}
	})
	t.Run("file", func(t *testing.T) {
		t.Parallel()
		var seen rates
		file := filepath.Join(t.TempDir(), "k6.json")
		o := testOptions(t, "sh", "-c", load, file)
		o.Samples, o.Tell = []SampleSource{{"k6", file}}, seen.tell
		record(t, o)
		if len(seen.shown) > 0 || seen.none == 0 || !seen.atEnd {
			t.Errorf("rates %v, %d lines without, at the end: %v", seen.shown, seen.none, seen.atEnd)
		}
	})
}

// A file of samples that the load did not write is of another load.
func TestStaleSamples(t *testing.T) {
	t.Parallel()
	prefix := filepath.Join(t.TempDir(), "log")
	stale := "0 1 900 0 1700000000 1000\n0 2 900 0 1700000000 2000\n"
	for _, name := range []string{prefix + ".1", prefix + ".2"} {
		if err := os.WriteFile(name, []byte(stale), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o := testOptions(t, "sh", "-c", fmt.Sprintf("echo '0 1 900 0 1800000000 1000' > %s.2; echo '0 1 900 0 1800000000 5000' > %s.3", prefix, prefix))
	o.Samples = []SampleSource{{"pgbench", prefix}}
	r := record(t, o).Run
	n := 0
	err := r.ScanSamples(context.Background(), []runs.Column{runs.ColService}, runs.Range{}, func(b *runs.Batch) error { n += b.Len; return nil })
	if a, ok := lacks(r, "samples of log.1"); err != nil || n != 2 || !ok || !strings.Contains(a.Note, "before the load") {
		t.Errorf("%d samples, %v; not collected %v", n, err, r.Manifest().NotCollected)
	}
}

// The first look at the host after the load has begun, and the last before it
// ends, are half a step from its ends at most: a load of five steps is covered,
// wherever in a step it begins.
func TestLooksFollowTheLoad(t *testing.T) {
	t.Parallel()
	o := testOptions(t, "sh", "-c", "sleep 5")
	o.Every = time.Second
	o.Step = map[string]string{"a": "1"} // it begins and ends with the load
	r := record(t, o).Run
	s := r.Manifest().Steps[0]
	began, ended := time.UnixMicro(s.Start), time.UnixMicro(s.End)
	var looks []time.Time
	err := r.ScanPoints(context.Background(), []string{"load.1m"}, runs.Range{}, func(p *runs.Point) error {
		if at := time.UnixMicro(p.Time); !at.Before(began) && !at.After(ended) {
			looks = append(looks, at)
		}
		return nil
	})
	if err != nil || len(looks) < 5 {
		t.Fatalf("%d looks, %v", len(looks), err)
	}
	first, last := looks[0].Sub(began), ended.Sub(looks[len(looks)-1])
	if most := 700 * time.Millisecond; first > most || last > most {
		t.Errorf("the first look is %s after the start, the last %s before the end", first, last)
	}
}

// A step that another process marks begins with a look, too.
func TestLooksFollowTheMarks(t *testing.T) {
	t.Parallel()
	o := testOptions(t, "sleep", "4")
	o.Every = 4 * time.Second
	time.AfterFunc(time.Second, func() {
		if err := AppendMark(o.Out, Mark{Time: time.Now(), Step: map[string]string{"a": "1"}}); err != nil {
			t.Error(err)
		}
	})
	r := record(t, o).Run
	began := time.UnixMicro(r.Manifest().Steps[0].Start)
	first := time.Hour
	err := r.ScanPoints(context.Background(), []string{"load.1m"}, runs.Range{}, func(p *runs.Point) error {
		if after := time.UnixMicro(p.Time).Sub(began); after >= 0 {
			first = min(first, after)
		}
		return nil
	})
	if err != nil || first > 900*time.Millisecond { // the next in turn is a second after the mark
		t.Errorf("the first look of the step is %s after its start, %v", first, err)
	}
}
