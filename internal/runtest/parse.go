package runtest

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Case is one file of the language: a run, and what is expected of it.
type Case struct {
	Name   string
	Title  string // the first comment
	Blocks []Block

	script []statement
}

// Block is one "detect" line and the answer below it.
type Block struct {
	Detector string
	Params   map[string]string // key=value words of the line
	Want     string            // with a newline at the end of each line
}

// statement is one line: a word, what stands without a key, and what has one.
type statement struct {
	line int
	word string
	args []string
	keys map[string]string
	used map[string]bool
	err  error
}

// Parse reads the text of the file called name.
func Parse(name, text string) (*Case, error) {
	c := &Case{Name: name}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if note, ok := strings.CutPrefix(line, "#"); ok {
			if c.Title == "" {
				c.Title = strings.TrimSpace(note)
			}
			continue
		}
		if line == "" {
			continue
		}
		s := split(i+1, line)
		if s.word != "detect" {
			if len(c.Blocks) > 0 {
				return nil, fmt.Errorf("%s:%d: %q after a detect line: the run must be complete before it is looked at", name, s.line, s.word)
			}
			c.script = append(c.script, s)
			continue
		}
		if len(s.args) != 1 || i+1 >= len(lines) || strings.TrimSpace(lines[i+1]) != "----" {
			return nil, fmt.Errorf("%s:%d: want detect NAME, and ---- on the line below", name, s.line)
		}
		b := Block{Detector: s.args[0], Params: s.keys}
		for i += 2; i < len(lines) && strings.TrimSpace(lines[i]) != ""; i++ {
			b.Want += lines[i] + "\n"
		}
		c.Blocks = append(c.Blocks, b)
	}
	if len(c.script) == 0 {
		return nil, fmt.Errorf("%s: no run: a case begins with a line as run 60s 100/s", name)
	}
	return c, nil
}

// Format writes the file again, with answer(i) as the answer to block i.
func (c *Case) Format(text string, answer func(i int) string) string {
	var out strings.Builder
	lines := strings.Split(text, "\n")
	block := 0
	for i := 0; i < len(lines); i++ {
		out.WriteString(lines[i] + "\n")
		if !strings.HasPrefix(strings.TrimSpace(lines[i]), "detect ") {
			continue
		}
		out.WriteString("----\n" + answer(block))
		block++
		for i += 2; i < len(lines) && strings.TrimSpace(lines[i]) != ""; i++ {
		}
		if i < len(lines)-1 {
			out.WriteString("\n")
		}
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

func split(line int, text string) statement {
	s := statement{line: line, keys: map[string]string{}, used: map[string]bool{}}
	for i, w := range strings.Fields(text) {
		key, value, ok := strings.Cut(w, "=")
		switch {
		case i == 0:
			s.word = w
		case ok:
			s.keys[key] = value
		default:
			s.args = append(s.args, w)
		}
	}
	return s
}

// text returns a value, or what it is when not given.
func (s *statement) text(key, otherwise string) string {
	s.used[key] = true
	if v, ok := s.keys[key]; ok {
		return v
	}
	return otherwise
}

// duration returns a duration in ns. "-" says that it must be given.
func (s *statement) duration(key, otherwise string) int64 {
	text := s.text(key, otherwise)
	d, err := time.ParseDuration(text)
	if err != nil {
		s.fail("%s=%s: want a duration as 250ms", key, text)
	}
	return int64(d)
}

func (s *statement) number(key, otherwise string) float64 {
	text := s.text(key, otherwise)
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		s.fail("%s=%s: want a number", key, text)
	}
	return v
}

func (s *statement) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("line %d: %s: %s", s.line, s.word, fmt.Sprintf(format, args...))
	}
}

// done returns what was wrong with the statement: a value, or a key that the
// word does not know.
func (s *statement) done() error {
	for key := range s.keys {
		if !s.used[key] {
			s.fail("%s= means nothing here", key)
		}
	}
	return s.err
}
