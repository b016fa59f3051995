package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"headroom/analyze"
	"headroom/internal/exitcode"
	"headroom/render"
	"headroom/render/check"
	"headroom/render/prose"
	"headroom/render/redact"
)

// ReportCheckOptions are the flags of `headroom report check`.
type ReportCheckOptions struct {
	// Build says how the document is built anew: the runs, and what they are
	// judged by.
	Build ReportBuildOptions
	Words bool // numbers in words are noted
	All   bool // every place is printed
}

// mostPlaces is how many places of one file of a stale document are printed: where
// the evidence is another, nearly all of its numbers are.
const mostPlaces = 10

func newReportCheckCmd(env *Env, runF func(context.Context, *ReportCheckOptions) error) *cobra.Command {
	opts := &ReportCheckOptions{Build: ReportBuildOptions{Env: env}}
	b := &opts.Build
	cmd := &cobra.Command{
		Use:   "check OUT [RUN|FILE…] [--run NAME FILE…]… | check STUDY [FOLDER…] -o OUT",
		Short: "Name every number of a document that its evidence no longer says",
		Long: `Compare a document with what it must be, and name every stale or hand-edited
number by file and line, with what it shows and what must stand there.

With a study, the document is computed anew from the runs that the study names,
with its prose as it is now. With runs or recorded files it is computed from
those, by the rules and the flags that it was built with: capacity.json records
them. Flags that are given count in their place; flags that name files are given
again. Without either, its pages are held against capacity.json beside them, and
that file against its seal.

What became of the evidence is said first: a run that was withdrawn, other runs,
other rules, another verdict. A value that stands in many places is printed
once, where it stands first, with how often it does.

Of prose, every digit that is bound to nothing, every name that does not exist
and every claim that no longer holds is named at its place in the template.
--words also notes numbers in words (twice, half); they change no status.

The status is 0 clean, 1 stale, 2 could not look, 3 wrong usage.`,
		Example: `  headroom report check page
  headroom report check study.yaml -o page
  headroom report check page runs/a runs/b
  headroom report check page k6.json.gz vmstat.txt --json`,
		Args: needArgs("OUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opts.place(env, args, cmd.Flags()); err != nil {
				return err
			}
			if err := b.readRules(); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runReportCheck(cmd.Context(), opts)
		},
	}
	b.addFlags(cmd, "`OUT` folder of the document, beside a study")
	cmd.Flags().BoolVar(&opts.Words, "words", false, "note numbers in words in the prose")
	cmd.Flags().BoolVar(&opts.All, "all", false, fmt.Sprintf("print every place (default: the first %d of each file; --json has them all)", mostPlaces))
	return cmd
}

// place tells the document from what it is held against.
func (o *ReportCheckOptions) place(env *Env, args []string, fs *pflag.FlagSet) (err error) {
	b := &o.Build
	if isStudy(env, args[0]) {
		b.Study, b.Args = args[0], args[1:]
		if b.Out == "" {
			return usagef("report check: say where the document of %s is with -o OUT", args[0])
		}
		return onlyStudyFlags("report check", fs)
	}
	if b.Out != "" {
		return usagef("report check: -o goes with a study; without one the document stands first, as in headroom report check %s", b.Out)
	}
	b.Out, b.Args = args[0], args[1:]
	b.evidence.places, err = b.evidence.places.afterFirst()
	return err
}

// alone reports whether there is nothing to hold the document against but itself.
func (o *ReportCheckOptions) alone() bool {
	p := o.Build.evidence.places
	return o.Build.Study == "" && len(o.Build.Args)+len(p.groups)+len(p.roles) == 0
}

// checkedReport is the answer of `headroom report check --json`.
type checkedReport struct {
	Document    string             `json:"document"`
	State       string             `json:"state"` // clean, stale, could-not-look
	Against     string             `json:"against"`
	Why         string             `json:"why,omitempty"`
	Reasons     []string           `json:"reasons"` // why the document is another now
	Differences []check.Difference `json:"differences"`
	Problems    []prose.Problem    `json:"problems"` // of the prose, notes included
}

func runReportCheck(ctx context.Context, opts *ReportCheckOptions) error {
	env, out := opts.Build.Env, opts.Build.Out
	have, err := readDocument(env, out)
	if err != nil {
		return err
	}
	answer := checkedReport{Document: out, Against: check.CapacityFile}
	var c *analyze.Capacity
	var cause error
	if opts.alone() {
		answer.Differences, c, cause = check.Alone(have)
	} else {
		old := &analyze.Capacity{}
		if json.Unmarshal(have[check.CapacityFile], old) != nil {
			old = &analyze.Capacity{} // the comparison names what is damaged
		}
		if opts.Build.Study == "" && old.Study != nil {
			return usagef("report check: %s was made by a study: hold it against that, as in headroom report check STUDY -o %s", out, out)
		}
		answer.Against = cmp.Or(opts.Build.Study, "runs")
		if c, err = recompute(ctx, opts, old); err != nil {
			return err
		}
		if len(old.Results) > 0 {
			answer.Reasons = check.Reasons(old, c)
		}
		if answer.Differences, err = against(have, c); err != nil {
			return err
		}
	}
	if c != nil {
		if answer.Problems, err = render.Prose(c, opts.Words); err != nil {
			cause = errors.Join(cause, err)
		}
		answer.Problems = besideStudy(opts.Build.Study, answer.Problems)
	}
	return sayChecked(opts, answer, cause)
}

