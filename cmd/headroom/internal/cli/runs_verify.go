package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"headroom/internal/exitcode"
	"headroom/runs"
)

// RunsVerifyOptions are the flags of `headroom runs verify`.
type RunsVerifyOptions struct {
	Env *Env
	Output
	Runs []string
}

func newRunsVerifyCmd(env *Env, runF func(context.Context, *RunsVerifyOptions) error) *cobra.Command {
	opts := &RunsVerifyOptions{Env: env}
	cmd := &cobra.Command{
		Use:   "verify RUN…",
		Short: "Recompute the digests of runs and name what changed",
		Long: `Recompute every digest of the runs (or of the runs in folders) and name each
file that changed, is missing, or does not belong. The status is 1 if one did.`,
		Example: "  headroom runs verify runs/a archive",
		Args:    needArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Runs = args
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runRunsVerify(cmd.Context(), opts)
		},
	}
	addOutputFlags(cmd, &opts.Output)
	return cmd
}

// verifiedRun is one run in `headroom runs verify --json`.
type verifiedRun struct {
	Path   string `json:"path"`
	OK     bool   `json:"ok"`
	Reason string `json:"reason,omitempty"`
}

// runRunsVerify looks at every run, whatever the others say. A changed run
// outranks one that could not be looked at.
func runRunsVerify(ctx context.Context, opts *RunsVerifyOptions) error {
	env := opts.Env
	list := []verifiedRun{}
	worst := exitcode.Clean
	for _, arg := range opts.Runs {
		paths, err := runPaths(env, arg)
		if err != nil {
			return err
		}
		for _, path := range paths {
			v := verifiedRun{Path: path, OK: true}
			if err := verifyRun(ctx, env, path); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				v.OK, v.Reason = false, err.Error()
				worst = worse(worst, err)
			}
			list = append(list, v)
		}
	}
	if err := printVerified(opts, list); err != nil {
		return err
	}
	if worst != exitcode.Clean {
		return answered(worst)
	}
	return nil
}

func verifyRun(ctx context.Context, env *Env, path string) error {
	run, err := runs.Open(env.Path(path))
	if err != nil {
		return err
	}
	return run.Verify(ctx)
}

// worse is the status after one more run that is not as it should be.
func worse(sofar exitcode.Code, err error) exitcode.Code {
	var changed *runs.VerifyError
	if errors.As(err, &changed) || sofar == exitcode.Failed {
		return exitcode.Failed
	}
	return exitcode.CouldNotLook
}

func printVerified(opts *RunsVerifyOptions, list []verifiedRun) error {
	if opts.JSON {
		return printJSON(opts.Env.Out, map[string]any{"runs": list})
	}
	t := &table{head: []string{"run", "seal", "why"}, note: "why"}
	for _, v := range list {
		seal := "as sealed"
		if !v.OK {
			seal = "NOT as sealed"
		}
		t.add(v.Path, seal, v.Reason)
	}
	return t.write(opts.Env.Out, opts.Env.Width(opts.Env.Out))
}
