package analyze

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"headroom/runs"
)

// databaseLabel names the database of the load, where several commit meanwhile.
const databaseLabel = "database"

// commitCosts returns the commits of the load's database, for each batch and each
// event. The readings' own commits are subtracted where they were declared.
func (m *Measured) commitCosts(b costBase) []Quantity {
	v := m.ledger.views["pg_stat_database"]
	if v == nil {
		return nil
	}
	object, why := m.database(v)
	from := v.from(object, "counter-difference@1")
	var commits *big.Rat
	if why == "" {
		commits, why = v.grown(object, "xact_commit")
	}
	if own := m.claim(claimSamplerCommits); own != nil && commits != nil {
		from = withParam(from, claimSamplerCommits, decimal(own))
		if commits.Sub(commits, own); commits.Sign() < 0 {
			commits, why = nil, "fewer commits than the readings themselves were declared to make"
		}
	}
	return []Quantity{
		amountOf("commits", commits, why, "1", from),
		b.perBatch("commits.per_batch", commits, why, "1", from),
		b.perEvent("commits.per_event", commits, why, "1", from),
	}
}

// database finds the row of the load's database: the one that was declared, else
// the only one that committed anything in between.
func (m *Measured) database(v *costView) (*around, string) {
	if why := v.missing(); why != "" {
		return nil, why
	}
	if name := m.manifest.Labels[databaseLabel]; name != "" {
		return v.objects[name], ""
	}
	var found *around
	other := ""
	for _, name := range v.names() {
		o := v.objects[name]
		if name == "-" { // objects that no database owns
			continue
		}
		if n, why := v.grown(o, "xact_commit"); why == "" && n.Sign() == 0 {
			continue
		}
		if found != nil {
			return nil, fmt.Sprintf("several databases committed meanwhile, or may have (%s, %s): say which is the load's (--label database=NAME)", other, name)
		}
		found, other = o, name
	}
	if found == nil {
		return nil, "no database committed anything between the readings"
	}
	return found, ""
}

// walCosts returns what was written to the WAL, for each event.
func (m *Measured) walCosts(b costBase) []Quantity {
	v, columns := m.ledger.views["pg_stat_wal"], []struct{ column, id, unit string }{
		{"wal_bytes", "bytes", "B"}, {"wal_records", "records", "1"}, {"wal_fpi", "fpi", "1"},
	}
	if v == nil { // before 14 a server has its position in the WAL only
		if v = m.ledger.views["pg_server"]; v == nil || !v.has("wal_insert_bytes") {
			return nil
		}
		columns = columns[:1]
		columns[0].column = "wal_insert_bytes"
	}
	object := v.objects[""]
	from := v.from(object, "counter-difference@1")
	var out []Quantity
	for _, c := range columns {
		amount, why := v.grown(object, c.column)
		out = append(out, amountOf("wal."+c.id, amount, why, c.unit, from), b.perEvent("wal."+c.id+"_per_event", amount, why, c.unit, from))
	}
	return out
}

// has reports whether any row of the view has a value in the column.
func (v *costView) has(column string) bool {
	for _, o := range v.objects {
		for _, s := range []*runs.Snapshot{o.before, o.after} {
			if s != nil {
				if _, ok := s.Value(column); ok {
					return true
				}
			}
		}
	}
	return false
}

// callKinds are the kinds of statements that calls are added up by.
var callKinds = []string{"insert", "update", "delete", "select", "copy", "merge", "foreign_key_check", "begin", "commit", "rollback", "other"}

