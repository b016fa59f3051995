package cli

import "github.com/spf13/cobra"

// noArgs refuses arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s: takes no arguments, got %q", cmd.Name(), args[0])
	}
	return nil
}

// needArgs asks for at least one argument, called what.
func needArgs(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("%s: no %s given; see %s --help", cmd.Name(), what, cmd.CommandPath())
		}
		return nil
	}
}

// oneArg asks for exactly one argument, called what.
func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usagef("%s: takes one %s, got %d arguments", cmd.Name(), what, len(args))
		}
		return nil
	}
}

// atMostOne allows one argument, called what.
func atMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef("%s: takes at most one %s, got %d", cmd.Name(), what, len(args))
		}
		return nil
	}
}
