package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// harm is what a terminal acts on: a title, colours, a cleared screen, a filled
// clipboard, C1 controls, text that runs backwards.
const harm = "\x1b]0;title\x07\x1b[31m\x1b[2J\x1b]52;c;AAAA\x07\u009b31m\u202eback\u2066\r"

// TestTerminalIsNotHarmed records a run whose labels, operations, errors and log
// lines hold terminal sequences, and looks at what every command prints of it.
func TestTerminalIsNotHarmed(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	quoted := strings.ReplaceAll(harm, "\r", "")
	for _, day := range []int{0, 1} {
		var rows strings.Builder
		rows.WriteString("started,took_ms,code,op,err\n")
		for i := range 300 {
			fmt.Fprintf(&rows, "%d,%d,%d,\"op %s\",\"bad %s\"\n", 1786968000000+int64(day)*86400000+int64(i)*50, 5+i%7, 200+300*(i%2), quoted, quoted)
		}
		write(fmt.Sprintf("load%d.csv", day), rows.String())
	}
	write("map.yaml", "format: generic-csv\nstart: {field: started, unit: unix_ms}\nlatency: {field: took_ms, unit: ms}\nstatus: code\nop: op\nerror: err\n")
	write("db.log", "2026-08-17 12:00:01.000 UTC [5] ERROR:  syntax "+quoted+"\n2026-08-17 12:00:02.000 UTC [5] LOG:  checkpoint starting: time "+quoted+"\n")

	seen := 0
	for _, args := range [][]string{
		{"ingest", "--out", "runs/a", "--label", "arm=" + quoted, "--step", "concurrency=4,note=" + quoted, "--map", "map.yaml", "load0.csv", "db.log"},
		{"ingest", "--out", "runs/b", "--label", "arm=plain", "--map", "map.yaml", "load1.csv"},
		{"ingest", "--out", "runs/c", "absent" + harm},
		{"ingest", "--dry-run", "--map", "map.yaml", "load0.csv"},
		{"runs", "ls", "runs"}, {"runs", "show", "runs/a"}, {"runs", "verify", "runs"}, {"runs", "show", "absent" + harm},
		{"analyze", "--all", "runs/a"}, {"analyze", "runs"}, {"detect", "runs/a"}, {"rescan", "runs"},
		{"report", "build", "runs", "-o", "page"}, {"report", "check", "page"}, {"report", "check", "page", "runs/a"},
		{"report", "init", "runs"}, {"report", "build", "study.yaml", "-o", "told"},
		{"report", "publish", "page", "--site", "site", "--name", "x"},
		{"runs", "withdraw", "runs/a", "--reason", "because " + harm}, {"runs", "show", "runs/a"}, {"analyze", "runs/a"}, {"runs", "ls", "runs"},
		{harm}, {"analyze", "--" + harm}, {"formats", harm}, {"report", "build", harm + ".yaml", "-o", "q"},
	} {
		for _, more := range [][]string{nil, {"--json"}} {
			if more != nil && (args[0] == "ingest" || args[0] == "runs" && args[1] == "withdraw" || args[0] == "report" && args[1] == "init") {
				continue // it has done its work
			}
			out, talk, _ := answerOf(t, headroomIn(t, dir, append(slices.Clone(args), more...)...))
			seen += strings.Count(out+talk, `\x1b`) + strings.Count(out+talk, `\u001b`)
			for where, text := range map[string]string{"stdout": out, "stderr": talk} {
				if i := strings.IndexFunc(text, acts); i >= 0 {
					t.Errorf("headroom %q %q: a terminal acts on its %s: %q", args, more, where, text[max(i-40, 0):min(i+20, len(text))])
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("the sequences were shown %d times: the test looks at nothing", seen)
	}
}

// acts reports whether a terminal acts on r instead of showing it.
func acts(r rune) bool {
	return r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
