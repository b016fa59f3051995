package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"headroom/internal/golden"
)

// TestDocs keeps docs/cli.md equal to what the commands say of themselves;
// `go test ./cmd/... -update` writes it.
func TestDocs(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("# The command\n\nMade from the commands' own help by `go test ./cmd/... -update`; not to be edited.\n")
	env := newTestEnv("")
	document(&b, newRootCmd(&env.Env))
	golden.Equal(t, "../../../../docs/cli.md", b.Bytes())
}

// document writes a command and those below it.
func document(b *bytes.Buffer, cmd *cobra.Command) {
	if !cmd.HasParent() || cmd.Name() != "help" {
		describe(b, cmd)
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			document(b, c)
		}
	}
}

func describe(b *bytes.Buffer, cmd *cobra.Command) {
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	fmt.Fprintf(b, "\n## %s\n\n%s\n", cmd.CommandPath(), text)
	if !cmd.HasAvailableSubCommands() || cmd.Flags().HasAvailableFlags() {
		fmt.Fprintf(b, "\n```\n%s\n```\n", cmd.UseLine())
	}
	if cmd.Example != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", strings.ReplaceAll(strings.TrimPrefix(cmd.Example, "  "), "\n  ", "\n"))
	}
	if flags := strings.TrimRight(cmd.LocalFlags().FlagUsagesWrapped(80), "\n"); flags != "" {
		fmt.Fprintf(b, "\n```\n%s\n```\n", flags)
	}
}

// TestEveryCommandIsDocumented holds every command to the same rules: a short
// text, --json and --quiet, a unit or default where a flag takes a value.
func TestEveryCommandIsDocumented(t *testing.T) {
	env := newTestEnv("")
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: short text %q", cmd.CommandPath(), cmd.Short)
		}
		leaf := !cmd.HasSubCommands() || cmd.Flags().HasAvailableFlags()
		if leaf && cmd.HasParent() && (cmd.Flags().Lookup("json") == nil || cmd.Flags().Lookup("quiet") == nil) {
			t.Errorf("%s lacks --json or --quiet", cmd.CommandPath())
		}
		for _, line := range strings.Split(cmd.Example, "\n") {
			if utf8.RuneCountInString(line) > 80 {
				t.Errorf("%s: example line longer than 80: %s", cmd.CommandPath(), line)
			}
		}
		for _, line := range strings.Split(cmd.Long, "\n") {
			if utf8.RuneCountInString(line) > 80 {
				t.Errorf("%s: line longer than 80: %s", cmd.CommandPath(), line)
			}
		}
		for _, c := range cmd.Commands() {
			if !c.Hidden {
				walk(c)
			}
		}
	}
	walk(newRootCmd(&env.Env))
}
