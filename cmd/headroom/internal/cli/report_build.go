package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"headroom/analyze"
	"headroom/render"
	"headroom/render/redact"
)

// ReportBuildOptions are the flags of `headroom report build`.
type ReportBuildOptions struct {
	Env *Env
	Output
	Out      string   // folder of the document
	Args     []string // runs, folders of runs, foreign files
	Study    string   // or the study; Args are then folders with its runs
	Redact   bool     // names are masked
	Protocol analyze.Protocol

	evidence evidenceFlags
	flags    protocolFlags
	read     map[string][]string // how the files were read, for the document to record
}

func newReportBuildCmd(env *Env, runF func(context.Context, *ReportBuildOptions) error) *cobra.Command {
	opts := &ReportBuildOptions{Env: env}
	cmd := &cobra.Command{
		Use:   "build -o OUT STUDY|RUN|FILE… [--run NAME FILE…]…",
		Short: "Build the capacity document of runs or recorded files",
		Long: `Build the capacity document: index.md, index.html (one offline file), figures,
capacity.json, junit.xml and summary.md. The path of index.html and the verdict
are printed.

Arguments are runs, folders of runs, or recorded files. All files outside a
group become one run, beside the runs that are given. Each --run NAME makes one
more run of the FILEs that follow it, up to the next --run. NAME says what is
special about it: concurrency=64 (KEY=VALUE,…) is a step of a sweep or ladder,
arm=control a configuration, a bare number a repeat; any other name is its id.

A STUDY (a file called *.yaml) says which runs make the document, and how they
are judged; see docs/study.md. Its runs are looked for beside it, and in the
folders that follow it.

What report publish would refuse is said when the document is built.

A document in OUT is replaced once the new one is whole; a folder that holds
other things but no document is refused. The status is the verdict over the
gates that the protocol requires: 0 pass, 1 fail, 2 unknown.`,
		Example: `  headroom report build k6.json.gz -o page
  headroom report build k6.json.gz vmstat.txt postgresql.csv -o page
  headroom report build -o page \
      --run concurrency=1 c1/pgbench_log.* --run concurrency=2 c2/pgbench_log.*
  headroom report build study.yaml -o page
  headroom report build runs/a runs/b -o page`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			if opts.Out == "" {
				return usagef("report build: say where the document goes with -o OUT")
			}
			if len(args) == 0 {
				return usagef("report build: no RUN or FILE given; see %s --help", cmd.CommandPath())
			}
			if isStudy(env, args[0]) {
				opts.Study, opts.Args = args[0], args[1:]
				if err := onlyStudyFlags("report build", cmd.Flags()); err != nil {
					return err
				}
			}
			if err := opts.readRules(); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runReportBuild(cmd.Context(), opts)
		},
	}
	opts.addFlags(cmd, "`OUT` folder of the document")
	return cmd
}

// addFlags gives a command the flags that say what a document is made of, and
// where it is.
func (o *ReportBuildOptions) addFlags(cmd *cobra.Command, out string) {
	fs := cmd.Flags()
	fs.StringVarP(&o.Out, "out", "o", "", out)
	fs.Var(groupValue{&o.evidence.places}, "run", "the FILEs that follow are one more run, and `NAME` says which: concurrency=64, arm=control, 1 or an id; repeatable")
	addRedact(fs, &o.Redact)
	o.flags.addAll(fs)
	o.evidence.add(fs)
	addOutputFlags(cmd, &o.Output)
}

// readRules takes the rules from the flags that addFlags gave.
func (o *ReportBuildOptions) readRules() (err error) {
	o.Protocol, err = o.flags.protocol()
	o.read = o.evidence.given()
	return err
}

// builtReport is the answer of `headroom report build --json`.
type builtReport struct {
	Index   string          `json:"index"` // path of index.html
	Title   string          `json:"title"`
	Outcome analyze.Outcome `json:"outcome"`
	Verdict string          `json:"verdict"`
	Files   []string        `json:"files"`
	// Obstacles are what report publish would refuse the document for.
	Obstacles []analyze.Obstacle `json:"obstacles"`
}

func runReportBuild(ctx context.Context, opts *ReportBuildOptions) (err error) {
	env := opts.Env
	if err := checkOut(env, opts.Out); err != nil {
		return err
	}
	undo, err := makeParents(env.Path(opts.Out))
	if err != nil {
		return usagef("%w", err)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(filepath.Clean(env.Path(opts.Out))), ".headroom-build-*")
	if err != nil {
		undo()
		return usagef("%s: cannot write beside it: %w", opts.Out, pathless(err))
	}
	defer func() {
		err = errors.Join(err, os.RemoveAll(tmp))
		undo()
	}()
	capacity, err := judgeArgs(ctx, opts, tmp)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if opts.Redact {
		capacity = redact.Capacity(capacity)
	}
	if err := render.Build(capacity, env.Path(opts.Out), render.Options{Version: buildVersion().Version}); err != nil {
		return renderError(opts.Study, err)
	}
	return sayBuilt(opts, capacity)
}

