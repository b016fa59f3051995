package rescan

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestQuoted takes from a report what it says of one document, and refuses what is
// no report of it.
func TestQuoted(t *testing.T) {
	report := Report{
		Schema: Schema, Detectors: []Detector{{Name: "freeze", Version: 3}},
		Runs: []RunReport{{ID: "a", Against: []Comparison{
			{Baseline: "one.json", Quantities: Changes{Changed: []Change{{ID: "freeze.seconds", Old: "2 s", New: "3 s"}}}},
			{Baseline: "two.json", Quantities: Changes{Changed: []Change{{ID: "of another document", Old: "1", New: "2"}}}}}}},
		Documents: []DocumentReport{
			{Path: "one.json", Title: "One", Statement: "Re-scan of one.", Quantities: Tally{Unchanged: 7, Changed: 1}, Findings: FindingTally{New: 2}},
			{Path: "two.json", Title: "Two", Error: "it is cut"}},
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	q, err := Quoted(text, "One")
	if err != nil {
		t.Fatal(err)
	}
	if q.Statement != "Re-scan of one." || q.Detectors["freeze"] != 3 || q.Tallies[0].Unchanged != 7 || q.Tallies[3].New != 2 {
		t.Errorf("quoted %+v", q)
	}
	if len(q.Changes) != 1 || q.Changes[0].What != "a freeze.seconds" || q.Changes[0].New != "3 s" {
		t.Errorf("changes %+v", q.Changes)
	}
	for _, x := range []struct{ text, title, want string }{
		{string(text), "Three", "says nothing of a document"}, {string(text), "Two", "could not look"},
		{`{"schema":"headroom.result/1"}`, "One", "has the schema"}, {`[`, "One", "is no report"},
	} {
		if _, err := Quoted([]byte(x.text), x.title); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want an error with %q", x.title, err, x.want)
		}
	}
}
