package conformance

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"headroom/runs"
	"headroom/stat"
)

// side is what headroom has of a run besides what the tool printed.
type side struct {
	run, format string
	response    bool    // a latency begins when the work was due
	grain       float64 // of the latencies that were recorded, s; 0 if they are finer than what is printed
	resolution  float64 // of the stamps that were recorded, s
	samples     []runs.Sample
	points      []runs.Point
	histograms  []runs.Histogram
	reported    []figure // by the reports of the run itself
	quoted      []figure // where nothing else is there: those of another report
}

// within is headroom's figure, and between which values it may lie where it is
// not known better.
type within struct{ value, low, high float64 }

func exactly(v float64) within { return within{v, v, v} }

// only returns the side with the samples that keep is true for.
func (s *side) only(keep func(*runs.Sample) bool) *side {
	out := *s
	out.points, out.histograms, out.samples = nil, nil, nil
	for i := range s.samples {
		if keep(&s.samples[i]) {
			out.samples = append(out.samples, s.samples[i])
		}
	}
	return &out
}

// k6Part finds what a submetric is of: { scenario:api }.
var k6Part = regexp.MustCompile(`^k6\.http_req_duration\{ ?(\w+):([^}]*?) ?\}$`)

// part returns the side of what a figure is of; nil if nothing here is named so.
func (s *side) part(of string) *side {
	switch m := k6Part.FindStringSubmatch(of); {
	case of == "":
		return s.only(func(x *runs.Sample) bool { return !slices.Contains(notLoad, x.Scenario) })
	case m != nil && m[1] == "scenario":
		return s.only(func(x *runs.Sample) bool { return x.Scenario == m[2] })
	case m != nil && m[1] == "expected_response":
		return s.only(func(x *runs.Sample) bool { return (x.Outcome == runs.OK) == (m[2] == "true") })
	}
	out := s.only(func(x *runs.Sample) bool {
		return x.Op == of || x.Op == "" && x.Scenario == of || x.Scenario == strings.ToLower(of)
	})
	if len(out.samples) == 0 {
		return nil
	}
	return out
}

// notLoad are scenarios that a tool does not count among its operations.
var notLoad = []string{"cleanup", "intended"}

// must reports whether a figure has to have an answer here.
func (s *side) must(f figure) bool {
	return len(s.samples) > 0 && f.of == "" && slices.Contains([]string{"requests", "failed", "latency.p50", "latency.p90", "latency.p95", "latency.p99", "latency.max", "latency.mean"}, f.id)
}

// figure returns headroom's value of what a tool printed. With all, latencies are
// those of every request that was answered, ok or not.
func (s *side) figure(f figure, all bool) (within, bool) {
	switch {
	case len(s.samples) > 0:
		part := s.part(f.of)
		if part == nil || len(part.samples) == 0 {
			return within{}, false
		}
		return part.sampled(f.id, all)
	case len(s.histograms) > 0:
		return s.bucketed(f)
	case len(s.points) > 0:
		return s.pointed(f)
	}
	for _, q := range s.quoted {
		if q.of == f.of && q.id == f.id {
			return within{q.value, q.value - q.step/2, q.value + q.step/2}, true
		}
	}
	return within{}, false
}

// counts of samples.
type counts struct {
	sent, ok, dropped, skipped int
	status                     map[string]int
	first, last, end           int64 // ns
}

func (s *side) count() counts {
	c := counts{status: map[string]int{}, first: math.MaxInt64}
	for i := range s.samples {
		x := &s.samples[i]
		switch {
		case x.Outcome == runs.Dropped:
			c.dropped++
		case x.Outcome == runs.Skipped:
			c.skipped++
		default:
			c.sent++
			if x.Outcome == runs.OK {
				c.ok++
			}
			c.status[x.Status]++
			if len(x.Status) == 3 {
				c.status[x.Status[:1]+"xx"]++
			}
			start, end := x.StartNanos(), x.StartNanos()
			if ns, ok := x.Latency(); ok {
				end += ns
			}
			c.first, c.last, c.end = min(c.first, start), max(c.last, start), max(c.end, end)
		}
	}
	return c
}

// sampled computes a figure from single requests, as analyze does.
func (s *side) sampled(id string, all bool) (within, bool) {
	c := s.count()
	n := func(v int) (within, bool) { return exactly(float64(v)), true }
	switch id {
	case "requests", "samples":
		return n(c.sent)
	case "failed":
		return n(c.sent - c.ok)
	case "successful":
		return n(c.ok)
	case "dropped":
		return n(c.dropped)
	case "skipped":
		return n(c.skipped)
	case "success":
		return exactly(float64(c.ok) / float64(c.sent)), c.sent > 0
	case "throughput.requests":
		return exactly(float64(c.ok) / (float64(c.end-c.first) / 1e9)), c.end > c.first
	case "rate":
		return exactly(float64(c.sent) / (float64(c.last-c.first) / 1e9)), c.last > c.first
	case "duration":
		return within{}, false // judged with the rates
	}
	if code, ok := strings.CutPrefix(id, "status."); ok {
		return n(c.status[code])
	}
	name, ok := strings.CutPrefix(id, "latency.")
	if !ok {
		return within{}, false
	}
	return ofLatencies(s.latencies(all), name)
}

