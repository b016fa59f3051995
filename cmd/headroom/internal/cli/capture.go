package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"headroom/capture"
	"headroom/ingest"
	"headroom/internal/exitcode"
	"headroom/runs"
)

// CaptureOptions are the flags of `headroom capture`.
type CaptureOptions struct {
	Env *Env
	Output
	SelfTest bool
	Capture  capture.Options // Clock, Tell and the streams are set when it runs

	zone string
}

func newCaptureCmd(env *Env, runF func(context.Context, *CaptureOptions) error) *cobra.Command {
	opts := &CaptureOptions{Env: env}
	cmd := &cobra.Command{
		Use:   "capture --out RUN [flags] -- COMMAND…",
		Short: "Run a load command and record everything beside it",
		Long: `Run a load COMMAND and record, while it runs, the host (/proc, once a second),
a PostgreSQL server (sessions five times a second, statistics every five), logs
and the samples that the load generator writes; then seal it all as one run. The
path of the run is printed; what COMMAND prints goes to stderr. The status is
that of COMMAND.

What is recorded survives kill -9 up to the last few seconds: see headroom runs
recover. Ctrl-C ends COMMAND and seals the run; again, a second later or more,
it ends COMMAND harder, and the run is sealed all the same. Passwords are never
stored: connection strings are not kept, command lines are masked, and the
literals of statements are left out.`,
		Example: `  headroom capture --out runs/c --step rate=20 -- sleep 1
  headroom capture --out runs/d --process app=myserver --log postgresql.csv \
      -- sh -c 'headroom mark runs/d --step rate=40; sleep 1'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o := &opts.Capture
			o.Command = args
			switch {
			case cmd.Flags().Changed("pg") && strings.TrimSpace(o.Postgres.DSN) == "":
				return usagef("capture: --pg is empty; for the server that libpq's variables name, say --pg 'dbname=NAME'")
			case opts.SelfTest && (len(args) > 0 || o.Out != ""):
				return usagef("capture: --self-test runs no command and makes no run")
			case !opts.SelfTest && o.Out == "":
				return usagef("capture: say where the run goes with --out RUN")
			case !opts.SelfTest && len(args) == 0:
				return usagef("capture: say what to run behind --, as in headroom capture --out RUN -- COMMAND")
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runCapture(cmd.Context(), opts)
		},
	}
	opts.add(cmd.Flags())
	addOutputFlags(cmd, &opts.Output)
	return cmd
}

func (opts *CaptureOptions) add(fs *pflag.FlagSet) {
	o := &opts.Capture
	fs.SetInterspersed(false) // flags behind the command are the command's
	fs.StringVarP(&o.Out, "out", "o", "", "`RUN` folder to make; it must not exist")
	fs.StringVar(&o.ID, "id", "", "`ID` of the run (default: from its start)")
	fs.Var(pairsValue{&o.Labels, false}, "label", "label of the run, `KEY=VALUE`; repeatable")
	fs.Var(pairsValue{&o.Step, true}, "step", "labels of the first step, `KEY=VALUE`, separated by commas; headroom mark begins others")
	fs.Var(samplesValue{&o.Samples}, "samples", "samples of the load generator, `FORMAT=PATH`: a file, a prefix of files or a pipe; fifo makes a pipe whose path replaces {samples} in COMMAND; repeatable")
	fs.Var(groupsValue{&o.Processes}, "process", "processes of the system under test, `NAME=MATCH`: a process name, pid:N or cmd:REGEXP, and their descendants; repeatable")
	fs.StringVar(&o.Postgres.DSN, "pg", "", "PostgreSQL server to observe, `DSN` as URL or key=value words")
	fs.Var(countsValue{&o.Postgres.Counts}, "count", "number to take before and after the load, `NAME=SQL`; repeatable")
	fs.StringArrayVar(&o.Logs, "log", nil, "log `FILE` to follow from its end; repeatable")
	fs.StringVar(&opts.zone, "timezone", "", "`ZONE` of stamps in logs that have none, as Europe/Paris or +02:00")
	fs.Var(pairsValue{&o.Claims, false}, "claim", "what the generator says it did, `NAME=METRIC|N`; repeatable")
	fs.Var(pairsValue{&o.Reconcile, true}, "reconcile", "count that must equal a claim, `COUNT=CLAIM`, separated by commas")
	fs.Var(positive[int64]{&o.Events, parseInt, "N"}, "events", "events that each sample carries, `N` (default 1)")
	fs.StringVar(&o.SystemDir, "system", "", "`DIR` of the system under test, whose git commit is recorded")
	fs.Var(positive[float64]{&o.Price, parseFinite, "N"}, "price", "price of the host per hour, `N`")
	fs.StringVar(&o.Currency, "currency", "", "`CODE` of the price's currency, as EUR")
	fs.Var(positive[time.Duration]{&o.Every, parseDuration, "D"}, "every", "between two looks at the host, duration `D` (default 1s)")
	fs.Var(positive[time.Duration]{&o.Postgres.Activity, parseDuration, "D"}, "pg-activity", "between two looks at the sessions, duration `D` (default 200ms)")
	fs.Var(positive[time.Duration]{&o.Postgres.Views, parseDuration, "D"}, "pg-views", "between two looks at the statistics, duration `D` (default 5s)")
	fs.BoolVar(&opts.SelfTest, "self-test", false, "measure for 10 s what the agent itself costs on this host, and make no run")
}

func runCapture(ctx context.Context, opts *CaptureOptions) error {
	env := opts.Env
	o := opts.Capture
	if env.SpareCPU != nil {
		env.SpareCPU()
	}
	if opts.SelfTest {
		return captureSelfTest(ctx, opts, o)
	}
	if err := completeCapture(env, opts, &o); err != nil {
		return err
	}
	undo, err := makeParents(o.Out)
	if err != nil {
		return usagef("%w", err)
	}
	screen := newCaptureScreen(env, opts.Output)
	o.Tell, o.Output = screen.tell, screen
	if env.Outlive != nil {
		o.Again = env.Outlive()
	}
	res, err := capture.Run(ctx, o)
	screen.end()
	var partial *capture.PartialError
	switch {
	case errors.As(err, &partial):
		fmt.Fprintln(env.Out, env.Shown(partial.Run.Path()))
		return lookf("%w", err)
	case errors.Is(err, capture.ErrUsage):
		undo()
		return usagef("%w", err)
	case err != nil:
		undo()
		return err
	}
	if err := printCaptured(opts, res); err != nil {
		return err
	}
	if res.Status != 0 {
		return answered(exitcode.Code(res.Status))
	}
	return nil
}

// completeCapture resolves what the flags say against the process around.
func completeCapture(env *Env, opts *CaptureOptions, o *capture.Options) error {
	o.Out, o.Tool = env.Path(o.Out), buildVersion().String()
	o.Dir, o.Env = env.Dir, os.Environ()
	if w, ok := env.In.(io.Writer); !ok || env.Width(w) == 0 { // a terminal stays with us, for Ctrl-C
		o.Stdin = env.In
	}
	o.Clock = captureClock(env)
	o.Postgres.Getenv = env.Getenv
	for i, path := range o.Logs {
		o.Logs[i] = env.Path(path)
	}
	for i := range o.Samples {
		if o.Samples[i].Path != capture.PipePath {
			o.Samples[i].Path = env.Path(o.Samples[i].Path)
		}
	}
	if o.SystemDir != "" {
		o.SystemDir = env.Path(o.SystemDir)
	}
	if opts.zone != "" {
		zone, err := ingest.ParseZone(opts.zone)
		if err != nil {
			return usagef("--timezone %s: %w", opts.zone, err)
		}
		o.Zone = zone
	}
	return nil
}

// captureClock is the wall clock, and a monotonic one beside it.
func captureClock(env *Env) capture.Clock {
	start := env.Now()
	return capture.Clock{Now: env.Now, Elapsed: func() time.Duration { return env.Now().Sub(start) }}
}

// captureJSON is the answer of `headroom capture --json`.
type captureJSON struct {
	Run        runSummary     `json:"run"`
	ExitStatus int            `json:"exit_status"` // of the command
	Agent      capture.Weight `json:"agent"`       // what recording cost
	Lacks      []runs.Absence `json:"not_collected"`
}

func printCaptured(opts *CaptureOptions, res *capture.Result) error {
	env := opts.Env
	shown := env.Shown(res.Run.Path())
	m := res.Run.Manifest()
	if opts.JSON {
		return printJSON(env.Out, captureJSON{summarise(shown, res.Run), res.Status, res.Weight, m.NotCollected})
	}
	if !opts.Quiet {
		for _, note := range m.Notes {
			env.sayText("", "note: "+note)
		}
		sayLost(env, m.NotCollected)
	}
	_, err := fmt.Fprintln(env.Out, shown)
	return err
}

// sayLost says what was to be recorded and was not, each reason once.
func sayLost(env *Env, absences []runs.Absence) {
	what := map[string][]string{}
	var reasons []string
	for _, a := range absences {
		if a.Why != runs.CollectorDied {
			continue
		}
		if len(what[a.Note]) == 0 {
			reasons = append(reasons, a.Note)
		}
		what[a.Note] = append(what[a.Note], a.What)
	}
	for _, reason := range reasons {
		env.sayText("", "not recorded: "+strings.Join(what[reason], ", ")+": "+reason)
	}
}

// selfTestTime is how long the agent watches itself.
const selfTestTime = 10 * time.Second

// captureSelfTest records a command that does nothing, into a folder that is
// removed, and prints what that cost.
func captureSelfTest(ctx context.Context, opts *CaptureOptions, o capture.Options) error {
	env := opts.Env
	dir, err := os.MkdirTemp("", "headroom-self-test-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	o.Out = dir + "/run"
	if err := completeCapture(env, opts, &o); err != nil {
		return err
	}
	o.Out = dir + "/run"
	o.Command = []string{"sleep", fmt.Sprintf("%g", selfTestTime.Seconds())}
	screen := newCaptureScreen(env, opts.Output)
	o.Tell, o.Output = screen.tell, io.Discard
	res, err := capture.Run(ctx, o)
	screen.end()
	if err != nil {
		return looked(err)
	}
	if opts.JSON {
		return printJSON(env.Out, res.Weight)
	}
	_, err = fmt.Fprintln(env.Out, strings.ToUpper(res.Weight.String()[:1])+res.Weight.String()[1:]+".")
	return err
}
