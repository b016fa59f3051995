package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"headroom/capture"
)

// captureScreen shows a recording on stderr: what the command prints, what
// there is to say, and how it stands, as a line that is drawn again and again on
// a terminal and as a line now and then elsewhere.
type captureScreen struct {
	mu    sync.Mutex
	env   *Env
	quiet bool
	live  *progress
	said  time.Duration // when the last plain line was
}

// plainEvery is the least time between two lines of status where stderr is no
// terminal.
const plainEvery = 10 * time.Second

func newCaptureScreen(env *Env, o Output) *captureScreen {
	return &captureScreen{env: env, quiet: o.Quiet, live: newProgress(env, o)}
}

// Write passes on what the command prints.
func (s *captureScreen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live.clear()
	return s.env.Err.Write(b)
}

// tell takes an event of the recording.
func (s *captureScreen) tell(e capture.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case e.Kind == capture.Progress && s.live.on:
		s.live.draw("%s", statusText(e.Status))
	case e.Kind == capture.Progress:
		if !s.quiet && e.Status.Elapsed-s.said >= plainEvery {
			s.said = e.Status.Elapsed
			fmt.Fprintln(s.env.Err, statusText(e.Status))
		}
	case e.Kind == capture.Warning:
		s.live.clear()
		s.env.sayText("", "warning: "+e.Text)
	case !s.quiet:
		s.live.clear()
		s.env.sayText("", e.Text)
	}
}

func (s *captureScreen) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live.clear()
}

// statusText is the state of a recording in a line. What is not known is left
// out.
func statusText(s *capture.Status) string {
	parts := []string{s.Elapsed.Round(time.Second).String()}
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if s.Step != "" {
		add("step %s", s.Step)
	}
	switch {
	case s.Over:
		add("load over, %d samples so far", s.Samples)
	case s.Rate != nil:
		add("%.0f samples/s", *s.Rate)
	case s.AtEnd:
		add("samples read at the end")
	}
	if s.P99 != nil {
		add("p99 %.3g ms", 1000**s.P99)
	}
	if s.Dropped > 0 {
		add("dropped %d", s.Dropped)
	}
	if s.Load != nil {
		add("load %.1f", *s.Load)
	}
	if s.Foreign != nil {
		add("foreign %.2f cores", *s.Foreign)
	}
	if s.Waiting != nil {
		add("waiting %d", *s.Waiting)
	}
	add("%s", bytesText(s.Written))
	if s.AgentCPU != nil {
		add("agent %.1f %%", 100**s.AgentCPU)
	}
	return strings.Join(parts, "  ")
}
