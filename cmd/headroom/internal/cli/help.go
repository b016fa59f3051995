package cli

import "github.com/spf13/cobra"

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