// statementKind tells what a statement does by its text, as pg_stat_statements
// normalises it. The look-ups by which PostgreSQL checks foreign keys are told by
// the form that it gives them: SELECT … FROM ONLY … FOR KEY SHARE OF x.
func statementKind(query string) string {
	text := " " + strings.Join(strings.Fields(strings.ToUpper(query)), " ") + " "
	if strings.Contains(text, " FROM ONLY ") && strings.Contains(text, " FOR KEY SHARE OF ") {
		return "foreign_key_check"
	}
	verb, _, _ := strings.Cut(strings.TrimLeft(text, " ("), " ")
	switch verb = strings.TrimRight(verb, ";"); verb {
	case "INSERT", "UPDATE", "DELETE", "SELECT", "COPY", "MERGE", "BEGIN", "COMMIT", "ROLLBACK":
		return strings.ToLower(verb)
	case "START":
		return "begin"
	case "END":
		return "commit"
	case "WITH": // what the whole changes, whichever part of it does
		for _, part := range []struct{ sign, kind string }{{"INSERT INTO ", "insert"}, {"UPDATE ", "update"}, {"DELETE FROM ", "delete"}, {"MERGE INTO ", "merge"}} {
			if strings.Contains(text, " "+part.sign) || strings.Contains(text, "("+part.sign) {
				return part.kind
			}
		}
		return "select"
	}
	return "other"
}

// calls are the statements of one kind together.
type calls struct {
	n, time *big.Rat
	why     string // n is not known
}

// callCosts returns how often statements of each kind were called for each event,
// and which share of the statements' time they took.
func (m *Measured) callCosts(b costBase) []Quantity {
	v := m.ledger.views["pg_stat_statements"]
	if v == nil {
		return nil
	}
	from := v.from(v.any(), "counter-difference@1")
	byKind, total := m.tallyCalls(v)
	var out []Quantity
	for _, kind := range callKinds {
		c := byKind[kind]
		if c == nil {
			continue
		}
		id := "calls." + kind
		out = append(out, amountOf(id, c.n, c.why, "1", from), b.perEvent(id+"_per_event", c.n, c.why, "1", from))
		if c.time != nil && total != nil {
			q := divided(id+"_time_share", c.time, "", total, "the statements took no time", "1", from)
			q.N = nil
			out = append(out, q)
		}
	}
	if why := v.missing(); why != "" {
		out = append(out, amountOf("calls", nil, why, "1", from))
	}
	return out
}

// any returns some object that was read on both sides, nil if none was.
func (v *costView) any() *around {
	for _, name := range v.names() {
		if o := v.objects[name]; o.before != nil && o.after != nil {
			return o
		}
	}
	return nil
}

// tallyCalls adds the statements up by kind. A statement that is first seen after
// the load was called so often since; one that is gone was dropped or reset, and
// nobody knows how often it was called.
func (m *Measured) tallyCalls(v *costView) (map[string]*calls, *big.Rat) {
	out := map[string]*calls{}
	total := new(big.Rat)
	for _, name := range v.names() {
		o := v.objects[name]
		row := o.after
		if row == nil {
			row = o.before
		}
		text, _ := row.Value("query")
		kind := statementKind(text)
		c := out[kind]
		if c == nil {
			c = &calls{n: new(big.Rat), time: new(big.Rat)}
			out[kind] = c
		}
		n, why := v.statement(o, "calls")
		if n == nil {
			c.n, c.why = nil, fmt.Sprintf("a statement of this kind cannot be counted: %s", why)
		} else if c.n != nil {
			c.n.Add(c.n, n)
		}
		spent, _ := v.statement(o, "total_exec_time", "total_time")
		if spent == nil {
			c.time, total = nil, nil
		} else {
			c.time, total = plus(c.time, spent), plus(total, spent)
		}
	}
	return out, total
}

// plus adds to a sum that may already be unknown.
func plus(sum, v *big.Rat) *big.Rat {
	if sum == nil {
		return nil
	}
	return sum.Add(sum, v)
}

// statement is grown for a row that may be new.
func (v *costView) statement(o *around, columns ...string) (*big.Rat, string) {
	if v.missing() != "" || o.before != nil || o.after == nil || o.ambiguous {
		return v.grown(o, columns...)
	}
	text, ok := o.after.Value(columns...)
	n, number := new(big.Rat).SetString(text)
	if !ok || !number || n.Sign() < 0 || slices.Contains([]string{"", "NaN"}, text) {
		return nil, fmt.Sprintf("%s has no number in %s", v.name, columns[0])
	}
	return n, ""
}
