package capture

import (
	"fmt"
	"strings"
	"testing"

	"headroom/ingest"
)

// A server that logs every statement logs those of the agent, which name what
// other formats are known by: its log is known as one all the same.
func TestLogOfOwnStatements(t *testing.T) {
	columns := []string{"pid", "backend_type", "state", "wait_event_type", "wait_event", "datname", "usename", "application_name", "query"}
	statements := map[string]string{"sessions": fmt.Sprintf(activityQuery(columns), "null")}
	for _, v := range statViews {
		statements[v.name] = v.sql
	}
	for name, statement := range statements {
		var stderr, csv strings.Builder
		for i := range 5 {
			fmt.Fprintf(&stderr, "2026-08-17 12:00:0%d.569 UTC [4046] LOG:  duration: 1.390 ms  statement: %s\n", i, statement)
			fmt.Fprintf(&csv, `2026-08-17 12:00:0%d.569 UTC,"u","d",4046,"127.0.0.1:5000",6a8d.fce,%d,"SELECT",2026-08-17 11:00:00 UTC,3/1,0,LOG,00000,"duration: 1.390 ms  statement: %s",,,,,,,,,"x","client backend",,0`+"\n", i, i, strings.ReplaceAll(statement, `"`, `""`))
		}
		for want, text := range map[string]string{"postgres-log": stderr.String(), "postgres-csvlog": csv.String()} {
			if im, err := ingest.Sniff(ingest.All, []byte(text)); err != nil || im.Name != want {
				t.Errorf("%s in a %s: %v", name, want, err)
			}
		}
	}
}
