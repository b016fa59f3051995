package cli

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"headroom/ingest"
	"headroom/internal/near"
	"headroom/internal/yamlfile"
	"headroom/runs"
)

// evidenceFlags say what foreign files cannot say themselves, as ingest and
// report build take them.
type evidenceFlags struct {
	labels, step, claims, reconcile map[string]string

	flags *pflag.FlagSet // these flags alone

	as         []string // FORMAT, or FILE=FORMAT
	maps       []string
	exitStatus string
	places     places

	zones     []string // ZONE, or FILE=ZONE
	offsets   []string // FILE=DURATION
	timeUnit  string
	events    int64
	scenario  string
	start     time.Time
	interval  time.Duration
	own       []string
	cores     int64
	price     float64
	currency  string
	loadModel string
	rate      float64
	workers   int64
	targets   []string
	probes    []string
	jobs      []string
}

// timeUnits are the units that --time-unit takes.
var timeUnits = map[string]time.Duration{"s": time.Second, "ms": time.Millisecond, "us": time.Microsecond, "ns": time.Nanosecond}

func (f *evidenceFlags) add(to *pflag.FlagSet) {
	f.places.fs = to
	f.flags = pflag.NewFlagSet("evidence", pflag.ContinueOnError)
	defer to.AddFlagSet(f.flags)
	fs := f.flags
	fs.Var(pairsValue{&f.labels, false}, "label", "label of the run, `KEY=VALUE`; repeatable")
	fs.Var(pairsValue{&f.step, true}, "step", "the whole run is one step with these labels, `KEY=VALUE`, separated by commas, as concurrency=64")
	fs.StringArrayVar(&f.as, "as", nil, "read the FILEs as this `FORMAT` instead of asking their content, or one of them by FILE=FORMAT; repeatable (see headroom formats)")
	fs.StringArrayVar(&f.maps, "map", nil, "`MAP.yaml` that says what the columns of a CSV or JSON-lines file mean; repeatable")
	fs.Var(roleValue{&f.places, ingest.Before}, "before", "`FILE` of counts or a snapshot taken before the load; FILEs of its format that follow it go with it; repeatable")
	fs.Var(roleValue{&f.places, ingest.After}, "after", "`FILE` of counts or a snapshot taken after the load; likewise")
	fs.Var(pairsValue{&f.reconcile, true}, "reconcile", "count column whose gain must equal a claim, `COLUMN=CLAIM`, separated by commas, as rows=events_sent; the claims requests and events are there without --claim: those of ok requests")
	fs.Var(pairsValue{&f.claims, false}, "claim", "what the generator says it did, `NAME=METRIC|N`, as events=events_sent; repeatable")
	fs.StringVar(&f.exitStatus, "exit-status", "", "exit status of the load generator, `N|FILE` (default: not recorded)")
	fs.StringArrayVar(&f.zones, "timezone", nil, "`ZONE` of stamps that have none, as Europe/Paris or +02:00, or of one file's by FILE=ZONE; repeatable (default: such stamps are refused)")
	fs.StringArrayVar(&f.offsets, "clock-offset", nil, "duration added to the stamps of one file, so that they stand on the load generator's clock, `FILE=D` as db.log=-1.5s; repeatable (default: none)")
	fs.Var(choiceValue{&f.timeUnit, []string{"s", "ms", "us", "ns"}}, "time-unit", "unit of stamps that are bare numbers, `s|ms|us|ns` (default: told by their size)")
	fs.Var(positive[int64]{&f.events, parseInt, "N"}, "events", "events that each sample carries, `N` (default 1)")
	fs.StringVar(&f.scenario, "scenario", "", "`NAME` of the scenario of samples that name none (default: default)")
	fs.Var(instantValue{&f.start}, "start", "`TIME` in RFC 3339 of the first row of a file without a time axis")
	fs.Var(positive[time.Duration]{&f.interval, parseDuration, "D"}, "interval", "time between the rows of a file without a time axis, duration `D`")
	fs.StringArrayVar(&f.own, "own", nil, "`NAME` of a process that is the system under test or the load generator, so that its CPU is not foreign; repeatable")
	fs.Var(positive[int64]{&f.cores, parseInt, "N"}, "cores", "processor cores of the host, `N` (default: as recorded)")
	fs.Var(positive[float64]{&f.price, parseFinite, "N"}, "price", "price of the host per hour, `N`")
	fs.StringVar(&f.currency, "currency", "", "`CODE` of the price's currency, as EUR")
	fs.Var(choiceValue{&f.loadModel, []string{"open", "closed"}}, "load-model", "what paces the load, `open|closed` (default: as the files say)")
	fs.Var(positive[float64]{&f.rate, parseFinite, "R"}, "rate", "offered rate `R`, requests per second (default: as the files say)")
	fs.Var(positive[int64]{&f.workers, parseInt, "N"}, "concurrency", "workers that wait for replies, `N` (default: as the files say)")
	fs.StringArrayVar(&f.targets, "replica", nil, "`NAME` of a replica that is to serve, as the samples' target; repeatable")
	fs.StringArrayVar(&f.jobs, "jobs", nil, "`SCENARIO` that is the jobs of a queue: their waiting and processing, judged apart; repeatable")
	fs.StringArrayVar(&f.probes, "probe", nil, "`SCENARIO` that is a probe: judged apart, never pooled; repeatable")
}

