package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"headroom/analyze"
	"headroom/analyze/calibrate"
	"headroom/internal/exitcode"
)

// CalibrateOptions are the flags of `headroom calibrate`.
type CalibrateOptions struct {
	Env *Env
	Output
	Cases bool // the six cases only
	Full  bool // the whole simulated corpus
}

// calibrateJSON is the answer of `headroom calibrate --json`.
type calibrateJSON struct {
	analyze.Calibration
	Scorecard *calibrate.Card `json:"scorecard,omitempty"`
}

func newCalibrateCmd(env *Env, runF func(context.Context, *CalibrateOptions) error) *cobra.Command {
	opts := &CalibrateOptions{Env: env}
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Check the detectors against runs whose truth is known",
		Long: `Look at built-in runs whose truth is known exactly, and print CALIBRATED or
what was misjudged. Six cases are looked at before every real run as well; this
command then simulates a corpus of runs with planted freezes, with causes and
with nothing at all, and prints how many were found, at which phases, how far
off, and how much was found that was not there.

The status is 2 if a case or a bound of the corpus is missed: nothing that such
a headroom says of a real run is to be believed.`,
		Example: `  headroom calibrate
  headroom calibrate --cases`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opts.Cases && opts.Full {
				return usagef("calibrate: --cases and --full exclude each other")
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runCalibrate(cmd.Context(), opts)
		},
	}
	cmd.Flags().BoolVar(&opts.Cases, "cases", false, "the six cases only")
	cmd.Flags().BoolVar(&opts.Full, "full", false, "the whole corpus; takes minutes")
	addOutputFlags(cmd, &opts.Output)
	return cmd
}

func runCalibrate(ctx context.Context, opts *CalibrateOptions) error {
	cert, err := calibrate.SixCases()
	if err != nil {
		return err
	}
	answer := calibrateJSON{Calibration: cert}
	if !opts.Cases {
		meter := newProgress(opts.Env, opts.Output)
		meter.draw("simulating the corpus")
		answer.Scorecard, err = calibrate.Score(ctx, opts.Full)
		meter.clear()
		if err != nil {
			return err
		}
	}
	if opts.JSON {
		err = printJSON(opts.Env.Out, answer)
	} else {
		err = printCalibration(opts.Env, answer)
	}
	if err != nil {
		return err
	}
	if !cert.Calibrated || answer.Scorecard != nil && !answer.Scorecard.Met() {
		return answered(exitcode.CouldNotLook)
	}
	return nil
}

func printCalibration(env *Env, a calibrateJSON) error {
	w := env.Out
	for _, f := range a.Failed {
		fmt.Fprintf(w, "NOT CALIBRATED: %s\n", f)
	}
	if a.Scorecard != nil {
		t := &table{
			head: []string{"rule", "what", "of", "figure", "95 %", "n", "must be"}, right: []bool{false, false, false, true, false, true},
			below: []string{"of"},
		}
		for _, r := range a.Scorecard.Rows {
			interval, must := "", r.Must
			if r.High > 0 {
				interval = fmt.Sprintf("%.3f-%.3f", r.Low, r.High)
			}
			if !r.Met {
				must += ": MISSED"
			}
			t.add(r.Rule, r.What, r.Of, withUnit(rounded(r.Value), r.Unit), interval, fmt.Sprint(r.N), must)
		}
		if err := t.write(w, env.Width(w)); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if a.Calibrated && (a.Scorecard == nil || a.Scorecard.Met()) {
		_, err := fmt.Fprintf(w, "CALIBRATED (six cases), certificate %s\n", a.Digest[:16])
		return err
	}
	_, err := fmt.Fprintln(w, "NOT CALIBRATED: see what was missed")
	return err
}

// rounded keeps four decimals, as the scorecard does.
func rounded(v float64) float64 { return float64(int64(v*1e4+0.5)) / 1e4 }

// calibrated looks at the six cases before anything real is looked at, and
// returns the certificate that results carry.
func calibrated() (*analyze.Calibration, error) {
	cert, err := calibrate.SixCases()
	if err != nil {
		return nil, err
	}
	if !cert.Calibrated {
		return nil, lookf("not calibrated: %s; nothing is said of a real run", cert.Failed[0])
	}
	return &cert, nil
}
