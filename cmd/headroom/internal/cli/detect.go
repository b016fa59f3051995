package cli

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"headroom/analyze"
	"headroom/detect"
	"headroom/internal/exitcode"
)

// DetectOptions are the flags of `headroom detect`.
type DetectOptions struct {
	Env *Env
	Output
	Runs      []string
	Detectors []string // names; none: all
	FailOn    detect.Severity
	Protocol  analyze.Protocol
}

// severities, mildest first.
var severities = []string{string(detect.Info), string(detect.Warning), string(detect.Serious)}

func newDetectCmd(env *Env, runF func(context.Context, *DetectOptions) error) *cobra.Command {
	opts := &DetectOptions{Env: env}
	var flags protocolFlags
	cmd := &cobra.Command{
		Use:   "detect RUN…",
		Short: "Look for freezes and other trouble in runs",
		Long: `Look for trouble in recorded runs, or in all runs of a folder: when it was, what
it measured, and which detectors could not look.

The status is 0 whatever is found, unless --fail-on asks for 1; it is 2 if a
detector named by --detector, or every detector, could not look at a run.`,
		Example: `  headroom detect runs/a
  headroom detect --detector freeze --fail-on warning runs/a
  headroom detect --detector slow-checkout.yaml runs/a
  headroom detect --param freeze.worst=0.2 --json runs/a`,
		Args: needArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			opts.Runs = args
			names, own, err := detectorFiles(env, opts.Detectors)
			if err != nil {
				return err
			}
			opts.Detectors, flags.p.Detectors = names, own
			if opts.Protocol, err = flags.protocol(); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runDetect(cmd.Context(), opts)
		},
	}
	fs := cmd.Flags()
	fs.StringArrayVar(&opts.Detectors, "detector", nil, "`NAME` of a detector, or the file of your own; repeatable (default: all; headroom detectors)")
	fs.Var(choiceValue{(*string)(&opts.FailOn), severities}, "fail-on", "status 1 if something this serious is found: `info|warning|serious` (default: never)")
	flags.addWindow(fs)
	flags.addParams(fs)
	addOutputFlags(cmd, &opts.Output)
	return cmd
}

func runDetect(ctx context.Context, opts *DetectOptions) error {
	env := opts.Env
	list, err := openRuns(env, opts.Runs)
	if err != nil {
		return err
	}
	measured, err := measureAll(ctx, env, opts.Output, list, opts.Protocol)
	if err != nil {
		return err
	}
	all := results(measured)
	for i := range all.Results {
		keepDetectors(&all.Results[i], opts.Detectors)
	}
	if opts.JSON {
		err = printJSON(env.Out, all)
	} else {
		err = printFindings(env.Out, env.Width(env.Out), list, all.Results)
	}
	if err != nil {
		return err
	}
	return detectStatus(all.Results, opts)
}

// keepDetectors leaves only what the named detectors found and looked at.
func keepDetectors(r *analyze.Result, names []string) {
	if len(names) == 0 {
		return
	}
	r.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f detect.Finding) bool { return !slices.Contains(names, f.Detector) })
	r.Looked = slices.DeleteFunc(slices.Clone(r.Looked), func(l analyze.Look) bool { return !slices.Contains(names, l.Detector) })
}

// detectStatus is 1 for a finding as serious as --fail-on, else 2 for a run that
// a named detector, or all of them, could not look at.
func detectStatus(rs []analyze.Result, opts *DetectOptions) error {
	blind := false
	for _, r := range rs {
		if opts.FailOn != "" && slices.ContainsFunc(r.Findings, func(f detect.Finding) bool { return atLeast(f.Severity, opts.FailOn) }) {
			return answered(exitcode.Failed)
		}
		blind = blind || couldNotLook(r, opts.Detectors)
	}
	if blind {
		return answered(exitcode.CouldNotLook)
	}
	return nil
}

// couldNotLook reports whether one of the named detectors saw no scope of the
// run at all; without names, whether none of them did.
func couldNotLook(r analyze.Result, names []string) bool {
	could := map[string]bool{}
	for _, l := range r.Looked {
		could[l.Detector] = could[l.Detector] || l.Could
	}
	if len(names) == 0 {
		for _, c := range could {
			if c {
				return false
			}
		}
		return true
	}
	return slices.ContainsFunc(names, func(n string) bool { return !could[n] })
}

func atLeast(s, limit detect.Severity) bool {
	return slices.Index(severities, string(s)) >= slices.Index(severities, string(limit))
}

// causeOf says what a finding is put down to, "" where nobody asks that of its
// kind.
func causeOf(f detect.Finding) string {
	if f.Attribution == nil {
		return ""
	}
	return f.Attribution.Words()
}

// printFindings writes the findings of each run, then who could not look.
func printFindings(w io.Writer, width int, list []namedRun, rs []analyze.Result) error {
	for i, r := range rs {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s in %s\n", plain(list[i].path), counted(len(r.Findings), "finding"), plain(r.Run.ID))
		names := scopeNamesOf(r)
		found := &table{
			indent: "  ",
			head:   []string{"start", "length", "detector", "severity", "scope", "put down to", "what"},
			right:  []bool{false, true},
			note:   "what",
			below:  []string{"scope"},
		}
		for _, f := range r.Findings {
			found.add(milliseconds(f.Start), lengthText(f.Start, f.End), f.Detector, string(f.Severity), names.text(f.Scope), causeOf(f), f.Message)
		}
		if len(found.rows) > 0 {
			if err := found.write(w, width); err != nil {
				return err
			}
		}
		blind := &table{indent: "  ", head: []string{"could not look", "scope", "why"}, note: "why", below: []string{"scope"}}
		for _, l := range r.Looked {
			if !l.Could {
				blind.add(l.Detector, names.text(l.Scope), l.Why)
			}
		}
		if len(blind.rows) > 0 {
			if err := blind.write(w, width); err != nil {
				return err
			}
		}
	}
	return nil
}
