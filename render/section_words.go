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
	Name: "method", Title: "Method", Doc: "Rules, in words; the detectors with their parameters to be opened.",
	Applies: func(c *analyze.Capacity) bool { return len(c.Method) > 0 },
	Write: func(w *Writer, c *analyze.Capacity) error {
		var rules, detectors []string
		for _, s := range c.Method {
			if isDetector(s) {
				detectors = append(detectors, s)
			} else {
				rules = append(rules, s)
			}
		}
		if len(rules) > 0 {
			if err := w.list("method", rules); err != nil {
				return err
			}
		}
		if len(detectors) == 0 {
			return nil
		}
		return w.details("method-detectors", w.say("method.detectors", len(detectors)), func() error { return w.list("method", detectors) })
	},
}

// isDetector reports whether a sentence of the method is about a detector: it
// begins with its name and version.
func isDetector(s string) bool {
	name, _, ok := strings.Cut(s, ",")
	at := strings.LastIndexByte(name, '@')
	return ok && at > 0 && strings.Trim(name[at+1:], "0123456789") == "" && !strings.Contains(name, " ")
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
