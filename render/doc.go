// Package render puts a capacity document on paper: Markdown, one offline HTML
// page, SVG figures, JSON, JUnit and a summary for CI.
//
// It reads nothing but an [analyze.Capacity], in which every number, table cell
// and plotted point is already there, finished. Render adds ink: it chooses,
// orders, escapes and draws, and computes no quantity. The same value gives the
// same bytes.
//
// A page is a list of [Section] values; each writes blocks (package md), with
// words from the templates. The blocks are put down as Markdown, and by package
// page as HTML. Package figure draws; package label makes text from data fit to
// be shown.
//
//	err := render.Build(&capacity, "out", render.Options{Version: "1.0"})
//
// Pipeline: analyze → render.
package render
