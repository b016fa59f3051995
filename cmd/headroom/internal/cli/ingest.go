package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"headroom/ingest"
	"headroom/internal/exitcode"
)

// IngestOptions are the flags of `headroom ingest`.
type IngestOptions struct {
	Env *Env
	Output
	Out     string // folder of the run to make
	ID      string
	KeepRaw bool
	DryRun  bool
	Files   []string

	evidence evidenceFlags
	window   window
	warmup   time.Duration
}

func newIngestCmd(env *Env, runF func(context.Context, *IngestOptions) error) *cobra.Command {
	opts := &IngestOptions{Env: env}
	cmd := &cobra.Command{
		Use:   "ingest --out RUN FILE…",
		Short: "Turn recorded files into one run",
		Long: `Turn recorded files into one run: a sealed folder of Parquet tables with a
manifest. Each FILE is recognised by its content, whatever its name; gzip, zstd
and standard input (-) are read as they are, and a folder stands for the files
in it. A named pipe, such as the shell's <(…), is read if something opens it for
writing within 5 s. The path of the run is printed.

All FILEs of one call become one run with one time axis. Lines that cannot be
read are counted in the manifest and do not change the exit status; a file that
is empty, unknown or unreadable ends the command with status 2 and nothing is
written.`,
		Example: `  headroom ingest --out runs/a k6.json.gz vmstat.txt postgresql.csv
  headroom ingest --out runs/c64 --step concurrency=64 pgbench_log.*
  headroom ingest --out runs/b k6.json --before before.csv --after after.csv \
      --reconcile rows=events_sent --claim events=events_sent
  headroom ingest --dry-run --json k6.json.gz *.csv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(opts.evidence.places.roles) > 0 { // counts before and after are a run by themselves
				return nil
			}
			return needArgs("FILE")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Files = args
			if opts.Out == "" && !opts.DryRun {
				return usagef("ingest: say where the run goes with --out RUN, or only look with --dry-run")
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runIngest(cmd.Context(), opts)
		},
	}
	fs := cmd.Flags()
	fs.StringVarP(&opts.Out, "out", "o", "", "`RUN` folder to make; it must not exist")
	fs.StringVar(&opts.ID, "id", "", "`ID` of the run (default: first start and the files' digests)")
	fs.BoolVar(&opts.KeepRaw, "keep-raw", false, "keep the FILEs, compressed, in the run's raw folder")
	fs.BoolVar(&opts.DryRun, "dry-run", false, "say what each FILE is and what would be read; write nothing")
	fs.Var(windowValue{&opts.window}, "window", "measured window, `START/END` in RFC 3339, END not included (default: first start to last end)")
	fs.Var(positive[time.Duration]{&opts.warmup, parseDuration, "D"}, "warmup", "cut this much from the start of the window, duration `D` (default 0s)")
	opts.evidence.add(fs)
	addOutputFlags(cmd, &opts.Output)
	return cmd
}

func runIngest(ctx context.Context, opts *IngestOptions) error {
	env := opts.Env
	files := opts.evidence.places.split(opts.Files, formatOf(env))[0].files
	req, err := opts.evidence.request(env, files)
	if err != nil {
		return err
	}
	req.Window, req.Warmup = opts.window.manifest(), opts.warmup
	meter := newProgress(env, opts.Output)
	req.Progress = meter.file
	defer meter.clear()
	if opts.DryRun {
		return dryRun(ctx, opts, req, meter)
	}
	run, report, err := writeRun(ctx, newRun{env.Path(opts.Out), opts.ID, opts.KeepRaw}, req)
	meter.clear()
	if err != nil {
		return err
	}
	showPaths(env, report)
	sayRun(env, opts.Output, run, report)
	if opts.JSON {
		return printJSON(env.Out, ingestJSON{summarise(opts.Out, run), report.Files})
	}
	_, err = fmt.Fprintln(env.Out, opts.Out)
	return err
}

// ingestJSON is the answer of `headroom ingest --json`.
type ingestJSON struct {
	Run   runSummary          `json:"run"`
	Files []ingest.FileReport `json:"files"`
}

// dryRun prints what each file is. A file that cannot be read is told in its
// line and makes the status 2.
func dryRun(ctx context.Context, opts *IngestOptions, req ingest.Request, meter *progress) error {
	req.Pipe = pipes(ctx)
	report, err := ingest.DryRun(ctx, req)
	meter.clear()
	if report == nil {
		return ingestError(err)
	}
	showPaths(opts.Env, report)
	if err != nil {
		err = unreadFiles(report, ingestError(err))
	}
	if opts.JSON {
		if jsonErr := printJSON(opts.Env.Out, report); jsonErr != nil {
			return jsonErr
		}
		return err
	}
	t := &table{
		head:  []string{"file", "format", "rows", "first", "last", "notes"},
		right: []bool{false, false, true},
		note:  "notes",
		below: []string{"last", "first"},
	}
	names := fileNames(report.Files)
	for i, f := range report.Files {
		notes := f.Notes
		if f.BadLines > 0 {
			notes = slices.Insert(slices.Clone(notes), 0, fmt.Sprintf("%s could not be read; the first: %s", counted(int(f.BadLines), "line"), f.Bad[0]))
		}
		if f.Error != "" {
			notes = append(slices.Clip(notes), fileWords(f.Error))
		}
		t.add(names[i], f.Format, fmt.Sprint(f.Rows), milliseconds(f.First), milliseconds(f.Last), strings.Join(notes, "; "))
	}
	if tableErr := t.write(opts.Env.Out, opts.Env.Width(opts.Env.Out)); tableErr != nil {
		return tableErr
	}
	return err
}

// unreadFiles is the error of a dry run: of files that could not be read it only
// counts them, for their reasons stand in the report.
func unreadFiles(report *ingest.Report, err error) error {
	bad := 0
	for _, f := range report.Files {
		if f.Error != "" {
			bad++
		}
	}
	if bad == 0 { // it is about all of them together
		return err
	}
	return &exitcode.Error{Code: exitcode.Of(err), Err: fmt.Errorf("%d of %s could not be read", bad, counted(len(report.Files), "file"))}
}
