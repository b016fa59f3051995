package check

import (
	"fmt"
	"html"
	"path"
	"regexp"
	"strconv"
	"strings"

	"headroom/analyze"
)

// context knows what a line of a document shows.
type context struct {
	file  string
	lines []string
	shown []display
	paths []string // of capacity.json, by line
}

// display is how a quantity is printed.
type display struct{ text, name string }

func newContext(file string, lines []string, c *analyze.Capacity) *context {
	x := &context{file: file, lines: lines}
	if c != nil {
		x.quantities(c)
	}
	if file == CapacityFile {
		x.paths = pathsOf(lines)
	}
	return x
}

// quantities collects what is printed of the document and of its runs.
func (x *context) quantities(c *analyze.Capacity) {
	add := func(q analyze.Quantity) {
		if q.Value != nil && q.Display != "" {
			x.shown = append(x.shown, display{q.Display, nameOf(q)})
		}
	}
	for _, q := range c.Quantities {
		add(q)
	}
	for _, r := range c.Results {
		for _, q := range r.Quantities {
			add(q)
		}
	}
}

// nameOf is a quantity as prose would name it.
func nameOf(q analyze.Quantity) string {
	s := q.Scope
	name := q.ID
	for _, p := range [][2]string{{"configuration", s.Configuration}, {"run", s.Run}, {"scenario", s.Scenario}, {"step", s.Step}, {"op", s.Op}, {"source", s.Source}, {"entity", s.Entity}} {
		if p[1] != "" {
			name += " " + p[0] + "=" + p[1]
		}
	}
	return name
}

// what says what the line shows: where it stands, and which quantities it prints
// of which want is a part.
func (x *context) what(line int, want string) string {
	if line < 0 || line >= len(x.lines) {
		return ""
	}
	if x.paths != nil {
		return x.paths[line]
	}
	out := x.place(line)
	names, more := []string{}, 0
	for _, d := range x.shown {
		if want == "" || !isNumber(want) || !strings.Contains(d.text, want) || !prints(x.lines[line], d.text) {
			continue
		}
		if len(names) < 2 {
			names = append(names, d.name)
		} else {
			more++
		}
	}
	if len(names) > 0 {
		if out != "" {
			out += ": "
		}
		out += strings.Join(names, "; ")
	}
	if more > 0 {
		out += fmt.Sprintf(" and %d more", more)
	}
	return out
}

// prints reports whether a line holds a display that is not part of a longer
// number.
func prints(line, text string) bool {
	for from := 0; ; {
		i := strings.Index(line[from:], text)
		if i < 0 {
			return false
		}
		i += from
		before, after := line[:i], line[i+len(text):]
		if !endsInNumber(before) && !(after != "" && after[0] >= '0' && after[0] <= '9') {
			return true
		}
		from = i + 1
	}
}

func endsInNumber(s string) bool {
	s = strings.TrimRight(s, ".,")
	return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9'
}

// The lines that say where one is, by the kind of file.
var places = map[string]*regexp.Regexp{
	".md":   regexp.MustCompile(`^#{1,6} (.*)$|^\*\*(.*)\*\*$|^<summary>(.*)</summary>$`),
	".html": regexp.MustCompile(`<h[1-6][^>]*>(.*?)</h[1-6]>|<(?:caption|figcaption|summary)>(.*?)</(?:caption|figcaption|summary)>`),
	".xml":  regexp.MustCompile(`<test(?:suite|case) name="([^"]*)"`),
	".svg":  regexp.MustCompile(`<title[^>]*>(.*?)</title>`),
}

// place is the last title at or above a line; of a figure, its own.
func (x *context) place(line int) string {
	kind := path.Ext(x.file)
	pattern := places[kind]
	if pattern == nil {
		return ""
	}
	for i := line; i >= 0; i-- {
		if m := pattern.FindStringSubmatch(x.lines[i]); m != nil {
			return short(html.UnescapeString(strings.Join(m[1:], "")))
		}
	}
	return ""
}

// object is an object or a list of JSON that is open at a line.
type object struct {
	name string
	list bool
	n    int    // entries of a list so far
	id   string // of an object that has one
}

// pathsOf gives each line of indented JSON its path, and the id of the innermost
// thing that has one: "results.0.quantities.7.value, latency.p99".
func pathsOf(lines []string) []string {
	out := make([]string, len(lines))
	var open []object
	for i, line := range lines {
		text := strings.TrimSuffix(strings.TrimSpace(line), ",")
		if text == "}" || text == "]" {
			open = open[:max(0, len(open)-1)]
			out[i] = pathOf(open, "")
			continue
		}
		name, value := "", text
		if k, v, ok := strings.Cut(text, ": "); ok {
			if key, err := strconv.Unquote(k); err == nil {
				name, value = key, v
			}
		}
		if n := len(open); n > 0 {
			if open[n-1].list {
				name = strconv.Itoa(open[n-1].n)
				open[n-1].n++
			} else if name == "id" || name == "gate" {
				open[n-1].id, _ = strconv.Unquote(value)
			}
		}
		out[i] = pathOf(open, name)
		if strings.HasSuffix(text, "{") || strings.HasSuffix(text, "[") {
			open = append(open, object{name: name, list: strings.HasSuffix(text, "[")})
		}
	}
	return out
}

func pathOf(open []object, name string) string {
	var parts []string
	id := ""
	for _, o := range open {
		if o.name != "" {
			parts = append(parts, o.name)
		}
		if o.id != "" {
			id = ", " + o.id
		}
	}
	if name != "" {
		parts = append(parts, name)
	}
	return strings.Join(parts, ".") + id
}
