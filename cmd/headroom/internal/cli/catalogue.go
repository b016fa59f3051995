package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"headroom/internal/near"
)

// catalogue is a list of things that headroom knows by name (formats,
// detectors, gates), printed from the values that do the work.
type catalogue struct {
	noun, one   string // "formats", "format"
	short, long string
	example     string
	entries     func() []entry
}

// entry is one thing of a catalogue.
type entry struct {
	name  string
	doc   string // the first line is the title
	facts []fact // printed below the manual
	json  any
}

// fact is a titled part of an entry: lines, or a table.
type fact struct {
	title string
	lines []string
	table *table
	text  string // as it is, whatever the width
}

// title is the first line of the manual.
func (e entry) title() string {
	line, _, _ := strings.Cut(e.doc, "\n")
	return strings.TrimSpace(line)
}

// CatalogueOptions are the flags of `headroom formats`, `detectors` and `gates`.
type CatalogueOptions struct {
	Env *Env
	Output
	Name string // "" lists all

	of catalogue
}

// newCatalogueCmd returns the noun with its verbs ls and show; the noun alone
// lists, and with a name it shows.
func newCatalogueCmd(env *Env, of catalogue, runF func(*CatalogueOptions) error) *cobra.Command {
	run := func(opts *CatalogueOptions, name string) error {
		opts.Name = name
		if runF != nil {
			return runF(opts)
		}
		return runCatalogue(opts)
	}
	verb := func(use, short string, args cobra.PositionalArgs) *cobra.Command {
		opts := &CatalogueOptions{Env: env, of: of}
		cmd := &cobra.Command{
			Use: use, Short: short, Args: args,
			RunE: func(_ *cobra.Command, args []string) error { return run(opts, strings.Join(args, "")) },
		}
		cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return of.names(), cobra.ShellCompDirectiveNoFileComp
		}
		addOutputFlags(cmd, &opts.Output)
		return cmd
	}
	noun := verb(of.noun+" [NAME]", of.short, atMostOne(of.one))
	noun.Long, noun.Example = of.long, of.example
	ls := verb("ls", "List the "+of.noun, noArgs)
	ls.Aliases = []string{"list"}
	noun.AddCommand(
		ls,
		verb("show NAME", "Print the manual of one "+of.one, oneArg("name of a "+of.one)),
	)
	return noun
}

func (of catalogue) names() []string {
	var names []string
	for _, e := range of.entries() {
		names = append(names, e.name)
	}
	return names
}

func runCatalogue(opts *CatalogueOptions) error {
	all := opts.of.entries()
	if opts.Name == "" {
		return listCatalogue(opts, all)
	}
	i := slices.IndexFunc(all, func(e entry) bool { return e.name == opts.Name })
	if i < 0 {
		meant := near.DidYouMean(opts.Name, opts.of.names())
		if meant == "" {
			meant = "; headroom " + opts.of.noun + " lists those that there are"
		}
		return usagef("%s: there is no %s %q%s", opts.of.noun, opts.of.one, opts.Name, meant)
	}
	if opts.JSON {
		return printJSON(opts.Env.Out, all[i].json)
	}
	return showEntry(opts, all[i])
}

func listCatalogue(opts *CatalogueOptions, all []entry) error {
	if opts.JSON {
		list := make([]any, len(all))
		for i, e := range all {
			list[i] = e.json
		}
		return printJSON(opts.Env.Out, map[string]any{opts.of.noun: list})
	}
	t := &table{head: []string{opts.of.one, "what"}}
	for _, e := range all {
		t.add(e.name, e.title())
	}
	return t.write(opts.Env.Out, opts.Env.Width(opts.Env.Out))
}

func showEntry(opts *CatalogueOptions, e entry) error {
	w := opts.Env.Out
	_, body, _ := strings.Cut(e.doc, "\n")
	width := opts.Env.Width(w)
	writeManual(w, width, e.name+": "+e.title())
	if body = strings.Trim(body, "\n"); body != "" {
		fmt.Fprintln(w)
		writeManual(w, width, body)
	}
	for _, f := range e.facts {
		if len(f.lines) == 0 && f.table == nil && f.text == "" {
			continue
		}
		fmt.Fprintf(w, "\n%s:\n", f.title)
		for _, line := range f.lines {
			writeText(w, width, "  ", line)
		}
		for line := range strings.Lines(f.text) {
			fmt.Fprintf(w, "  %s", line)
		}
		if f.table != nil {
			if err := f.table.write(w, width); err != nil {
				return err
			}
		}
	}
	return nil
}
