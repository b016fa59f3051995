package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"headroom/analyze"
)

// untitled is what keeps a document without a title of its own from being published.
const untitled = "is a title that nobody gave and that other documents have too"

// obstacles are what report publish would refuse a document for, as far as its
// capacity tells.
func obstacles(c *analyze.Capacity) []analyze.Obstacle {
	list := append([]analyze.Obstacle{}, c.Locked()...)
	if c.Untitled {
		how := "Build it with --title TEXT"
		if c.Study != nil {
			how = "Write title: into " + c.Study.File
		}
		list = append(list, analyze.Obstacle{Why: fmt.Sprintf("%q %s", c.Title, untitled), Remedy: how + ", or publish it with --name NAME."})
	}
	return list
}

// aboutTitle reports whether an obstacle is the title, which a name takes away.
func aboutTitle(o analyze.Obstacle) bool { return strings.HasSuffix(o.Why, untitled) }

// secretsOf are the secrets in the folder of a document as an obstacle.
func secretsOf(env *Env, out string) ([]analyze.Obstacle, error) {
	files, err := readDocument(env, out)
	if err != nil {
		return nil, err
	}
	list, err := leaks(env, out, files)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	first := list[0]
	first.File = filepath.Join(out, filepath.FromSlash(first.File))
	return []analyze.Obstacle{{
		Why:    fmt.Sprintf("a secret stands in %s, first in %s", countText(len(list), "line"), first),
		Remedy: "Take it out of what was recorded, and of the text and labels that were given, and build it again.",
	}}, nil
}
