package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"headroom/runs"
)

// RunsLsOptions are the flags of `headroom runs ls`.
type RunsLsOptions struct {
	Env *Env
	Output
	Archives []string // folders of runs, or runs
}

func newRunsLsCmd(env *Env, runF func(*RunsLsOptions) error) *cobra.Command {
	opts := &RunsLsOptions{Env: env}
	cmd := &cobra.Command{
		Use: "ls [ARCHIVE…]", Aliases: []string{"list"},
		Short: "List the runs in folders, one line a run",
		Long: `List the runs in folders (default: the current one), one line a run: its path,
id, state, first sample, length, number of samples, labels and steps. A narrow
terminal does without some of them. The state says of a run that was withdrawn
that it was; runs show says why.`,
		Example: `  headroom runs ls archive
  headroom runs ls --json archive`,
		RunE: func(_ *cobra.Command, args []string) error {
			opts.Archives = args
			if len(args) == 0 {
				opts.Archives = []string{"."}
			}
			if runF != nil {
				return runF(opts)
			}
			return runRunsLs(opts)
		},
	}
	addOutputFlags(cmd, &opts.Output)
	return cmd
}

func runRunsLs(opts *RunsLsOptions) error {
	env := opts.Env
	list := []runSummary{}
	t := &table{
		head:  []string{"run", "id", "state", "first", "length", "samples", "labels"},
		right: []bool{false, false, false, false, true, true},
		spare: []string{"id", "first"},
	}
	for _, archive := range opts.Archives {
		paths, err := runPaths(env, archive)
		if err != nil {
			return err
		}
		for _, path := range paths {
			run, err := runs.Open(env.Path(path))
			if err != nil {
				return looked(err)
			}
			s := summarise(path, run)
			list = append(list, s)
			labels := strings.TrimSpace(labelsText(s.Labels) + " " + stepsText(run.Manifest().Steps))
			t.add(path, s.ID, s.stateText(), seconds(s.First), s.length(), fmt.Sprint(s.Tables["samples"]), labels)
		}
	}
	if opts.JSON {
		return printJSON(env.Out, map[string]any{"runs": list})
	}
	return t.write(env.Out, env.Width(env.Out))
}
