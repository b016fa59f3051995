package analyze

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"headroom/detect"
	"headroom/runs"
)

var evidenceRecorded = &Gate{
	Name: "evidence",
	Doc: `What freezes are put down to was recorded over the whole window.

For each kind of evidence that the protocol asks for (the beginning of a metric, such as
"rds.", or of a marker, such as "postgres."; or "sessions"), something was recorded, its
file is whole, and no stretch of the window longer than three of its steps is without
it. A log has no steps: its file is there and whole, and does not fall silent before the
window's end for more than three times as long as ever before. Never fails: evidence that
is not there proves nothing, so that the gate passes or is unknown. Does not apply where
the protocol asks for none.`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		if len(m.protocol.Evidence) == 0 || m.beside == nil {
			return nil
		}
		v := &Verdict{Outcome: Pass, Want: "recorded: " + strings.Join(m.protocol.Evidence, ", ")}
		var why []string
		for _, kind := range m.protocol.Evidence {
			if text := m.lacks(kind); text != "" {
				v.Outcome, why = Unknown, append(why, kind+": "+text)
			}
		}
		v.Why = strings.Join(why, "; ")
		return v
	},
}

// lacks says what is missing of a kind of evidence, "" if nothing is.
func (m *Measured) lacks(kind string) string {
	var files []string
	hole, recorded := "", false
	switch {
	case kind == "sessions":
		var at []int64
		for _, v := range m.beside.Visits {
			at = append(at, v.At)
		}
		for _, a := range m.evidence.waits {
			files = append(files, a.Source)
		}
		hole, recorded = m.hole(at, (&detect.Series{At: at}).Step()), len(at) > 0
	case strings.HasPrefix(kind, logEvidence):
		for _, s := range m.manifest.Sources {
			if isServerLog(s.Format) {
				files, recorded = append(files, s.File), true
			}
		}
		hole = m.silentLog()
	default:
		for i := range m.beside.Series {
			s := &m.beside.Series[i]
			if !strings.HasPrefix(s.Metric, kind) {
				continue
			}
			files = append(files, s.Source)
			if here := m.hole(s.At, s.Step()); !recorded || here == "" { // the fullest series speaks for the kind
				hole = here
			}
			recorded = true
		}
	}
	switch damaged := m.damaged(files); {
	case !recorded:
		return m.whyAbsent(kind)
	case damaged != "":
		return damaged
	}
	return hole
}

// whyAbsent tells the three kinds of absence apart, where the recording does.
func (m *Measured) whyAbsent(kind string) string {
	for _, a := range m.manifest.NotCollected {
		if strings.HasPrefix(a.What, strings.TrimSuffix(kind, ".")) {
			text := string(a.Why)
			if a.Note != "" {
				text += " (" + a.Note + ")"
			}
			return text
		}
	}
	return string(runs.NotAsked)
}

// damaged names a file that is cut or has lines that could not be read.
func (m *Measured) damaged(files []string) string {
	for _, s := range m.manifest.Sources {
		switch {
		case !slices.Contains(files, s.File):
		case s.Cut:
			return s.File + " is cut"
		case s.BadLines > 0:
			return fmt.Sprintf("%s: %s could not be read", s.File, countText(int(s.BadLines), "line"))
		}
	}
	return ""
}

// hole says where the window is without points for longer than three steps, and
// than two seconds; "" if nowhere. A point speaks for its step before its time.
func (m *Measured) hole(at []int64, step int64) string {
	limit := max(3*step, 2*int64(time.Second))
	last := m.window.Start
	for _, t := range append(slices.Clone(at), m.window.End) {
		if t < last {
			continue
		}
		if t = min(t, m.window.End); t-last > limit {
			return fmt.Sprintf("nothing recorded for %s from %s on", Display(float64(t-last)/1e9, "s"), detect.Instant(last))
		}
		last = t
	}
	return ""
}

// logEvidence is how the markers of a PostgreSQL server's log begin.
const logEvidence = "postgres."

// fewestLines is how many lines a log must have in the window for its silences to say
// anything.
const fewestLines = 4

// silentLog says for how long the logs of the server are silent before the window's
// end, if that is more than three times their longest silence until then: whatever
// wrote them may have died. "" if not, and where there are too few lines to tell.
func (m *Measured) silentLog() string {
	last, longest, n, file := m.window.Start, int64(0), 0, ""
	for i := range m.beside.Markers {
		k := &m.beside.Markers[i]
		t := k.Time * 1000
		if !strings.HasPrefix(k.Kind, logEvidence) || t < m.window.Start {
			continue
		}
		if t >= m.window.End {
			return ""
		}
		last, longest, n, file = t, max(longest, t-last), n+1, k.Source
	}
	if n < fewestLines || m.window.End-last <= 3*longest {
		return ""
	}
	return fmt.Sprintf("%s is silent for %s before the end of the window, and was so for %s at most until then", file, Display(float64(m.window.End-last)/1e9, "s"), Display(float64(longest)/1e9, "s"))
}

// isServerLog reports whether a format is that of a PostgreSQL server's log.
func isServerLog(format string) bool {
	return strings.HasPrefix(format, "postgres-") && strings.Contains(format, "log")
}
