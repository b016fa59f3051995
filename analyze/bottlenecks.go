package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"headroom/detect"
)

// busy is a resource and the share of its time, or of its limit, that was used.
type busy struct {
	what  string // "CPU of the database host", "disk nvme1n1", "wait Lock:tuple"
	kind  string // resource, wait or denominator
	share float64
	run   string // where it was highest
	id    string // of the quantity behind it, "" if it is not one
	scope detect.Scope
	note  string
	seen  float64 // share of the window that the record of a resource speaks for
	thin  bool    // less of the window than the protocol wants
}

func (b *busy) text() string { return b.what + " " + Percent(b.share) }

// idleMetrics are shares of a host's CPU time without work: what is left of them
// is busy. Of Linux, waiting for a disk is idle too.
var idleMetrics = []struct {
	idle, wait, what string
}{
	{"cpu.idle", "cpu.iowait", "CPU by "},
	{"rds.cpu.idle", "rds.cpu.iowait", "CPU of the database by "},
}

// busyMetrics are shares of time in which something was busy.
var busyMetrics = []struct{ metric, what string }{
	{"cloudwatch.CPUUtilization", "CPU of the database by "},
	{"disk.busy", "disk "},
}

// resources returns how busy every recorded resource was on average over a window.
// The generator's workers are none: they are meant to be busy.
func (m *Measured) resources(w detect.Span) []busy {
	if m.beside == nil {
		return nil
	}
	var out []busy
	add := func(what, id string, share float64, s *detect.Series, l level) {
		out = append(out, busy{
			what: what, kind: "resource", share: min(max(share, 0), 1), run: m.Result.Run.ID,
			id: id, scope: detect.Scope{Source: s.Source, Entity: s.Entity},
			seen: l.coverage, thin: s.Step() > 0 && l.coverage < m.protocol.LoadCoverage,
		})
	}
	for _, x := range idleMetrics {
		waiting := map[detect.Scope]float64{}
		for _, s := range m.beside.Of(x.wait) {
			waiting[detect.Scope{Source: s.Source, Entity: s.Entity}] = levelOf(&s, w).mean
		}
		list := m.beside.Of(x.idle)
		for i := range list {
			s := &list[i]
			if l := levelOf(s, w); l.n > 0 && s.Kind == "gauge" {
				add(strings.TrimSpace(x.what+s.Source+" "+s.Entity), s.Metric+".mean", 1-l.mean-waiting[detect.Scope{Source: s.Source, Entity: s.Entity}], s, l)
			}
		}
	}
	for _, x := range busyMetrics {
		list := m.beside.Of(x.metric)
		for i := range list {
			s := &list[i]
			if l := levelOf(s, w); l.n > 0 && s.Kind == "gauge" {
				name := s.Entity
				if x.metric != "disk.busy" {
					name = s.Source
				}
				add(x.what+name, s.Metric+".mean", l.mean, s, l)
			}
		}
	}
	return out
}

// hostCPU is how busy the host's CPUs were, from their counters.
func (c *cell) hostCPU() (busy, bool) {
	cont, extra := c.m.contentionOf(c.window())
	v, ok := extra["busy"]
	if !ok || cont.Cores == 0 {
		return busy{}, false
	}
	return busy{
		what: "CPU of the host", kind: "resource", share: min(v/cont.Cores, 1), run: c.m.Result.Run.ID,
		id: "contention.busy_cpu", scope: c.interval(), note: fmt.Sprintf("%s of %g cores", Display(v, "1"), cont.Cores),
	}, true
}

// busiestOf returns the resource that was busiest during a step, nil if none was
// recorded.
func busiestOf(cells []*cell) *busy {
	var best *busy
	for _, c := range cells {
		list := c.m.resources(c.window().Span)
		if b, ok := c.hostCPU(); ok {
			list = append(list, b)
		}
		for i := range list {
			if best == nil || list[i].share > best.share {
				best = &list[i]
			}
		}
	}
	return best
}

// rareWait is the share of sightings below which a wait holds nothing up.
const rareWait = 0.01

// clientWait begins the waits of PostgreSQL's class Client: the session waits for
// the application at the other end of its connection, between two statements of a
// transaction, say. That holds up no server.
const clientWait = "Client:"

// waitShares are the waits of a window as shares of the sightings of working
// sessions, without rare ones and those for the client.
func (m *Measured) waitShares(w window) []busy {
	t := tallyWaits(m.waitsIn(w))
	var out []busy
	for _, x := range t.sorted() {
		if strings.HasPrefix(x.name, clientWait) || float64(x.n) < rareWait*float64(t.Active) {
			continue
		}
		out = append(out, busy{
			what: "waiting for " + x.name, kind: "wait", share: float64(x.n) / float64(t.Active), run: m.Result.Run.ID,
			id: "waits." + x.name, scope: detect.Scope{}, note: fmt.Sprintf("%s of %s of working sessions", Count(int64(x.n)), countText(t.Active, "sighting")),
		})
	}
	return out
}

