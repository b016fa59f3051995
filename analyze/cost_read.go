package analyze

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"headroom/runs"
)

// around is one object of a view as it was read before the load and after it; nil
// where it was not there.
type around struct {
	before, after *runs.Snapshot
	ambiguous     bool // two rows of one reading have its key
}

// costView is what was read of a view of the system around the load.
type costView struct {
	name          string
	objects       map[string]*around // by the values of its keys, parted by slashes
	before, after bool               // a reading of that side was given
	damaged       string             // why its rows may not be all there, "" if they are
	last          map[string]*runs.Snapshot
}

// costKeys names the views whose readings around the load become costs, with the
// columns that tell their objects apart.
var costKeys = map[string][]string{
	"pg_stat_database":   {"datname"},
	"pg_stat_wal":        nil,
	"pg_server":          nil,
	"pg_stat_statements": {"userid", "dbid", "queryid", "toplevel"},
	"relation_sizes":     {"schemaname", "relname"},
}

// costObjectsMost bounds the objects of a view that are kept; pg_stat_statements
// has 5,000 unless told otherwise.
const costObjectsMost = 100_000

// readCosts reads the views around the load, and the series of own queries.
func (m *Measured) readCosts(ctx context.Context, run *runs.Run) error {
	m.ledger = ledger{views: map[string]*costView{}}
	for _, view := range run.SnapshotViews() {
		keys, known := costKeys[view]
		var err error
		switch {
		case known:
			m.ledger.views[view], err = m.readCostView(ctx, run, view, keys)
		case strings.HasPrefix(view, fitPrefix):
			err = m.ledger.readFit(ctx, run, view)
		case !strings.HasPrefix(view, "pg_"):
			err = m.ledger.readOwn(ctx, run, view)
		}
		if err != nil {
			return fmt.Errorf("snapshots of %s: %w", view, err)
		}
	}
	return m.ledger.readPasses(ctx, run)
}

// ledger is what was counted of the system beside the requests.
type ledger struct {
	views  map[string]*costView
	own    []ownSeries
	fits   []fitPoints
	passes map[string][]pass // of a bounded clean-up, by what it removes
}

// side says of which reading a row is: before the load, after it, or neither. The
// roles that the manifest gives decide; where it gives none, a row's own stamp.
func (m *Measured) side(s *runs.Snapshot, refs []runs.SnapshotRef, roles bool) string {
	if roles {
		for i := range refs {
			if refs[i].Holds(s) {
				return refs[i].Role
			}
		}
		return ""
	}
	switch {
	case s.Time == runs.Missing || m.window.Len() <= 0:
		return ""
	case s.Time <= m.window.Start/1000:
		return "before"
	case s.Time >= m.window.End/1000:
		return "after"
	}
	return ""
}

// readCostView reads the rows of a view: of each object the last before the load
// and the first after it.
func (m *Measured) readCostView(ctx context.Context, run *runs.Run, view string, keys []string) (*costView, error) {
	var refs []runs.SnapshotRef
	roles := false
	for _, f := range m.manifest.Snapshots {
		if f.View == view {
			refs = append(refs, f)
			roles = roles || f.Role != ""
		}
	}
	v := &costView{name: view, damaged: m.lossy(refs), last: map[string]*runs.Snapshot{}}
	before, after := map[string]*runs.Snapshot{}, map[string]*runs.Snapshot{}
	ambiguous := map[string]bool{}
	keep := func(into map[string]*runs.Snapshot, s *runs.Snapshot, latest bool) {
		key := rowKey(s, keys)
		have := into[key]
		switch {
		case have == nil && len(into) >= costObjectsMost:
			v.damaged = fmt.Sprintf("%s has more than %s objects", view, Count(costObjectsMost))
			return
		case have != nil && have.Time == s.Time:
			ambiguous[key] = true
			return
		case have != nil && latest != (s.Time > have.Time):
			return
		}
		kept := *s
		kept.Values = slices.Clone(s.Values)
		into[key] = &kept
	}
	err := run.ScanSnapshots(ctx, view, runs.Range{}, func(s *runs.Snapshot) error {
		switch m.side(s, refs, roles) {
		case "before":
			keep(before, s, true)
		case "after":
			keep(after, s, false)
		}
		if !roles {
			keep(v.last, s, true)
		}
		return nil
	})
	v.index(before, after, ambiguous, keys)
	return v, err
}

