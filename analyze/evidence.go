package analyze

import (
	"context"
	"maps"
	"slices"
	"strings"

	"headroom/detect"
	"headroom/runs"
)

// evidence is what was recorded of the host and the database within the window.
type evidence struct {
	load1    series
	cpu      map[string]series            // counters of the whole host by mode, CPU seconds
	gauges   map[string]series            // shares of the whole host by mode
	process  map[string]series            // counters of CPU seconds by process
	group    map[string]series            // the same by group of processes, children that ended included
	lifetime series                       // ps %CPU, which is a lifetime average
	disks    map[string]map[string]series // queues, by metric and disk
	pressure map[string]series            // waiting for a CPU, by metric
	cpus     float64
	waits    []runs.Activity
	markers  []runs.Marker
}

// series is one metric of one entity, in order of time.
type series []point

type point struct {
	t      int64 // ns since the Unix epoch
	v      float64
	entity string
}

// within returns the points from start to end, both included: a point at the
// window's edge bounds what happened inside it.
func (s series) within(start, end int64) series {
	lo, _ := slices.BinarySearchFunc(s, start, func(p point, t int64) int { return compare(p.t, t) })
	hi, _ := slices.BinarySearchFunc(s, end+1, func(p point, t int64) int { return compare(p.t, t) })
	return s[lo:max(lo, hi)]
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// The modes of CPU time (proc(5), /proc/stat). Guest time is inside user.
var (
	busyModes = []string{"user", "nice", "system", "irq", "softirq"}
	allModes  = append([]string{"idle", "iowait", "steal"}, busyModes...)
)

const (
	metricLoad     = "load.1m"
	metricProcess  = "process.cpu_seconds"
	metricGroup    = "group.cpu_seconds"
	metricLifetime = "process.cpu_lifetime_percent"
	metricCPUs     = "host.cpus"
)

// readEvidence scans the points, activity and markers of the window.
func readEvidence(ctx context.Context, run *runs.Run, w window) (evidence, error) {
	e := evidence{cpu: map[string]series{}, gauges: map[string]series{}, process: map[string]series{}, group: map[string]series{},
		pressure: map[string]series{}, disks: map[string]map[string]series{metricQueueSeconds: {}, metricQueue: {}, metricCloudQueue: {}}}
	metrics := []string{metricLoad, metricProcess, metricGroup, metricLifetime, metricCPUs, metricQueueSeconds, metricQueue, metricCloudQueue}
	metrics = append(metrics, pressureMetrics...)
	for _, mode := range allModes {
		metrics = append(metrics, "cpu."+mode, "cpu."+mode+"_seconds")
	}
	within := runs.Range{Start: w.Start / 1000, End: w.End/1000 + 1}
	err := run.ScanPoints(ctx, metrics, within, func(p *runs.Point) error {
		e.point(p)
		return nil
	})
	if err != nil {
		return e, err
	}
	err = run.ScanActivity(ctx, within, func(a *runs.Activity) error {
		kept := *a
		kept.Query = ""
		e.waits = append(e.waits, kept)
		return nil
	})
	if err != nil {
		return e, err
	}
	err = run.ScanMarkers(ctx, []string{"postgres.checkpoint.", "postgres.autovacuum", "postgres.autoanalyze"}, within, func(m *runs.Marker) error {
		kept := *m
		kept.Detail = ""
		e.markers = append(e.markers, kept)
		return nil
	})
	e.sort()
	return e, err
}

func (e *evidence) point(p *runs.Point) {
	q := point{p.Nanos(), p.Value, p.Entity}
	switch {
	case p.Metric == metricLoad:
		e.load1 = append(e.load1, q)
	case e.disks[p.Metric] != nil:
		e.disks[p.Metric][p.Entity] = append(e.disks[p.Metric][p.Entity], q)
	case slices.Contains(pressureMetrics, p.Metric):
		e.pressure[p.Metric] = append(e.pressure[p.Metric], q)
	case p.Metric == metricCPUs:
		e.cpus = max(e.cpus, p.Value)
	case p.Metric == metricGroup:
		e.group[p.Entity] = append(e.group[p.Entity], q)
	case p.Metric == metricProcess:
		e.process[p.Entity] = append(e.process[p.Entity], q)
	case p.Metric == metricLifetime:
		e.lifetime = append(e.lifetime, q)
	case p.Kind == runs.Counter && (p.Entity == "cpu" || p.Entity == ""):
		mode := strings.TrimSuffix(strings.TrimPrefix(p.Metric, "cpu."), "_seconds")
		e.cpu[mode] = append(e.cpu[mode], q)
	case p.Kind == runs.Gauge:
		mode := strings.TrimPrefix(p.Metric, "cpu.")
		e.gauges[mode] = append(e.gauges[mode], q)
	}
}

func (e *evidence) sort() {
	byTime := func(a, b point) int { return compare(a.t, b.t) }
	slices.SortStableFunc(e.load1, byTime)
	slices.SortStableFunc(e.lifetime, byTime)
	for _, of := range append(slices.Collect(maps.Values(e.disks)), e.cpu, e.gauges, e.process, e.group, e.pressure) {
		for _, s := range of {
			slices.SortStableFunc(s, byTime)
		}
	}
	e.markers = detect.Once(e.markers)
}
