package prose

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Problem is something wrong at a place of a template.
type Problem struct {
	File   string `json:"file"`
	Line   int    `json:"line"`   // from 1
	Column int    `json:"column"` // from 1, in characters
	Msg    string `json:"msg"`
	// Note says that it is only to be looked at: a number in words.
	Note bool `json:"note,omitempty"`
	// Stale says that the text is well written, and the evidence does not say it, or
	// no longer: a claim that does not hold, a figure that is withheld.
	Stale bool `json:"stale,omitempty"`
}

// String is "file:line:column: what is wrong".
func (p Problem) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Msg)
}

// Faults returns the problems that make a document wrong, without the notes.
func Faults(list []Problem) []Problem {
	return slices.DeleteFunc(slices.Clone(list), func(p Problem) bool { return p.Note })
}

// Error is returned where a document cannot be written because of its prose.
type Error struct{ Problems []Problem }

// Error lists the problems, one a line.
func (e *Error) Error() string {
	lines := make([]string, 0, len(e.Problems))
	for _, p := range e.Problems {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n")
}

// source is a template as written, and collects what is wrong with it.
type source struct {
	file, text string
	problems   []Problem
}

// Stale reports whether evidence is all that is wrong: every fault among the
// problems is stale.
func Stale(list []Problem) bool {
	faults := Faults(list)
	return len(faults) > 0 && !slices.ContainsFunc(faults, func(p Problem) bool { return !p.Stale })
}

// unsupported is an error that the evidence is to blame for, not the text.
type unsupported struct{ error }

func unsupportedf(format string, args ...any) error {
	return unsupported{fmt.Errorf(format, args...)}
}

// fault notes a problem at a byte of the text.
func (s *source) fault(at int, format string, args ...any) {
	s.add(at, Problem{Msg: fmt.Sprintf(format, args...)})
}

// add notes a problem at a byte of the text.
func (s *source) add(at int, p Problem) {
	at = min(max(at, 0), len(s.text))
	before := s.text[:at]
	start := strings.LastIndexByte(before, '\n') + 1
	p.File, p.Line, p.Column = s.file, strings.Count(before, "\n")+1, utf8.RuneCountInString(before[start:])+1
	s.problems = append(s.problems, p)
}

// sorted returns the problems in the order of the text, each once.
func (s *source) sorted() []Problem {
	slices.SortStableFunc(s.problems, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return slices.Compact(s.problems)
}
