package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"headroom/runs"
)

// RunsRecoverOptions are the flags of `headroom runs recover`.
type RunsRecoverOptions struct {
	Env *Env
	Output
	Runs []string
}

func newRunsRecoverCmd(env *Env, runF func(context.Context, *RunsRecoverOptions) error) *cobra.Command {
	opts := &RunsRecoverOptions{Env: env}
	cmd := &cobra.Command{
		Use:   "recover RUN…",
		Short: "Seal runs whose recording died",
		Long: `Seal what a recording left that was killed, lost its power or filled the disk:
everything until its last flush, some seconds before the end. The run is partial
and says from when on it is not recorded. The path of each run is printed.

RUN is the path that the run was to have. The status is 2 if there is nothing to
seal, or the recording is alive.`,
		Example: "  test -d runs/a || headroom runs recover runs/a",
		Args:    needArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Runs = args
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runRunsRecover(opts)
		},
	}
	addOutputFlags(cmd, &opts.Output)
	return cmd
}

func runRunsRecover(opts *RunsRecoverOptions) error {
	env := opts.Env
	var list []runSummary
	var failed []error
	for _, path := range opts.Runs {
		run, err := runs.Recover(env.Path(path))
		if err != nil {
			failed = append(failed, err)
			continue
		}
		shown := env.Shown(run.Path())
		list = append(list, summarise(shown, run))
		if opts.JSON {
			continue
		}
		if !opts.Quiet {
			sayRecovered(env, shown, run.Manifest())
		}
		if _, err := fmt.Fprintln(env.Out, shown); err != nil {
			return err
		}
	}
	if opts.JSON {
		if err := printJSON(env.Out, map[string]any{"runs": list}); err != nil {
			return err
		}
	}
	return looked(errors.Join(failed...))
}

// samplesOf is what the absence of a file of samples begins with.
const samplesOf = "samples of "

// sayRecovered says until when a run was recorded, and what the recording did not
// come to read, which may still be there.
func sayRecovered(env *Env, shown string, m *runs.Manifest) {
	if n := len(m.Notes); n > 0 {
		env.sayText("", shown+": "+m.Notes[n-1])
	}
	for _, a := range m.NotCollected {
		if a.Why != runs.CollectorDied {
			continue
		}
		env.sayText("  ", "not recorded: "+a.What+": "+a.Note)
		if file, ok := strings.CutPrefix(a.What, samplesOf); ok {
			env.sayText("  ", fmt.Sprintf("if %s is there, it makes a run of its own: headroom ingest --out %s-load %s", file, shown, file))
		}
	}
}
