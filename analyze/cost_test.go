package analyze_test

import (
	"math"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

// reading is one row of a view: "wal_bytes=100 wal_records=2", in the order of its
// columns; a value may be empty, which is NULL, and ~ stands for a blank.
type reading struct{ view, role, row string }

// ledgerRun is a run of n requests with readings of the system around it. The
// readings before the load bear its start, those after it its end.
func ledgerRun(t *testing.T, n int, readings []reading, edit func(m *runs.Manifest)) *analyze.Measured {
	t.Helper()
	return load(t, n, func(w *runs.Writer, m *runs.Manifest) {
		m.Window = &runs.Window{Start: detect.Instant(start.UnixNano()), End: detect.Instant(start.UnixNano() + max(int64(n)*10e6, 1e9)), Declared: true}
		if n == 0 {
			m.Sources, m.Load = nil, runs.Load{}
		}
		for _, r := range readings {
			s := runs.Snapshot{View: r.view, Source: r.role + ".csv", Role: r.role, Time: start.UnixMicro()}
			if r.role == "after" {
				s.Time += max(int64(n)*10000, 1e6)
			}
			for _, pair := range strings.Fields(r.row) {
				name, value, _ := strings.Cut(pair, "=")
				s.Columns, s.Values = append(s.Columns, name), append(s.Values, strings.ReplaceAll(value, "~", " "))
			}
			if err := w.Snapshot(&s); err != nil {
				t.Fatal(err)
			}
			at := strings.Replace(detect.Instant(s.Time*1000), "Z", "", 1)
			for len(at) < len("2026-01-01T00:00:00.000000") {
				at += map[bool]string{true: ".", false: "0"}[!strings.Contains(at, ".")]
			}
			m.Snapshots = append(m.Snapshots, runs.SnapshotRef{View: r.view, Source: s.Source, Role: r.role, First: at + "Z", Last: at + "Z", Instants: 1, Rows: 1})
		}
		if edit != nil {
			edit(m)
		}
	})
}

// rows puts the counts of rows before and after a load into a manifest.
func rows(before, after string) func(m *runs.Manifest) {
	return func(m *runs.Manifest) {
		if before != "" {
			m.Before = &runs.Counts{Source: "before.csv", Values: map[string]string{"rows": before}}
		}
		if after != "" {
			m.After = &runs.Counts{Source: "after.csv", Values: map[string]string{"rows": after}}
		}
	}
}

// expect compares a quantity of the run with a value; a text is why it is withheld.
func expect(t *testing.T, m *analyze.Measured, id string, want any) {
	t.Helper()
	expectIn(t, &m.Result, id, detect.Scope{}, want)
}

func expectIn(t *testing.T, r *analyze.Result, id string, s detect.Scope, want any) {
	t.Helper()
	q := r.Quantity(id, s)
	switch {
	case want == nil && q == nil:
	case want == nil:
		t.Errorf("%s is there: %s %s", id, q.Display, q.Why)
	case q == nil:
		t.Errorf("%s is not there, want %v", id, want)
	default:
		why, withheld := want.(string)
		if withheld != (q.Value == nil) || withheld && (q.Status != "withheld" || !strings.Contains(q.Why, why)) {
			t.Errorf("%s: %s %q, want %v", id, q.Display, q.Why, want)
		} else if !withheld && math.Abs(*q.Value-want.(float64)) > 1e-9*math.Abs(want.(float64)) {
			t.Errorf("%s: %v, want %v", id, *q.Value, want)
		}
	}
}

// gate compares the verdict of a gate of the whole run; "" is none.
func gate(t *testing.T, m *analyze.Measured, name string, want analyze.Outcome) {
	t.Helper()
	got := analyze.Outcome("")
	for _, v := range m.Result.Verdicts {
		if v.Gate == name && v.Scope == (detect.Scope{}) {
			got = v.Outcome
			if got != analyze.Pass && v.Why == "" && v.Display == "" {
				t.Errorf("%s is %s and does not say why", name, got)
			}
		}
	}
	if got != want {
		t.Errorf("%s: %q, want %q", name, got, want)
	}
}

const (
	walBefore = "wal_records=1000 wal_fpi=10 wal_bytes=50000 stats_reset=2026-01-01"
	walAfter  = "wal_records=1770 wal_fpi=15 wal_bytes=170340 stats_reset=2026-01-01"
)

// 100 rows are gained between the counts: 120340 B, 770 records and 5 images.
func TestWALPerEvent(t *testing.T) {
	for _, c := range []struct {
		name                 string
		before, after        string
		rows                 func(m *runs.Manifest)
		bytes, records, each any
		counted              analyze.Outcome
	}{
		{"both readings", walBefore, walAfter, rows("400", "500"), 1203.4, 7.7, 0.05, analyze.Pass},
		{"no reading after", walBefore, "", rows("400", "500"), "pg_stat_wal was not read after the load", "not read after", "not read after", analyze.Unknown},
		{"no reading before", "", walAfter, rows("400", "500"), "pg_stat_wal was not read before the load", "not read before", "not read before", analyze.Unknown},
		{"a counter fell", walBefore, "wal_records=770 wal_fpi=15 wal_bytes=170340 stats_reset=2026-01-01", rows("400", "500"),
			1203.4, "was reset between the two readings", 0.05, analyze.Unknown},
		{"reset, and past where it was", walBefore, "wal_records=1770 wal_fpi=15 wal_bytes=170340 stats_reset=2026-01-02", rows("400", "500"),
			"was reset", "was reset", "was reset", analyze.Unknown},
		{"no event", walBefore, walAfter, rows("400", "400"), "no event to divide by", "no event", "no event", analyze.Unknown},
		{"fewer rows than before", walBefore, walAfter, rows("400", "300"), "no event to divide by", "no event", "no event", analyze.Unknown},
		{"no count after", walBefore, walAfter, rows("400", ""), "no count was taken after the load", "no count", "no count", analyze.Unknown},
		{"nobody counted", walBefore, walAfter, nil, "nobody counted or declared the events", "nobody", "nobody", analyze.Unknown},
		{"a column is NULL", walBefore, "wal_records= wal_fpi=15 wal_bytes=170340 stats_reset=2026-01-01", rows("400", "500"),
			1203.4, "has no number in wal_records in both readings", 0.05, analyze.Unknown},
		{"the view lost a column and gained another", "wal_records=1000 wal_fpi=10 wal_bytes=50000 wal_sync=7", "wal_records=1770 wal_fpi=15 wal_bytes=170340 wal_io=9", rows("400", "500"),
			1203.4, 7.7, 0.05, analyze.Pass},
		{"twice the counts, no unit changes", "wal_records=2000 wal_fpi=20 wal_bytes=100000", "wal_records=3540 wal_fpi=30 wal_bytes=340680", rows("800", "1000"), 1203.4, 7.7, 0.05, analyze.Pass},
	} {
		t.Run(c.name, func(t *testing.T) {
			var rs []reading
			for role, row := range map[string]string{"before": c.before, "after": c.after} {
				if row != "" {
					rs = append(rs, reading{"pg_stat_wal", role, row})
				}
			}
			m := ledgerRun(t, 0, rs, c.rows)
			expect(t, m, "wal.bytes_per_event", c.bytes)
			expect(t, m, "wal.records_per_event", c.records)
			expect(t, m, "wal.fpi_per_event", c.each)
			gate(t, m, "counted", c.counted)
		})
	}
	m := ledgerRun(t, 0, nil, rows("400", "500"))
	expect(t, m, "wal.bytes_per_event", nil)
	gate(t, m, "counted", "")
}

// A run with requests divides by what it counts itself, in this order: rows gained,
// events claimed, events of ok samples.
func TestEventsToDivideBy(t *testing.T) {
	wal := []reading{{"pg_stat_wal", "before", walBefore}, {"pg_stat_wal", "after", walAfter}}
	for _, c := range []struct {
		name string
		n    int
		edit func(m *runs.Manifest)
		want any // bytes of WAL for each event, of 120340 B
	}{
		{"rows gained", 200, rows("0", "100"), 1203.4},
		{"claimed", 200, func(m *runs.Manifest) { m.Claims = map[string]string{"events_sent": "400"} }, 300.85},
		{"ok samples", 200, nil, 601.7},
		{"rows gained, though more were claimed", 200, func(m *runs.Manifest) {
			rows("0", "100")(m)
			m.Claims, m.Reconcile = map[string]string{"events_sent": "200"}, map[string]string{"rows": "events_sent"}
		}, "not reconciled: rows gained 100, events_sent claimed 200"},
		{"a paired count of another name", 200, func(m *runs.Manifest) {
			m.Before, m.After = &runs.Counts{Values: map[string]string{"n": "1"}}, &runs.Counts{Values: map[string]string{"n": "101"}}
			m.Claims, m.Reconcile = map[string]string{"events_sent": "100"}, map[string]string{"n": "events_sent"}
		}, 1203.4},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, ledgerRun(t, c.n, wal, c.edit), "wal.bytes_per_event", c.want)
		})
	}
}

