package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"headroom/runs"
)

// TestCaptureKilled kills the command itself, with kill -9, at random moments of
// a recording of some eight seconds: before the load, during it, while the run is
// sealed. Each time the run is recovered, has lost 5 s at most, and its counts fit:
// the samples are the first n of the load without a gap, the log's lines too, and
// what the manifest says of a source is what the tables hold of it.
//
// HEADROOM_TEST_KILLS=50 asks for as many kills; without it there are three.
func TestCaptureKilled(t *testing.T) {
	t.Parallel()
	kills := 3
	if text, set := os.LookupEnv("HEADROOM_TEST_KILLS"); set {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("HEADROOM_TEST_KILLS=%s: want a number", text)
		}
		kills = n
	}
	rng := rand.New(rand.NewPCG(4, 9))
	moments := make([]time.Duration, kills)
	for i := range moments { // the first three are in the load, and far apart
		moments[i] = time.Duration(rng.Float64() * float64(11*time.Second))
		if i < 3 {
			moments[i] = time.Duration(2+3*i)*time.Second + time.Duration(rng.IntN(1000))*time.Millisecond
		}
	}
	var all killedRuns
	var running sync.WaitGroup
	slots := make(chan struct{}, 4)
	for _, at := range moments {
		slots <- struct{}{}
		running.Go(func() {
			all.add(killedCapture(t, at))
			<-slots
		})
	}
	running.Wait()
	t.Logf("%d kills: %d before the load began, %d recovered as partial, %d recovered whole, %d sealed already; at most %s lost, %s in the median, by a flush's stamp; %d samples",
		kills, all.ended[nothing], all.ended[partial], all.ended[whole], all.ended[sealed], all.worst(), all.median(), all.samples)
}

// The ends of a recording that is killed.
type killedEnd int

const (
	nothing killedEnd = iota // not begun
	partial
	whole  // everything was flushed, and it was not sealed yet
	sealed // it was over
)

// killedRun is one of them.
type killedRun struct {
	end     killedEnd
	lost    time.Duration
	samples int
}

type killedRuns struct {
	mu      sync.Mutex
	ended   [4]int
	lost    []time.Duration
	samples int
}

func (a *killedRuns) add(r killedRun) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended[r.end]++
	a.samples += r.samples
	if r.end == partial {
		a.lost = append(a.lost, r.lost)
		slices.Sort(a.lost)
	}
}

func (a *killedRuns) worst() time.Duration {
	if len(a.lost) == 0 {
		return 0
	}
	return a.lost[len(a.lost)-1].Round(time.Millisecond)
}

func (a *killedRuns) median() time.Duration {
	if len(a.lost) == 0 {
		return 0
	}
	return a.lost[len(a.lost)/2].Round(time.Millisecond)
}

// killedCapture kills a recording after some time, recovers it and looks at it.
func killedCapture(t *testing.T, after time.Duration) (out killedRun) {
	dir := t.TempDir()
	cmd := headroomIn(t, dir, "capture", "--quiet", "--out", "run", "--samples", "k6=fifo", "--log", "app.log", "--step", "rate=100", "--",
		"k6pipe", "-out", "{samples}", "-log", "app.log", "-rate", "100", "-seconds", "8")
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return out
	}
	over := make(chan struct{})
	go func() { cmd.Wait(); close(over) }()
	stalled := stall(func() {
		select {
		case <-over:
		case <-time.After(after):
		}
	})
	killed := time.Now()
	cmd.Process.Kill()
	<-over
	path := filepath.Join(dir, "run")
	_, log := os.Stat(filepath.Join(dir, "app.log"))
	if _, err := os.Stat(path); err == nil {
		out.end = sealed
	} else if _, talk, status := answerOf(t, headroomIn(t, dir, "runs", "recover", "--quiet", "run")); status != 0 {
		if log == nil || status != 2 {
			t.Errorf("killed after %s, with a load that had begun: status %d, %s", after, status, talk)
		}
		return killedRun{end: nothing}
	}
	if _, talk, status := answerOf(t, headroomIn(t, dir, "runs", "verify", "run")); status != 0 {
		t.Errorf("killed after %s: verify gives status %d, %s", after, status, talk)
		return out
	}
	r, err := runs.Open(path)
	if err != nil {
		t.Error(err)
		return out
	}
	if out.end != sealed {
		out.end = whole
	}
	if at, ok := lostAfter(r); ok {
		out.end, out.lost = partial, killed.Sub(at)
		if out.lost > 5*time.Second+stalled {
			t.Errorf("killed after %s: %s lost (the test itself stood still for %s)", after, out.lost, stalled)
		}
	}
	out.samples = fits(t, r, out.end)
	return out
}

