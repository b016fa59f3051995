package detect

import (
	"math"
	"slices"
	"strings"

	"headroom/runs"
)

// A derivation makes a metric, under the name that other sources record it by,
// from counters of one source and thing: what it counted a second of one kind
// over what it counted of another.
type derivation struct {
	metric     string
	unit       string
	over, from []string // sums of counters
	less       string   // a counter of parts of over, subtracted: the sum over the source's entities
	entity     string   // that is the whole host's, whose derived entity is ""; "": any, kept
	count      string   // a gauge of the source that divides as well
}

// derivations close the gap between counters since boot and what iostat and
// vmstat compute from them.
var derivations = []derivation{
	{metric: "disk.request_size", unit: "B", over: []string{"disk.read_bytes", "disk.written_bytes"}, from: []string{"disk.reads", "disk.writes"}},
	{metric: "disk.request_size", unit: "B", over: []string{"disk.read_bytes_total", "disk.write_bytes_total"}, from: []string{"disk.read_count", "disk.write_count"}},
	{metric: "cpu.steal", unit: "1", over: []string{"cpu.steal_seconds"}, entity: "cpu", count: "host.cpus"},
	{
		metric: foreignCPU, unit: "1", less: "group.cpu_seconds", entity: "cpu", count: "host.cpus",
		over: []string{"cpu.user_seconds", "cpu.nice_seconds", "cpu.system_seconds", "cpu.irq_seconds", "cpu.softirq_seconds"},
	},
}

// foreignCPU is the share of the host's CPU time that no group of processes used
// which the run names as its own.
const foreignCPU = "cpu.foreign"

// inputs are the metrics that a wanted one may be derived from.
func (d *derivation) inputs() []string {
	out := append(slices.Clone(d.over), d.from...)
	for _, metric := range []string{d.less, d.count} {
		if metric != "" {
			out = append(out, metric)
		}
	}
	return out
}

// withInputs adds what wanted metrics may be derived from.
func withInputs(metrics []string) []string {
	out := slices.Clone(metrics)
	for i := range derivations {
		if slices.Contains(metrics, derivations[i].metric) {
			out = append(out, derivations[i].inputs()...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// derive adds the series that can be made of others and that their source did
// not record itself. Series must be sorted by metric.
func (e *Evidence) derive() {
	var made []Series
	for i := range derivations {
		d := &derivations[i]
		for _, s := range e.Of(d.over[0]) {
			if s.Kind != runs.Counter || d.entity != "" && s.Entity != d.entity {
				continue
			}
			if x, ok := e.derived(d, &s); ok {
				made = append(made, x)
			}
		}
	}
	e.Series = append(e.Series, made...)
}

func (e *Evidence) derived(d *derivation, s *Series) (Series, bool) {
	out := Series{Metric: d.metric, Source: s.Source, Entity: strings.TrimSuffix(s.Entity, d.entity), Unit: d.unit, Kind: runs.Gauge, Resolution: s.Step()}
	if d.entity == "" {
		out.Entity = s.Entity
	}
	over, ok := e.sumOf(d.over, s.Source, s.Entity, s.At)
	if !ok {
		return out, false
	}
	below, ok := e.sumOf(d.from, s.Source, s.Entity, s.At)
	if !ok {
		return out, false
	}
	less, ok := e.partsOf(d.less, s.Source, s.At)
	if !ok {
		return out, false
	}
	cpus := 0.0
	for _, c := range e.Of(d.count) {
		if c.Source == s.Source && len(c.Values) > 0 {
			cpus = c.Values[len(c.Values)-1]
		}
	}
	for i := 1; i < len(s.At); i++ {
		amount, part, by := over[i]-over[i-1], less[i]-less[i-1], below[i]-below[i-1]
		if len(d.from) == 0 {
			by = cpus * seconds(s.At[i]-s.At[i-1])
		}
		if amount < 0 || !(part >= 0) || by <= 0 { // a reset, a part that is not known, or nothing to divide by
			continue
		}
		// Times are counted in ticks, and the two are not read at one instant.
		out.At, out.Values = append(out.At, s.At[i]), append(out.Values, max(amount-part, 0)/by)
	}
	return out, len(out.At) > 0
}

// partsOf sums a counter over its entities at the instants: one that began later
// stood at 0 before. The sum is not a number where one of them was not read. ok is
// false where the source has none; without a metric the sum is 0.
func (e *Evidence) partsOf(metric, source string, at []int64) (sum []float64, ok bool) {
	sum = make([]float64, len(at))
	if metric == "" {
		return sum, true
	}
	for _, s := range e.Of(metric) {
		if s.Source != source || len(s.At) == 0 {
			continue
		}
		ok = true
		for i, t := range at {
			k, read := slices.BinarySearch(s.At, t)
			switch {
			case read:
				sum[i] += s.Values[k]
			case t > s.At[0]:
				sum[i] = math.NaN()
			}
		}
	}
	return sum, ok
}

// Under returns the series whose metrics begin with the prefix.
func (e *Evidence) Under(prefix string) []Series {
	lo, _ := slices.BinarySearchFunc(e.Series, prefix, func(s Series, m string) int { return strings.Compare(s.Metric, m) })
	hi := lo
	for hi < len(e.Series) && strings.HasPrefix(e.Series[hi].Metric, prefix) {
		hi++
	}
	return e.Series[lo:hi]
}
