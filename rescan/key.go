package rescan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"headroom/analyze"
	"headroom/runs"
)

// cacheFormat is raised when entries of the cache change their form.
const cacheFormat = 2

// configuration is the digest over everything but the run that a result is made
// from: the program, the certificate of its detectors and cases, the detectors of
// somebody's own, and the protocol with its parameters.
func configuration(program string, p analyze.Protocol) (string, error) {
	c, err := circumstancesOf(program, p)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("protocol: %w", err)
	}
	return keyOf("configuration", fmt.Sprint(cacheFormat), string(text)), nil
}

// runKey names the result of a run under a configuration.
func runKey(configuration, digest string) string {
	return keyOf("run", configuration, digest)
}

// rulesKey names what a configuration is made of.
func rulesKey(configuration string) string { return keyOf("rules", configuration) }

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
