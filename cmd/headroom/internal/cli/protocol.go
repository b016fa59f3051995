package cli

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"headroom/analyze"
	"headroom/detect"
	"headroom/internal/near"
)

// protocolFlags are the rules that runs are judged by, as analyze, detect and
// report build take them.
type protocolFlags struct {
	p        analyze.Protocol
	name     string
	params   map[string]string
	window   window
	warmup   time.Duration
	required []string
}

// protocols are the names that --protocol takes.
var protocols = []string{"sweep", "ladder", "repeats", "soak", "pairs", "scenario", "bench", "run"}

// addWindow gives fs the flags that cut the measured window.
func (f *protocolFlags) addWindow(fs *pflag.FlagSet) {
	fs.Var(windowValue{&f.window}, "window", "measured window, `START/END` in RFC 3339, END not included (default: as recorded)")
	fs.Var(positive[time.Duration]{&f.warmup, parseDuration, "D"}, "warmup", "cut this much from the start of every window, duration `D` (default 0s)")
}

// addParams gives fs the flag for detectors' parameters.
func (f *protocolFlags) addParams(fs *pflag.FlagSet) {
	fs.Var(pairsValue{&f.params, false}, "param", "parameter of a detector, `DETECTOR.NAME=VALUE` in SI base units; repeatable (see headroom detectors show NAME)")
}

// addAll gives fs every flag of a protocol.
func (f *protocolFlags) addAll(fs *pflag.FlagSet) {
	d := analyze.Protocol{}.Defaults()
	f.addWindow(fs)
	fs.Var(choiceValue{&f.name, protocols}, "protocol", "`NAME` of the protocol: "+strings.Join(protocols, ", ")+" (default: recognised from the label that varies)")
	fs.StringVar(&f.p.Title, "title", "", "title of the document, `TEXT` (default: made from the runs)")
	fs.StringSliceVar(&f.required, "require", nil, "gates that decide, `GATE,GATE` (default: those of the protocol; see headroom gates)")
	fs.Var(positive[time.Duration]{&f.p.P99Limit, parseDuration, "D"}, "p99-limit", fmt.Sprintf("p99 at which a step has crossed the knee, duration `D` (default %s)", d.P99Limit))
	fs.Var(floatsValue{&f.p.FleetRates}, "fleet-rate", fmt.Sprintf("events per endpoint and hour, `N,N` (default %s)", floatsValue{&d.FleetRates}))
	fs.Var(floatsValue{&f.p.Targets}, "target", "number of endpoints that the fleet is to reach, `N,N`: stated on the first screen, by arithmetic; it decides no verdict and no status (default: none)")
	fs.Var(positive[int64]{&f.p.MinSamples, parseInt, "N"}, "min-samples", fmt.Sprintf("least number `N` of ok samples of a run (default %d; a run by itself is judged from 100 on)", d.MinSamples))
	fs.Var(positive[float64]{&f.p.DriftLimit, parseFinite, "RATIO"}, "drift-limit", fmt.Sprintf("highest `RATIO` of the last third's p99 to the first third's (default %g)", d.DriftLimit))
	fs.Var(positive[float64]{&f.p.DeliveredMin, parseFinite, "SHARE"}, "delivered-min", fmt.Sprintf("least `SHARE` of the offered rate that is delivered, 0 to 1 (default %g)", d.DeliveredMin))
	fs.Var(positive[time.Duration]{&f.p.ProbeP99, parseDuration, "D"}, "probe-p99", fmt.Sprintf("highest p99 of a probe scenario, duration `D` (default %s)", d.ProbeP99))
	f.addParams(fs)
}

// protocol checks what the flags say together and returns the rules.
func (f *protocolFlags) protocol() (analyze.Protocol, error) {
	p := f.p
	p.Name, p.Warmup = f.name, f.warmup
	p.WindowStart, p.WindowEnd = f.window.start, f.window.end
	if p.DeliveredMin > 1 {
		return p, usagef("--delivered-min %v: is a share, at most 1", p.DeliveredMin)
	}
	names := gateNames()
	for _, g := range f.required {
		if !slices.Contains(names, g) {
			return p, usagef("--require: there is no gate %q%s", g, near.DidYouMean(g, names))
		}
		p.Required = append(p.Required, g)
	}
	var err error
	p.Params, err = parseParams(f.params, append(slices.Clone(detect.All), p.Detectors...))
	return p, err
}

// parseParams checks overrides of detectors' parameters against the detectors.
func parseParams(pairs map[string]string, detectors []*detect.Detector) (map[string]float64, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	var known []string
	for _, d := range detectors {
		for _, p := range d.Params {
			known = append(known, d.Name+"."+p.Name)
		}
	}
	out := map[string]float64{}
	for _, name := range slices.Sorted(maps.Keys(pairs)) {
		if !slices.Contains(known, name) {
			return nil, usagef("--param: there is no parameter %q%s", name, near.DidYouMean(name, known))
		}
		v, err := parseFinite(pairs[name])
		if err != nil {
			return nil, usagef("--param %s: %v", name, err)
		}
		if v < 0 {
			return nil, usagef("--param %s: %v is below zero", name, v)
		}
		out[name] = v
	}
	return out, nil
}

func gateNames() []string {
	var names []string
	for _, g := range analyze.Gates {
		names = append(names, g.Name)
	}
	return names
}

func parseInt(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no whole number", s)
	}
	return n, nil
}

func parseFinite(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is no number", s)
	}
	return v, nil
}
