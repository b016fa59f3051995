package cli

import (
	"fmt"
	"path/filepath"
	"slices"

	"headroom/render/check"
)

// place is a place in which a document is stale, and how many more show the same.
type place struct {
	check.Difference
	more int
}

// everyPlace lists all places by themselves.
func everyPlace(list []check.Difference) []place {
	out := make([]place, 0, len(list))
	for _, d := range list {
		out = append(out, place{Difference: d})
	}
	return out
}

// readFirst are the files that people read, before those that programs do.
var readFirst = []string{"index.md", "summary.md"}

// changesOf lists each change once, at its first place: a verdict or a number that is
// another stands on every page, and lines that came or went stand together. What
// people read comes first.
func changesOf(list []check.Difference) []place {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b check.Difference) int {
		rank := func(file string) int {
			return (slices.Index(readFirst, file) + len(readFirst) + 1) % (len(readFirst) + 1)
		}
		return rank(a.File) - rank(b.File)
	})
	type change struct{ kind, got, want string }
	first := map[change]int{}
	var out []place
	for i, d := range list {
		key := change{d.Kind, d.Got, d.Want}
		at, seen := first[key]
		switch {
		case d.Kind == check.Line && i > 0 && follows(list[i-1], d):
			out[len(out)-1].more++
			continue
		case d.Kind != check.Line && d.Kind != check.Missing && seen:
			out[at].more++
			continue
		}
		first[key] = len(out)
		out = append(out, place{Difference: d})
	}
	return out
}

// follows reports whether a line that is too many, or missing, stands beside another.
func follows(before, d check.Difference) bool {
	return before.Kind == check.Line && before.File == d.File && (before.Got == "") == (d.Got == "") && d.Line-before.Line <= 1
}

// String is the place, and how many more show the same.
func (p place) String() string {
	s := p.Difference.String()
	switch {
	case p.more == 0:
	case p.Kind == check.Line:
		s += ", and " + countText(p.more, "line") + " beside it"
	default:
		s += ", and so in " + countText(p.more, "more place")
	}
	return s
}

// writePlaces prints places, a line each, at most so many of a file, and how many
// more there are; more says where those are to be seen. The list is in the order of
// the files.
func writePlaces(env *Env, document string, list []place, most int, more string) error {
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(p place) bool { return p.File != list[0].File })
		if n < 0 {
			n = len(list)
		}
		file := filepath.Join(document, filepath.FromSlash(list[0].File))
		for _, p := range list[:min(n, most)] {
			p.File = file
			env.annotate(annotation{level: "error", file: p.File, line: p.Line, col: p.Column, title: "stale", text: p.String()})
			if _, err := fmt.Fprintln(env.Out, plain(p.String())); err != nil {
				return err
			}
		}
		if n > most {
			if _, err := fmt.Fprintln(env.Out, plain(fmt.Sprintf("%s: and %s more; %s", file, countText(n-most, "place"), more))); err != nil {
				return err
			}
		}
		list = list[n:]
	}
	return nil
}
