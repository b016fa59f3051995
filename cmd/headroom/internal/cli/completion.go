package cli

import (
	"bytes"
	"io"
	"slices"

	"github.com/spf13/cobra"
)

// shells are the shells that completion knows.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// CompletionOptions are the flags of `headroom completion`.
type CompletionOptions struct {
	Env *Env
	Output
	Shell string
	root  *cobra.Command
}

func newCompletionCmd(env *Env, runF func(*CompletionOptions) error) *cobra.Command {
	opts := &CompletionOptions{Env: env}
	cmd := &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the completion script of a shell: bash, zsh, fish or powershell",
		Example: `  source <(headroom completion bash)
  headroom completion fish > ~/.config/fish/completions/headroom.fish`,
		Args:      oneArg("shell (" + list(shells) + ")"),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Shell, opts.root = args[0], cmd.Root()
			if !slices.Contains(shells, opts.Shell) {
				return usagef("completion: unknown shell %q; known are %s", opts.Shell, list(shells))
			}
			if runF != nil {
				return runF(opts)
			}
			return runCompletion(opts)
		},
	}
	addOutputFlags(cmd, &opts.Output)
	return cmd
}

func runCompletion(opts *CompletionOptions) error {
	var script bytes.Buffer
	if err := writeCompletion(opts.root, opts.Shell, &script); err != nil {
		return err
	}
	if opts.JSON {
		return printJSON(opts.Env.Out, map[string]string{"shell": opts.Shell, "script": script.String()})
	}
	_, err := script.WriteTo(opts.Env.Out)
	return err
}

func writeCompletion(root *cobra.Command, shell string, w io.Writer) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(w, true)
	case "zsh":
		return root.GenZshCompletion(w)
	case "fish":
		return root.GenFishCompletion(w, true)
	default:
		return root.GenPowerShellCompletionWithDesc(w)
	}
}
