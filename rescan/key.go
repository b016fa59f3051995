package rescan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

// cacheFormat is raised when entries of the cache change their form.
const cacheFormat = 1

// configuration is the digest over everything but the run that a result is made
// from: the program, the certificate of its detectors and cases, the detectors of
// somebody's own, and the protocol with its parameters.
func configuration(program string, p analyze.Protocol) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "headroom rescan %d\nprogram %s\n", cacheFormat, program)
	if p.Calibration != nil {
		fmt.Fprintf(h, "detectors %s\n", p.Calibration.Digest)
	}
	own := slices.SortedFunc(slices.Values(p.Detectors), func(a, b *detect.Detector) int { return cmp.Compare(a.Name, b.Name) })
	for _, d := range own {
		fmt.Fprintf(h, "own %s %d %d\n%s\n", d.Name, d.Version, len(d.Definition), d.Definition)
	}
	p.Title = "" // no figure of a run depends on it
	rules, err := json.Marshal(p)
	if err != nil {
		return "", fmt.Errorf("protocol: %w", err)
	}
	h.Write(rules)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// runKey names the result of a run under a configuration.
func runKey(configuration, digest string) string {
	return keyOf("run", configuration, digest)
}

// documentKey names the document that runs make, in this order.
func documentKey(configuration, title string, digests []string) string {
	return keyOf(append([]string{"document", configuration, title}, digests...)...)
}

func keyOf(parts ...string) string {
	text, err := json.Marshal(parts)
	if err != nil {
		panic(err) // strings always marshal
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// notesDigest tells whether notes were added to a run since: its digest does not.
func notesDigest(run *runs.Run) string {
	notes, err := run.Notes()
	text := fmt.Sprintf("%q", notes)
	if err != nil {
		text += withoutRun(err, run.Path()).Error()
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
