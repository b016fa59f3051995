// Package prose binds an author's text to the quantities of a document.
//
// The text is Markdown in the syntax of text/template, in which each action is
// one call of a function from [Functions] on string literals:
//
//	The knee is at {{num "sweep.knee.concurrency"}} clients,
//	{{ratio "throughput step=concurrency=64" "throughput step=concurrency=1"}} times one client.
//	{{claim "latency.p99 step=concurrency=16" "<" "const:limit"}}
//
// There are no variables, conditions or loops: whatever the figures say, the
// same sentences stand there, and a sentence whose claim is no longer true fails
// the build. A digit that the author typed is a [Problem], unless it stands in a
// code span (an identifier or a command, not a figure) or comes from a declared
// constant. docs/prose.md is the manual.
//
// What a reader will see is asked of goldmark, the parser that package page uses
// to show it.
//
// [Render] looks at the whole text and returns every problem with its line and
// column, not the first one only.
package prose
