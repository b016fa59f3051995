package cli

import "github.com/spf13/cobra"

// noArgs refuses arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%stakes no arguments, got %q", wordsOf(cmd), args[0])
	}
	return nil
}

// needArgs asks for at least one argument, called what.
func needArgs(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("%sno %s given; see %s --help", wordsOf(cmd), what, cmd.CommandPath())
		}
		return nil
	}
}

// oneArg asks for exactly one argument, called what.
func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usagef("%stakes one %s, got %d arguments", wordsOf(cmd), what, len(args))
		}
		return nil
	}
}

// atMostOne allows one argument, called what.
func atMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef("%stakes at most one %s, got %d", wordsOf(cmd), what, len(args))
		}
		return nil
	}
}
