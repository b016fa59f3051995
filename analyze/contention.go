package analyze

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Contention says what else the host was doing while a figure was taken.
// A number that was not recorded is nil.
type Contention struct {
	Cores    float64  // of the host, 0 if not known
	Load     *float64 // mean load average (1 min)
	Foreign  *float64 // CPUs' worth burned by processes that are neither ours nor the generator's
	Own      *float64 // CPUs' worth burned by ours
	Steal    *float64 // share of the host's CPU time that the hypervisor gave to others
	Pressure *float64 // share of time in which something waited for a CPU (PSI some)
	// Generator is what the load generator used of Own, where it shares the host
	// with the system: what is measured is then both.
	Generator *float64
	// Misfit: our processes seem busier than the whole host, so that the two
	// records do not fit together and neither tells what was left over.
	Misfit bool
	// Partial: the load average covers too little of the window to speak for it.
	Partial bool
	// Short: the CPU times cover too little of it, so that they are not given.
	Short bool
}

// The limits of an undisturbed host (DETECTION 8). All are allowed themselves.
const (
	foreignLimit  = 0.05 // of the host's CPUs
	stealLimit    = 0.01
	pressureLimit = 0.10
	ownSaturated  = 0.90 // of the host's CPUs: pressure is then our own
)

// Label says whether a rate taken beside this is a floor (the host was
// contended), a capacity (it was not), or cannot be told, which is NoBound. The
// reasons name what was seen.
func (c Contention) Label() (Bound, []string) {
	var reasons []string
	add := func(format string, args ...any) { reasons = append(reasons, fmt.Sprintf(format, args...)) }
	if c.Foreign != nil && c.Cores > 0 {
		if *c.Foreign > c.Cores {
			add("foreign CPU of %s cores is more than the %g cores can deliver: not a utilisation", Display(*c.Foreign, "1"), c.Cores)
		}
		if *c.Foreign > foreignLimit*c.Cores {
			add("foreign CPU")
		}
	}
	if c.Steal != nil && *c.Steal > stealLimit {
		add("steal")
	}
	if c.Pressure != nil && *c.Pressure > pressureLimit && !c.saturatedByUs() {
		add("CPU pressure")
	}
	loadOnly := c.Foreign == nil && c.Steal == nil && c.Pressure == nil
	if loadOnly && c.Load != nil && c.Cores > 0 && *c.Load > c.Cores {
		add("load average above the core count")
	}
	switch {
	case len(reasons) > 0:
		return Floor, reasons
	case c.judged():
		return CapacityBound, nil
	}
	return NoBound, nil
}

// unjudged says why nobody can tell whether the host was contended.
func (c Contention) unjudged() string {
	switch {
	case c.Misfit:
		return "contention cannot be judged: our processes seem busier than the host"
	case c.Load != nil && c.Partial:
		return "contention cannot be judged: the load average covers too little of the window"
	case c.Load != nil && c.Cores == 0:
		return "contention cannot be judged: the core count is not known"
	case c.Steal != nil:
		return "contention cannot be judged by steal alone"
	}
	return "contention not recorded"
}

// saturatedByUs reports whether our processes fill the host, so that what waits
// for a CPU waits for them. A record of too little of the window does not tell.
func (c Contention) saturatedByUs() bool {
	return c.Own != nil && !c.Short && c.Cores > 0 && *c.Own >= ownSaturated*c.Cores
}

// judged reports whether enough was recorded to call the host undisturbed.
// Steal alone is not: a neighbour on the same kernel steals nothing.
func (c Contention) judged() bool {
	if c.Misfit {
		return false
	}
	return c.Foreign != nil && c.Cores > 0 || c.Pressure != nil || c.Load != nil && c.Cores > 0 && !c.Partial
}

// contentionOf measures one window.
func (m *Measured) contentionOf(w window) (Contention, map[string]float64) {
	c := Contention{Cores: float64(m.manifest.Host.Cores)}
	if c.Cores == 0 {
		c.Cores = m.evidence.cpus
	}
	extra := map[string]float64{"coverage": 0}
	if load := m.evidence.load1.within(w.Start, w.End); len(load) > 0 {
		sum := 0.0
		extra["min"], extra["max"] = load[0].v, load[0].v
		for _, p := range load {
			sum += p.v
			extra["min"], extra["max"] = min(extra["min"], p.v), max(extra["max"], p.v)
		}
		mean := sum / float64(len(load))
		c.Load = &mean
		extra["first"], extra["last"], extra["n"] = load[0].v, load[len(load)-1].v, float64(len(load))
		extra["coverage"] = coverage(load, w)
		c.Partial = extra["coverage"] < m.protocol.LoadCoverage
	}
	m.cpuTimes(w, &c, extra)
	if share, ok := m.cpuPressure(w); ok {
		c.Pressure = &share
	}
	return c, extra
}

// coverage returns the share of the window that the points speak for: from half
// a step before the first to half a step after the last, less gaps of more than
// three times the usual step.
func coverage(s series, w window) float64 {
	if w.Len() <= 0 || len(s) < 2 {
		return 0
	}
	gaps := make([]float64, 0, len(s)-1)
	for i := 1; i < len(s); i++ {
		gaps = append(gaps, float64(s[i].t-s[i-1].t))
	}
	usual := medianOf(gaps)
	covered := 0.0
	for _, g := range gaps {
		if g <= 3*usual {
			covered += g
		}
	}
	// A point speaks for half a step before and after it.
	covered += min(usual/2, float64(s[0].t-w.Start)) + min(usual/2, float64(w.End-s[len(s)-1].t))
	return min(1, covered/float64(w.Len()))
}

