package ingest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMetricsOfHostDocumented is TestMetricsDocumented of the sources that take
// their names from tables: every name in the tables, and every metric and marker
// that the cases bring forth, is in docs/format/metrics.md.
func TestMetricsOfHostDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "format", "metrics.md"))
	if err != nil {
		t.Fatal(err)
	}
	page, missing := string(text), map[string]bool{}
	check := func(name string) {
		for _, average := range []string{"_10s", "_60s", "_300s"} {
			name = strings.TrimSuffix(name, average) // named by a pattern
		}
		if strings.HasPrefix(name, "pressure.") {
			name = strings.TrimSuffix(name, "_seconds")
			name = strings.Replace(name, ".irq.", ".io.", 1)
			name = strings.Replace(name, "cpu.full", "io.full", 1)
		}
		if view, _, ok := cutLast(name, "."); ok && (strings.HasPrefix(name, "postgres.") || strings.HasPrefix(name, "sql.")) && strings.Contains(page, "`"+view+".<column>`") {
			return
		}
		if name != "" && !strings.Contains(page, "`"+name+"`") && !missing[name] {
			missing[name] = true
			t.Errorf("%s is not in docs/format/metrics.md", name)
		}
	}
	for _, all := range []map[string]sysMetric{sysDiskMetrics, sysNetMetrics, sysHostMetrics, sysFilesystemMetrics, pidstatMetrics} {
		for _, m := range all {
			check(m.name)
		}
	}
	for _, group := range dstatMetrics {
		for _, m := range group {
			check(m.name)
		}
	}
	for _, named := range procNamed {
		for _, m := range named {
			check(m.name)
		}
	}
	for _, m := range append(procDisk, procNet...) {
		check(m.name)
	}
	for _, v := range pgViews {
		check(v.prefix + "x")
	}
	checkCases(t, check, Sar, Mpstat, MpstatJSON, Iostat, IostatJSON, Pidstat, SadfCSV, SadfPPC, SadfJSON, Dstat, Top, ProcFiles,
		PsqlSeries, PostgresStats, PostgresStatsJSON, PsqlTables, PostgresJSONLog, PostgresExported, PostgresSyslog)
}

func cutLast(text, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}
