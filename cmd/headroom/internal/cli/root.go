package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"headroom/internal/exitcode"
)

// Main runs one command line (without the program's name) and returns the exit
// status of the process.
func Main(ctx context.Context, env *Env, args []string) (status int) {
	out := &stickyWriter{w: env.Out}
	own := *env
	own.Out = out
	own.Width = func(w io.Writer) int {
		if w == out {
			w = env.Out
		}
		return env.Width(w)
	}
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(env.Err, "headroom: internal error: %v\n%s", r, debug.Stack())
			status = int(exitcode.Usage)
		}
	}()
	root := newRootCmd(&own)
	root.SetArgs(append([]string{}, args...)) // never nil: cobra would read os.Args
	err := root.ExecuteContext(ctx)
	if err == nil && out.err != nil {
		err = fmt.Errorf("stdout: %w", out.err)
	}
	if err != nil && !errors.Is(err, errAnswered) {
		fmt.Fprintf(env.Err, "headroom: %s\n", errorText(err))
	}
	return int(exitcode.Of(err))
}

// stickyWriter remembers the first error of writing, so that an answer that did
// not reach its reader (a full disk) is no success.
type stickyWriter struct {
	w   io.Writer
	err error
}

func (s *stickyWriter) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	s.err = err
	return n, err
}

// The groups of commands in help.
const (
	groupEvidence  = "evidence"
	groupJudgement = "judgement"
	groupReference = "reference"
)

// newRootCmd assembles the whole command.
func newRootCmd(env *Env) *cobra.Command {
	root := groupCmd("headroom", "Turn recorded load runs into a capacity document", `headroom turns the recorded evidence of load runs into a capacity document:
what one installation sustains, what gives first, how big a fleet that carries,
and what the figure is worth.

Exit status: 0 every required gate passed; 1 a gate failed, or something is
stale; 2 could not look: something needed is missing or unreadable; 3 wrong
usage, or an internal error.`)
	root.Example = `  headroom report build k6.json.gz -o page
  headroom ingest --out runs/a k6.json.gz vmstat.txt postgresql.csv
  headroom analyze runs/a`
	root.Version = buildVersion().String()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetIn(env.In)
	root.SetOut(env.Out)
	root.SetErr(env.Err)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { writeHelp(env, cmd) })
	root.AddGroup(
		&cobra.Group{ID: groupEvidence, Title: "Evidence:"},
		&cobra.Group{ID: groupJudgement, Title: "Judgement:"},
		&cobra.Group{ID: groupReference, Title: "Reference:"},
	)
	root.SetHelpCommand(newHelpCmd())

	add := func(group string, cmds ...*cobra.Command) {
		for _, c := range cmds {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	add(groupEvidence, newIngestCmd(env, nil), newCaptureCmd(env, nil), newMarkCmd(env, nil), newRunsCmd(env))
	add(groupJudgement, newAnalyzeCmd(env, nil), newDetectCmd(env, nil), newRescanCmd(env, nil), newReportCmd(env), newCalibrateCmd(env, nil))
	add(groupReference, newFormatsCmd(env), newDetectorsCmd(env), newGatesCmd(env), newVersionCmd(env, nil), newCompletionCmd(env, nil))
	addLater(root, "")
	return root
}

// groupCmd returns a command that only holds others: alone it helps (the root)
// or asks which was meant, and a wrong word gets the nearest right one.
func groupCmd(use, short, long string, subs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			if !c.HasParent() {
				return c.Help()
			}
			var names []string
			for _, s := range c.Commands() {
				if s.IsAvailableCommand() {
					names = append(names, s.Name())
				}
			}
			return usagef("%ssay what to do: %s", wordsOf(c), list(names))
		},
	}
	cmd.AddCommand(subs...)
	return cmd
}

// newRunsCmd is the noun of recorded runs.
func newRunsCmd(env *Env) *cobra.Command {
	cmd := groupCmd("runs", "List, show and verify recorded runs", "",
		newRunsLsCmd(env, nil), newRunsShowCmd(env, nil), newRunsVerifyCmd(env, nil), newRunsRecoverCmd(env, nil), newRunsWithdrawCmd(env, nil))
	addLater(cmd, "runs")
	return cmd
}

// newReportCmd is the noun of documents.
func newReportCmd(env *Env) *cobra.Command {
	return groupCmd("report", "Build, check and publish capacity documents", "",
		newReportBuildCmd(env, nil), newReportInitCmd(env, nil), newReportCheckCmd(env, nil), newReportPublishCmd(env, nil))
}
