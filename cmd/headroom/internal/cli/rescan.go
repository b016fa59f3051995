package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"headroom/analyze"
	"headroom/internal/exitcode"
	"headroom/rescan"
)

// RescanOptions are the flags of `headroom rescan`.
type RescanOptions struct {
	Env *Env
	Output
	Archive   string
	Detectors []string // names; none: all
	Against   []string // documents, and folders of them
	Jobs      int64
	Cache     string
	Verify    bool
	Protocol  analyze.Protocol
}

// maxJobs bounds --jobs: each takes the memory of a run.
const maxJobs = 256

func newRescanCmd(env *Env, runF func(context.Context, *RescanOptions) error) *cobra.Command {
	opts := &RescanOptions{Env: env}
	var flags protocolFlags
	cmd := &cobra.Command{
		Use:   "rescan ARCHIVE",
		Short: "Measure an archive again and say what changes in what was published",
		Long: `Measure all runs below a folder again, with today's detectors and those of your
own, and say for each run which findings are new, gone or changed and where
nobody could look; and for each figure, verdict and sentence of the documents
that used it whether it is unchanged, changed (old → new) or could not be looked
at. Without --against, the runs are compared with the scan before that used
other detectors, parameters or another headroom.

Results are kept in derived/rescan in the archive, or in --cache: what did not
change is not measured twice, and a scan that was stopped goes on where it was.

The status is 0 if nothing changes, 1 if something does: a document is stale; 2
if something could not be looked at: a run that is missing or not as it was
sealed, or evidence that a detector needs.`,
		Example: `  headroom rescan runs
  headroom rescan --detector slow-checkout.yaml runs
  headroom rescan --against page runs --json | jq -r '.documents[].statement'`,
		Args: oneArg("ARCHIVE"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			opts.Archive = args[0]
			names, own, err := detectorFiles(env, opts.Detectors)
			if err != nil {
				return err
			}
			opts.Detectors, flags.p.Detectors = names, own
			if opts.Protocol, err = flags.protocol(); err != nil {
				return err
			}
			if opts.Jobs > maxJobs {
				return usagef("--jobs %d: at most %d", opts.Jobs, maxJobs)
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runRescan(cmd.Context(), opts)
		},
	}
	fs := cmd.Flags()
	fs.StringArrayVar(&opts.Detectors, "detector", nil, "`NAME` of a detector, or the file of your own: compare its findings only; repeatable (default: all)")
	fs.StringArrayVar(&opts.Against, "against", nil, "published document, or `SITE` folder of documents: every capacity.json below it; repeatable (default: the scan before)")
	fs.Var(positive[int64]{&opts.Jobs, parseInt, "N"}, "jobs", "runs that are measured at a time, `N`; each takes the memory of one (default: a processor each)")
	fs.StringVar(&opts.Cache, "cache", "", "`DIR` that keeps results (default: derived/rescan in ARCHIVE, if that can be written)")
	fs.BoolVar(&opts.Verify, "verify", false, "read every byte of every run and compare it with its seal, not only the manifest")
	flags.addParams(fs)
	addOutputFlags(cmd, &opts.Output)
	return cmd
}

func runRescan(ctx context.Context, opts *RescanOptions) (err error) {
	env := opts.Env
	defer func() {
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			err = usagef("interrupted; what was measured is kept, and the next scan goes on from there")
		}
	}()
	archive, err := rescan.List(ctx, env.Path(opts.Archive))
	switch {
	case err != nil && ctx.Err() == nil:
		return lookf("%s: %w", opts.Archive, pathless(err))
	case err != nil:
		return err
	case len(archive.Runs) == 0:
		return lookf("%s: holds no run (no run.json in it or below it)", opts.Archive)
	}
	scanner, err := newScanner(opts, archive)
	if err != nil {
		return err
	}
	defer scanner.Close()
	report, err := scanner.Scan(ctx)
	if err != nil {
		return err
	}
	if opts.JSON {
		err = printJSON(env.Out, report)
	} else {
		err = printRescan(env.Out, env.Width(env.Out), opts.Archive, report)
	}
	if err != nil {
		return err
	}
	if err := scanner.Remember(); err != nil {
		return fmt.Errorf("%w: %w", rescan.ErrCache, err)
	}
	sayScanned(opts, scanner)
	switch report.Outcome {
	case rescan.Changed:
		return answered(exitcode.Failed)
	case rescan.CouldNotLook:
		return answered(exitcode.CouldNotLook)
	}
	return nil
}

// newScanner prepares the scan that the flags ask for.
func newScanner(opts *RescanOptions, archive *rescan.Archive) (*rescan.Scanner, error) {
	env := opts.Env
	against, err := documentsOf(env, opts.Against)
	if err != nil {
		return nil, err
	}
	if opts.Protocol.Calibration, err = calibrated(); err != nil {
		return nil, err
	}
	program, err := programDigest()
	if err != nil {
		return nil, err
	}
	jobs := int(opts.Jobs)
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	env.limitMemory(max(leastMemory, archive.Largest()*sampleMemory*int64(min(jobs, len(archive.Runs)))))
	cache := opts.Cache
	if cache != "" {
		cache = env.Path(cache)
	}
	meter := newProgress(env, opts.Output)
	scanner, err := rescan.New(archive, rescan.Options{
		Protocol: opts.Protocol, Only: opts.Detectors, Program: program, Jobs: jobs, Cache: cache, Verify: opts.Verify, Against: against,
		Progress: func(p rescan.Progress) {
			meter.draw("%d runs: %d measured, %d from the cache", p.Of, p.Measured, p.Cached)
			if p.Measured+p.Cached+p.Failed >= p.Of {
				meter.clear()
			}
		},
	})
	if errors.Is(err, rescan.ErrCache) {
		return nil, usagef("--cache %s: %w", opts.Cache, err)
	}
	return scanner, err
}

// documentsOf finds the documents behind the words of --against.
func documentsOf(env *Env, words []string) ([]rescan.Document, error) {
	var out []rescan.Document
	for _, word := range words {
		found, err := rescan.Documents(env.Path(word))
		if err != nil {
			return nil, lookf("--against %s: %w", word, pathless(err))
		}
		if len(found) == 0 {
			return nil, lookf("--against %s: holds no document (no capacity.json in it or below it)", word)
		}
		for _, rel := range found {
			out = append(out, rescan.Document{Name: filepath.ToSlash(filepath.Join(word, rel)), Path: filepath.Join(env.Path(word), rel)})
		}
	}
	return out, nil
}

// programDigest is the SHA-256 of this program: what another one measured is not
// taken for its own.
func programDigest() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// sayScanned says how much was measured: no part of the answer, which is the same
// whatever was kept.
func sayScanned(opts *RescanOptions, s *rescan.Scanner) {
	if opts.Quiet {
		return
	}
	done := s.Done()
	text := fmt.Sprintf("%d measured, %d from the cache, %d could not be looked at", done.Measured, done.Cached, done.Failed)
	if done.Combined > 0 {
		text += "; " + counted(done.Combined, "document") + " made again"
	}
	opts.Env.sayText("", text)
	if why := s.Kept(); why != "" {
		opts.Env.sayText("", "warning: "+why)
	}
}
