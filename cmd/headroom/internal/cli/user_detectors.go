package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"headroom/detect"
	"headroom/internal/exitcode"
	"headroom/internal/near"
	"headroom/internal/rule"
	"headroom/internal/yamlfile"
)

// detectorFiles splits --detector words into names of detectors and detectors
// read from files. What ends in .yaml or .yml, or holds a slash, is a file.
func detectorFiles(env *Env, words []string) (names []string, own []*detect.Detector, err error) {
	known := detectorNames(detect.All)
	for _, word := range words {
		if !isDetectorFile(word) {
			if !slices.Contains(known, word) {
				return nil, nil, usagef("detect: there is no detector %q%s", word, near.DidYouMean(word, known))
			}
			names = append(names, word)
			continue
		}
		d, err := readDetector(env, word)
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(known, d.Name) || slices.Contains(detectorNames(own), d.Name) {
			return nil, nil, nameTaken(word, d)
		}
		names, own = append(names, d.Name), append(own, d)
	}
	return names, own, nil
}

// nameTaken is the error of a file whose detector has the name of another one, at
// the place of the name.
func nameTaken(path string, d *detect.Detector) error {
	doc, err := yamlfile.Parse(path, []byte(d.Definition))
	if err != nil {
		return err
	}
	whose := "a file given before"
	if detect.Named(d.Name) != nil {
		whose = "a built-in detector"
	}
	err = doc.Errorf([]any{"name"}, "the name %q is taken by %s; give it one of its own", d.Name, whose)
	return &exitcode.Error{Code: exitcode.Usage, Err: err}
}

func isDetectorFile(word string) bool {
	return strings.HasSuffix(word, ".yaml") || strings.HasSuffix(word, ".yml") || strings.ContainsRune(word, '/')
}

func detectorNames(ds []*detect.Detector) []string {
	var names []string
	for _, d := range ds {
		names = append(names, d.Name)
	}
	return names
}

// maxDetectorFile is the largest file that is read, in bytes.
const maxDetectorFile = 1 << 20

func readDetector(env *Env, path string) (*detect.Detector, error) {
	f, err := os.Open(env.Path(path))
	if err != nil {
		return nil, looked(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxDetectorFile+1))
	if err != nil {
		return nil, looked(fmt.Errorf("%s: %w", path, err))
	}
	d, err := detect.ParseDetector(path, text)
	if err != nil {
		return nil, &exitcode.Error{Code: exitcode.Usage, Err: err}
	}
	return d, nil
}

func newDetectorsNewCmd(env *Env) *cobra.Command {
	var o Output
	cmd := &cobra.Command{
		Use: "new NAME", Short: "Write the start of a detector of your own to NAME.yaml",
		Long: `Write a detector that works, with every entry explained, to NAME.yaml,
and beside it detector.schema.json, by which editors complete and check
it. Files that exist are left as they are.`,
		Example: "  headroom detectors new slow-login",
		Args:    oneArg("name of the detector"),
		RunE:    func(_ *cobra.Command, args []string) error { return writeNewDetector(env, o, args[0]) },
	}
	addOutputFlags(cmd, &o)
	return cmd
}

// writeNewDetector writes a commented start of a detector to NAME.yaml, and
// beside it the schema by which editors complete and check it. An existing file
// is left alone.
func writeNewDetector(env *Env, o Output, name string) error {
	path := name + ".yaml"
	text := strings.ReplaceAll(newDetectorText, "NAME", name)
	if _, err := detect.ParseDetector(path, []byte(text)); err != nil {
		return usagef("detectors new: %q cannot be a name: lower case words joined by -, as slow-checkout", name)
	}
	made, err := createFile(env, path, text)
	if err != nil {
		return err
	}
	if !made {
		return usagef("detectors new: %s exists; it is left as it is", path)
	}
	if _, err := createFile(env, rule.SchemaName, string(rule.Schema())); err != nil {
		return err
	}
	if o.JSON {
		return printJSON(env.Out, map[string]string{"path": path, "schema": rule.SchemaName})
	}
	_, err = fmt.Fprintln(env.Out, path)
	return err
}

// createFile writes a file; one that exists is left as it is, and made is false.
func createFile(env *Env, path, text string) (made bool, err error) {
	f, err := os.OpenFile(env.Path(path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if _, err := f.WriteString(text); err != nil {
		return true, errors.Join(err, f.Close())
	}
	return true, f.Close()
}

// newDetectorText is a detector that works, to be changed.
const newDetectorText = rule.SchemaLine + `
# A detector of your own. Try it:  headroom detect --detector NAME.yaml RUN
# The language is described in docs/detectors.md; headroom detectors show error-burst
# prints a built-in detector that is written in it.
name: NAME
version: 1 # raise it when findings may change
doc: |
  What it looks for, in a line.
  Then what it sees, and in a sentence of its own what it does not.
  Cannot see: what nobody recorded.

# What is looked at: samples (requests), points (metrics), sessions (of the
# database), markers (log lines).
input: samples

# Keep only some rows: latency, op, target, worker, outcome, scenario.
rows: outcome == "ok"

# Windows of a second that slide, so that no grid decides. tumbling: a grid from
# the run's start; run: the whole run at once.
window: {kind: sliding, length: 1s, least: 20}

# When something is wrong with a window: n, p50, p99, max, failed, rejected,
# timeouts, dropped, rate, run_p50, run_p99, run_rate, share, group, groups.
# Latencies are in seconds, rates in 1/s: compare them with each other or with a
# parameter that says its unit, never with a bare number.
when: p99 > limit && p99 > 5 * run_p50

consecutive: 1 # so many windows in a row
merge: 1s      # findings closer than this are one
severity: warning # info, warning, serious

params:
  limit: {default: 0.2, unit: s, doc: p99 over this is wrong} # 200 ms

# Figures of a finding; the highest of its windows is kept.
measures:
  p99: p99
message: the tail was lifted
`
