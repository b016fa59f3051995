package page

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// markdown knows CommonMark and tables: no raw HTML, no automatic links, no
// footnotes. Tables are written by tableRenderer.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(tableRenderer{}, 100), util.Prioritized(breakRenderer{}, 100))),
)

func convert(source string) (string, error) {
	var b bytes.Buffer
	err := markdown.Convert([]byte(source), &b)
	return unparted(b.String()), err
}
