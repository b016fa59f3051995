package analyze

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"headroom/detect"
	"headroom/runs"
)

// A lane is a panel below a timeline, on its time axis: evidence of what else
// happened while requests were slow. One that was not recorded is not drawn.
type lane struct {
	axis  Axis
	panel Panel
}

// addLanes adds what was recorded beside the requests of a scenario.
func (m *Measured) addLanes(f *Figure, scenario string) {
	for _, l := range []lane{
		m.inFlightLane(scenario), m.sessionsLane(), m.cpuLane(), m.diskQueueLane(), m.loadLane(),
	} {
		if len(l.panel.Series) == 0 {
			continue
		}
		f.Y, f.Panels = append(f.Y, l.axis), append(f.Panels, l.panel)
	}
}

// onAxis is where an instant (ns since the Unix epoch) lies on a timeline.
func (m *Measured) onAxis(t int64) float64 { return float64(t-m.window.Start) / 1e9 }

// inFlightLane counts the requests that had begun and not ended at the beginning
// of each second of the window.
func (m *Measured) inFlightLane(scenario string) lane {
	i := slices.IndexFunc(m.scenarios, func(r *detect.Requests) bool { return r.Scenario == scenario })
	n := m.window.Len() / int64(time.Second)
	if i < 0 || n < 1 {
		return lane{}
	}
	// change[k] is by how much the count at second k differs from that before.
	change := make([]int64, n+1)
	at := func(t int64) int64 {
		k := (t - m.window.Start + int64(time.Second) - 1) / int64(time.Second)
		return max(k, 0)
	}
	for c := range m.scenarios[i].Chunks() {
		for k, start := range c.Start {
			from, to := at(start), at(c.End(k))
			if from < to && from <= n {
				change[from]++
				if to <= n {
					change[to]--
				}
			}
		}
	}
	s := Series{Name: "in flight", Mark: "line", Role: "other"}
	now := int64(0)
	for k, c := range change {
		now += c
		s.X, s.Y = append(s.X, float64(k)), append(s.Y, float64(now))
	}
	return lane{Axis{Label: "in flight", Unit: "requests"}, Panel{Series: []Series{s}}}
}

// maxWaitClasses is how many classes of waits a lane tells apart; what is rarer
// is one more.
const maxWaitClasses = 5

// sessionsLane stacks what the working client sessions waited for: the mean
// number of each class over the looks of a second, or of the sampler's interval
// where that is longer. The classes are PostgreSQL's (pg_stat_activity.wait_event_type).
func (m *Measured) sessionsLane() lane {
	rows := m.evidence.waits
	times := make([]int64, 0, len(rows))
	for _, a := range rows {
		times = append(times, a.Time)
	}
	looks := distinctLooks(times)
	if len(looks) < 2 {
		return lane{}
	}
	width := laneBucket(looks)
	bucket := func(t int64) int64 { return floorDiv(t*1000-m.window.Start, width) }
	count, total, seen := map[string]map[int64]int{}, map[string]int{}, map[int64]int{}
	for _, t := range looks {
		seen[bucket(t)]++
	}
	for _, a := range rows {
		class, ok := waitClass(&a)
		if !ok {
			continue
		}
		if count[class] == nil {
			count[class] = map[int64]int{}
		}
		count[class][bucket(a.Time)]++
		total[class]++
	}
	if len(total) == 0 {
		return lane{}
	}
	names := commonest(total)
	buckets := slices.Sorted(maps.Keys(seen))
	var p Panel
	for i, name := range names {
		s := Series{Name: name, Mark: "stack", Role: waitRole(name), Gap: 1.5 * float64(width) / 1e9}
		of := []string{name}
		if i == maxWaitClasses {
			s.Name, s.Role, of = "other waits", "other", names[i:]
		}
		for _, b := range buckets {
			sum := 0
			for _, class := range of {
				sum += count[class][b]
			}
			s.X = append(s.X, float64(b*width)/1e9)
			s.Y = append(s.Y, float64(sum)/float64(seen[b]))
		}
		p.Series = append(p.Series, s)
		if i == maxWaitClasses {
			break
		}
	}
	return lane{Axis{Label: "working sessions by wait", Unit: "sessions"}, p}
}

// waitRole gives the classes that most documents show a colour for good, so that
// one class looks alike in every figure, whatever its rank there.
func waitRole(class string) string {
	switch class {
	case "no wait", "Client", "IO", "LWLock", "Lock":
		return "wait." + strings.ReplaceAll(strings.ToLower(class), " ", "_")
	}
	return "other"
}

// waitClass is the class of what a working client session waits for. ok is false
// for sessions that do not work, and for background processes.
func waitClass(a *runs.Activity) (class string, ok bool) {
	switch {
	case a.BackendType != "" && a.BackendType != "client backend" && a.BackendType != "parallel worker", a.State == "idle":
		return "", false
	case a.Wait == "" && a.WaitType == "":
		return "no wait", true
	case a.WaitType == "":
		return a.Wait, true
	}
	return a.WaitType, true
}

