package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"headroom/analyze"
	"headroom/internal/exitcode"
	"headroom/render"
	"headroom/render/check"
	"headroom/render/prose"
	"headroom/render/redact"
	"headroom/render/secrets"
	"headroom/render/site"
)

// ReportPublishOptions are the flags of `headroom report publish`.
type ReportPublishOptions struct {
	Env *Env
	Output
	Outs   []string // folders of documents
	Site   string
	Name   string
	Date   time.Time
	Title  string
	URL    string
	Redact bool
	Wait   time.Duration // for another publisher
}

// defaultWait is how long a publisher waits for another one.
const defaultWait = time.Minute

func newReportPublishCmd(env *Env, runF func(context.Context, *ReportPublishOptions) error) *cobra.Command {
	opts := &ReportPublishOptions{Env: env, Wait: defaultWait}
	cmd := &cobra.Command{
		Use:   "publish OUT… --site DIR",
		Short: "Put a built document into a static site, beside its earlier versions",
		Long: `Put documents that report build wrote into a static site: a list of documents,
the versions of each by the date of their measurement, the trend of their
headlines, and an Atom feed. Earlier versions keep their figures and point to
the newest. A document that the site has already changes nothing.

Refused, with the reason and status 1, is a document that report check calls
stale, one whose rates are withheld for want of reconciliation or of a record of
contention, and a folder that holds a private key, a token, a password or a
connection string with one: the place is named, not the secret.

What rests on a run that was withdrawn is published and says so: on its own
page, in every list, and on the earlier versions that used that run. A document
whose title was made of its protocol alone needs a --name.

The same documents give the same site. Several publishers may use one folder at
a time; jobs that each have a copy of it publish into a fresh copy again, see
docs/publish.md.`,
		Example: `  headroom report publish page --site site
  headroom report publish page --site site --redact
  headroom report publish page --site site --name checkout --date 2026-08-17`,
		Args: needArgs("OUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Outs = args
			if opts.Site == "" {
				return usagef("report publish: say where the site is with --site DIR")
			}
			if len(args) > 1 && opts.Name != "" {
				return usagef("report publish: --name is for one document, %d are given", len(args))
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runReportPublish(cmd.Context(), opts)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&opts.Site, "site", "", "`DIR` of the site; it is made if there is none")
	fs.StringVar(&opts.Name, "name", "", "`NAME` of the document's folder in the site: lower case letters, digits, hyphens (default: from its title)")
	fs.Var(dateValue{&opts.Date}, "date", "date of the version, a day or RFC 3339 (default: the start of its last run)")
	fs.StringVar(&opts.Title, "title", "", "`TITLE` of the site (default: what it has)")
	fs.StringVar(&opts.URL, "url", "", "`URL` where the site is served, for whole addresses in the feed (default: what it has)")
	addRedact(fs, &opts.Redact)
	fs.Var(positive[time.Duration]{&opts.Wait, parseDuration, "D"}, "wait", "wait at most `D` for another publisher")
	addOutputFlags(cmd, &opts.Output)
	return cmd
}

// publishedReport is the answer of `headroom report publish --json` about one
// document.
type publishedReport struct {
	*site.Report
	Out     string             `json:"out"`
	Page    string             `json:"page,omitempty"`
	Refused []string           `json:"refused"` // the reasons
	Stale   []check.Difference `json:"stale"`
	Secrets []secrets.Leak     `json:"secrets"`
}

func runReportPublish(ctx context.Context, opts *ReportPublishOptions) error {
	answers, refused := []*publishedReport{}, false
	for _, out := range opts.Outs {
		answer, err := publish(ctx, opts, out)
		if err != nil {
			return err
		}
		answers, refused = append(answers, answer), refused || len(answer.Refused) > 0
		if !opts.JSON {
			if err := sayPublished(opts, answer); err != nil {
				return err
			}
		}
	}
	if opts.JSON {
		if err := printJSON(opts.Env.Out, map[string]any{"site": opts.Site, "documents": answers}); err != nil {
			return err
		}
	}
	if refused {
		return answered(exitcode.Failed)
	}
	return nil
}

// publish looks at one document, and puts it into the site unless something
// speaks against it.
func publish(ctx context.Context, opts *ReportPublishOptions, out string) (*publishedReport, error) {
	env := opts.Env
	answer := &publishedReport{Out: out, Refused: []string{}, Stale: []check.Difference{}, Secrets: []secrets.Leak{}}
	files, err := readDocument(env, out)
	if err != nil {
		return nil, err
	}
	list, c, err := check.Alone(files)
	if len(list) > 0 {
		answer.Stale = list
		answer.Refused = append(answer.Refused, fmt.Sprintf("it is stale: %s; build it again, see headroom report check", countText(len(list), "place")))
		return answer, nil
	}
	if err != nil {
		return nil, lookf("%s: %w", out, err)
	}
	problems, err := render.Prose(c, false)
	if err != nil {
		return nil, lookf("%s: %w", out, err)
	}
	for _, p := range prose.Faults(problems) {
		answer.Refused = append(answer.Refused, "its prose is wrong: "+p.String())
	}
	for _, o := range obstacles(c) {
		if opts.Name == "" || !aboutTitle(o) {
			answer.Refused = append(answer.Refused, o.String())
		}
	}
	if opts.Redact {
		c = redact.Capacity(c)
		if files, err = render.Files(c, render.Options{Version: check.Version(files)}); err != nil {
			return nil, fmt.Errorf("rendering: %w", err)
		}
	}
	if answer.Secrets, err = leaks(env, out, files); err != nil {
		return nil, err
	}
	if n := len(answer.Secrets); n > 0 {
		answer.Refused = append(answer.Refused, fmt.Sprintf("%s of the folder may not be published: a secret stands there", countText(n, "line")))
	}
	if len(answer.Refused) > 0 {
		return answer, nil
	}
	answer.Report, err = putInSite(ctx, opts, site.Document{Name: opts.Name, Date: opts.Date, Files: files, Capacity: c, Show: analyze.Display})
	if err != nil {
		return nil, err
	}
	answer.Page = filepath.Join(opts.Site, answer.Document, answer.Version, indexName)
	return answer, nil
}

// betweenTries is how long a publisher sleeps before it asks for the site again.
const betweenTries = 20 * time.Millisecond

// putInSite publishes a document; while another publisher has the site it waits,
// up to the limit.
func putInSite(ctx context.Context, opts *ReportPublishOptions, d site.Document) (*site.Report, error) {
	giveUp := time.NewTimer(opts.Wait)
	defer giveUp.Stop()
	for {
		report, err := site.Publish(opts.Env.Path(opts.Site), d, site.Options{Title: opts.Title, URL: opts.URL})
		switch {
		case errors.Is(err, site.ErrUntitled):
			return nil, usagef("report publish: %w; say of which document it is a version with --name NAME, or build it with a title (--title TEXT, or title: in the study)", err)
		case errors.Is(err, site.ErrEarly):
			return nil, usagef("report publish: --date %w; give the day of the measurement or a later one, or none", err)
		case errors.Is(err, site.ErrTaken):
			return nil, usagef("report publish: %w; say with --name NAME of which document it is a version, or of a new one", err)
		case errors.Is(err, site.ErrNoDate):
			return nil, usagef("report publish: %w; say which date it has with --date", err)
		case errors.Is(err, site.ErrName):
			return nil, usagef("report publish: --name %w", err)
		case err != nil && !errors.Is(err, site.ErrBusy):
			return nil, usagef("--site %s: %w", opts.Site, pathless(err))
		case err == nil:
			return report, nil
		}
		select {
		case <-ctx.Done():
			return nil, usagef("interrupted while another publisher has %s; nothing was published", opts.Site)
		case <-giveUp.C:
			return nil, usagef("--site %s: %w, for more than %s; nothing was published: try again, or wait longer with --wait", opts.Site, site.ErrBusy, opts.Wait)
		case <-time.After(betweenTries):
		}
	}
}

// sayPublished prints what became of a document.
func sayPublished(opts *ReportPublishOptions, a *publishedReport) error {
	env := opts.Env
	if err := writePlaces(env, a.Out, changesOf(a.Stale), mostPlaces, "headroom report check --all "+a.Out+" prints them"); err != nil {
		return err
	}
	for _, l := range a.Secrets {
		l.File = filepath.Join(a.Out, filepath.FromSlash(l.File))
		if _, err := fmt.Fprintln(env.Out, plain(l.String())); err != nil {
			return err
		}
		env.annotate(annotation{level: "error", file: l.File, line: l.Line, title: "secret", text: l.Kind})
	}
	if len(a.Refused) > 0 {
		for _, why := range a.Refused {
			if _, err := fmt.Fprintln(env.Out, plain(a.Out+": not published: "+why)); err != nil {
				return err
			}
			env.annotate(annotation{level: "error", title: "not published", text: why})
		}
		return nil
	}
	if opts.Quiet {
		return nil
	}
	line := fmt.Sprintf("%s: %s", a.Page, a.State)
	if a.Version != a.Newest {
		line += ", superseded by " + a.Newest
	}
	for _, w := range a.Withdrawn {
		env.sayText("", plain(fmt.Sprintf("warning: %s: run %s was withdrawn, %s; every page of the site that rests on it says so", a.Out, w.ID, w.Why)))
	}
	_, err := fmt.Fprintln(env.Out, line)
	return err
}
