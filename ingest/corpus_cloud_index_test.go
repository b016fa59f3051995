package ingest

import (
	"regexp"
	"strings"
	"time"
)

// cloudPatterns find the answers in the words of the index.
var cloudPatterns = map[string][]struct {
	name string
	re   *regexp.Regexp
}{
	"nab": {
		{"rows", regexp.MustCompile(`^(\d+) rows`)}, {"step", regexp.MustCompile(`step (\d+) s`)},
		{"first", regexp.MustCompile(`first (\S+ \S+) last`)}, {"last", regexp.MustCompile(`last (\S+ \S+),`)},
		{"min", regexp.MustCompile(`min (\S+)`)}, {"max", regexp.MustCompile(`max (\S+)`)}, {"mean", regexp.MustCompile(`mean ([0-9.]+);`)},
		{"other", regexp.MustCompile(`steps other than \d+ s: (\d+)`)}, {"duplicates", regexp.MustCompile(`duplicates (\d+)`)},
		{"backwards", regexp.MustCompile(`backwards (\d+)`)}, {"same", regexp.MustCompile(`(\d+) rows carry`)},
	},
	"cloudwatch": {
		{"points", regexp.MustCompile(`(?:: |^|cpu: )(\d+) points?`)}, {"period", regexp.MustCompile(`period (\d+),`)},
		{"period", regexp.MustCompile(`(\d+) s apart`)}, {"first", regexp.MustCompile(`first \('([^']+)'`)},
		{"first value", regexp.MustCompile(`first \('[^']+', ([0-9.]+)`)}, {"last", regexp.MustCompile(`last \('([^']+)'`)},
		{"last value", regexp.MustCompile(`last \('[^']+', ([0-9.]+)`)}, {"max", regexp.MustCompile(`max ([0-9.]+)`)},
		{"max", regexp.MustCompile(`1 point ([0-9.]+)`)}, {"first", regexp.MustCompile(`1 point [0-9.]+ at (\S+);`)},
		{"first", regexp.MustCompile(`from (\d{4}-\S+ \S+) \(`)}, {"mean", regexp.MustCompile(`mean ([0-9.]+)`)},
	},
	"rds-em": {
		{"time", regexp.MustCompile(`, (\d{4}-\S+Z), numVCPUs`)}, {"vcpus", regexp.MustCompile(`numVCPUs (\d+)`)},
		{"system", regexp.MustCompile(`'system': ([0-9.]+)`)}, {"wait", regexp.MustCompile(`'wait': ([0-9.]+)`)},
		{"idle", regexp.MustCompile(`'idle': ([0-9.]+)`)}, {"user", regexp.MustCompile(`'user': ([0-9.]+)`)},
		{"steal", regexp.MustCompile(`'steal': ([0-9.]+)`)}, {"total", regexp.MustCompile(`100-idle=([0-9.]+)`)},
		{"disks", regexp.MustCompile(`diskIO entries (\d+)`)}, {"events", regexp.MustCompile(`^(\d+) events`)},
		{"time", regexp.MustCompile(`from (\S+Z);`)}, {"total", regexp.MustCompile(`mean cpu total ([0-9.]+)`)},
	},
	"pi": {
		{"points", regexp.MustCompile(`^(\d+) points`)}, {"period", regexp.MustCompile(`period (\d+) s`)},
		{"mean", regexp.MustCompile(`mean total load ([0-9.]+)`)}, {"top", regexp.MustCompile(`top wait ([A-Za-z:]+)`)},
		{"start", regexp.MustCompile(`aligned times ([0-9.E]+)\.\.`)}, {"end", regexp.MustCompile(`\.\.([0-9.E]+) `)},
	},
	"prometheus": {
		{"step", regexp.MustCompile(`step (\d+)`)}, {"series", regexp.MustCompile(`; (\d+) series`)},
		{"hole from", regexp.MustCompile(`between (\d+) and`)}, {"hole to", regexp.MustCompile(`and (\d+);`)},
		{"increase", regexp.MustCompile(`= (\d+)$`)}, {"values", regexp.MustCompile(`^(\d+) points`)},
		{"locks", regexp.MustCompile(`(pg_locks_count)`)}, {"instants", regexp.MustCompile(`(?i)(one) instant`)},
		{"xact bench", regexp.MustCompile(`bench=(\d+)`)}, {"xact bench2", regexp.MustCompile(`bench2=(\d+)`)},
	},
	"otlp": {
		{"increment", regexp.MustCompile(`\+(\d+) per line`)}, {"restart line", regexp.MustCompile(`restarts at line (\d+)`)},
		{"gap line", regexp.MustCompile(`gauge line (\d+) has flags`)}, {"documents", regexp.MustCompile(`(one) document`)},
	},
	"applog": {
		{"processed", regexp.MustCompile(`"processed":(\d+)`)}, {"requests", regexp.MustCompile(`"sent":(\d+)`)},
		{"202", regexp.MustCompile(`"status_202":(\d+)`)}, {"429", regexp.MustCompile(`"status_429":(\d+)`)},
		{"housekeeping", regexp.MustCompile(`(\d+) housekeeping`)},
	},
}

// cloudAnswers takes an entry's answers apart. Of several patterns of one name
// the first that is found counts.
func cloudAnswers(e telemetryEntry) []named {
	var all []named
	seen := map[string]bool{}
	for _, p := range cloudPatterns[e.format] {
		m := p.re.FindStringSubmatch(e.answer)
		if m == nil || seen[p.name] {
			continue
		}
		seen[p.name] = true
		v := strings.TrimRight(m[1], ",")
		if at, err := time.Parse("2006-01-02 15:04:05", v); err == nil {
			v = at.Format(time.RFC3339)
		}
		all = append(all, named{p.name, v})
	}
	return all
}
