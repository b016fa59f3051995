// Package templates holds the words, the style sheet and the shell of a page.
// There is no logic here: render executes the templates on finished, escaped
// values, and gives them no function that could compute one.
package templates

import "embed"

// FS holds the templates: *.md.tmpl are Markdown by section (text/template),
// page.html.tmpl is the shell of the HTML page (html/template), page.css its
// style sheet, page.js what it can do where scripts run, and uplot the plots with
// which that zooms (a library kept as it was published: uplot/VERSION).
//
//go:embed *.tmpl *.css *.js uplot
var FS embed.FS
