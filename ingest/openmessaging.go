package ingest

import (
	"encoding/json"
	"strings"
	"time"

	"headroom/runs"
)

// OpenMessaging reads results of the OpenMessaging Benchmark
// (https://openmessaging.cloud/docs/benchmarks/).
var OpenMessaging = &Importer{
	Name: "openmessaging-json",
	Doc: `OpenMessaging Benchmark result

Recognised by an object with workload, driver and publishRate. Lists have one
value a period, ten seconds by default, and no time: they become points where the
start is given (--start, and --interval if the period was another), stamped with
the end of their period. Latencies are milliseconds, publish delays microseconds.
Aggregated figures go to the manifest. Warm-up is not in the file. End-to-end
latency compares two hosts' clocks, and can be negative.`,
	Gives: []string{"manifest: summaries", "points: openmessaging.*, with --start"},
	Lacks: []string{"single messages, and when the run was", "the length of a period", "counts, and so totals"},
	Sniff: func(head []byte) bool { return hasMembers(head, "workload", "driver", "publishRate") },
	Read:  readOpenMessaging,
}

// openMessagingPeriod is the period of the reports unless it was changed.
const openMessagingPeriod = 10 * time.Second

func readOpenMessaging(in *Input, sink Sink) error {
	in.Meta.Tool, in.Meta.LatencyUnit = "openmessaging", "ms"
	in.Meta.Model, in.Meta.Basis = runs.OpenLoop, basisRequest // producers publish at a set rate
	in.Meta.ModelAs = "the benchmark's producers"
	return documents(in, func(doc *map[string]json.RawMessage) error {
		series := map[string][]jsonNumber{}
		parts := map[string]figures{}
		for _, name := range inOrder(*doc) {
			raw, list := (*doc)[name], []jsonNumber(nil)
			if base, ok := strings.CutPrefix(name, "aggregated"); ok {
				base = strings.ToLower(base[:min(len(base), 1)]) + base[min(len(base), 1):]
				var n jsonNumber
				if of, key, power := openMessagingLatency(base); key != "" && json.Unmarshal(raw, &n) == nil && n != "" {
					if parts[of] == nil {
						parts[of] = figures{}
					}
					parts[of].put("latency."+key, n.scaled(power))
				}
			} else if json.Unmarshal(raw, &list) == nil && list != nil {
				series[name] = list
			}
		}
		for _, of := range inOrder(parts) {
			in.summary(of, "HdrHistogram of the whole run, as printed", parts[of])
		}
		for _, key := range []string{"workload", "driver"} {
			var text string
			if json.Unmarshal((*doc)[key], &text) == nil && text != "" {
				in.Note("%s: %s", key, clip(text))
			}
		}
		return openMessagingPoints(in, sink, series)
	})
}

// openMessagingLatency takes the name of a latency apart: of what it is, the
// value's name, and the power of ten to seconds.
func openMessagingLatency(name string) (of, key string, power int) {
	of, rest, ok := strings.Cut(name, "Latency")
	if !ok {
		return name, "", 0
	}
	power = -3
	if strings.HasSuffix(of, "Delay") {
		power = -6
	}
	switch p, pct := strings.CutSuffix(rest, "pct"); {
	case pct:
		key = "p" + p
	case rest == "Avg":
		key = "mean"
	default:
		key = strings.ToLower(rest)
	}
	return cutTag(snake(of)), key, power
}

// snake turns aName into a_name.
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// openMessagingPoints writes the lists, one instant after the other.
func openMessagingPoints(in *Input, sink Sink, series map[string][]jsonNumber) error {
	names, n := inOrder(series), 0
	for _, name := range names {
		n = max(n, len(series[name]))
	}
	if _, ok := in.start(); !ok {
		in.timeless(n, "periods")
		return nil
	}
	period := in.Opt.Interval
	if period <= 0 {
		period = openMessagingPeriod
		in.Note("a period is taken as %v, the benchmark's default (--interval says otherwise)", period)
	}
	in.placed("periods are")
	for i := range n {
		us, _ := in.clock(int64(period) * int64(i+1))
		for _, name := range names {
			if i >= len(series[name]) {
				continue
			}
			p := runs.Point{Time: us, Metric: "openmessaging." + snake(cutTag(name)), Kind: runs.Gauge, Unit: "1", Resolution: resolutionOf(period)}
			power := 0
			if strings.Contains(name, "Latency") {
				var of, key string
				of, key, power = openMessagingLatency(name)
				p.Metric, p.Unit = "openmessaging."+cutTag(of+"_latency_"+key), "s"
			} else if strings.HasSuffix(name, "Rate") {
				p.Unit = "1/s"
			}
			v := series[name][i].scaled(power)
			if v != v {
				continue
			}
			p.Value = v
			if err := sink.Point(&p); err != nil {
				return err
			}
		}
	}
	return nil
}
