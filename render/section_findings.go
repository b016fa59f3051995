package render

import (
	"slices"
	"strings"

	"headroom/analyze"
	"headroom/render/md"
)

var findings = Section{
	Name:  "findings",
	Title: "What was found",
	owns:  owns{Tables: []string{"findings"}},
	Doc:   "The table \"findings\", each finding with its attribution and evidence, and which detectors could not look.",
	Applies: func(c *analyze.Capacity) bool {
		return len(c.Findings) > 0 || hasTable(c, "findings") || len(looks(c)) > 0
	},
	Write: func(w *Writer, c *analyze.Capacity) error {
		for _, t := range c.Tables {
			if isTable(t, "findings") {
				t.Notes = unfolded(t.Notes, c)
				w.table(t)
			}
		}
		if err := writeFindings(w, c); err != nil {
			return err
		}
		blind := blindSpots(c)
		if len(blind) == 0 {
			return nil
		}
		if len(blind) <= fewBlind {
			return w.Text("findings.blind", blind)
		}
		return w.details("blind", w.say("findings.blinds", len(blind)), func() error { return w.Text("findings.blind", blind) })
	},
}

// fewBlind is up to how many places where a detector could not look are listed at
// once; of more, the reader opens the list.
const fewBlind = 6

// maxFindings bounds the findings written out on the page.
const maxFindings = 100

type findingText struct {
	Detector, Interval, Scope, Message, Status md.Inline
	Evidence                                   []md.Inline
}

func writeFindings(w *Writer, c *analyze.Capacity) error {
	if len(c.Findings) == 0 {
		if hasTable(c, "findings") || len(blindSpots(c)) == len(looks(c)) {
			return nil
		}
		return w.Text("findings.none", nil)
	}
	inTable := hasTable(c, "findings")
	list := func() error {
		var texts []findingText
		for _, f := range c.Findings[:min(len(c.Findings), maxFindings)] {
			if inTable && (f.Attribution == nil || len(f.Attribution.Evidence) == 0) {
				continue // the table says all that is known
			}
			t := findingText{Detector: named(f.Detector), Interval: md.Escape(interval(f.Start, f.End), cellRoom),
				Scope:   md.Escape(w.plain.scope(f.Scope.Configuration, f.Scope.Run, f.Scope.Scenario, f.Scope.Step, f.Scope.Op), titleRoom),
				Message: md.Escape(f.Message, lineRoom)}
			if a := f.Attribution; a != nil {
				t.Status = md.Escape(attribution(a.Status, a.Cause), titleRoom)
				t.Evidence = inlines(a.Evidence)
			}
			texts = append(texts, t)
		}
		if len(texts) == 0 {
			return nil
		}
		if err := w.Text("findings.list", texts); err != nil {
			return err
		}
		if n := len(c.Findings) - maxFindings; n > 0 {
			return w.Text("list.left", n)
		}
		return nil
	}
	if !inTable {
		return list()
	}
	return w.details("evidence", "Findings with their evidence", list)
}

// attribution is a status in words, with the cause it is about.
func attribution(status, cause string) string {
	words := map[string]string{
		"attributed": "Attributed", "most_likely": "Most likely", "candidate": "Candidate", "unexplained": "Unexplained",
		"not_collected": "Evidence not collected", "did_not_replicate": "Did not replicate",
	}
	s, ok := words[status]
	if !ok {
		s = status
	}
	if cause != "" {
		s += ": " + cause
	}
	return s
}

type blindSpot struct{ Detector, Scope, Why md.Inline }

// maxBlind bounds the list of what detectors could not look at.
const maxBlind = 40

// blindSpots lists which detectors could not look, and why: what holds in several
// places is said once, with the places.
func blindSpots(c *analyze.Capacity) (out []blindSpot) {
	type key struct{ detector, why string }
	var order []key
	where, only := map[key][]string{}, newPlain(c)
	for _, r := range c.Results {
		for _, l := range r.Looked {
			if l.Could {
				continue
			}
			k := key{l.Detector, strings.TrimSpace(l.Why)}
			run := l.Scope.Run
			if run == "" {
				run = r.Run.ID
			}
			place := only.scope("", run, l.Scope.Scenario, l.Scope.Step, l.Scope.Op)
			if where[k] == nil {
				order = append(order, k)
			}
			if !slices.Contains(where[k], place) {
				where[k] = append(where[k], place)
			}
		}
	}
	for _, k := range order[:min(len(order), maxBlind)] {
		b := blindSpot{Detector: named(k.detector), Why: md.Escape(k.why, lineRoom), Scope: md.Escape(together(where[k]), titleRoom)}
		if slices.Contains(where[k], "") || everywhere(c, only, where[k]) {
			b.Scope = ""
		}
		if b.Why == "" {
			b.Why = "no reason was given"
		}
		out = append(out, b)
	}
	return out
}

// unfolded returns the notes without those that say of one place what the list of
// blind spots says of all: "freeze could not look at run of a: why".
func unfolded(notes []string, c *analyze.Capacity) []string {
	return slices.DeleteFunc(slices.Clone(notes), func(n string) bool {
		return slices.ContainsFunc(looks(c), func(l analyze.Look) bool {
			return !l.Could && l.Why != "" && strings.HasPrefix(n, l.Detector+" could not look") && strings.HasSuffix(strings.TrimSuffix(n, "."), l.Why)
		})
	})
}

// everywhere reports whether the places name every run as a whole.
func everywhere(c *analyze.Capacity, only plain, places []string) bool {
	for _, r := range c.Results {
		if !slices.Contains(places, only.names[r.Run.ID]) {
			return false
		}
	}
	return true
}

func looks(c *analyze.Capacity) (out []analyze.Look) {
	for _, r := range c.Results {
		out = append(out, r.Looked...)
	}
	return out
}
