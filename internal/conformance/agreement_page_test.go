package conformance

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"headroom/internal/golden"
)

const agreementIntro = `# What the tools print of themselves

A load generator prints a summary, and headroom computes figures from what it recorded. Both are of one run, so they
must agree to the last digit that the tool prints, or there is a reason. This page holds the reasons, and is made of
them: ` + "`go test ./internal/conformance -run TestCorpusPrintedSummaries -update`" + ` writes it from the runs of the corpus, and
the test fails for a difference that is not listed here, for one that is not as it is explained, and for a reason that
no file needs any more.

When a run is ingested with its tool's report, the report stays in the manifest; a report that counts other requests
than the samples are, or other failures, is a warning at every figure that rests on them, and so at the latencies is
one whose p99 (else p95) lies further from the ranks beside the nearest than an estimate (2.5 %) and the printed digits
explain. A run that has nothing but a report quotes it, and is judged by nothing.

## What was compared

| tool | recordings | figures | equal, as far as printed | explained below | reports that stand alone |
|---|---|---|---|---|---|
`

const agreementDifferences = `
A recording is what one format holds of a run; its figures are counts, rates and latencies, of the run and of its parts.
Where only buckets were recorded a figure must lie in the bucket of its rank. Of reports that stand alone every figure
is one that the file holds, and files that report the same run are compared with each other.

## What differs, and why

| tool | figures | the tool | headroom | then a figure may be off by | largest difference seen |
|---|---|---|---|---|---|
`

// agreementPage keeps docs/formats/agreement.md equal to what was seen.
func agreementPage(t *testing.T, a *agreement) {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(agreementIntro)
	tools := map[string]bool{}
	for _, m := range []map[string]int{a.runs, a.quoted} {
		for tool := range m {
			tools[tool] = true
		}
	}
	for _, tool := range sortedNames(tools) {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", tool, a.runs[tool], a.figures[tool], a.equal[tool], a.explained[tool], a.quoted[tool])
	}
	b.WriteString(agreementDifferences)
	for i := range explanations {
		e := &explanations[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", e.tool, figureNames(e.figures), e.theirs, e.ours, e.bound(), a.largest[e].text())
	}
	b.WriteString("\n")
	for _, tool := range sortedNames(aloneTools) {
		fmt.Fprintf(&b, "%s prints its records or its report, never both of one run (%s): each of its files is compared with itself alone.\n", tool, aloneTools[tool])
	}
	golden.Equal(t, filepath.Join(moduleRoot(t), "docs", "formats", "agreement.md"), b.Bytes())
}

// figureNames names figures; percentiles are one.
func figureNames(ids []string) string {
	var out []string
	for _, id := range ids {
		if percentileName.MatchString(strings.TrimPrefix(id, "latency.")) && len(ids) > 2 {
			id = "latency.p*"
		}
		if id = "`" + id + "`"; len(out) == 0 || out[len(out)-1] != id {
			out = append(out, id)
		}
	}
	return strings.Join(out, ", ")
}

// text says what differed.
func (d difference) text() string {
	file := "`" + d.file + "`"
	of := d.figure.id
	if d.figure.of != "" {
		of += " of " + strings.TrimPrefix(d.figure.of, "k6.")
	}
	if d.none {
		return fmt.Sprintf("%s: %s is %s, and headroom has none, since no request was ok", file, of, d.value(d.figure.value))
	}
	return fmt.Sprintf("%s: %s is %s, computed %s", file, of, d.value(d.figure.value), d.value(d.own))
}

func (d difference) value(v float64) string {
	switch id := d.figure.id; {
	case strings.HasPrefix(id, "latency."):
		return fmt.Sprintf("%.5g ms", v*1e3)
	case id == "rate" || strings.HasPrefix(id, "throughput."):
		return fmt.Sprintf("%.6g/s", v)
	}
	return fmt.Sprintf("%g", v)
}