// stall runs something and returns the longest time for which this process did
// not run meanwhile: by so much a starved host may have kept a flush waiting.
func stall(during func()) time.Duration {
	const every = 10 * time.Millisecond
	done, worst := make(chan struct{}), make(chan time.Duration)
	go func() {
		longest, last := time.Duration(0), time.Now()
		for {
			select {
			case <-done:
				worst <- longest
				return
			case <-time.After(every):
			}
			now := time.Now()
			longest, last = max(longest, now.Sub(last)-every), now
		}
	}()
	during()
	close(done)
	return <-worst
}

// lostAfter returns from when on a partial run is not recorded.
func lostAfter(r *runs.Run) (time.Time, bool) {
	for _, a := range r.Manifest().NotCollected {
		if text, ok := strings.CutPrefix(a.What, "everything after "); ok {
			at, err := time.Parse(time.RFC3339Nano, text)
			return at, err == nil
		}
	}
	return time.Time{}, false
}

// fits checks that the counts of a run fit one another, and returns how many
// samples it has.
func fits(t *testing.T, r *runs.Run, end killedEnd) (samples int) {
	ctx := context.Background()
	rows, looks := map[string]int64{}, map[string]int{}
	lines := 0
	err := errors.Join(
		r.ScanSamples(ctx, []runs.Column{runs.ColService}, runs.Range{}, func(b *runs.Batch) error {
			for _, ns := range b.Service[:b.Len] {
				if ns != int64(samples)*1e6 {
					t.Errorf("sample %d is that of request %d", samples, ns/1e6)
				}
				samples++
			}
			return nil
		}),
		r.ScanPoints(ctx, nil, runs.Range{}, func(p *runs.Point) error {
			rows[p.Source]++
			if p.Source == "host" && p.Entity == "" {
				looks[p.Metric]++
			}
			return nil
		}),
		r.ScanMarkers(ctx, nil, runs.Range{}, func(m *runs.Marker) error {
			rows[m.Source]++
			if m.Source == "app.log" {
				if !strings.Contains(m.Attrs, `"n":`+strconv.Itoa(lines)) {
					t.Errorf("line %d of the log: %s %s", lines, m.Message, m.Attrs)
				}
				lines++
			}
			return nil
		}),
	)
	if err != nil {
		t.Error(err)
	}
	if end != partial && samples != 800 {
		t.Errorf("a run that is whole has %d samples of 800", samples)
	}
	for metric, n := range looks { // the last look may be half recorded
		if most := looks["load.1m"]; n < most-1 || n > most+1 {
			t.Errorf("%s was recorded %d times, the load average %d times", metric, n, most)
		}
	}
	named := map[string]bool{}
	told := int64(0)
	for _, s := range r.Manifest().Sources {
		named[s.File] = true
		told += s.Samples
		if s.Samples == 0 && s.Rows != rows[s.File] {
			t.Errorf("%s: %d rows by the manifest, %d in the tables", s.File, s.Rows, rows[s.File])
		}
	}
	if told != int64(samples) {
		t.Errorf("%d samples by the manifest, %d in the table", told, samples)
	}
	for source := range rows {
		if !named[source] {
			t.Errorf("rows of %q, which no line of the manifest names", source)
		}
	}
	return samples
}
