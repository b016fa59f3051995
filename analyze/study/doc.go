// Package study reads study.yaml: the file that says which runs make one
// document, and by which rules they are judged.
//
// [Parse] turns its text into a [Study]: an [analyze.Study] and, for each of its
// configurations, which runs it selects. Every error says file, line and column
// and shows the line. A study names files below its own folder only, and executes
// nothing. [Schema] is its JSON Schema, made from the same declarations that are
// parsed, so that neither knows a key that the other does not.
//
// Pipeline: study.yaml → study → analyze.Document → render.
package study
