package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"headroom/analyze"
	"headroom/internal/exitcode"
	"headroom/internal/yamlfile"
	"headroom/render/prose"
)

// usagef makes an error of the one who typed the command: status 3.
func usagef(format string, args ...any) error {
	return &exitcode.Error{Code: exitcode.Usage, Err: fmt.Errorf(format, args...)}
}

// lookf makes an error for evidence that could not be looked at: status 2.
func lookf(format string, args ...any) error {
	return &exitcode.Error{Code: exitcode.CouldNotLook, Err: fmt.Errorf(format, args...)}
}

// looked marks an error of a room as "could not look", unless it has a status
// already or the user interrupted the command.
func looked(err error) error {
	var coded *exitcode.Error
	if err == nil || errors.As(err, &coded) || errors.Is(err, context.Canceled) {
		return err
	}
	return &exitcode.Error{Code: exitcode.CouldNotLook, Err: err}
}

// errAnswered stands for an exit status whose reason is part of the printed
// answer; nothing more is said on stderr.
var errAnswered = errors.New("the answer is printed")

// answered ends a command whose answer was printed with a status.
func answered(code exitcode.Code) error {
	return &exitcode.Error{Code: code, Err: errAnswered}
}

// verdictStatus turns the verdict of a document into an exit status.
func verdictStatus(o analyze.Outcome) error {
	switch o {
	case analyze.Pass:
		return nil
	case analyze.Fail:
		return answered(exitcode.Failed)
	default:
		return answered(exitcode.CouldNotLook)
	}
}

// errorText is the text of an error as it is printed after "headroom: ": one
// line; for a file that people write by hand also the line it is about, and for
// prose one line for each problem.
func errorText(err error) string {
	var hand *yamlfile.Error
	var words *prose.Error
	switch {
	case errors.As(err, &hand), errors.As(err, &words):
		lines := strings.Split(err.Error(), "\n")
		lines[0] = fileWords(lines[0])
		for i, line := range lines {
			lines[i] = visible(line)
		}
		return strings.Join(lines, "\n")
	case errors.Is(err, context.Canceled):
		return "interrupted; nothing was written"
	case errors.Is(err, fs.ErrNotExist):
		return plain(fileWords(err.Error()))
	}
	return plain(err.Error())
}

// fileWords calls folders what the rest of the program calls them.
func fileWords(s string) string {
	return strings.ReplaceAll(s, "no such file or directory", "no such file or folder")
}

// plain makes text of foreign origin fit for one line of a terminal: line ends
// become "; ", other control characters visible.
func plain(s string) string {
	return visible(strings.ReplaceAll(strings.TrimSpace(s), "\n", "; "))
}

// visible writes control characters so that a terminal shows them.
func visible(s string) string {
	if !strings.ContainsFunc(s, isControl) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isControl(r) {
			fmt.Fprintf(&b, "\\x%02x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isControl reports whether a terminal would act on r instead of showing it:
// the control characters, and those that turn the direction of text.
func isControl(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}
