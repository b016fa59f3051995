package cli

import (
	"context"

	"github.com/spf13/cobra"

	"headroom/analyze"
)

// AnalyzeOptions are the flags of `headroom analyze`.
type AnalyzeOptions struct {
	Env *Env
	Output
	Runs     []string
	All      bool   // print every figure
	Study    string // file that says which runs make one document
	Protocol analyze.Protocol
}

func newAnalyzeCmd(env *Env, runF func(context.Context, *AnalyzeOptions) error) *cobra.Command {
	opts := &AnalyzeOptions{Env: env}
	var flags protocolFlags
	cmd := &cobra.Command{
		Use:   "analyze RUN… | analyze --study STUDY [FOLDER…]",
		Short: "Judge runs by a protocol and print the figures",
		Long: `Judge recorded runs, or all runs of a folder, by a protocol: the verdict first,
then every figure with its unit, its number of samples and its bound. Several
runs are steps of one sweep or ladder, or repeats, by the label that varies.

A study says which runs make one document, and by which protocols. Its runs are
looked for beside it, and in each FOLDER that is given. With --json the whole
document is printed, as capacity.json holds it.

The status is the verdict over the gates that the protocol requires: 0 pass,
1 fail, 2 unknown.`,
		Example: `  headroom analyze runs/a
  headroom analyze --json runs/a | jq '.results[0].verdicts'
  headroom analyze --p99-limit 500ms --fleet-rate 60,600 sweep/
  headroom analyze --study study.yaml --json`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			opts.Runs = args
			if opts.Study == "" {
				err = needArgs("RUN")(cmd, args)
			} else {
				err = onlyStudyFlags("analyze", cmd.Flags())
			}
			if err != nil {
				return err
			}
			if opts.Protocol, err = flags.protocol(); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runAnalyze(cmd.Context(), opts)
		},
	}
	cmd.Flags().BoolVar(&opts.All, "all", false, "print every figure of a run, not only the main ones")
	cmd.Flags().StringVar(&opts.Study, "study", "", "`STUDY` file that says which runs make one document (default: the RUNs do)")
	flags.addAll(cmd.Flags())
	addOutputFlags(cmd, &opts.Output)
	return cmd
}

func runAnalyze(ctx context.Context, opts *AnalyzeOptions) error {
	env := opts.Env
	if opts.Study != "" {
		return analyzeStudy(ctx, opts)
	}
	list, err := openRuns(env, opts.Runs)
	if err != nil {
		return err
	}
	measured, err := measureAll(ctx, env, opts.Output, list, opts.Protocol)
	if err != nil {
		return err
	}
	capacity, err := combine(measured, opts.Protocol)
	if err != nil {
		return err
	}
	if opts.JSON {
		err = printJSON(env.Out, results(measured))
	} else {
		err = printCapacity(env.Out, env.Width(env.Out), capacity, opts.All)
	}
	if err != nil {
		return err
	}
	return verdictStatus(capacity.Outcome)
}

// analyzeStudy prints the document of a study.
func analyzeStudy(ctx context.Context, opts *AnalyzeOptions) error {
	env := opts.Env
	s, err := loadStudy(env, opts.Study, opts.Runs)
	if err != nil {
		return err
	}
	capacity, err := s.document(ctx, env, opts.Output)
	if err != nil {
		return err
	}
	if opts.JSON {
		err = printJSON(env.Out, capacity)
	} else {
		err = printCapacity(env.Out, env.Width(env.Out), capacity, opts.All)
	}
	if err != nil {
		return err
	}
	return verdictStatus(capacity.Outcome)
}