// recompute makes the capacity of the study, or of the runs by the rules and with
// the words of the document.
func recompute(ctx context.Context, opts *ReportCheckOptions, old *analyze.Capacity) (*analyze.Capacity, error) {
	if opts.Build.Study == "" {
		if err := opts.Build.again(old); err != nil {
			return nil, err
		}
	}
	tmp, err := os.MkdirTemp("", "headroom-check-*")
	if err != nil {
		return nil, usagef("%w", err)
	}
	defer func() { _ = os.RemoveAll(tmp) }() // a temporary folder
	c, err := judgeArgs(ctx, &opts.Build, tmp)
	if err != nil {
		return nil, err
	}
	if opts.Build.Study == "" { // no run holds them
		c.Kind, c.Prose = old.Kind, old.Prose
	}
	if old.Redacted || opts.Build.Redact { // prose that was masked already keeps its masks
		c = redact.Capacity(c)
	}
	return c, nil
}

// afterFirst are the places as they are without the first argument.
func (p places) afterFirst() (places, error) {
	p.groups, p.roles = slices.Clone(p.groups), slices.Clone(p.roles)
	for i := range p.groups {
		if p.groups[i].at--; p.groups[i].at < 0 {
			return p, usagef("report check: name the document before --run %s", p.groups[i].name)
		}
	}
	for i := range p.roles {
		if p.roles[i].at--; p.roles[i].at < 0 {
			return p, usagef("report check: name the document before --%s %s", p.roles[i].role, p.roles[i].path)
		}
	}
	return p, nil
}

// against compares the files of a document with those of a capacity.
func against(have map[string][]byte, c *analyze.Capacity) ([]check.Difference, error) {
	want, err := render.Files(c, render.Options{Version: check.Version(have), Unfinished: true})
	if err != nil {
		return nil, fmt.Errorf("rendering: %w", err)
	}
	return check.Compare(have, want, c), nil
}

// sayChecked prints what was found; cause is why something could not be looked at.
func sayChecked(opts *ReportCheckOptions, answer checkedReport, cause error) error {
	env, b := opts.Build.Env, opts.Build
	faults := prose.Faults(answer.Problems)
	status := exitcode.Clean
	switch {
	case len(answer.Differences)+len(faults) > 0:
		answer.State, status = "stale", exitcode.Failed
	case cause != nil:
		answer.State, status = "could-not-look", exitcode.CouldNotLook
	default:
		answer.State = "clean"
	}
	if cause != nil {
		answer.Why = cause.Error()
	}
	if answer.Differences == nil {
		answer.Differences = []check.Difference{}
	}
	if answer.Problems == nil {
		answer.Problems = []prose.Problem{}
	}
	if answer.Reasons == nil {
		answer.Reasons = []string{}
	}
	if b.JSON {
		if err := printJSON(env.Out, answer); err != nil {
			return err
		}
	} else if err := writeChecked(opts, answer); err != nil {
		return err
	}
	if status != exitcode.Clean {
		return answered(status)
	}
	return nil
}

// writeChecked prints one line for each place, and how many there are.
func writeChecked(opts *ReportCheckOptions, answer checkedReport) error {
	env, quiet := opts.Build.Env, opts.Build.Quiet
	for _, why := range answer.Reasons {
		env.annotate(annotation{level: "error", title: "stale", text: why})
		if _, err := fmt.Fprintln(env.Out, plain(answer.Document+": "+why)); err != nil {
			return err
		}
	}
	list, most := changesOf(answer.Differences), mostPlaces
	if opts.All {
		list, most = everyPlace(answer.Differences), len(answer.Differences)
	}
	if err := writePlaces(env, answer.Document, list, most, "--all prints them"); err != nil {
		return err
	}
	files := map[string]bool{}
	for _, d := range answer.Differences {
		files[d.File] = true
	}
	for _, p := range answer.Problems {
		if p.Note {
			if !quiet {
				env.sayText("", "note: "+p.String())
			}
			continue
		}
		env.annotate(annotation{level: "error", title: "prose", text: p.String()})
		if _, err := fmt.Fprintln(env.Out, plain(p.String())); err != nil {
			return err
		}
	}
	if answer.Why != "" {
		env.sayText("", "headroom: could not look: "+answer.Why)
	}
	if quiet && answer.State == "clean" {
		return nil
	}
	line := answer.Document + ": " + answer.State
	if n := len(answer.Differences); n > 0 {
		line += ", " + countText(n, "place") + " in " + countText(len(files), "file")
	}
	if n := len(prose.Faults(answer.Problems)); n > 0 {
		line += ", " + countText(n, "problem") + " in the prose"
	}
	_, err := fmt.Fprintln(env.Out, plain(line))
	return err
}

// countText writes a number of things.
func countText(n int, thing string) string { return analyze.CountOf(int64(n), thing) }
