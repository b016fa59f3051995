// Package pattern holds regular expressions that are compiled when they are first
// asked. The program has some two hundred, of which one command needs a few: to
// compile them all took a third of the time in which it started.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression in the syntax of package regexp. Its methods are
// those of regexp.Regexp. It may be used by several goroutines.
type Pattern struct{ compiled func() *regexp.Regexp }

// New returns the pattern of an expression, which must be a literal, so that
// TestAllCompile finds it: one that does not compile panics when it is asked.
func New(expr string) *Pattern {
	return &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

func (p *Pattern) Match(b []byte) bool                  { return p.compiled().Match(b) }
func (p *Pattern) MatchString(s string) bool            { return p.compiled().MatchString(s) }
func (p *Pattern) Find(b []byte) []byte                 { return p.compiled().Find(b) }
func (p *Pattern) FindString(s string) string           { return p.compiled().FindString(s) }
func (p *Pattern) FindIndex(b []byte) []int             { return p.compiled().FindIndex(b) }
func (p *Pattern) FindStringIndex(s string) []int       { return p.compiled().FindStringIndex(s) }
func (p *Pattern) FindSubmatch(b []byte) [][]byte       { return p.compiled().FindSubmatch(b) }
func (p *Pattern) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }

func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	return p.compiled().FindStringSubmatchIndex(s)
}

func (p *Pattern) FindAllSubmatch(b []byte, n int) [][][]byte {
	return p.compiled().FindAllSubmatch(b, n)
}

func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(s, n)
}

func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringSubmatchIndex(s, n)
}

func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringIndex(s, n)
}

func (p *Pattern) ReplaceAll(b, with []byte) []byte { return p.compiled().ReplaceAll(b, with) }

func (p *Pattern) ReplaceAllString(s, with string) string {
	return p.compiled().ReplaceAllString(s, with)
}

func (p *Pattern) ReplaceAllStringFunc(s string, with func(string) string) string {
	return p.compiled().ReplaceAllStringFunc(s, with)
}

func (p *Pattern) ExpandString(dst []byte, template, s string, match []int) []byte {
	return p.compiled().ExpandString(dst, template, s, match)
}
