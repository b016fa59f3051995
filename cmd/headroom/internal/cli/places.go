package cli

import (
	"os"
	"slices"

	"github.com/spf13/pflag"

	"headroom/ingest"
)

// places records where, among the arguments, flags that are about the
// arguments beside them stood: --run NAME FILE…, --before FILE…, --after FILE….
type places struct {
	fs     *pflag.FlagSet
	groups []group
	roles  []roleMark
}

// group is `--run NAME FILE…`: the arguments from at to the next group are its
// files.
type group struct {
	name string
	at   int
}

// roleMark is --before or --after with its file. Arguments from at on may
// belong to it.
type roleMark struct {
	role  ingest.Role
	path  string
	at    int
	group int // how many groups had begun
}

// groupValue is the flag --run.
type groupValue struct{ p *places }

func (groupValue) Type() string   { return "NAME" }
func (groupValue) String() string { return "" }
func (v groupValue) Set(name string) error {
	v.p.groups = append(v.p.groups, group{name, v.p.fs.NArg()})
	return nil
}

// roleValue is the flag --before or --after.
type roleValue struct {
	p    *places
	role ingest.Role
}

func (roleValue) Type() string   { return "FILE" }
func (roleValue) String() string { return "" }
func (v roleValue) Set(path string) error {
	v.p.roles = append(v.p.roles, roleMark{v.role, path, v.p.fs.NArg(), len(v.p.groups)})
	return nil
}

// fileGroup is the files of one run to be.
type fileGroup struct {
	name  string // "" for the files outside any --run
	files []ingest.File
}

// split sorts the arguments into groups; the first is what stood before any
// --run. format tells the format of a file by its content, "" if it cannot.
func (p *places) split(args []string, format func(path string) string) []fileGroup {
	out := []fileGroup{{}}
	from := 0
	for i := 0; i <= len(p.groups); i++ {
		to := len(args)
		if i < len(p.groups) {
			to = p.groups[i].at
		}
		out[i].files = p.withRoles(args, from, to, i, format)
		if i < len(p.groups) {
			out = append(out, fileGroup{name: p.groups[i].name})
			from = to
		}
	}
	return out
}

// withRoles returns the arguments from..to of group n, and its role files. An
// argument that directly follows a role file and has its format, or holds counts
// as it does, shares the role, so that --before before.* takes all that the shell
// makes of it.
func (p *places) withRoles(args []string, from, to, n int, format func(string) string) []ingest.File {
	role := make([]ingest.Role, len(args))
	var files []ingest.File
	for k, m := range p.roles {
		if m.group != n {
			continue
		}
		files = append(files, ingest.File{Path: m.path, Role: m.role})
		end := to
		if k+1 < len(p.roles) {
			end = min(end, p.roles[k+1].at)
		}
		if m.at >= end {
			continue
		}
		want := format(m.path)
		for i := m.at; i < end && want != ""; i++ {
			if got := format(args[i]); got != want && !(holdsCounts(got) && holdsCounts(want)) {
				break
			}
			role[i] = m.role
		}
	}
	for i := from; i < to; i++ {
		files = append(files, ingest.File{Path: args[i], Role: role[i]})
	}
	return files
}

// holdsCounts reports whether files of a format are counts taken from a system,
// which mean nothing unless they are from before or after the load.
func holdsCounts(format string) bool {
	im, err := ingest.Lookup(ingest.All, format)
	return err == nil && slices.Contains(im.Gives, "manifest: before, after")
}

// formatOf returns the name of the format of a foreign file, "" if it has none
// or cannot be read: whoever reads the file then says why.
func formatOf(env *Env) func(path string) string {
	return func(path string) string {
		info, err := os.Stat(env.Path(path))
		if err != nil || !info.Mode().IsRegular() {
			return ""
		}
		f, err := os.Open(env.Path(path))
		if err != nil {
			return ""
		}
		defer f.Close()
		c, err := ingest.NewContent(path, f, ingest.Limits{})
		if err != nil {
			return ""
		}
		defer c.Close()
		im, err := ingest.Sniff(ingest.All, c.Head)
		if err != nil {
			return ""
		}
		return im.Name
	}
}