// lossy says which of the files that rows came from is cut or has lines that
// could not be read: a sum over its rows would lack some. "" if none is.
func (m *Measured) lossy(refs []runs.SnapshotRef) string {
	for _, s := range m.manifest.Sources {
		if !slices.ContainsFunc(refs, func(f runs.SnapshotRef) bool { return f.Source == s.File }) {
			continue
		}
		switch {
		case s.Cut:
			return s.File + " is cut"
		case s.BadLines > 0:
			return fmt.Sprintf("%s of %s could not be read", countText(int(s.BadLines), "line"), s.File)
		}
	}
	return ""
}

// rowKey joins a row's values of the key columns, "-" for one that is NULL.
func rowKey(s *runs.Snapshot, keys []string) string {
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = "-"
		if v, ok := s.Value(k); ok {
			parts[i] = v
		}
	}
	return strings.Join(parts, "/")
}

// index pairs the rows of both sides. A key column that one side has no value of
// in any row (the view has changed) tells nothing, and is left out on both.
func (v *costView) index(before, after map[string]*runs.Snapshot, ambiguous map[string]bool, keys []string) {
	v.before, v.after = len(before) > 0, len(after) > 0
	common := slices.DeleteFunc(slices.Clone(keys), func(k string) bool {
		return v.before && v.after && !(hasValue(before, k) && hasValue(after, k))
	})
	v.objects = map[string]*around{}
	place := func(rows map[string]*runs.Snapshot, set func(*around) **runs.Snapshot) {
		for _, full := range slices.Sorted(maps.Keys(rows)) {
			s := rows[full]
			key := rowKey(s, common)
			o := v.objects[key]
			if o == nil {
				o = &around{}
				v.objects[key] = o
			}
			o.ambiguous = o.ambiguous || ambiguous[full] || *set(o) != nil
			*set(o) = s
		}
	}
	place(before, func(o *around) **runs.Snapshot { return &o.before })
	place(after, func(o *around) **runs.Snapshot { return &o.after })
}

func hasValue(rows map[string]*runs.Snapshot, column string) bool {
	for _, s := range rows {
		if _, ok := s.Value(column); ok {
			return true
		}
	}
	return false
}

// names returns the keys of the objects, sorted.
func (v *costView) names() []string { return slices.Sorted(maps.Keys(v.objects)) }

// missing says what of the view nobody read, "" if both readings are there and
// whole.
func (v *costView) missing() string {
	switch {
	case v.damaged != "":
		return v.damaged
	case !v.before && !v.after:
		return fmt.Sprintf("no reading of %s brackets the load", v.name)
	case !v.before:
		return fmt.Sprintf("%s was not read before the load", v.name)
	case !v.after:
		return fmt.Sprintf("%s was not read after the load", v.name)
	}
	return ""
}

// grown returns what a counter of an object grew by, or why that is not known:
// a column is known by several names where versions of the server differ.
func (v *costView) grown(o *around, columns ...string) (*big.Rat, string) {
	if why := v.missing(); why != "" {
		return nil, why
	}
	switch {
	case o == nil || o.before == nil && o.after == nil:
		return nil, fmt.Sprintf("%s has no such row", v.name)
	case o.ambiguous:
		return nil, fmt.Sprintf("two rows of %s are of one thing", v.name)
	case o.before == nil:
		return nil, fmt.Sprintf("its row of %s was not there before the load", v.name)
	case o.after == nil:
		return nil, fmt.Sprintf("its row of %s was not there after the load", v.name)
	}
	change, ok := o.before.Change(o.after, columns...)
	if !ok {
		return nil, fmt.Sprintf("%s has no number in %s in both readings", v.name, strings.Join(columns, " or "))
	}
	amount, ok := new(big.Rat).SetString(change.Amount)
	if !ok || amount.Sign() < 0 {
		return nil, fmt.Sprintf("%s of %s is no count", columns[0], v.name)
	}
	if change.AtLeast {
		return nil, fmt.Sprintf("%s of %s was reset between the two readings; it has counted %s since", columns[0], v.name, decimal(amount))
	}
	return amount, ""
}

// from is the provenance of a figure of the view.
func (v *costView) from(o *around, method string) From {
	f := From{Tables: []string{"snapshots/" + v.name, "run.json"}, Method: method}
	if o != nil && o.before != nil && o.after != nil && o.before.Time != runs.Missing && o.after.Time != runs.Missing {
		f.Window = []string{instantOf(o.before.Time), instantOf(o.after.Time)}
	}
	return f
}
