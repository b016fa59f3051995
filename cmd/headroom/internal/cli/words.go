package cli

import (
	"fmt"
	"strings"
	"time"

	"headroom/detect"
)

// counted writes a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// scopeText names a scope within a run.
func scopeText(s detect.Scope) string {
	var parts []string
	for _, p := range []string{s.Scenario, s.Step, s.Op} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, " ")
}

// milliseconds shortens an instant for a table; --json has it whole.
func milliseconds(instant string) string {
	t, err := time.Parse(time.RFC3339Nano, instant)
	if err != nil {
		return instant
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// seconds shortens it further, for a list.
func seconds(instant string) string {
	t, err := time.Parse(time.RFC3339Nano, instant)
	if err != nil {
		return instant
	}
	return t.UTC().Format(time.RFC3339)
}

// lengthText is the time between two instants, in seconds.
func lengthText(start, end string) string {
	from, err1 := time.Parse(time.RFC3339Nano, start)
	to, err2 := time.Parse(time.RFC3339Nano, end)
	if err1 != nil || err2 != nil {
		return ""
	}
	return fmt.Sprintf("%.3f s", to.Sub(from).Seconds())
}

// stepInstant writes the bound of a step, "" for the run's own.
func stepInstant(us int64) string {
	if us == 0 {
		return ""
	}
	return detect.Instant(us * 1000)
}
