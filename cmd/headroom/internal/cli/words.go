package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"headroom/analyze"
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
	return joinWords(s.Scenario, s.Step, s.Op, s.Source, s.Entity)
}

// joinWords puts a space between the words that are not empty.
func joinWords(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// scopeNames are the names that need not stand in every row about a run, for all
// of them would have it: that of the scenario if the source named none, and that
// of the step that is the whole run.
type scopeNames struct{ scenario, step string }

func scopeNamesOf(r analyze.Result) scopeNames {
	n := scopeNames{scenario: "default"}
	for _, q := range r.Quantities {
		if s := q.Scope.Scenario; s != "" && s != n.scenario {
			n.scenario = ""
			break
		}
	}
	n.step = wholeStep(r)
	return n
}

// wholeStep is the name of the step that is the whole run, "" if it has several
// steps, none, or one that is a part of it.
func wholeStep(r analyze.Result) string {
	// Instants of a result are of one form, and so in order as text.
	if len(r.Steps) != 1 || r.Steps[0].Start > r.Run.Start || r.Steps[0].End < r.Run.End {
		return ""
	}
	return r.Steps[0].Name
}

// text is scopeText without these names.
func (n scopeNames) text(s detect.Scope) string {
	if s.Scenario == n.scenario {
		s.Scenario = ""
	}
	if s.Step == n.step {
		s.Step = ""
	}
	return scopeText(s)
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
