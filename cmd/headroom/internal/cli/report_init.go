package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"headroom/analyze"
	"headroom/analyze/study"
	"headroom/runs"
)

// ReportInitOptions are the flags of `headroom report init`.
type ReportInitOptions struct {
	Env *Env
	Output
	Out  string // the study to write
	Runs []string
}

func newReportInitCmd(env *Env, runF func(context.Context, *ReportInitOptions) error) *cobra.Command {
	opts := &ReportInitOptions{Env: env}
	cmd := &cobra.Command{
		Use:   "init [-o STUDY] RUN…",
		Short: "Write a study of the runs at hand, to be edited",
		Long: `Write a study of runs, or of all runs of a folder: which of them make one
configuration, by their labels, and how each was measured, by the label that
varies. What it says builds as it stands; comments tell what can be added.

The study names its runs by paths that begin in its own folder, so it is
written above them. Beside it goes study.schema.json, by which editors complete
and check it. A study that exists is left as it is.`,
		Example: `  headroom report init -o all.yaml runs
  headroom report init -o study.yaml runs/a runs/b
  headroom report build study.yaml -o page`,
		Args: needArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Runs = args
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runReportInit(opts)
		},
	}
	cmd.Flags().StringVarP(&opts.Out, "out", "o", "study.yaml", "`STUDY` file to write")
	addOutputFlags(cmd, &opts.Output)
	return cmd
}

func runReportInit(opts *ReportInitOptions) error {
	env := opts.Env
	if !isStudy(env, opts.Out) {
		return usagef("report init: -o %s: a study is a file called *.yaml", opts.Out)
	}
	list, err := openRuns(env, opts.Runs)
	if err != nil {
		return err
	}
	var manifests []*runs.Manifest
	var paths, folders []string
	for _, r := range list {
		rel, err := below(env, filepath.Dir(opts.Out), r.path)
		if err != nil {
			return err
		}
		manifests, paths = append(manifests, r.run.Manifest()), append(paths, rel)
		folders = append(folders, filepath.Base(r.path))
	}
	text := study.Write(analyze.Propose(manifests, folders), paths)
	if _, err := study.Parse(opts.Out, text); err != nil {
		return fmt.Errorf("the study that was made is wrong: %w", err)
	}
	if err := writeNew(env, opts.Out, text); err != nil {
		return err
	}
	schema := filepath.Join(filepath.Dir(opts.Out), study.SchemaName)
	if err := writeNew(env, schema, study.Schema()); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if opts.JSON {
		return printJSON(env.Out, map[string]string{"study": opts.Out, "schema": schema})
	}
	_, err = fmt.Fprintln(env.Out, opts.Out)
	return err
}

// below returns the slash path of a run below the folder of a study.
func below(env *Env, dir, path string) (string, error) {
	from, err := filepath.Abs(env.Path(dir))
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(env.Path(path))
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(from, to)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", usagef("report init: %s lies outside of %s, where the study goes; a study stands above its runs: say where with -o", path, dir)
	}
	return filepath.ToSlash(rel), nil
}

// writeNew writes a file that does not exist.
func writeNew(env *Env, path string, text []byte) error {
	f, err := os.OpenFile(env.Path(path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return usagef("report init: %s exists; it is left as it is (%w)", path, fs.ErrExist)
	}
	if err != nil {
		return usagef("report init: %s: %w", path, pathless(err))
	}
	if _, err := f.Write(text); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}
