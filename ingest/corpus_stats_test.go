package ingest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"headroom/runs"
)

var (
	statsPair  = regexp.MustCompile(`([A-Za-z_ ]+?)(?: delta)?=(\d+)\b`)
	statsTuple = regexp.MustCompile(`'([a-z_]+)': (\d+\.\d+)`)
	statsKnown = regexp.MustCompile(`([ABC]): commits delta=(\d+), xids=(\d+), WAL lsn delta=(\d+), pg_stat_wal records=(\d+) fpi=(\d+) bytes=(\d+), rows inserted=(\d+)`)
)

// statsAnswers takes the answers of logs and of snapshots apart.
func statsAnswers(e telemetryEntry) []named {
	if e.format == "pg-log-json" {
		return indexAnswers(e)
	}
	var all []named
	for _, m := range statsKnown.FindAllStringSubmatch(e.answer, -1) {
		for i, name := range []string{"commits", "xids", "lsn", "records", "fpi", "bytes", "rows"} {
			all = append(all, named{m[1] + " " + name, m[i+2]})
		}
	}
	for _, m := range statsTuple.FindAllStringSubmatch(e.answer, -1) {
		all = append(all, named{"growth " + m[1], m[2]})
	}
	for _, m := range statsPair.FindAllStringSubmatch(e.answer, -1) {
		all = append(all, named{strings.TrimSpace(m[1]), m[2]})
	}
	return all
}

// answerJSONLog answers as answerPGLog does of the other forms of a log.
func answerJSONLog(e telemetryEntry, _ *Input, r *rows) map[string]string {
	got := map[string]string{"records": strconv.Itoa(len(r.markers))}
	kinds := r.kinds()
	for name, of := range pgIndexKinds {
		n := 0
		for _, kind := range of {
			n += kinds[kind]
		}
		got[name] = strconv.Itoa(n)
	}
	severities := map[string]int{}
	for _, m := range r.markers {
		severities[m.Severity]++
	}
	for severity, n := range severities {
		got[severity] = strconv.Itoa(n)
	}
	got["first"], got["last"] = indexStamp(r.markers[0].Time, e), indexStamp(r.markers[len(r.markers)-1].Time, e)
	return got
}

// answerStats computes from the first and last rows of each view what the index
// says of the snapshots.
func answerStats(e telemetryEntry, in *Input, r *rows) map[string]string {
	views := map[string][]runs.Snapshot{}
	for _, s := range r.snapshots {
		views[s.View] = append(views[s.View], s)
	}
	got := map[string]string{"records": strconv.Itoa(len(r.snapshots)), "record": strconv.Itoa(len(r.snapshots)), "rows": strconv.Itoa(len(r.snapshots))}
	server := views["pg_server"]
	if len(server) == 0 {
		return got
	}
	got["snapshots"] = strconv.Itoa(len(server))
	got["server_version_num"] = in.Meta.Settings["server_version_num"]
	if strings.Contains(e.path, "known") {
		for i, name := range []string{"A", "B", "C"} {
			from, to := server[2*i].Time, server[2*i+1].Time
			for key, v := range statsBetween(views, from, to) {
				got[name+" "+key] = v
			}
		}
		return got
	}
	between := statsBetween(views, server[0].Time, server[len(server)-1].Time)
	got["xact_commit"], got["xid"] = between["commits"], between["xids"]
	got["usage_events rows inserted"], got["WAL lsn"] = between["events"], between["lsn"]
	got["deadlocks"], got["temp_files"] = between["deadlocks"], between["temp_files"]
	for name, v := range between {
		if strings.HasPrefix(name, "growth ") {
			got[name] = v
		}
	}
	return got
}

// statsBetween takes the differences between two instants.
func statsBetween(views map[string][]runs.Snapshot, from, to int64) map[string]string {
	got := map[string]string{}
	change := func(view string, match func(*runs.Snapshot) bool, columns ...string) (string, bool) {
		var a, b *runs.Snapshot
		for i := range views[view] {
			s := &views[view][i]
			switch {
			case !match(s):
			case s.Time == from:
				a = s
			case s.Time == to:
				b = s
			}
		}
		if a == nil || b == nil {
			return "", false
		}
		c, ok := a.Change(b, columns...)
		return c.Amount, ok && !c.AtLeast
	}
	any := func(*runs.Snapshot) bool { return true }
	for name, of := range map[string][2]string{
		"commits": {"pg_stat_database", "xact_commit"}, "deadlocks": {"pg_stat_database", "deadlocks"}, "temp_files": {"pg_stat_database", "temp_files"},
		"xids": {"pg_server", "xid"}, "lsn": {"pg_server", "wal_insert_bytes"},
		"records": {"pg_stat_wal", "wal_records"}, "fpi": {"pg_stat_wal", "wal_fpi"}, "bytes": {"pg_stat_wal", "wal_bytes"},
	} {
		if v, ok := change(of[0], any, of[1]); ok {
			got[name] = v
		}
	}
	table := func(name string) func(*runs.Snapshot) bool {
		return func(s *runs.Snapshot) bool { v, _ := s.Value("relname"); return v == name }
	}
	events, ok := change("pg_stat_user_tables", table("usage_events"), "n_tup_ins")
	if !ok {
		return got
	}
	got["events"] = events
	n, _ := strconv.ParseFloat(events, 64)
	for i := range views["relation_sizes"] {
		s := &views["relation_sizes"][i]
		name, _ := s.Value("relname")
		if grown, ok := change("relation_sizes", table(name), "main_bytes"); ok && s.Time == from {
			v, _ := strconv.ParseFloat(grown, 64)
			got["growth "+name] = fmt.Sprint(v / n)
		}
	}
	return got
}
