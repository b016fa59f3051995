package render

import (
	"strings"

	"headroom/analyze"
	"headroom/render/md"
)

var warnings = Section{
	Name:    "warnings",
	Title:   "Read with care",
	Doc:     "The warnings of the capacity, one of several runs once; of many, the reader opens those after the first.",
	Applies: func(c *analyze.Capacity) bool { return len(c.Warnings) > 0 },
	Write: func(w *Writer, c *analyze.Capacity) error {
		all := foldWarnings(c)
		open := min(len(all), openWarnings)
		if len(all) <= openWarnings+2 {
			open = len(all)
		}
		if err := w.list("warnings", all[:open]); err != nil || open == len(all) {
			return err
		}
		return w.details("more-warnings", w.say("warnings.more", len(all)-open), func() error {
			return w.list("warnings", all[open:])
		})
	},
}

// openWarnings is how many warnings are shown at once.
const openWarnings = 6

var caveats = listSection("caveats", "What this does not show", "Required of every document.",
	func(c *analyze.Capacity) []string { return c.Caveats })

var method = Section{
	Name:    "method",
	Title:   "Method",
	Doc:     "Rules and parameters, in words.",
	owns:    owns{Tables: []string{"detectors"}},
	Applies: func(c *analyze.Capacity) bool { return len(c.Method) > 0 || hasTable(c, "detectors") },
	Write: func(w *Writer, c *analyze.Capacity) error {
		if err := w.list("method", c.Method); err != nil {
			return err
		}
		for _, t := range c.Tables {
			if !isTable(t, "detectors") {
				continue
			}
			summary := w.say("method.detectors", nil)
			t.Title = "" // the summary says it
			if err := w.details("detectors", summary, func() error {
				w.table(t)
				return nil
			}); err != nil {
				return err
			}
		}
		return nil
	},
}

// maxSentences bounds the sentences of a list on the page.
const maxSentences = 200

// listSection shows sentences of the capacity as a list, by the template of its
// name.
func listSection(name, title, doc string, of func(*analyze.Capacity) []string) Section {
	return Section{
		Name: name, Title: title, Doc: doc,
		Applies: func(c *analyze.Capacity) bool { return len(of(c)) > 0 },
		Write:   func(w *Writer, c *analyze.Capacity) error { return w.list(name, of(c)) },
	}
}

// list adds sentences by a template, at most maxSentences of them.
func (w *Writer) list(name string, sentences []string) error {
	if err := w.Text(name, inlines(sentences[:min(len(sentences), maxSentences)])); err != nil {
		return err
	}
	if n := len(sentences) - maxSentences; n > 0 {
		return w.Text("list.left", n)
	}
	return nil
}

var reproduce = Section{
	Name:    "reproduce",
	Title:   "Taking it again",
	owns:    owns{Tables: []string{"again"}},
	Doc:     "What was run and recorded, by the manifests, and the commands that they or the study hold.",
	Applies: func(c *analyze.Capacity) bool { return len(c.Reproduce) > 0 || hasTable(c, "again") },
	Write: func(w *Writer, c *analyze.Capacity) error {
		w.tables(c, "again")
		if len(c.Reproduce) == 0 {
			return w.Text("reproduce.none", nil)
		}
		if err := w.Text("reproduce.intro", nil); err != nil {
			return err
		}
		w.add(md.Code{Text: strings.Join(c.Reproduce, "\n")})
		return nil
	},
}
