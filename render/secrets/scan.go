package secrets

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Leak is a place that holds a secret. It does not hold the secret.
type Leak struct {
	File string `json:"file"`
	Line int    `json:"line"` // from 1
	Kind string `json:"kind"`
}

// String names the place and the kind.
func (l Leak) String() string { return fmt.Sprintf("%s:%d: %s", l.File, l.Line, l.Kind) }

// maxLeaks bounds the places that are named.
const maxLeaks = 1000

// Scan looks through files for secrets, one leak for each line and kind, by file
// and line. Files that are no text are looked through as if they were.
func Scan(files map[string][]byte) []Leak {
	var out []Leak
	for _, name := range slices.Sorted(maps.Keys(files)) {
		n := 0
		for line := range bytes.Lines(files[name]) {
			n++
			for _, k := range ofLine(string(line)) {
				if out = append(out, Leak{name, n, k}); len(out) == maxLeaks {
					return out
				}
			}
		}
	}
	return out
}

// ofLine returns the kinds of secrets that a line holds.
func ofLine(line string) (found []string) {
	for _, text := range readings(line) {
		lower := strings.ToLower(text)
		for _, k := range kinds {
			hinted := slices.ContainsFunc(k.hint, func(h string) bool { return strings.Contains(lower, h) })
			if hinted && !slices.Contains(found, k.name) && k.in(text) {
				found = append(found, k.name)
			}
		}
	}
	return found
}

// in reports whether a text holds a secret of the kind.
func (k kind) in(text string) bool {
	for _, m := range k.pattern.FindAllStringSubmatch(text, -1) {
		value := m[len(m)-1]
		if k.generic && stands(value) || k.mixed && !mixed(value) {
			continue
		}
		return true
	}
	return false
}

// readings are the texts that a line may stand for: as it is, without the escapes
// of HTML, and without the backslashes of JSON and Markdown.
func readings(line string) []string {
	out := []string{line}
	add := func(s string) {
		if !slices.Contains(out, s) && utf8.ValidString(s) {
			out = append(out, s)
		}
	}
	add(html.UnescapeString(line))
	for _, s := range slices.Clone(out) {
		add(withoutBackslashes(s))
	}
	return out
}

func withoutBackslashes(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.ReplaceAll(jsonEscapes.Replace(s), `\`, "")
}

var jsonEscapes = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\n`, "\n", `\t`, " ", `\"`, `"`, `\\`, `\`)