// judgeArgs makes the document of the study, or of the runs and files.
func judgeArgs(ctx context.Context, opts *ReportBuildOptions, tmp string) (*analyze.Capacity, error) {
	if opts.Study != "" {
		s, err := loadStudy(opts.Env, opts.Study, opts.Args)
		if err != nil {
			return nil, err
		}
		return s.document(ctx, opts.Env, opts.Output)
	}
	list, err := collectRuns(ctx, opts, tmp)
	if err != nil {
		return nil, err
	}
	measured, err := measureAll(ctx, opts.Env, opts.Output, list, opts.Protocol)
	if err != nil {
		return nil, err
	}
	c, err := combine(measured, opts.Protocol)
	if err == nil {
		c.Read = opts.read
	}
	return c, err
}

// sayBuilt prints where the document is and what it says.
func sayBuilt(opts *ReportBuildOptions, c *analyze.Capacity) error {
	env := opts.Env
	built := builtReport{
		Index: filepath.Join(opts.Out, indexName), Title: c.Title, Outcome: c.Outcome, Verdict: verdictLine(c),
		Files: documentFiles(env, opts.Out), Obstacles: obstacles(c),
	}
	secret, err := secretsOf(env, opts.Out)
	if err != nil {
		return err
	}
	built.Obstacles = append(built.Obstacles, secret...)
	if err := env.summarize(opts.Out); err != nil {
		return err
	}
	env.annotateGates(c)
	if opts.JSON {
		if err := printJSON(env.Out, built); err != nil {
			return err
		}
		return verdictStatus(c.Outcome)
	}
	if _, err := fmt.Fprintf(env.Out, "%s\n%s\n", built.Index, built.Verdict); err != nil {
		return err
	}
	if !opts.Quiet {
		sayWarnings(env, slices.DeleteFunc(render.Warnings(c), func(w string) bool { return strings.HasPrefix(w, analyze.HowToHave) })) // said with their place
		for _, o := range built.Obstacles {
			env.sayText("", plain("cannot be published: "+o.String()))
		}
	}
	return verdictStatus(c.Outcome)
}

// mostWarnings is how many warnings are said on stderr; the page has them all.
const mostWarnings = 5

// sayWarnings says what a reader of the figures must know.
func sayWarnings(env *Env, warnings []string) {
	width := env.Width(env.Err)
	for i, text := range warnings {
		if i == mostWarnings {
			writeText(env.Err, width, "", fmt.Sprintf("warning: %d more, under \"Read with care\" in the document", len(warnings)-i))
			return
		}
		writeText(env.Err, width, "", "warning: "+plain(text))
	}
}

// allPassed names the configurations of a document that passed, where several did
// and each has a statement of its own that says so; "" for any other document.
func allPassed(c *analyze.Capacity) string {
	if c.Outcome != analyze.Pass || len(c.Configurations) < 2 {
		return ""
	}
	var names []string
	for _, s := range c.Answer {
		if s.Role == "verdict" && s.Of != "" && s.Lead == "passed" {
			names = append(names, s.Of)
		}
	}
	if len(names) != len(c.Configurations) {
		return ""
	}
	return analyze.Conjoined(names)
}

// verdictLine is the verdict and the reason for it on one line: the sentence of
// the answer that gives it, else the first.
func verdictLine(c *analyze.Capacity) string {
	reason := c.Title
	if names := allPassed(c); names != "" {
		return plain("pass: " + names + ": every gate that they can answer")
	}
	if c.Study != nil && len(c.Configurations) > 1 {
		for _, conf := range c.Configurations {
			if !conf.Aside && conf.Outcome == c.Outcome && c.Outcome != analyze.Pass {
				return plain(string(c.Outcome) + ": " + conf.Name + ": " + conf.Text)
			}
		}
	}
	if len(c.Answer) > 0 {
		i := max(slices.IndexFunc(c.Answer, func(s analyze.Sentence) bool {
			return s.Role == "verdict" && (c.Outcome == analyze.Pass || s.Lead != "passed")
		}), 0)
		reason = c.Answer[i].Statement()
		if lead := c.Answer[i].Lead; !strings.HasPrefix(lead, string(c.Outcome)) { // "failed" would be said twice
			reason = lead + " " + reason
		}
	}
	return plain(string(c.Outcome) + ": " + reason)
}
