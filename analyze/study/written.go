package study

// The file as people write it. The tag doc is the manual of a key, in the schema
// and in docs/study.md; enum lists the only words it takes; need marks a key that
// must be there.
type (
	written struct {
		Title          string              `yaml:"title" doc:"Title of the document."`
		Kind           string              `yaml:"kind" enum:"capacity|under-load|sustained|baseline" doc:"Kind of document; without it, that of its protocols: a sweep makes capacity; a ladder, repeats or a soak sustained; benchmarks, ceilings and scenarios a baseline; else under-load."`
		Contention     string              `yaml:"contention" enum:"required|warn" doc:"What becomes of a rate whose contention was not recorded: withheld, or given with a warning. Default: required for the kinds capacity and sustained."`
		Reconciliation string              `yaml:"reconciliation" enum:"required|warn" doc:"What becomes of a rate whose counts were not reconciled: withheld, or given with a warning. A proven mismatch is withheld always. Default: required for the kinds capacity and sustained."`
		Runs           []string            `yaml:"runs" doc:"Runs of every configuration that names none itself: paths relative to this file, with * and ? and [a-z]; a folder of runs stands for all of them."`
		Configurations []configuration     `yaml:"configurations" need:"yes" doc:"What was measured: one entry for each thing that gets figures of its own."`
		Limits         limits              `yaml:"limits" doc:"Limits that all configurations are judged by, unless they have their own."`
		Probes         []probe             `yaml:"probes" doc:"Scenarios that only watch: judged apart, never pooled with the load."`
		Fleet          fleet               `yaml:"fleet" doc:"What a throughput carries."`
		Compare        []comparison        `yaml:"compare" doc:"By how much one configuration falls short of another."`
		Arms           []arms              `yaml:"arms" doc:"Pairs of configurations that differ in one thing, and what that tests."`
		Denominators   []denominator       `yaml:"denominators" doc:"Against what a configuration's rate is to be read."`
		Derived        []derived           `yaml:"derived" doc:"Ratios and sums of figures of runs, by names of their own."`
		Host           host                `yaml:"host" doc:"What no run recorded of the hardware."`
		Detectors      []string            `yaml:"detectors" doc:"Files of detectors of your own, relative to this file."`
		Params         map[string]float64  `yaml:"params" doc:"Parameters of detectors, as freeze.worst: 0.2, in SI base units."`
		Constants      map[string]declared `yaml:"constants" doc:"Numbers that are no measurement, to be used in prose by their name."`
		Prose          string              `yaml:"prose" doc:"Text of the document: a template, relative to this file."`
		History        []superseded        `yaml:"history" doc:"Figures that earlier documents gave. They are quoted, and nothing rests on them."`
		Rescan         string              `yaml:"rescan" doc:"What headroom rescan --json said of this document, relative to this file: its statement stands on the page."`
		First          first               `yaml:"first" doc:"What gives first, in your order, each with the figures that rank it."`
		Again          []string            `yaml:"again" doc:"Commands that take the measurement again, beside those that the runs recorded."`
		NotCovered     []string            `yaml:"not_covered" doc:"What the document does not show, in your words; what the runs lack is added."`
	}

	configuration struct {
		Name       string            `yaml:"name" need:"yes" doc:"Part of ids, as sweep.NAME.sustained.throughput: letters, digits, dots, dashes and underscores."`
		Label      string            `yaml:"label" doc:"What a reader calls it. Default: its name."`
		Changed    string            `yaml:"changed" doc:"What was changed since the configuration that was measured before it, in words. Default: what its run says."`
		Runs       []string          `yaml:"runs" doc:"Its runs, as runs at the top."`
		Where      map[string]string `yaml:"where" doc:"Of these runs, only those with these labels."`
		Protocol   string            `yaml:"protocol" need:"yes" enum:"sweep|ladder|repeats|soak|pairs|ceiling|denominator|scenario|bench|counts|run" doc:"How it was measured. A sweep raises concurrency, a ladder the offered rate; repeats are equal runs; a soak's steps share one setting; pairs interleave two arms; counts are runs that sent no request and only counted; the others describe each run by itself."`
		Key        string            `yaml:"key" doc:"Label whose number varies between the steps. Default: the one that does."`
		Require    []string          `yaml:"require" doc:"Gates that decide. Default: those of the protocol."`
		Limits     limits            `yaml:"limits" doc:"Its own limits."`
		Warmup     string            `yaml:"warmup" doc:"Cut this much from the start of every window, as 10s."`
		Waive      []waiver          `yaml:"waive" doc:"Gates that do not decide, each with a reason. A waived gate is no failure and no pass: the verdict is unknown at best. A waiver of reconciled or contention-recorded also gives the rates that would be withheld."`
		Bench      bench             `yaml:"bench" doc:"Of benchmarks: which are expected, and how they make up a whole."`
		Scenario   scenario          `yaml:"scenario" doc:"Of scenarios: what their checks need to know of the system."`
		Load       string            `yaml:"load" doc:"Of counts: id of the run whose load a clean-up has to keep up with. Default: the one that carried most without a failure."`
		Limiter    limiter           `yaml:"limiter" doc:"Rate limiter of the system, to be held against what was let pass."`
		Evidence   []string          `yaml:"evidence" doc:"Kinds of evidence that must have been recorded over the window: the beginning of a metric or marker (rds., postgres.), or sessions."`
		Fleet      *bool             `yaml:"fleet" doc:"Whether its throughput is turned into a fleet. Default: true for sweeps, ladders and repeats that decide."`
		Decides    *bool             `yaml:"decides" doc:"Whether its verdict is part of the document's. Default: true, unless it is superseded."`
		Headline   *bool             `yaml:"headline" doc:"Whether its statements stand on the first screen. Default: as decides."`
		Superseded supersession      `yaml:"superseded" doc:"What took its place. Its figures stay, and say so."`
	}

	limits struct {
		P99              string  `yaml:"p99" doc:"p99 at which a step has crossed the knee, as 1s."`
		MinSamples       int64   `yaml:"min_samples" doc:"Least number of ok samples of a run."`
		Drift            float64 `yaml:"drift" doc:"Highest ratio of the last third's p99 to the first third's."`
		DriftMinSamples  int64   `yaml:"drift_min_samples" doc:"Least number of samples in a third."`
		Delivered        float64 `yaml:"delivered" doc:"Least share of the offered rate that is delivered, 0 to 1."`
		ContentionCovers float64 `yaml:"contention_covers" doc:"Least share of the window that the record of contention covers, 0 to 1."`
		Drain            string  `yaml:"drain" doc:"How long a queue may take to empty after the load ends, as 10s."`
	}

	probe struct {
		Scenario string `yaml:"scenario" doc:"Name of the scenario. Default: those that the runs declare."`
		P50      string `yaml:"p50" doc:"Highest median, as 100ms."`
		P95      string `yaml:"p95" doc:"Highest p95."`
		P99      string `yaml:"p99" doc:"Highest p99."`
	}

	fleet struct {
		Rates   []float64 `yaml:"rates" doc:"Events per endpoint and hour."`
		Targets []float64 `yaml:"targets" doc:"Numbers of endpoints that it must carry."`
	}

	waiver struct {
		Gate   string `yaml:"gate" need:"yes" doc:"Name of the gate; see headroom gates."`
		Reason string `yaml:"reason" need:"yes" doc:"Why it does not decide."`
	}

	bench struct {
		Expect      []string `yaml:"expect" doc:"Benchmarks that must be there, as go test prints them without Benchmark."`
		Repeats     int      `yaml:"repeats" doc:"The -count that was asked for."`
		EventsPerOp float64  `yaml:"events_per_op" doc:"Events that one operation carries."`
		Stages      []string `yaml:"stages" doc:"Benchmarks of the parts of one path, in its order."`
		Total       string   `yaml:"total" doc:"Benchmark of the path itself."`
		AllocsMax   float64  `yaml:"allocs_max" doc:"Highest number of allocations per event."`
	}

	scenario struct {
		AllocBytesMax   float64  `yaml:"alloc_bytes_max" doc:"Highest number of bytes that the process may allocate for each event."`
		ConcurrencyMax  int64    `yaml:"concurrency_max" doc:"Requests that the system serves at once; without it there is no such bound."`
		BatchMax        int64    `yaml:"batch_max" doc:"Events that it takes in one request."`
		Timeout         string   `yaml:"timeout" doc:"After how long a request is given up, as 10s."`
		Abusive         []string `yaml:"abusive" doc:"Workers that ask for more than they may."`
		Quiet           []string `yaml:"quiet" doc:"Workers beside them that must not notice."`
		QuietRefusedMax int64    `yaml:"quiet_refused_max" doc:"Most requests of the quiet that may be refused."`
	}

	limiter struct {
		Burst   float64 `yaml:"burst" doc:"Requests that a full bucket lets pass at once."`
		Refill  float64 `yaml:"refill" doc:"Requests a second that a bucket earns back."`
		Sources float64 `yaml:"sources" doc:"Sources of load that have a bucket each. Default: 1."`
	}
	derived struct {
		Name  string    `yaml:"name" need:"yes" doc:"Part of its id, derived.NAME."`
		Label string    `yaml:"label" doc:"What a reader calls it. Default: its name in words."`
		Over  operand   `yaml:"over" doc:"What is divided."`
		Under operand   `yaml:"under" doc:"What it is divided by; both have one unit."`
		Sum   []operand `yaml:"sum" doc:"What is added up, instead of a ratio."`
	}

	operand struct {
		ID       string `yaml:"id" need:"yes" doc:"Id of a quantity of a run."`
		Run      string `yaml:"run" doc:"Id of the run, or what its label run says."`
		Scenario string `yaml:"scenario" doc:"Scenario, where there are several."`
		Step     string `yaml:"step" doc:"Step of the run."`
		Op       string `yaml:"op" doc:"Kind of request, or benchmark."`
	}

	first struct {
		Title  string   `yaml:"title" doc:"Title of the table. Default: Ranked by the author."`
		Ranked []ranked `yaml:"ranked" doc:"What holds it back, the worst first."`
	}

	ranked struct {
		What    string        `yaml:"what" need:"yes" doc:"What it is."`
		Figures []namedFigure `yaml:"figures" need:"yes" doc:"Figures that show it; the first ranks it."`
		Lever   string        `yaml:"lever" doc:"What would help, or has helped."`
	}

	namedFigure struct {
		As       string `yaml:"as" need:"yes" doc:"What the figure is, in words."`
		ID       string `yaml:"id" need:"yes" doc:"Id of a quantity of the document or of a run."`
		Run      string `yaml:"run" doc:"Id of the run, or what its label run says."`
		Scenario string `yaml:"scenario" doc:"Scenario, where there are several."`
		Step     string `yaml:"step" doc:"Step of the run."`
		Op       string `yaml:"op" doc:"Kind of request, or benchmark."`
	}

	supersession struct {
		By     string `yaml:"by" need:"yes" doc:"Name of the configuration that took its place."`
		Reason string `yaml:"reason" need:"yes" doc:"What changed."`
	}

	comparison struct {
		Name   string `yaml:"name" need:"yes" doc:"Part of ids, as compare.NAME.gap."`
		Faster string `yaml:"faster" need:"yes" doc:"Configuration that carried more."`
		Slower string `yaml:"slower" need:"yes" doc:"Configuration that carried less."`
	}

	arms struct {
		Name      string `yaml:"name" need:"yes" doc:"Part of ids."`
		Control   string `yaml:"control" need:"yes" doc:"Configuration without the change."`
		Treatment string `yaml:"treatment" need:"yes" doc:"Configuration with the change."`
		Tests     string `yaml:"tests" doc:"What the change takes away or brings: a cause of freezes by its name, as vacuum; else what may hold the throughput, in words. It becomes a row of what was suspected."`
		Changed   string `yaml:"changed" doc:"What was changed, in words."`
	}

	denominator struct {
		Name string `yaml:"name" doc:"Part of ids, as headroom.NAME.share. Default: OF.BY."`
		Of   string `yaml:"of" need:"yes" doc:"Configuration whose rate is read."`
		By   string `yaml:"by" need:"yes" doc:"Configuration whose rate is the whole."`
		What string `yaml:"what" doc:"What the whole is, as: the database's own floor."`
	}

	host struct {
		Text         string  `yaml:"text" doc:"The hardware in words."`
		Cores        int     `yaml:"cores" doc:"Processor cores."`
		PricePerHour float64 `yaml:"price_per_hour" doc:"What one host costs an hour."`
		Currency     string  `yaml:"currency" doc:"Currency of the price, as USD."`
	}

	declared struct {
		Value string `yaml:"value" need:"yes" doc:"The number as it is printed, with its unit: 10 s."`
		Doc   string `yaml:"doc" need:"yes" doc:"Where it is from."`
	}

	superseded struct {
		Figure string   `yaml:"figure" need:"yes" doc:"Id of the quantity that took its place."`
		Was    *float64 `yaml:"was" need:"yes" doc:"What was given, in the SI base unit of that quantity."`
		At     string   `yaml:"at" doc:"Until when, in words."`
		Reason string   `yaml:"reason" need:"yes" doc:"Why it no longer holds."`
	}
)