func claims(pairs string) func(m *runs.Manifest) {
	return func(m *runs.Manifest) {
		m.Claims = map[string]string{}
		for _, p := range strings.Fields(pairs) {
			name, value, _ := strings.Cut(p, "=")
			m.Claims[name] = value
		}
	}
}

// 25 batches of 20 events, and 965 commits.
func TestCommitsPerBatch(t *testing.T) {
	db := func(role, name, commits string) reading {
		return reading{"pg_stat_database", role, "datname=" + name + " xact_commit=" + commits + " stats_reset=2026-01-01"}
	}
	both := []reading{db("before", "app", "100"), db("after", "app", "1065")}
	for _, c := range []struct {
		name              string
		readings          []reading
		edit              func(m *runs.Manifest)
		commits, perBatch any
		counted           analyze.Outcome
	}{
		{"plain", both, claims("batches=25 events=500"), 965.0, 38.6, analyze.Pass},
		{"less the readings' own", both, claims("batches=25 events=500 sampler_commits=15"), 950.0, 38.0, analyze.Pass},
		{"more own than all", both, claims("batches=25 events=500 sampler_commits=966"), "fewer commits than", "fewer commits than", analyze.Unknown},
		{"no batch", both, claims("batches=0 events=500"), 965.0, "no batch was sent", analyze.Unknown},
		{"nobody counted batches", both, nil, 965.0, "nobody counted or declared the batches", analyze.Unknown},
		{"an idle database beside it", append([]reading{db("before", "postgres", "41"), db("after", "postgres", "41")}, both...), claims("batches=25 events=500"), 965.0, 38.6, analyze.Pass},
		{"a busy database beside it", append([]reading{db("before", "postgres", "41"), db("after", "postgres", "43")}, both...), claims("batches=25 events=500"),
			"several databases committed", "several databases", analyze.Unknown},
		{"a busy one, and which is declared", append([]reading{db("before", "postgres", "41"), db("after", "postgres", "43")}, both...), func(m *runs.Manifest) {
			claims("batches=25 events=500")(m)
			m.Labels = map[string]string{"database": "app"}
		}, 965.0, 38.6, analyze.Pass},
		{"the declared one is not there", both, func(m *runs.Manifest) {
			claims("batches=25 events=500")(m)
			m.Labels = map[string]string{"database": "other"}
		}, "has no such row", "has no such row", analyze.Unknown},
		{"reset to less", []reading{db("before", "app", "100"), db("after", "app", "12")}, claims("batches=25 events=500"), "was reset", "was reset", analyze.Unknown},
		{"after only", both[1:], claims("batches=25 events=500"), "not read before", "not read before", analyze.Unknown},
		{"the file after is cut", both, func(m *runs.Manifest) {
			claims("batches=25 events=500")(m)
			m.Sources = []runs.Source{{File: "after.csv", Cut: true}}
		}, "after.csv is cut", "after.csv is cut", analyze.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := ledgerRun(t, 0, c.readings, c.edit)
			expect(t, m, "commits", c.commits)
			expect(t, m, "commits.per_batch", c.perBatch)
			gate(t, m, "counted", c.counted)
		})
	}
}

