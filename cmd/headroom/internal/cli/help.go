package cli

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// writeHelp prints the help of a command, wrapped to the terminal; where there
// is none to 80 columns.
func writeHelp(env *Env, cmd *cobra.Command) {
	out := cmd.OutOrStdout()
	width := env.Width(out)
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	writeManual(out, width, about)
	io.WriteString(out, "\n")
	width = min(textWidth(width), 80)
	usage := false // the lines that follow are the command's own, not to be copied
	for line := range strings.Lines(cmd.UsageString()) {
		line = strings.TrimRight(line, "\n")
		switch {
		case !strings.HasPrefix(line, " "):
			usage = line == "Usage:"
			line = strings.Join(wrap(line, width), "\n")
		case usage:
			line = "  " + strings.Join(wrap(strings.TrimSpace(line), max(width-6, leastText)), "\n      ")
		default:
			line = hang(line, width)
		}
		io.WriteString(out, line+"\n")
	}
}

// hang wraps a line of a list, "  name   what it is", so that what it is stays
// in its own column, or under the name where that leaves too little room.
func hang(line string, width int) string {
	if utf8.RuneCountInString(line) <= width {
		return line
	}
	lead := len(line) - len(strings.TrimLeft(line, " "))
	gap := strings.LastIndex(line[:min(len(line), 60)], "  ")
	if gap <= lead {
		return line // an example or a usage line: it is to be copied as it is
	}
	name, what := line[:gap+2], line[gap+2:]
	column := utf8.RuneCountInString(name)
	if column > width/2 {
		column = lead + 4
		name = strings.TrimRight(name, " ") + "\n" + strings.Repeat(" ", column)
	}
	return name + strings.Join(wrap(what, max(width-column, leastText)), "\n"+strings.Repeat(" ", column))
}

// newHelpCmd prints the help of a command. A command that does not exist is bad
// usage, as it is everywhere else.
func newHelpCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Print the help of a command",
		GroupID: groupReference,
		RunE: func(cmd *cobra.Command, args []string) error {
			at := cmd.Root()
			for _, name := range args {
				var next *cobra.Command
				for _, c := range at.Commands() {
					if c.Name() == name && c.IsAvailableCommand() {
						next = c
					}
				}
				if next == nil {
					return unknownCommand(at, name)
				}
				at = next
			}
			at.InitDefaultHelpFlag()
			return at.Help()
		},
	}
}
