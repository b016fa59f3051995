package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"headroom/runs"
)

// RunsWithdrawOptions are the flags of `headroom runs withdraw`.
type RunsWithdrawOptions struct {
	Env *Env
	Output
	Run    string
	Reason string
	At     time.Time
}

func newRunsWithdrawCmd(env *Env, runF func(*RunsWithdrawOptions) error) *cobra.Command {
	opts := &RunsWithdrawOptions{Env: env}
	cmd := &cobra.Command{
		Use:   "withdraw RUN --reason TEXT",
		Short: "Say that a run is not to be relied on, and why",
		Long: `Append to the notes of a run that it is withdrawn. The run itself stays as it
was sealed: nothing is deleted, and its digest is the same. From then on every
list, result and page says so, none gives a figure of it, no gate that counts
its samples passes, and rescan names the documents that used it. A withdrawal is
never taken back.`,
		Example: `  headroom runs withdraw runs/a --reason "the generator's host was throttled"`,
		Args:    oneArg("RUN"),
		RunE: func(_ *cobra.Command, args []string) error {
			opts.Run, opts.At = args[0], env.Now()
			if runF != nil {
				return runF(opts)
			}
			return runRunsWithdraw(opts)
		},
	}
	cmd.Flags().StringVar(&opts.Reason, "reason", "", "why the run is not to be relied on, `TEXT`")
	addOutputFlags(cmd, &opts.Output)
	return cmd
}

// withdrawnRun is the answer of `headroom runs withdraw --json`.
type withdrawnRun struct {
	Path   string    `json:"path"`
	ID     string    `json:"id"`
	Digest string    `json:"digest"`
	Note   runs.Note `json:"note"`
}

func runRunsWithdraw(opts *RunsWithdrawOptions) error {
	env := opts.Env
	found, err := openRuns(env, []string{opts.Run})
	if err != nil {
		return err
	}
	if len(found) != 1 {
		return usagef("withdraw: %s holds %d runs; name one of them (headroom runs ls %s)", opts.Run, len(found), opts.Run)
	}
	run := found[0].run
	err = run.Withdraw(opts.At, opts.Reason)
	if errors.Is(err, runs.ErrReason) {
		return usagef("withdraw: %w (--reason TEXT)", err)
	}
	if err != nil {
		return about(env, found[0].path, err)
	}
	notes, err := run.Notes()
	if len(notes) == 0 {
		return looked(err)
	}
	last := notes[len(notes)-1]
	if opts.JSON {
		return printJSON(env.Out, withdrawnRun{found[0].path, run.Manifest().ID, run.Digest(), last})
	}
	_, err = fmt.Fprintf(env.Out, "%s is withdrawn, %s\n", plain(found[0].path), plain(last.Words()))
	return err
}