// 10 events; 10 inserts of one statement and 20 of a new one, 30 look-ups of keys.
func TestCallsPerEvent(t *testing.T) {
	stmt := func(role, id, calls, time, query string) reading {
		return reading{"pg_stat_statements", role, "queryid=" + id + " calls=" + calls + " total_exec_time=" + time + " query=" + query}
	}
	const look = "SELECT~$1~FROM~ONLY~public.customers~x~WHERE~id~$2~FOR~KEY~SHARE~OF~x"
	all := []reading{
		stmt("before", "1", "5", "10", "INSERT~INTO~t~VALUES~($1)"), stmt("after", "1", "15", "40", "INSERT~INTO~t~VALUES~($1)"),
		stmt("after", "2", "20", "20", "WITH~r~AS~(SELECT~1)~INSERT~INTO~t~SELECT~*~FROM~r"),
		stmt("before", "3", "100", "50", look), stmt("after", "3", "130", "100", look),
	}
	m := ledgerRun(t, 0, all, claims("events=10"))
	expect(t, m, "calls.insert_per_event", 3.0)
	expect(t, m, "calls.foreign_key_check_per_event", 3.0)
	expect(t, m, "calls.insert_time_share", 0.5)
	expect(t, m, "calls.update_per_event", nil)
	gate(t, m, "counted", analyze.Pass)

	gone := append([]reading{stmt("before", "4", "7", "1", "UPDATE~t~SET~a~=~1")}, all...)
	m = ledgerRun(t, 0, gone, claims("events=10"))
	expect(t, m, "calls.update_per_event", "cannot be counted: its row of pg_stat_statements was not there after the load")
	expect(t, m, "calls.insert_per_event", 3.0)
	gate(t, m, "counted", analyze.Unknown)
}

