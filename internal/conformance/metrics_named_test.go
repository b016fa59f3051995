package conformance

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headroom/detect"
)

// families are metrics whose last words a source or its user chooses, by prefix,
// with how docs/format/metrics.md writes them.
var families = map[string]string{
	"cloudwatch.": "`cloudwatch.<label>`", "prometheus.": "`prometheus.<name>`", "sql.": "`sql.<column>`", "pi.": "`pi.<metric>`",
	"postgres.database.": "`postgres.database.<column>`", "postgres.table.": "`postgres.table.<column>`", "postgres.index.": "`postgres.index.<column>`",
	"postgres.replication.": "`postgres.replication.<column>`",
	"postgres.relation.":    "`postgres.relation.<column>`", "postgres.server.": "`postgres.server.<column>`",
	"cpu.foreign": "`cpu.foreign`",                                // computed
	"app.pruned":  "`app.pruned`", "queue.depth": "`queue.depth`", // of a mapping
}

// composed are beginnings to which a source adds the rest: a device's layer, the
// resource and kind of a pressure.
var composed = []string{"rds.physical_disk.", "rds.disk.", "pressure."}

// Every metric that a detector or a cause names is in docs/format/metrics.md, and
// something writes it: a case of an importer brings it forth, or the source of an
// importer or of capture has it. A rule over a name that nobody writes could look
// at nothing, for ever.
func TestMetricsOfDetectorsAreWritten(t *testing.T) {
	root := moduleRoot(t)
	page, err := os.ReadFile(filepath.Join(root, "docs", "format", "metrics.md"))
	noError(t, "metrics.md", err)
	written := writtenNames(t, root)
	metrics := detect.Metrics(detect.All)
	for _, metric := range metrics {
		family := ""
		for prefix, pattern := range families {
			if strings.HasPrefix(metric, prefix) {
				family = pattern
			}
		}
		switch {
		case family != "" && !strings.Contains(string(page), family):
			t.Errorf("%s: docs/format/metrics.md does not have %s", metric, family)
		case family == "" && !strings.Contains(string(page), "`"+metric+"`"):
			t.Errorf("%s is not in docs/format/metrics.md", metric)
		case family == "" && !written[metric] && !slices.ContainsFunc(composed, func(p string) bool { return strings.HasPrefix(metric, p) && written[p] }):
			t.Errorf("%s: no case of an importer and no source of capture or ingest writes it", metric)
		}
	}
	if len(metrics) < 20 {
		t.Errorf("only %d metrics are named: %v", len(metrics), metrics)
	}
}

// Every kind of marker that a detector or a cause names is in the page, too.
func TestKindsOfDetectorsAreWritten(t *testing.T) {
	root := moduleRoot(t)
	page, err := os.ReadFile(filepath.Join(root, "docs", "format", "metrics.md"))
	noError(t, "metrics.md", err)
	for _, kind := range markerKinds(t, root) {
		if !strings.Contains(string(page), "`"+kind+"`") {
			t.Errorf("%s is not in docs/format/metrics.md", kind)
		}
	}
}

var kindLine = regexp.MustCompile(`(?m)^kinds: \[(.*)\]`)

// markerKinds are those that causes and rules name.
func markerKinds(t *testing.T, root string) []string {
	var out []string
	for _, c := range detect.Causes {
		for _, trace := range append(slices.Clone(c.Evidence), c.Signature...) {
			out = append(out, trace.Markers...)
		}
	}
	for _, d := range detect.All {
		if found := kindLine.FindStringSubmatch(d.Definition); found != nil {
			out = append(out, strings.Split(found[1], ", ")...)
		}
	}
	if len(out) < 4 {
		t.Fatalf("only %d kinds of markers are named", len(out))
	}
	return out
}

var metricForm = regexp.MustCompile(`[a-z]+(?:\.[A-Za-z0-9_]+)+`)

// writtenNames are the words of a metric's form in what cases of importers bring
// forth, and in the source of the rooms that write points.
func writtenNames(t *testing.T, root string) map[string]bool {
	out := map[string]bool{}
	for _, pattern := range []string{"ingest/testdata/*/*.txtar", "ingest/*.go", "capture/*.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		noError(t, pattern, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			noError(t, file, err)
			for _, word := range metricForm.FindAllString(string(text), -1) {
				out[word] = true
			}
			for _, beginning := range composed {
				out[beginning] = out[beginning] || strings.Contains(string(text), `"`+beginning)
			}
		}
	}
	return out
}
