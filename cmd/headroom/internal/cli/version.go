package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Version says which build this is. Empty fields are not known: a test binary
// or a build without version control has no commit.
type Version struct {
	Version  string `json:"version"` // "v1.2.3", or "devel"
	Commit   string `json:"commit,omitempty"`
	Time     string `json:"time,omitempty"` // of the commit, RFC 3339
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// buildVersion reads the stamp that the Go tool left in the program.
func buildVersion() Version {
	v := Version{Version: "devel", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if m := info.Main.Version; m != "" && m != "(devel)" {
		v.Version = m
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// String is the version on one line.
func (v Version) String() string {
	s := "headroom " + v.Version
	if len(v.Commit) >= 12 {
		s += " " + v.Commit[:12]
	}
	if v.Modified {
		s += " (modified)"
	}
	return s + " " + v.Go + " " + v.Platform
}

// VersionOptions are the flags of `headroom version`.
type VersionOptions struct {
	Env *Env
	Output
}

func newVersionCmd(env *Env, runF func(*VersionOptions) error) *cobra.Command {
	opts := &VersionOptions{Env: env}
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print which build this is",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			if runF != nil {
				return runF(opts)
			}
			return runVersion(opts)
		},
	}
	addOutputFlags(cmd, &opts.Output)
	return cmd
}

func runVersion(opts *VersionOptions) error {
	v := buildVersion()
	if opts.JSON {
		return printJSON(opts.Env.Out, v)
	}
	_, err := fmt.Fprintln(opts.Env.Out, v)
	return err
}
