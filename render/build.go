package render

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"headroom/analyze"
	"headroom/render/figure"
	"headroom/render/md"
	"headroom/render/page"
)

// Options of a build.
type Options struct {
	// Version of headroom, named in the footer; may be empty.
	Version string
	// Unfinished builds in spite of faults in the prose, whose values are then
	// left out: to compare with, never to be published.
	Unfinished bool
}

// Names of the files of a document, beside figures/.
const (
	fileMarkdown = "index.md"
	filePage     = "index.html"
	fileCapacity = "capacity.json"
	fileJUnit    = "junit.xml"
	fileSummary  = "summary.md"
	dirFigures   = "figures"
)

// Files returns the files of a document by their path in its folder, without
// writing any. The capacity is not changed.
func Files(c *analyze.Capacity, opt Options) (map[string][]byte, error) { return documentFiles(c, opt) }

// Build writes the document of a capacity into the folder outDir: index.md,
// index.html, figures/*.svg, capacity.json, junit.xml and summary.md.
//
// The files are written beside outDir first and moved into place, so that a
// failure leaves what was there. A folder that holds an earlier document is
// replaced file by file: its figures that are no longer drawn are removed, files
// of anybody else stay. A folder that holds other things, but no document, is
// refused.
//
// The capacity is not changed. Build fails if it does not say what it does not
// show.
func Build(c *analyze.Capacity, outDir string, opt Options) error {
	files, err := documentFiles(c, opt)
	if err != nil {
		return err
	}
	return writeFolder(outDir, files)
}

// documentFiles returns the files of the document by their path in its folder.
func documentFiles(c *analyze.Capacity, opt Options) (map[string][]byte, error) {
	if len(c.Caveats) == 0 {
		return nil, errors.New("the capacity has no does_not_show: a document must say what it does not show")
	}
	c = prepare(c)
	files := map[string][]byte{}
	drawings := map[string]figure.Drawing{}
	for _, f := range c.Figures {
		d, err := figure.Draw(f)
		if err != nil {
			return nil, err
		}
		drawings[f.ID] = d
		files[dirFigures+"/"+f.ID+".svg"] = []byte(d.File())
	}
	doc, err := newDocument(c, drawings, opt)
	if err != nil {
		return nil, err
	}
	files[fileMarkdown] = []byte(doc.markdown(opt))
	if files[filePage], err = doc.page(c, opt, drawings); err != nil {
		return nil, err
	}
	if files[fileSummary], err = summary(c, doc); err != nil {
		return nil, err
	}
	if files[fileJUnit], err = junit(c); err != nil {
		return nil, err
	}
	data, err := marshal(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fileCapacity, err)
	}
	files[fileCapacity] = seal(data, opt.Version)
	return files, nil
}

// prepare returns the capacity as the document shows it: figures without points
// that nothing can hold, and with IDs that are file names and differ.
func prepare(c *analyze.Capacity) *analyze.Capacity {
	out := *c
	out.Figures = make([]analyze.Figure, len(c.Figures))
	ids := names{}
	for i, f := range c.Figures {
		f = figure.Finite(f)
		f.ID = ids.unique(f.ID, "figure")
		out.Figures[i] = f
	}
	return &out
}

// names gives names that are safe in a path and an anchor, each once.
type names map[string]bool

// unique returns the name if it is made of at most 64 lower case letters, digits
// and hyphens and is free; else the first free kind-1, kind-2 …
func (ns names) unique(name, kind string) string {
	if !safeName(name) || ns[name] {
		for i := 1; ; i++ {
			if name = fmt.Sprintf("%s-%d", kind, i); !ns[name] {
				break
			}
		}
	}
	ns[name] = true
	return name
}

func safeName(s string) bool {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// markdown is the document as index.md.
func (d document) markdown(opt Options) string {
	blocks := []md.Block{md.Heading{Level: 1, Text: md.Escape(d.title, titleRoom)}, d.answer}
	for _, s := range d.sections {
		blocks = append(blocks, md.Heading{Level: 2, Text: md.Inline(s.Title)})
		blocks = append(blocks, s.Blocks...)
	}
	blocks = append(blocks, md.Text("---\n\n"+string(md.Escape(footer(opt), lineRoom))))
	return md.Write(blocks)
}

// page is the document as index.html.
func (d document) page(c *analyze.Capacity, opt Options, drawings map[string]figure.Drawing) ([]byte, error) {
	var b bytes.Buffer
	err := page.Write(&b, page.Page{
		Title: d.title, Kind: d.kind, Answer: d.answer, LimitsAt: caveats.Name, Sections: d.sections,
		Footer: footer(opt), FigureCSS: figure.CSS(),
		Figure: inlined(drawings), Data: explorable(c), Calculator: calculator(c),
	})
	return b.Bytes(), err
}

// Bounds on the pictures of one page, in bytes, so that it stays below 3 MB: up
// to the first a figure has a picture for wide and one for narrow screens, up to
// the second only the wide one, beyond it the page names the file.
const (
	maxBothWidths = 1_400_000
	maxInlined    = 2_200_000
)

// inlined returns the function that gives the page its figures, in their order.
func inlined(drawings map[string]figure.Drawing) func(id string) (string, error) {
	used := 0
	return func(id string) (string, error) {
		d, ok := drawings[id]
		if !ok {
			return "", fmt.Errorf("figure %q was not drawn", id)
		}
		svg := d.Inline(id)
		if used+len(svg) > maxBothWidths {
			svg = d.InlineWide(id)
		}
		if used+len(svg) > maxInlined {
			return "<p>This figure is in " + dirFigures + "/" + id + ".svg.</p>\n", nil
		}
		used += len(svg)
		return svg, nil
	}
}

func footer(opt Options) string {
	made := strings.TrimSpace("Made by headroom " + opt.Version)
	return made + " from recorded runs. All figures, with their provenance and every plotted point, are in capacity.json."
}
