package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"headroom/runs"
)

// Mark is something that a person or a script says of a run while it is
// recorded: a step begins, or something happened.
type Mark struct {
	Time time.Time         `json:"time"`
	Step map[string]string `json:"step,omitempty"` // labels of the step that begins; it ends the one before
	End  bool              `json:"end,omitempty"`  // the step ends, and none begins
	Note string            `json:"note,omitempty"`
}

// ErrNoRecording: no run is being recorded there.
var ErrNoRecording = errors.New("no run is being recorded there")

// markMost bounds one mark, in bytes; appends of so little are not torn.
const markMost = 4096

// AppendMark tells the process that records the run at path.
func AppendMark(path string, m Mark) error {
	name, err := runs.RecordingMarks(path)
	if err != nil {
		return err
	}
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if len(line) > markMost {
		return fmt.Errorf("%w: the mark has %d bytes, more than %d", ErrUsage, len(line), markMost)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("run %s: %w", path, ErrNoRecording)
	} else if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// marks reads the marks of a recording.
type marks struct {
	c    *capture
	path string
	at   int64
}

// markPoll is how often marks are looked for. They bear the time at which they
// were made; what it delays is the live line, and the look at the host that each
// step begins with, which must come within half a second.
const markPoll = 500 * time.Millisecond

func (m *marks) run(ctx context.Context, ready func()) error {
	ready()
	for {
		if err := m.poll(); err != nil {
			return err
		}
		if !m.c.tick(ctx, markPoll) {
			return m.poll()
		}
	}
}

// marksMost bounds the file of marks, in bytes.
const marksMost = 16 << 20

func (m *marks) poll() error {
	info, err := os.Stat(m.path)
	if err != nil {
		return err
	}
	if info.Size() <= m.at || info.Size() > marksMost {
		return nil
	}
	f, err := os.Open(m.path)
	if err != nil {
		return err
	}
	defer f.Close()
	text := make([]byte, info.Size()-m.at)
	n, err := f.ReadAt(text, m.at)
	if err != nil && n < len(text) {
		return err
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	m.at += int64(len(text))
	for line := range bytes.Lines(text) {
		var mark Mark
		if err := json.Unmarshal(line, &mark); err != nil {
			m.c.tell(Warning, "a mark that cannot be read was left out: %v", err)
			continue
		}
		m.c.mark(mark)
	}
	return nil
}

// mark takes a mark into the run.
func (c *capture) mark(m Mark) {
	if m.Note != "" {
		c.rec.Marker(&runs.Marker{Time: m.Time.UnixMicro(), Source: sourceAgent, Kind: "note", Message: maskText(m.Note), Duration: runs.Missing, PID: runs.Missing})
		c.tell(Note, "note: %s", maskText(m.Note))
	}
	if len(m.Step) > 0 || m.End {
		c.beginStep(m.Time, m.Step)
		c.host.lookNow()
	}
}

// beginStep ends the step that is on and begins another, unless it has no
// labels.
func (c *capture) beginStep(at time.Time, labels map[string]string) {
	c.mu.Lock()
	c.endStepLocked(at)
	c.step = labelText(labels)
	if len(labels) > 0 {
		c.steps = append(c.steps, runs.Step{Labels: maps.Clone(labels), Start: at.UnixMicro()})
	}
	steps := slices.Clone(c.steps)
	text := c.step
	c.mu.Unlock()
	c.rec.manifest(func(man *runs.Manifest) { man.Steps = closedSteps(steps, at) })
	if text != "" {
		c.rec.Marker(&runs.Marker{Time: at.UnixMicro(), Source: sourceAgent, Kind: "step", Message: text, Duration: runs.Missing, PID: runs.Missing})
		c.tell(Note, "step %s", text)
	}
}

func (c *capture) endStepLocked(at time.Time) {
	if n := len(c.steps); n > 0 && c.steps[n-1].End == 0 {
		c.steps[n-1].End = at.UnixMicro()
	}
}

// closedSteps returns steps of which the last, if it is on, ends at an instant:
// a step without an end would be the whole run.
func closedSteps(steps []runs.Step, at time.Time) []runs.Step {
	out := slices.Clone(steps)
	for i := range out {
		if out[i].End == 0 {
			out[i].End = max(at.UnixMicro(), out[i].Start+1)
		}
	}
	return out
}

// labelText writes labels as flags take them.
func labelText(labels map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		out = append(out, name+"="+labels[name])
	}
	return strings.Join(out, ",")
}
