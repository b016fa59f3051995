package analyze

import (
	"cmp"
	"fmt"
	"slices"

	"headroom/runs"
)

// WaitTally counts what the database's sessions were seen waiting for.
type WaitTally struct {
	Samples    int            // sampling instants
	Backends   int            // distinct sessions
	Active     int            // sightings of client sessions that were working
	Running    int            // of those, without a wait: on a CPU, or in code that shows none
	Waits      map[string]int // of those, by "type:event"
	Background int            // sightings of background processes, apart
	Idle       int            // sightings of client sessions that were idle, apart
}

// tallyWaits counts sampled sessions (pg_stat_activity). A session that is idle
// waits for its client, and a background process for its turn: neither says
// anything of the load, so they are counted apart.
func tallyWaits(rows []runs.Activity) WaitTally {
	t := WaitTally{Waits: map[string]int{}}
	pids := map[int64]bool{}
	times := make([]int64, 0, len(rows))
	for _, a := range rows {
		pids[a.PID] = true
		times = append(times, a.Time)
		switch {
		case background(a):
			t.Background++
		case a.State == "idle":
			t.Idle++
		case a.Wait == "" && a.WaitType == "":
			t.Active++
			t.Running++
		default:
			t.Active++
			t.Waits[a.WaitType+":"+a.Wait]++
		}
	}
	t.Samples, t.Backends = instants(times), len(pids)
	return t
}

// instantGap is the least time, in µs, between two sampling instants: a sampler
// that stamps every row spreads one look over some milliseconds.
const instantGap = 50_000

// instants counts the sampling instants behind the stamps of rows, in µs.
func instants(times []int64) int {
	return len(distinctLooks(times))
}

// Total is how many sightings of a wait there were.
func (t WaitTally) Total() int { return t.Active - t.Running }

// wait is one row of a tally.
type wait struct {
	name string
	n    int
}

// sorted returns the waits, most frequent first.
func (t WaitTally) sorted() []wait {
	var out []wait
	for name, n := range t.Waits {
		out = append(out, wait{name, n})
	}
	slices.SortFunc(out, func(a, b wait) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name))
	})
	return out
}

// waitQuantities gives the tally of each interval as quantities.
func (m *Measured) waitQuantities() []Quantity {
	if len(m.evidence.waits) == 0 {
		return nil
	}
	var out []Quantity
	for _, u := range m.intervals() {
		rows := m.waitsIn(u.window)
		t := tallyWaits(rows)
		from := From{Tables: []string{"activity"}, Window: u.window.text(), Method: "wait-tally@1",
			Params: map[string]any{"samples": t.Samples, "backends": t.Backends}}
		out = append(out,
			quantity("waits.total", u.scope, float64(t.Total()), "1", int64(t.Active), from),
			quantity("waits.running", u.scope, float64(t.Running), "1", int64(t.Active), from))
		for _, w := range t.sorted() {
			out = append(out, quantity("waits."+w.name, u.scope, float64(w.n), "1", int64(t.Active), from))
		}
		out = append(out, profile(u, rows, from)...)
	}
	return out
}

func (m *Measured) waitsIn(w window) []runs.Activity {
	var in []runs.Activity
	for _, a := range m.evidence.waits {
		if t := a.Time * 1000; t >= w.Start && t <= w.End {
			in = append(in, a)
		}
	}
	return in
}

// waits adds the wait tally over all runs that have one, as a table and a figure.
func (d *document) waits() {
	var rows []runs.Activity
	var runsWith int
	for _, m := range d.reliedRuns() {
		var in []runs.Activity
		for _, u := range m.loadIntervals() {
			in = append(in, m.waitsIn(u)...)
		}
		if len(in) > 0 {
			runsWith++
		}
		rows = append(rows, in...)
	}
	t := tallyWaits(rows)
	if t.Active == 0 {
		return
	}
	note := fmt.Sprintf("%s of working client sessions at %s of %s; %s had no wait (on a CPU, or in code that shows none). %s of idle sessions and %s of background processes are left out.",
		countText(t.Active, "sighting"), countText(t.Samples, "sampling instant"), countText(runsWith, "run"), Count(int64(t.Running)), countText(t.Idle, "sighting"), countText(t.Background, "sighting"))
	table := Table{ID: "waits", Title: "What the database's sessions waited for", Columns: []Column{left("wait"), right("sightings"), right("share of working")}, Notes: []string{note}}
	fig := Figure{
		ID: "waits", Kind: "waits", Title: "What working sessions waited for", X: Axis{Label: "sightings", Unit: "1"},
		Y: []Axis{{Label: "", Scale: "category"}}, Notes: []string{note},
	}
	bars := Series{Name: "sightings", Mark: "bars", Role: "other"}
	all := append([]wait{{"(no wait)", t.Running}}, t.sorted()...)
	for i, w := range all {
		share := Percent(float64(w.n) / float64(t.Active))
		table.Rows = append(table.Rows, Row{Cells: []Cell{text(w.name), text(Count(int64(w.n))), text(share)}})
		if i >= 12 {
			continue
		}
		fig.Y[0].Categories = append(fig.Y[0].Categories, w.name)
		bars.X = append(bars.X, float64(w.n))
		bars.Y = append(bars.Y, float64(i))
		bars.Text = append(bars.Text, Count(int64(w.n)))
	}
	fig.Panels = []Panel{{Series: []Series{bars}}}
	fig.Alt = fmt.Sprintf("Bars of the %d most frequent waits; the first is %s with %s of %s.", len(bars.X), all[0].name, Count(int64(all[0].n)), countText(t.Active, "sighting"))
	d.Tables = append(d.Tables, table)
	d.Figures = append(d.Figures, fig)
}

// loadIntervals returns the windows of the steps, or of the whole run.
func (m *Measured) loadIntervals() []window {
	var out []window
	for _, u := range m.intervals() {
		if (u.scope.Step != "") == (len(m.manifest.Steps) > 0) {
			out = append(out, u.window)
		}
	}
	return out
}
