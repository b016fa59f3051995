package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"headroom/capture"
)

// MarkOptions are the flags of `headroom mark`.
type MarkOptions struct {
	Env *Env
	Run string // folder of the run that is being recorded
	capture.Mark
}

func newMarkCmd(env *Env, runF func(context.Context, *MarkOptions) error) *cobra.Command {
	opts := &MarkOptions{Env: env}
	cmd := &cobra.Command{
		Use:   "mark RUN --step KEY=VALUE | --end | --note TEXT",
		Short: "Mark a step or an event of a run being recorded",
		Long: `Tell the capture that records RUN, from another shell or from the load script,
that a step begins (which ends the one before), that a step ends, or that
something happened. The time is that of this command.`,
		Example: `  headroom capture --out runs/e \
      -- sh -c 'headroom mark runs/e --note "index dropped"; sleep 1'`,
		Args: needArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Run, opts.Time = args[0], env.Now()
			switch {
			case len(args) > 1:
				return usagef("mark: one RUN at a time")
			case len(opts.Step) == 0 && !opts.End && opts.Note == "":
				return usagef("mark: say what to mark with --step, --end or --note")
			case len(opts.Step) > 0 && opts.End:
				return usagef("mark: --step ends the step before by itself; leave out --end")
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runMark(opts)
		},
	}
	fs := cmd.Flags()
	fs.Var(pairsValue{&opts.Step, true}, "step", "labels of the step that begins, `KEY=VALUE`, separated by commas")
	fs.BoolVar(&opts.End, "end", false, "the step ends, and none begins")
	fs.StringVar(&opts.Note, "note", "", "what happened, `TEXT`")
	addOutputFlags(cmd, &Output{})
	return cmd
}

func runMark(opts *MarkOptions) error {
	err := capture.AppendMark(opts.Env.Path(opts.Run), opts.Mark)
	if errors.Is(err, capture.ErrNoRecording) {
		return lookf("%w", err)
	}
	return err
}
