package cli

import (
	"fmt"
	"time"

	"headroom/ingest"
)

// progress is a one-line counter on stderr. It is silent unless stderr is a
// terminal that can go back to the start of a line.
type progress struct {
	env   *Env
	on    bool
	last  time.Time
	drawn bool
}

// progressEvery is the least time between two drawings.
const progressEvery = 100 * time.Millisecond

func newProgress(env *Env, o Output) *progress {
	return &progress{env: env, on: !o.Quiet && env.Width(env.Err) > 0 && env.Getenv("TERM") != "dumb"}
}

// draw shows a line instead of the last one, cut to the terminal.
func (p *progress) draw(format string, args ...any) {
	if !p.on {
		return
	}
	now := p.env.Now()
	if p.drawn && now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.drawn = now, true
	line := []rune(plain(fmt.Sprintf(format, args...)))
	if width := p.env.Width(p.env.Err) - 1; width > 0 && len(line) > width {
		line = line[:width]
	}
	fmt.Fprintf(p.env.Err, "\r\x1b[K%s", string(line))
}

// clear removes the line, before anything else is said.
func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.env.Err, "\r\x1b[K")
		p.drawn = false
	}
}

// file is the progress of reading a foreign file.
func (p *progress) file(at ingest.Progress) {
	if at.Size > 0 {
		p.draw("reading %s  %s of %s (%d %%)", at.File, bytesText(at.Read), bytesText(at.Size), 100*at.Read/at.Size)
		return
	}
	p.draw("reading %s  %s", at.File, bytesText(at.Read))
}

// bytesText writes a size with a decimal prefix.
func bytesText(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1e6:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1e9:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
