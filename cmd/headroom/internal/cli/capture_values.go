package cli

import (
	"fmt"
	"strings"

	"headroom/capture"
)

// namedPair cuts a flag's NAME=REST in two.
func namedPair(s, want string) (name, rest string, err error) {
	name, rest, ok := strings.Cut(s, "=")
	if !ok || strings.TrimSpace(name) == "" || strings.TrimSpace(rest) == "" {
		return "", "", fmt.Errorf("%q is not %s", s, want)
	}
	return strings.TrimSpace(name), strings.TrimSpace(rest), nil
}

// samplesValue is the flag --samples.
type samplesValue struct{ to *[]capture.SampleSource }

func (v samplesValue) Type() string   { return "FORMAT=PATH" }
func (v samplesValue) String() string { return "" }
func (v samplesValue) Set(s string) error {
	format, path, err := namedPair(s, "FORMAT=PATH")
	if err == nil {
		*v.to = append(*v.to, capture.SampleSource{Format: format, Path: path})
	}
	return err
}

// groupsValue is the flag --process.
type groupsValue struct{ to *[]capture.ProcessGroup }

func (v groupsValue) Type() string   { return "NAME=MATCH" }
func (v groupsValue) String() string { return "" }
func (v groupsValue) Set(s string) error {
	name, match, err := namedPair(s, "NAME=MATCH")
	if err == nil {
		*v.to = append(*v.to, capture.ProcessGroup{Name: name, Match: match})
	}
	return err
}

// countsValue is the flag --count.
type countsValue struct{ to *[]capture.Count }

func (v countsValue) Type() string   { return "NAME=SQL" }
func (v countsValue) String() string { return "" }
func (v countsValue) Set(s string) error {
	name, sql, err := namedPair(s, "NAME=SQL")
	if err == nil {
		*v.to = append(*v.to, capture.Count{Name: name, SQL: sql})
	}
	return err
}
