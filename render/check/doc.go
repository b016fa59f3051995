// Package check compares a document that was written with what its evidence says
// now, and names every place that differs by file and line.
//
// [Compare] takes the files of a document and those that a new build gives. It
// looks at text, not at values: whatever a reader could see, or a program read,
// is compared. [Alone] needs no evidence: it holds the pages against the
// capacity.json beside them, and that file against its seal.
//
// Line ends of Windows are no difference, and files of anybody else in the folder
// are not looked at.
//
// Pipeline: analyze → render → check.
package check
