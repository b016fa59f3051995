package detect

import (
	"math"
	"slices"

	"headroom/runs"
)

var generatorSaturated = &Detector{
	Name:    "generator-saturated",
	Version: 1,
	Doc: `Generator saturated: the load generator had no more to give.

Two kinds of evidence. Its processes burned more than "cpu" of the host's CPUs for at
least "steps" readings in a row. Or it sent requests more than "late" after they were
due though fewer than half as many as ever were in flight, so that a worker was free
to send them, and went on so for at least "spell" (a shorter pause is a
generator-stall). What such a run shows is the generator's limit, not the server's.
Cannot see: a generator that is held by one thread or by a quota and not by the host's
CPUs, unless it is late; one on a host that nobody watched; lateness where the source
does not record when work was due; workers that were all busy (the server's doing, or
too few of them).`,
	Params: []Param{
		{"cpu", 0.9, "1", "share of the host's CPUs that the generator burns, exclusive"},
		{"steps", 3, "1", "readings in a row"},
		{"late", 0.05, "s", "a request sent later than this is late"},
		{"portion", 0.1, "1", "share of the requests meanwhile that are late, exclusive"},
		{"spell", 2, "s", "and for at least so long"},
	},
	Needs:   []string{"samples", "points"},
	Metrics: []string{"group.cpu_seconds", "host.cpus"},
	Run: func(p *Pass) error {
		burned, cpu := p.generatorCPU()
		if cpu {
			p.Looked(p.Scope(""))
		}
		for _, at := range burned {
			p.Report(p.Scope(""), Warning, at.Span, map[string]float64{"share": at.most}, "the generator burned up to %.0f %% of the host's CPUs", 100*at.most)
		}
		planned := false
		for _, r := range p.Requests {
			if !r.Response || !r.Waits() {
				continue
			}
			planned = true
			scope := p.Scope(r.Scenario)
			p.Looked(scope)
			for _, s := range p.lateSpells(r) {
				p.Report(scope, Warning, s.Span, map[string]float64{"late": s.most}, "the generator was late with %.0f %% of the requests, though workers were free", 100*s.most)
			}
		}
		if !cpu && !planned {
			p.CouldNotLook(p.Scope(""), "neither the generator's CPU time nor when requests were due was recorded")
		}
		return nil
	},
}

// spell is a stretch, and the share in it, the highest of several.
type spell struct {
	Span
	most float64
}

// generatorCPU returns the stretches in which the generator burned the host's
// CPUs; ok is false where that was not recorded.
func (p *Pass) generatorCPU() (out []spell, ok bool) {
	cpus := 0.0
	for _, s := range p.Evidence.Of("host.cpus") {
		if s.Entity == "" && len(s.Values) > 0 {
			cpus = s.Values[len(s.Values)-1]
		}
	}
	for _, s := range p.Evidence.Of("group.cpu_seconds") {
		if s.Entity != "generator" || cpus < 1 {
			continue
		}
		at, cores := s.Levels()
		var open spell
		n := 0
		flush := func() {
			if float64(n) >= p.Param("steps") {
				out = append(out, open)
			}
			n = 0
		}
		for i, t := range at {
			share := cores[i] / cpus
			if t < p.Window.Start || t > p.Window.End || share <= p.Param("cpu") {
				flush()
				continue
			}
			if n == 0 {
				open = spell{Span{t - s.Step(), t}, share}
			}
			open.End, open.most, n = t, math.Max(open.most, share), n+1
		}
		flush()
		ok = ok || len(at) > 0
	}
	return out, ok
}

// lateSpells returns the stretches in which requests were sent late with workers
// free: late requests less than a second apart, and more than a portion of all
// that were due meanwhile.
func (p *Pass) lateSpells(r *Requests) []spell {
	late := lateAndFree(r, p.ParamNS("late"))
	var out []spell
	var open Span // from the first late request to the last
	first, last, n := -1, 0, 0
	flush := func() {
		s := spell{open, float64(n) / float64(last-first+1)}
		if first >= 0 && s.Len() >= p.ParamNS("spell") && s.most > p.Param("portion") {
			out = append(out, s)
		}
		first, n = -1, 0
	}
	row := -1
	for c := range r.Chunks() {
		for _, start := range c.Start {
			if row++; !late.has(row) {
				continue
			}
			if first >= 0 && start-open.End >= second {
				flush()
			}
			if first < 0 {
				first, open.Start = row, start
			}
			last, open.End, n = row, start, n+1
		}
	}
	flush()
	return out
}

// rowSet is a set of requests by their place.
type rowSet []uint64

func (s rowSet) add(row int)      { s[row/64] |= 1 << (row % 64) }
func (s rowSet) has(row int) bool { return s[row/64]>>(row%64)&1 > 0 }

// lateAndFree returns the requests that were sent later than late after they were
// due, at an instant at which at most half as many were in flight as ever.
func lateAndFree(r *Requests, late int64) rowSet {
	most, _ := r.peak(func(c *Chunk, i int) (int64, bool) { return c.Sent(i), true })
	out := make(rowSet, r.Len()/64+1)
	now := 0
	m := r.moments(func(kind int, row int64) {
		switch kind {
		case begun:
			now++
		case ended:
			now--
		case asked:
			if 2*now <= most {
				out.add(int(row))
			}
		}
	})
	row := int64(-1)
	for c := range r.Chunks() {
		for i, start := range c.Start {
			row++
			if wait := c.Wait[i]; wait != runs.Missing && wait > late {
				m.add(c.Sent(i), asked, row, start)
			}
			m.add(c.Sent(i), begun, 0, start)
			m.add(c.End(i), ended, 0, start)
		}
	}
	m.Close()
	return out
}

// Waits reports whether of any request was recorded how long it waited.
func (r *Requests) Waits() bool {
	if !r.extent.waits {
		return false
	}
	for c := range r.Chunks() {
		if slices.ContainsFunc(c.Wait, func(wait int64) bool { return wait != runs.Missing }) {
			return true
		}
	}
	return false
}
