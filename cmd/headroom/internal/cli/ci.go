package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"headroom/analyze"
)

// annotation is a remark of GitHub Actions on a file, or on the job.
type annotation struct {
	level     string // error, warning
	file      string // as the user named it; "" for none
	line, col int    // 0 for none
	title     string
	text      string
}

// mostAnnotations is how many of a level GitHub shows of one step.
const mostAnnotations = 10

// annotate says something to GitHub Actions, where it runs the command. It goes to
// stderr, which the runner reads as it does stdout: stdout stays data.
func (e *Env) annotate(a annotation) {
	if e.Getenv("GITHUB_ACTIONS") != "true" || e.annotated[a.level] >= mostAnnotations {
		return
	}
	if e.annotated == nil {
		e.annotated = map[string]int{}
	}
	e.annotated[a.level]++
	fmt.Fprintln(e.Err, a.String())
}

// String is the annotation as a workflow command.
func (a annotation) String() string {
	var properties []string
	add := func(name, value string) {
		if value != "" && value != "0" {
			properties = append(properties, name+"="+workflowProperty(plain(value)))
		}
	}
	add("file", filepath.ToSlash(a.file))
	add("line", fmt.Sprint(a.line))
	add("col", fmt.Sprint(a.col))
	add("title", a.title)
	head := a.level
	if len(properties) > 0 {
		head += " " + strings.Join(properties, ",")
	}
	return "::" + head + "::" + workflowData(plain(a.text))
}

// workflowData escapes the message of a workflow command.
func workflowData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// workflowProperty escapes the value of a property, which a colon or a comma
// would end.
func workflowProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(workflowData(s))
}

// summarize appends a document's summary to that of the job, where GitHub Actions
// keeps one.
func (e *Env) summarize(out string) error {
	to := e.Getenv("GITHUB_STEP_SUMMARY")
	if to == "" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(e.Path(out), "summary.md"))
	if err != nil {
		return usagef("%s: %w", out, pathless(err))
	}
	f, err := os.OpenFile(to, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return usagef("GITHUB_STEP_SUMMARY: %w", err)
	}
	if _, err := f.Write(append(text, '\n')); err != nil {
		f.Close()
		return usagef("GITHUB_STEP_SUMMARY: %w", err)
	}
	return f.Close()
}

// annotateGates says which gates decided against a document.
func (e *Env) annotateGates(c *analyze.Capacity) {
	say := func(v analyze.Verdict, where string) {
		level := map[analyze.Outcome]string{analyze.Fail: "error", analyze.Unknown: "warning"}[v.Outcome]
		if level == "" || !v.Required {
			return
		}
		text := strings.TrimSpace(where + " " + string(v.Outcome))
		if v.Display != "" {
			text += ": got " + v.Display
		}
		if v.Want != "" {
			text += ", want " + v.Want
		}
		if v.Why != "" {
			text += ". " + v.Why
		}
		e.annotate(annotation{level: level, title: v.Gate, text: text})
	}
	if c.Outcome == analyze.Pass {
		return
	}
	for _, v := range c.Verdicts {
		say(v, v.Scope.Configuration)
	}
	for i := range c.Results {
		for _, v := range c.Results[i].Verdicts {
			say(v, c.Results[i].Run.ID)
		}
	}
}