// ranked collects what throughput may be held by, the highest share first: each
// thing once, where it was highest.
func (d *document) ranked() []busy {
	var all []busy
	for _, m := range d.reliedRuns() {
		all = append(all, m.resources(m.window.Span)...)
		all = append(all, m.waitShares(m.window)...)
	}
	for _, g := range d.groups {
		for _, c := range g.cells {
			if b, ok := c.hostCPU(); ok && c.withdrawn() == 0 {
				all = append(all, b)
			}
		}
	}
	for _, h := range d.headroom {
		all = append(all, busy{what: "share of " + h.what, kind: "denominator", share: *h.Value, run: h.run, id: h.ID, scope: h.Scope, note: h.Scope.Configuration})
	}
	highest := map[string]int{}
	var out []busy
	for _, b := range all {
		if i, seen := highest[b.what+"\x00"+b.note0()]; seen {
			if b.share > out[i].share {
				out[i] = b
			}
			continue
		}
		highest[b.what+"\x00"+b.note0()] = len(out)
		out = append(out, b)
	}
	slices.SortStableFunc(out, func(a, b busy) int {
		return cmp.Or(cmp.Compare(a.beyond(), b.beyond()), cmp.Compare(b.share, a.share))
	})
	return out
}

// beyond is 1 of a share over 100 %, which is of something else than what it is said to
// be a share of and ranks behind the others, else 0.
func (b *busy) beyond() int {
	if b.kind == "denominator" && b.share > 1 {
		return 1
	}
	return 0
}

// note0 tells apart what bears one name for several throughputs.
func (b *busy) note0() string {
	if b.kind == "denominator" {
		return b.note
	}
	return ""
}

func (d *document) runName(id string) string {
	for _, m := range d.runs {
		if m.Result.Run.ID == id {
			return m.name()
		}
	}
	return id
}

// word says what a share means for a candidate.
func (b *busy) word() string {
	switch {
	case b.kind == "denominator" && b.share > 1:
		return "over 100 %: of another protocol, or itself held back; not ranked against the others"
	case b.kind == "denominator":
		return "of what it gives by itself"
	case b.kind == "wait" && b.share >= 0.3:
		return "a good part of the working sessions wait for it"
	case b.kind == "wait":
		return "few of the working sessions wait for it"
	case b.thin:
		return "recorded over " + Percent(b.seen) + " of the window only: what it was in the rest is not known"
	case b.share >= saturatedAt:
		return "at its limit"
	case b.share < idleBelow:
		return "not the limit: it had time to spare"
	}
	return "neither idle nor at its limit"
}

// mostRanked is how many rows a ranking shows.
const mostRanked = 20

// bottlenecks ranks what may hold the throughput, each with its number.
func (d *document) bottlenecks() {
	list := d.ranked()
	if len(list) == 0 {
		return
	}
	t := Table{ID: "bottlenecks", Title: "What may hold the throughput, by its number", Columns: d.runColumn(right("rank"), left("what"), right("share"), left("reading"), left("of"))}
	for i, b := range list[:min(len(list), mostRanked)] {
		q := quantity("bottleneck.share", detect.Scope{Configuration: b.what, Run: b.run}, b.share, "1", -1, From{
			Method: "mean-in-window@1", Params: map[string]any{"of": b.id, "kind": b.kind},
		})
		q.Display = Percent(b.share)
		shown := text(q.Display)
		if b.kind != "denominator" { // that is a quantity already
			d.Quantities = append(d.Quantities, q)
			shown.ID, shown.In = q.ID, &q.Scope
		} else {
			shown.ID, shown.In = b.id, &b.scope
		}
		row := []Cell{text(fmt.Sprint(i + 1)), text(b.what), shown, text(b.word()), text(orDash(b.note))}
		if len(d.runs) >= 2 {
			row = append([]Cell{text(d.runName(b.run))}, row...)
		}
		t.Rows = append(t.Rows, Row{Cells: row})
	}
	if len(list) > mostRanked {
		t.Notes = append(t.Notes, fmt.Sprintf("The first %d of %d.", mostRanked, len(list)))
	}
	t.Notes = append(t.Notes, "Means over the window, of the run where each was highest: a resource may have been at its limit for moments. Shares of time, of sessions and of a denominator are different things; the rank orders where to look. Waits for the client and waits in less than one of a hundred sightings are left out.")
	d.Tables = append(d.Tables, t)
}