// cpuTimes fills in CPU figures from counters (exact), else from gauges.
func (m *Measured) cpuTimes(w window, c *Contention, extra map[string]float64) {
	delta := func(mode string) (seconds, elapsed float64) {
		s := m.evidence.cpu[mode].within(w.Start, w.End)
		if len(s) < 2 {
			return 0, 0
		}
		return s[len(s)-1].v - s[0].v, float64(s[len(s)-1].t-s[0].t) / 1e9
	}
	total, busy, elapsed := 0.0, 0.0, 0.0
	for _, mode := range allModes {
		d, e := delta(mode)
		total, elapsed = total+d, max(elapsed, e)
	}
	if elapsed == 0 {
		m.cpuGauges(w, c, extra)
		return
	}
	for _, mode := range busyModes {
		d, _ := delta(mode)
		busy += d
	}
	extra["busy"] = busy / elapsed
	if steal, _ := delta("steal"); total > 0 {
		share := steal / total
		c.Steal = &share
	}
	own := m.ownCPU(w)
	if own.covered == 0 {
		return
	}
	c.Own, c.Generator = &own.cores, own.generator
	if min(own.covered, coverage(m.evidence.cpu["idle"].within(w.Start, w.End), w)) < m.protocol.LoadCoverage {
		c.Short = true
		return
	}
	foreign := extra["busy"] - own.cores
	switch {
	case foreign < -tickSlack:
		c.Misfit = true
		return
	case foreign < leastTime: // nothing, or what is left of a difference of sums
		foreign = 0
	}
	c.Foreign = &foreign
}

// tickSlack is by how much, in CPUs' worth, our processes may seem busier than
// the host: times are counted in ticks, and the two are not read at one instant.
const tickSlack = 0.02

// leastTime is far less than one tick in any window, in CPUs' worth.
const leastTime = 1e-9

// cpuGauges uses shares in whole percent, as vmstat prints them: enough for
// steal, too coarse for foreign CPU.
func (m *Measured) cpuGauges(w window, c *Contention, extra map[string]float64) {
	mean := func(mode string) (float64, bool) {
		s := m.evidence.gauges[mode].within(w.Start, w.End)
		sum := 0.0
		for _, p := range s {
			sum += p.v
		}
		return sum / float64(max(len(s), 1)), len(s) > 0
	}
	if steal, ok := mean("steal"); ok {
		c.Steal = &steal
	}
	busy := 0.0
	for _, mode := range busyModes {
		v, _ := mean(mode)
		busy += v
	}
	if _, ok := mean("idle"); ok && c.Cores > 0 {
		extra["busy"] = busy * c.Cores
	}
}

// ownTime is the CPU time of our processes over a window, in CPUs' worth.
type ownTime struct {
	cores     float64
	generator *float64 // of it, where the generator is a group beside that of a system
	covered   float64  // share of the window that the record speaks for, 0 if none of ours is in it
}

// Groups that the capture agent names itself; any other is the system under test.
const (
	groupGenerator = "generator"
	groupAgent     = "headroom"
)

// ownCPU sums the CPU time of our processes between their first and last
// record within the window. A process that appears later began then. Where groups
// of processes were recorded, those are ours, all of them: they miss no process
// that came and went between two looks.
func (m *Measured) ownCPU(w window) (own ownTime) {
	first, last := int64(0), int64(0)
	var looks series // when processes were looked at
	cut := map[string]series{}
	recorded, ours := m.evidence.process, m.own
	grouped := len(m.evidence.group) > 0
	if grouped {
		recorded, ours = m.evidence.group, func(string) bool { return true }
	}
	for name, s := range recorded {
		in := s.within(w.Start, w.End)
		if len(in) == 0 {
			continue
		}
		cut[name] = in
		looks = append(looks, in...)
		if first == 0 || in[0].t < first {
			first = in[0].t
		}
		last = max(last, in[len(in)-1].t)
	}
	if last <= first {
		return own
	}
	elapsed := float64(last-first) / 1e9
	found, system := false, false
	seconds := 0.0
	for _, name := range slices.Sorted(maps.Keys(cut)) { // a sum of fractions depends on its order
		if !ours(name) {
			continue
		}
		s := cut[name]
		base := s[0].v
		if s[0].t > first {
			base = 0
		}
		used := s[len(s)-1].v - base
		seconds += used
		found = true
		switch {
		case !grouped || name == groupAgent:
		case name == groupGenerator:
			cores := used / elapsed
			own.generator = &cores
		default:
			system = true
		}
	}
	if !system {
		own.generator = nil
	}
	if !found {
		return own
	}
	slices.SortFunc(looks, func(a, b point) int { return compare(a.t, b.t) })
	looks = slices.CompactFunc(looks, func(a, b point) bool { return a.t == b.t })
	own.cores, own.covered = seconds/elapsed, coverage(looks, w)
	return own
}

// psForeign is the mean over ps's tables of the sum of what it prints for
// processes that are not ours, in CPUs. ok is false without a table.
func (m *Measured) psForeign(w window) (cores float64, ok bool) {
	sum, tables, last := 0.0, 0, int64(-1)
	for _, p := range m.evidence.lifetime.within(w.Start, w.End) {
		if p.t != last {
			tables, last = tables+1, p.t
		}
		if !m.own(p.entity) {
			sum += p.v
		}
	}
	if tables == 0 || len(m.manifest.Own) == 0 {
		return 0, false
	}
	return sum / float64(tables), true
}

// own reports whether a process, recorded as "name[pid]@start", is the system
// under test or the load generator. Where nobody named any, every recorded one
// is: a recording of single processes is made of those.
func (m *Measured) own(entity string) bool {
	name, _, _ := strings.Cut(entity, "[")
	if len(m.manifest.Own) == 0 {
		return true
	}
	for _, o := range m.manifest.Own {
		if name == o {
			return true
		}
	}
	return false
}
