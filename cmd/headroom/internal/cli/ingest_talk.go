package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"headroom/ingest"
	"headroom/runs"
)

// showPaths names the files as they were typed.
func showPaths(env *Env, report *ingest.Report) {
	for i := range report.Files {
		report.Files[i].Path = env.Shown(report.Files[i].Path)
	}
}

// fileNames names the files of a report for people: by their base names, as the
// run does, but by their paths where several have one base name.
func fileNames(files []ingest.FileReport) []string {
	same := map[string]int{}
	for _, f := range files {
		same[baseName(f.Path)]++
	}
	names := make([]string, len(files))
	for i, f := range files {
		if names[i] = baseName(f.Path); same[names[i]] > 1 {
			names[i] = f.Path
		}
	}
	return names
}

// baseName is the base name of a file; "-" is the standard input.
func baseName(path string) string {
	if path == "-" {
		return "standard input"
	}
	return filepath.Base(path)
}

// badTold is how many bad lines of a file are told; the manifest keeps more.
const badTold = 3

// sayRun tells what was read from each file, what could not be, and what was
// noticed about it; then what was noticed about the run.
func sayRun(env *Env, o Output, run *runs.Run, report *ingest.Report) {
	if o.Quiet {
		return
	}
	names := fileNames(report.Files)
	notes := run.Manifest().Notes
	for i, f := range report.Files {
		gave := f.Gave
		if gave == "" {
			gave = counted(int(f.Rows), "row")
		}
		line := fmt.Sprintf("%s: %s, %s", names[i], f.Format, gave)
		if f.Role != "" {
			line += ", " + f.Role
		}
		if f.First != "" {
			line += ", " + milliseconds(f.First) + " to " + milliseconds(f.Last)
		}
		env.sayText("", line)
		if f.BadLines > 0 {
			env.sayText("  ", fmt.Sprintf("warning: %s could not be read; the first:", counted(int(f.BadLines), "line")))
		}
		for _, bad := range f.Bad[:min(len(f.Bad), badTold)] {
			env.sayText("  ", "warning: "+bad)
		}
		for _, note := range f.Notes {
			env.sayText("  ", note)
		}
		notes = sayNotesOf(env, names[i], notes)
	}
	for _, note := range notes {
		env.sayText("", "note: "+note)
	}
}

// sayNotesOf tells the notes of a run that begin with the name of a file, without
// it, and returns the others.
func sayNotesOf(env *Env, name string, notes []string) (others []string) {
	for _, note := range notes {
		rest, ok := strings.CutPrefix(note, name)
		if ok && (strings.HasPrefix(rest, " holds ") || strings.HasPrefix(rest, ": ")) {
			env.sayText("  ", strings.TrimPrefix(rest, ": "))
			continue
		}
		others = append(others, note)
	}
	return others
}