// commonest sorts names by how often they were seen, the most frequent first.
func commonest(total map[string]int) []string {
	return slices.SortedFunc(maps.Keys(total), func(a, b string) int {
		return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(a, b))
	})
}

// distinctLooks returns the sampling instants behind the stamps of rows, in µs.
func distinctLooks(times []int64) (looks []int64) {
	slices.Sort(times)
	for i, t := range times {
		if i == 0 || t-times[i-1] >= instantGap {
			looks = append(looks, t)
		}
	}
	return looks
}

// laneBucket is the width of a bucket in ns that nearly every look falls into
// one of: a second, or whole seconds that hold the usual distance of two looks.
func laneBucket(looks []int64) int64 {
	gaps := make([]float64, 0, len(looks)-1)
	for i := 1; i < len(looks); i++ {
		gaps = append(gaps, float64(looks[i]-looks[i-1]))
	}
	const second = int64(time.Second)
	usual := int64(medianOf(gaps)) * 1000
	return max(second, (usual+second-second/20)/second*second)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// cpuLane draws the CPU that the host was busy with, and of that what belongs to
// nobody of ours, from one record to the next that is at least a second later.
func (m *Measured) cpuLane() lane {
	busy := Series{Name: "busy", Mark: "line", Role: "other"}
	foreign := Series{Name: "foreign", Mark: "line", Role: "failed"}
	ticks := m.evidence.cpu["user"].within(m.window.Start, m.window.End)
	for from, to := 0, 1; to < len(ticks); to++ {
		if ticks[to].t-ticks[from].t < int64(time.Second)*9/10 {
			continue
		}
		w := window{Span: detect.Span{Start: ticks[from].t, End: ticks[to].t}}
		from = to
		var c Contention
		extra := map[string]float64{}
		m.cpuTimes(w, &c, extra)
		x := m.onAxis(w.End)
		if v, ok := extra["busy"]; ok {
			busy.X, busy.Y = append(busy.X, x), append(busy.Y, v)
		}
		if c.Foreign != nil {
			foreign.X, foreign.Y = append(foreign.X, x), append(foreign.Y, *c.Foreign)
		}
	}
	if len(busy.X) < 2 {
		return lane{}
	}
	p := Panel{Series: []Series{busy}}
	if len(foreign.X) >= 2 {
		p.Series = append(p.Series, foreign)
	}
	return lane{Axis{Label: "CPU", Unit: "cores"}, p}
}

// Metrics of disks, whatever the source: docs/format/metrics.md.
const (
	metricQueueSeconds = "disk.queue_seconds"
	metricQueue        = "disk.queue"
	metricCloudQueue   = "rds.disk.queue"
)

// diskQueueLane draws the mean number of requests in the queue of the disk that
// had most.
func (m *Measured) diskQueueLane() lane {
	s := Series{Mark: "line", Role: "other"}
	most := 0.0
	for _, metric := range []string{metricQueueSeconds, metricQueue, metricCloudQueue} {
		for _, entity := range slices.Sorted(maps.Keys(m.evidence.disks[metric])) {
			of := m.evidence.disks[metric][entity].within(m.window.Start, m.window.End)
			x, y := m.placed(of, metric == metricQueueSeconds)
			sum := 0.0
			for _, v := range y {
				sum += v
			}
			if len(x) >= 2 && (s.X == nil || sum > most) {
				most, s.X, s.Y, s.Name = sum, x, y, strings.TrimSpace("disk "+entity)
			}
		}
		if s.X != nil {
			return lane{Axis{Label: "in the queue of " + s.Name, Unit: "I/O requests"}, Panel{Series: []Series{s}}}
		}
	}
	return lane{}
}

// placed puts a series on the time axis; of a counter, its rate since the
// record before. A decrease is a reset, whose rate nobody knows.
func (m *Measured) placed(s series, counter bool) (x, y []float64) {
	for i, p := range s {
		v := p.v
		if counter {
			if i == 0 || p.v < s[i-1].v || p.t <= s[i-1].t {
				continue
			}
			v = (p.v - s[i-1].v) / (float64(p.t-s[i-1].t) / 1e9)
		}
		x, y = append(x, m.onAxis(p.t)), append(y, v)
	}
	return x, y
}

// loadLane draws the load average.
func (m *Measured) loadLane() lane {
	s := Series{Name: "load average (1 min)", Mark: "line", Role: "other"}
	s.X, s.Y = m.placed(m.evidence.load1.within(m.window.Start, m.window.End), false)
	if len(s.X) < 2 {
		return lane{}
	}
	return lane{Axis{Label: "load average", Unit: "tasks"}, Panel{Series: []Series{s}}}
}