// used returns the first of the flags that was given, "" if none was.
func (f *evidenceFlags) used() (name string) {
	f.flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Changed && name == "" {
			name = "--" + flag.Name
		}
	})
	return name
}

// request makes what becomes one run of the files and the flags.
func (f *evidenceFlags) request(env *Env, files []ingest.File) (ingest.Request, error) {
	req := ingest.Request{
		Stdin: env.In, Show: env.Shown, Labels: f.labels, Claims: f.claims, Reconcile: f.reconcile,
		Model: runs.LoadModel(f.loadModel), Rate: f.rate, Concurrency: int(f.workers),
		Probes: f.probes, Jobs: f.jobs, Targets: f.targets, Own: f.own, Host: runs.Host{Cores: int(f.cores), PricePerHour: f.price, Currency: f.currency},
		Options: ingest.Options{
			TimeUnit: timeUnits[f.timeUnit], Events: f.events, Scenario: f.scenario, Start: f.start, Interval: f.interval,
		},
	}
	if len(f.step) > 0 {
		req.Steps = []runs.Step{{Labels: f.step}}
	}
	if err := f.addClocks(env, &req); err != nil {
		return req, err
	}
	var err error
	if req.Maps, err = f.readMaps(env); err != nil {
		return req, err
	}
	if req.Files, err = f.assign(files); err != nil {
		return req, err
	}
	for i := range req.Files {
		req.Files[i].Path = stdinOr(env, req.Files[i].Path)
	}
	return req, f.addExit(env, &req)
}

// stdinOr resolves a path; "-" stays the standard input.
func stdinOr(env *Env, path string) string {
	if path == "-" {
		return path
	}
	return env.Path(path)
}

// addExit adds the load generator's exit status, a number or a file.
func (f *evidenceFlags) addExit(env *Env, req *ingest.Request) error {
	if f.exitStatus == "" {
		return nil
	}
	n, err := strconv.Atoi(f.exitStatus)
	switch {
	case err != nil:
		req.Files = append(req.Files, ingest.File{Path: env.Path(f.exitStatus), Role: ingest.ExitFile})
	case n < 0 || n > 255:
		return usagef("--exit-status %d: an exit status is 0 to 255", n)
	default:
		req.ExitStatus = &n
	}
	return nil
}

// assign gives the files the formats that --as names.
func (f *evidenceFlags) assign(files []ingest.File) ([]ingest.File, error) {
	files = slices.Clone(files)
	for _, as := range f.as {
		name, format, one := strings.Cut(as, "=")
		if !one {
			name, format = "", as
		}
		if _, err := ingest.Lookup(ingest.All, format); err != nil {
			return nil, usagef("--as: there is no format %q%s", format, near.DidYouMean(format, formatNames()))
		}
		used := false
		for i := range files {
			if one && files[i].Path == name || !one && files[i].Role == ingest.Evidence && files[i].As == "" {
				files[i].As, used = format, true
			}
		}
		if one && !used {
			return nil, usagef("--as %s: no FILE of the command is called %s", as, name)
		}
	}
	return files, nil
}

func formatNames() []string {
	var names []string
	for _, im := range ingest.All {
		names = append(names, im.Name)
	}
	return names
}

// ingestError gives an error of package ingest its exit status.
func ingestError(err error) error {
	for _, usage := range []error{ingest.ErrUsage, ingest.ErrDuplicate, ingest.ErrOverlap, ingest.ErrHole, ingest.ErrTools} {
		if errors.Is(err, usage) {
			return usagef("%w", err)
		}
	}
	return looked(err)
}

// readMaps reads the mapping files. One that is absent is evidence that could
// not be looked at; one that is wrong is bad usage.
func (f *evidenceFlags) readMaps(env *Env) ([]*ingest.Mapping, error) {
	var out []*ingest.Mapping
	for _, path := range f.maps {
		text, err := readSmall(env.Path(path), yamlfile.MaxSize)
		if err != nil {
			return nil, lookf("--map %s: %w", path, pathless(err))
		}
		ms, err := ingest.ReadMappings(path, text)
		if err != nil {
			return nil, usagef("--map: %w", err)
		}
		out = append(out, ms...)
	}
	return out, nil
}

// readSmall reads a whole file that people write by hand; one byte more than
// most is read, so that whoever parses it sees that it is too large.
func readSmall(path string, most int64) ([]byte, error) {
	f, err := openNamed(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}
