package ingest

import (
	"fmt"
	"slices"
)

// pgbenchColumns says which of the fields after the sixth is what; -1: none.
type pgbenchColumns struct {
	known        bool
	lag, retries int
}

// The words of Options.Seventh, and the hint of pgbench's own output that holds
// one of them.
const (
	seventhLag         = "lag"
	seventhRetries     = "retries"
	hintPgbenchSeventh = "pgbench.seventh"
)

// tellPgbenchColumns decides what the fields after the sixth are. Eight fields
// are lag and retries, in that order; of seven it takes the options' word, else
// that of pgbench's own output, else it looks at the rows.
func tellPgbenchColumns(in *Input, width int, rows []pgbenchRow) pgbenchColumns {
	c := pgbenchColumns{known: true, lag: -1, retries: -1}
	switch width {
	case 2:
		c.lag, c.retries = 0, 1
		return c
	case 1:
	default:
		return c
	}
	what, how := in.Opt.Seventh, "as given"
	if what == "" {
		what, how = in.Hints[hintPgbenchSeventh], "as pgbench's own output says"
	}
	if what == "" {
		what, how = seventhByContent(rows)
	}
	if what == seventhRetries {
		c.retries = 0
		in.Note("the seventh column was read as retries (--max-tries), %s", how)
	} else {
		c.lag = 0
		in.Note("the seventh column was read as schedule lag in µs (--rate), %s", how)
	}
	return c
}

// Bounds on what the seventh field is likely to be: a schedule lag is some tens
// of µs at least on a quiet host and milliseconds on a busy one; a number of
// retries stays below --max-tries, mostly at 0.
const (
	retriesMost   = 1000
	retriesMedian = 10
)

func seventhByContent(rows []pgbenchRow) (what, how string) {
	var values []int64
	for _, r := range rows {
		switch {
		case r.word == "skipped":
			return seventhLag, "for there are skipped transactions"
		case r.word != "" && r.more[0] > 0:
			return seventhRetries, "for failed transactions have some"
		case r.word == "":
			values = append(values, r.more[0])
		}
	}
	if len(values) == 0 {
		return seventhRetries, "for want of anything else"
	}
	slices.Sort(values)
	if most, median := values[len(values)-1], values[len(values)/2]; most > retriesMost || median > retriesMedian {
		return seventhLag, fmt.Sprintf("by its values (median %d, largest %d)", median, most)
	}
	return seventhRetries, fmt.Sprintf("by its values (median %d, largest %d)", values[len(values)/2], values[len(values)-1])
}
