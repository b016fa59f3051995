package ingest

import (
	"strings"

	"headroom/runs"
)

// LocustFailures reads the failures of locust --csv.
var LocustFailures = &Importer{
	Name: "locust-failures",
	Doc: `Locust failures (locust --csv PREFIX: PREFIX_failures.csv)

Recognised by the columns "Method", "Name", "Error" and "Occurrences". Each row
is kept as Locust's own summary: how often a request failed with an error. The
rows of a run add up to its failures.`,
	Gives: []string{"manifest: summaries"},
	Lacks: []string{"when requests failed", "how many requests there were"},
	Sniff: func(head []byte) bool { return isLocust(head, "method", "name", "error", "occurrences") },
	Read: func(in *Input, _ Sink) error {
		return readLocustCounts(in, "occurrences", "failed", func(t *locustTable) string {
			return strings.TrimSpace(t.text("method")+" "+t.text("name")) + ": " + t.text("error")
		})
	},
}

// LocustExceptions reads the exceptions of locust --csv.
var LocustExceptions = &Importer{
	Name: "locust-exceptions",
	Doc: `Locust exceptions (locust --csv PREFIX: PREFIX_exceptions.csv)

Recognised by the columns "Count", "Message" and "Traceback". Each row is kept as
Locust's own summary: how often the script raised an exception, which is no
failed request. Tracebacks are not kept.`,
	Gives: []string{"manifest: summaries"},
	Lacks: []string{"when they were raised", "requests"},
	Sniff: func(head []byte) bool { return isLocust(head, "count", "message", "traceback") },
	Read: func(in *Input, _ Sink) error {
		return readLocustCounts(in, "count", "exceptions", func(t *locustTable) string { return t.text("message") })
	},
}

// readLocustCounts reads a file whose rows count something by its name.
func readLocustCounts(in *Input, column, value string, name func(*locustTable) string) error {
	t, total := newLocustTable(in), 0.0
	m := &in.Meta
	m.Tool = "locust"
	for {
		ok, err := t.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		n, ok := t.number(column, 0)
		if !ok {
			if err := t.rows.bad(in, "%s is %q and no number", column, clip(t.text(column))); err != nil {
				return err
			}
			continue
		}
		total += n
		if len(m.Summaries) < maxSummary {
			m.Summaries = append(m.Summaries, runs.Summary{Source: in.Name, Of: cutTag(name(t)), Values: map[string]float64{value: n}, Method: "counted"})
		}
	}
	if len(m.Summaries) == 0 {
		in.summary("", "counted", figures{value: 0}) // a header alone says that there was none
	}
	in.Note("%.0f %s in all", total, value)
	return nil
}
