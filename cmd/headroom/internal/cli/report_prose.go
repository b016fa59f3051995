package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"headroom/internal/exitcode"
	"headroom/render/prose"
)

// renderError words an error of rendering: what is wrong with the prose is its
// author's to mend, and every problem is said, by the path that the user knows.
// Where the evidence alone is against it, as a claim that no longer holds, the
// text is stale: status 1.
func renderError(study string, err error) error {
	var words *prose.Error
	if !errors.As(err, &words) {
		return fmt.Errorf("rendering: %w", err)
	}
	code := exitcode.Usage
	if prose.Stale(words.Problems) {
		code = exitcode.Failed
	}
	return &exitcode.Error{Code: code, Err: &prose.Error{Problems: besideStudy(study, words.Problems)}}
}

// besideStudy gives problems the path of the prose as seen from where the study
// was named; a document knows it as the study names it.
func besideStudy(study string, list []prose.Problem) []prose.Problem {
	out := make([]prose.Problem, 0, len(list))
	for _, p := range list {
		if study != "" {
			p.File = filepath.Join(filepath.Dir(study), filepath.FromSlash(p.File))
		}
		out = append(out, p)
	}
	return out
}