// Commits of a batch against those of the earliest run: 10, then 4. Where the
// first was lost, the second is no first.
func TestReductionOfCosts(t *testing.T) {
	counted := func(id, day, after string) *analyze.Measured {
		m := ledgerRun(t, 0, []reading{{"pg_stat_database", "before", "datname=app xact_commit=0"}, {"pg_stat_database", "after", "datname=app xact_commit=" + after}}, claims("batches=10"))
		m.Result.Run.ID, m.Result.Run.Start = id, day
		return m
	}
	for _, c := range []struct {
		name   string
		first  string
		second string
		want   any
	}{
		{"both counted", "100", "40", 0.6},
		{"more than before", "100", "150", -0.5},
		{"the first was lost", "", "40", "is not known of both runs"},
		{"the first is 0", "0", "40", "is not known of both runs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := document(t, counted("b", "2026-01-02", c.second), counted("a", "2026-01-01", c.first))
			r := analyze.Result{Quantities: doc.Quantities}
			expectIn(t, &r, "commits.reduction", detect.Scope{Run: "b"}, c.want)
			expectIn(t, &r, "commits.reduction", detect.Scope{Run: "a"}, nil)
		})
	}
}

// A run of counts alone is judged by what it counted; one whose requests are lost
// is not, whatever it says of them.
func TestLostRequestsAreNoCounts(t *testing.T) {
	wal := []reading{{"pg_stat_wal", "before", walBefore}, {"pg_stat_wal", "after", walAfter}}
	for _, c := range []struct {
		name string
		n    int
		edit func(m *runs.Manifest)
		want analyze.Outcome
	}{
		{"counts alone", 0, nil, analyze.Pass},
		{"a rate was offered", 0, func(m *runs.Manifest) { m.Load.Rate = 100 }, analyze.Unknown},
		{"a command was run", 0, func(m *runs.Manifest) { m.Load.Command = "k6 run load.js" }, analyze.Unknown},
		{"the generator ended", 0, func(m *runs.Manifest) { m.ExitStatus = new(int) }, analyze.Unknown},
		{"a step of a sweep", 0, func(m *runs.Manifest) { m.Steps = []runs.Step{{Labels: map[string]string{"concurrency": "8"}}} }, analyze.Unknown},
		{"claims to be reconciled", 0, func(m *runs.Manifest) { m.Reconcile = map[string]string{"n": "events"} }, analyze.Unknown},
		{"another file held samples", 0, func(m *runs.Manifest) { m.Sources = []runs.Source{{File: "load.csv", Samples: 9}} }, analyze.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := document(t, ledgerRun(t, c.n, wal, func(m *runs.Manifest) {
				rows("400", "500")(m)
				if c.edit != nil {
					c.edit(m)
				}
			}))
			if doc.Outcome != c.want {
				t.Errorf("%s, want %s", doc.Outcome, c.want)
			}
		})
	}
}

// Two readings that nobody gave a role bracket a run of counts alone, by their own
// stamps; one reading brackets nothing.
func TestReadingsWithoutRoles(t *testing.T) {
	for _, c := range []struct {
		name string
		rows []string
		want any
	}{
		{"two", []string{"0 " + walBefore, "9 " + walAfter}, 1203.4},
		{"a third between", []string{"0 " + walBefore, "4 wal_records=1100 wal_fpi=11 wal_bytes=60000 stats_reset=2026-01-01", "9 " + walAfter}, 1203.4},
		{"one", []string{"0 " + walBefore}, "no reading of pg_stat_wal brackets the load"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := load(t, 0, func(w *runs.Writer, m *runs.Manifest) {
				m.Sources, m.Load = nil, runs.Load{}
				rows("400", "500")(m)
				ref := runs.SnapshotRef{View: "pg_stat_wal", Source: "wal.csv", First: "2026-01-01T00:00:00.000000Z", Instants: int64(len(c.rows))}
				for _, row := range c.rows {
					second, values, _ := strings.Cut(row, " ")
					s := runs.Snapshot{View: "pg_stat_wal", Source: "wal.csv", Time: start.UnixMicro() + int64(second[0]-'0')*1e6}
					for _, pair := range strings.Fields(values) {
						name, value, _ := strings.Cut(pair, "=")
						s.Columns, s.Values = append(s.Columns, name), append(s.Values, value)
					}
					if err := w.Snapshot(&s); err != nil {
						t.Fatal(err)
					}
					ref.Last = "2026-01-01T00:00:0" + second + ".000000Z"
				}
				m.Snapshots = []runs.SnapshotRef{ref}
			})
			expect(t, m, "wal.bytes_per_event", c.want)
		})
	}
}