// latencies returns the latencies of requests, ns, ascending.
func (s *side) latencies(all bool) []int64 {
	var ns []int64
	for i := range s.samples {
		x := &s.samples[i]
		if !x.Outcome.Sent() || !all && x.Outcome != runs.OK {
			continue
		}
		wait := x.Wait
		if !s.response {
			wait = runs.Missing
		}
		if l, ok := runs.Latency(wait, x.Service); ok {
			ns = append(ns, l)
		}
	}
	slices.Sort(ns)
	return ns
}

// ofLatencies computes one figure of latencies: low and high are the neighbours
// of a percentile, between which every definition of it lies.
func ofLatencies(ns []int64, name string) (within, bool) {
	if len(ns) == 0 {
		return within{}, false
	}
	last := len(ns) - 1
	switch name {
	case "min":
		return exactly(float64(ns[0]) / 1e9), true
	case "max":
		return exactly(float64(ns[last]) / 1e9), true
	case "mean":
		var sum float64
		for _, v := range ns {
			sum += float64(v)
		}
		return exactly(sum / float64(len(ns)) / 1e9), true
	}
	p, ok := percentileOf(name)
	if !ok {
		return within{}, false
	}
	k := stat.Rank(p, len(ns)) - 1
	return within{float64(ns[k]) / 1e9, float64(ns[max(k-1, 0)]) / 1e9, float64(ns[min(k+1, last)]) / 1e9}, true
}

var percentileName = regexp.MustCompile(`^p(\d\d?)(\d*)$`)

// percentileOf reads headroom's name of a percentile: p999 is 99.9 %.
func percentileOf(name string) (stat.P, bool) {
	m := percentileName.FindStringSubmatch(name)
	if m == nil || m[1] == "00" || m[1] == "0" {
		return stat.P{}, false
	}
	text := "0." + m[1] + m[2]
	if len(m[1]) == 1 {
		text = "0.0" + m[1]
	}
	p, err := stat.ParseP(text)
	return p, err == nil
}

// bucketed finds a figure among counted buckets. Ops are added up.
func (s *side) bucketed(f figure) (within, bool) {
	var hs []runs.Histogram
	var n int64
	for _, h := range s.histograms {
		if f.of == "" || h.Op == f.of || h.Scenario == f.of {
			hs, n = append(hs, h), n+h.Count
		}
	}
	if n == 0 {
		return within{}, false
	}
	slices.SortFunc(hs, func(a, b runs.Histogram) int { return compareInt(a.Low, b.Low) })
	bucket := func(i int) within {
		return within{float64(hs[i].High) / 1e9, float64(hs[i].Low) / 1e9, float64(hs[i].High) / 1e9}
	}
	switch name, _ := strings.CutPrefix(f.id, "latency."); name {
	case "count":
		return exactly(float64(n)), true
	case "max":
		return bucket(len(hs) - 1), true
	case "min":
		return bucket(0), true
	default:
		p, ok := percentileOf(name)
		if !ok {
			return within{}, false
		}
		rank, seen := int64(stat.Rank(p, int(n))), int64(0)
		for i := range hs {
			if seen += hs[i].Count; seen >= rank {
				return bucket(i), true
			}
		}
	}
	return within{}, false
}

func compareInt(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// pointed adds up what a tool wrote interval by interval.
func (s *side) pointed(f figure) (within, bool) {
	sum, largest := map[string]float64{}, map[string]float64{}
	for _, p := range s.points {
		name := p.Metric[strings.Index(p.Metric, ".")+1:]
		sum[name] += p.Value
		largest[name] = max(largest[name], p.Value)
	}
	if f.of != "" {
		return within{}, false
	}
	n := firstOf(sum, "transactions", "requests")
	switch f.id {
	case "requests":
		return exactly(n), n > 0
	case "skipped":
		return exactly(sum["skipped"]), n > 0
	case "latency.mean":
		return exactly(sum["latency_sum"] / n), sum["latency_sum"] > 0 && n > 0
	case "latency.max":
		return exactly(largest["latency_max"]), largest["latency_max"] > 0
	}
	return within{}, false
}

func firstOf(m map[string]float64, names ...string) float64 {
	for _, n := range names {
		if v := m[n]; v > 0 {
			return v
		}
	}
	return 0
}
