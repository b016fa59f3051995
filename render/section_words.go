package render

import (
	"strings"

	"headroom/analyze"
	"headroom/render/md"
)

var warnings = listSection("warnings", "Read with care", "The warnings of the capacity.",
	func(c *analyze.Capacity) []string { return c.Warnings })

var caveats = listSection("caveats", "What this does not show", "Required of every document.",
	func(c *analyze.Capacity) []string { return c.Caveats })

var method = listSection("method", "Method", "Rules and parameters, in words.",
	func(c *analyze.Capacity) []string { return c.Method })

// maxSentences bounds the sentences of a list on the page.
const maxSentences = 200

// listSection shows sentences of the capacity as a list, by the template of its
// name.
func listSection(name, title, doc string, of func(*analyze.Capacity) []string) Section {
	return Section{
		Name: name, Title: title, Doc: doc,
		Applies: func(c *analyze.Capacity) bool { return len(of(c)) > 0 },
		Write: func(w *Writer, c *analyze.Capacity) error {
			list := of(c)
			if err := w.Text(name, inlines(list[:min(len(list), maxSentences)])); err != nil {
				return err
			}
			if n := len(list) - maxSentences; n > 0 {
				return w.Text("list.left", n)
			}
			return nil
		},
	}
}

var reproduce = Section{
	Name:    "reproduce",
	Title:   "Taking it again",
	Doc:     "The commands that the manifests of the runs hold.",
	Applies: func(c *analyze.Capacity) bool { return len(c.Reproduce) > 0 },
	Write: func(w *Writer, c *analyze.Capacity) error {
		if err := w.Text("reproduce.intro", nil); err != nil {
			return err
		}
		w.add(md.Code{Text: strings.Join(c.Reproduce, "\n")})
		return nil
	},
}
