package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"headroom/analyze"
	"headroom/internal/near"
)

// unknownCommand is the error for an argument that names no command of cmd.
func unknownCommand(cmd *cobra.Command, arg string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	hint := near.DidYouMean(arg, names)
	if hint == "" {
		hint = "; " + cmd.CommandPath() + " has " + list(names)
	}
	return usagef("%sunknown command %q%s", wordsOf(cmd), arg, hint)
}

// wordsOf is how an error begins that is about cmd: the words it was called by,
// but for the program's, which stands before every error.
func wordsOf(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return ""
	}
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ") + ": "
}

// flagError words an error of flag parsing, with the nearest flag.
func flagError(cmd *cobra.Command, err error) error {
	where := wordsOf(cmd)
	var missing *pflag.NotExistError
	if !errors.As(err, &missing) {
		return usagef("%s%v", where, err)
	}
	name := missing.GetSpecifiedName()
	if laterFlags[name] {
		return usagef("%s--%s is not available in this version", where, name)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	hint := ""
	if missing.GetSpecifiedShortnames() == "" {
		hint = near.DidYouMean("--"+name, names)
	}
	if hint == "" {
		hint = "; see " + cmd.CommandPath() + " --help"
	}
	return usagef("%s%v%s", where, err, hint)
}

// list joins names for a sentence: "a, b and c".
func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return analyze.Conjoined(names)
}
