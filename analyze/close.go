package analyze

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"headroom/detect"
	"headroom/runs"
)

// close adds what every document has, whatever its protocol.
func (d *document) close() {
	d.costs()
	d.Outcome = Worst(d.outcomes...)
	if len(d.groups) > 1 || d.Protocol != "run" && d.Protocol != "pairs" && d.Protocol != "bench" {
		d.Tables = slices.Insert(d.Tables, 0, d.glance())
	}
	d.compare()
	d.compareTreatments()
	d.denominators()
	d.bottlenecks()
	d.eliminate()
	d.pictures()
	d.waits()
	d.results((*Measured).name)
	d.withdrawnAnswer()
	d.Caveats = d.caveats()
	d.Method = d.method()
	d.Tables = append(d.Tables, detectorTable(d.protocol))
	d.Reproduce = d.reproduce()
}

// pictures adds what shows single requests: over time, by percentile, by kind.
func (d *document) pictures() {
	d.timelines()
	d.queueFigures()
	d.distributions()
	if len(loadsOf(d.runs)) > 0 {
		d.Tables = append(d.Tables, d.latencyTable())
	}
}

// detectorTable says what every run was searched for, by which detector with which
// parameters: under each set of rules where they differ.
func detectorTable(rules ...Protocol) Table {
	t := Table{ID: "detectors", Title: "What every run was searched for",
		Columns: []Column{left("detector"), left("looks for"), left("parameters")}}
	for _, det := range detect.All {
		title, _, _ := strings.Cut(det.Doc, "\n")
		var said []string
		for _, p := range rules {
			if params := parametersOf(det, p); !slices.Contains(said, params) {
				said = append(said, params)
				t.Rows = append(t.Rows, Row{Cells: []Cell{text(fmt.Sprintf("%s@%d", det.Name, det.Version)), text(title), text(params)}})
			}
		}
	}
	return t
}

// parametersOf writes the parameters of a detector under a protocol.
func parametersOf(det *detect.Detector, p Protocol) string {
	var params []string
	for _, q := range det.Params {
		v := q.Default
		if o, ok := p.Params[det.Name+"."+q.Name]; ok {
			v = o
		}
		params = append(params, q.Name+" "+Display(v, q.Unit))
	}
	return strings.Join(params, ", ")
}

// results adds the results of the runs with their findings, and their warnings,
// each behind what the document calls its run.
func (d *document) results(name func(*Measured) string) {
	d.Tables = append(d.Tables, d.findingTable(), d.gateTable(), d.sourceTable())
	for _, m := range d.runs {
		for _, f := range m.Result.Findings {
			f.Scope.Run = m.Result.Run.ID
			d.Findings = append(d.Findings, f)
		}
		for _, w := range m.Result.Warnings {
			d.Warnings = append(d.Warnings, name(m)+": "+w)
		}
		d.Results = append(d.Results, m.Result)
	}
}

// glance is one row a configuration.
func (d *document) glance() Table {
	t := Table{ID: "glance", Title: "At a glance", Columns: []Column{left("configuration"), left("verdict"), right("passed"), left("result")}}
	for _, c := range d.Configurations {
		t.Rows = append(t.Rows, Row{Mark: string(c.Outcome), Cells: []Cell{text(c.Name), text(string(c.Outcome)), text(NofM{c.Passed, c.Of}.String()), text(c.Text)}})
	}
	for _, rate := range d.protocol.FleetRates {
		d.glanceFleet(&t, rate)
	}
	return t
}

// glanceFleet adds a column with the fleet at one rate, if any configuration
// has it.
func (d *document) glanceFleet(t *Table, rate float64) {
	id := fmt.Sprintf("fleet.%g.endpoints", rate)
	cells := make([]Cell, len(t.Rows))
	any := false
	for i, g := range d.groups {
		cells[i] = Cell{Text: "—"}
		for j := range d.Quantities {
			if q := &d.Quantities[j]; q.ID == id && q.Scope == g.scope() {
				s := q.Scope
				cells[i], any = Cell{Text: q.Display, ID: id, In: &s}, true
			}
		}
	}
	if !any || len(t.Rows) != len(d.groups) {
		return
	}
	t.Columns = append(t.Columns, right(fmt.Sprintf("fleet at %s/h", Display(rate, "1"))))
	for i := range t.Rows {
		t.Rows[i].Cells = append(t.Rows[i].Cells, cells[i])
	}
}

// caveats says what the document does not show, from what the manifests lack.
func (d *document) caveats() []string {
	out := []string{}
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	loads := loadsOf(d.runs)
	switch {
	case len(loads) == 0 && d.Protocol == "costs":
		return costCaveats()
	case len(loads) == 0:
		return benchCaveats()
	}
	n, lack := len(loads), d.lacksOf(loads)
	add("Steady state for hours: the longest measured interval is %s.", Display(lack.longest.Seconds(), "s"))
	switch {
	case d.Protocol == "repeats":
	case d.Protocol == "sweep" || d.Protocol == "ladder":
		add("Repeatability: each step was run once.")
	case n > 1:
		add("Repeatability: each of the %d runs is the only one of its kind.", n)
	default:
		add("Repeatability: this is one run.")
	}
	if lack.contended > 0 {
		add("An undisturbed host: %s taken on a contended one, whose rates are floors.", ofRuns(lack.contended, n, "was", "were"))
	}
	if lack.unrecorded > 0 {
		add("What else the hosts were doing: contention was not recorded, or cannot be judged, for %d of %d runs.", lack.unrecorded, n)
	}
	if lack.unreconciled > 0 {
		add("That the system holds what the generator says it sent: %s not reconciled.", ofRuns(lack.unreconciled, n, "is", "are"))
	}
	if lack.closed > 0 {
		add("Latency under a fixed arrival rate: %s closed loops, whose workers wait for replies: such rates are ceilings.", ofRuns(lack.closed, n, "is one of", "are"))
	}
	if len(lack.unknown) > 0 {
		of := ""
		if n > 1 {
			of = " (" + listed(lack.unknown) + ")"
		}
		add("Whether load kept coming while the system was slow: the load model of %d of %d runs is not known%s.", len(lack.unknown), n, of)
	}
	if lack.undeclared > 0 {
		add("A window chosen beforehand: %s measured from first start to last end.", ofRuns(lack.undeclared, n, "is", "are"))
	}
	if !d.denominated && !slices.ContainsFunc(d.yardsticks, func(y yardstick) bool { return y.role == denominatorRole }) {
		add("What share of the database's, or the component's, own limit this is: no denominator was measured.")
	}
	switch {
	case lack.hosts < 2 && lack.replicas:
		add("More than one host: nothing here was measured with two.")
	case lack.hosts < 2:
		add("More than one host, or a replica: nothing here was measured with two.")
	}
	switch {
	case d.Protocol == "run" && n > 1:
		add("A knee, or how far the load can grow: single runs that differ in more than the load are no curve.")
	case d.Protocol == "run":
		add("A knee, or how far the load can grow: one run at one load shows neither; several, each with its own --run concurrency=N, do.")
	}
	add("Spikes, daily rhythms, retries and other traffic than the recorded scenarios.")
	return out
}

// ofRuns says of how many of the runs something holds: "1 of 6 runs is", "2 of 6 runs are".
func ofRuns(n, of int, is, are string) string {
	if n == 1 {
		are = is
	}
	return fmt.Sprintf("%d of %s %s", n, countText(of, "run"), are)
}

// lacks counts the runs that lack something.
type lacks struct {
	longest                                                 time.Duration // of the measured intervals
	closed, contended, unrecorded, unreconciled, undeclared int
	unknown                                                 []string // those whose load model is not known
	hosts                                                   int
	replicas                                                bool // requests say which of several served them
}

func (d *document) lacksOf(loads []*Measured) (n lacks) {
	hosts := map[string]bool{}
	for _, m := range loads {
		for _, w := range m.loadIntervals() {
			n.longest = max(n.longest, time.Duration(w.Len()))
		}
		switch m.model.Model {
		case runs.ClosedLoop:
			n.closed++
		case runs.UnknownLoop:
			n.unknown = append(n.unknown, d.callOf(m))
		}
		c, _ := m.contentionOf(m.window)
		switch label, _ := c.Label(); label {
		case Floor:
			n.contended++
		case NoBound:
			n.unrecorded++
		}
		if v := m.Result.verdict("reconciled", detect.Scope{}); v == nil || v.Outcome == Unknown {
			n.unreconciled++
		}
		if !m.window.declared {
			n.undeclared++
		}
		hosts[m.manifest.Host.Name] = true
		n.replicas = n.replicas || slices.ContainsFunc(m.Result.Quantities, func(q Quantity) bool { return strings.HasPrefix(q.ID, "replica.") })
	}
	n.hosts = len(hosts)
	return n
}

// method states the rules in words, with the limits used.
func (d *document) method() []string {
	p := d.protocol
	out := []string{
		"Percentiles are exact: the nearest rank among single requests that ended well; failed and refused ones are apart. They are never averaged.",
		"A verdict is pass, fail or unknown. Unknown means that nobody could look; it is never a pass.",
	}
	switch d.Protocol {
	case "sweep":
		out = append(out, fmt.Sprintf("Knee: the first step, by rising %s, whose p99 is not under %s. Sustained: the best throughput among error-free steps before it.",
			d.groups[0].key, DisplayLimit(inSeconds(p.P99Limit), "s")))
	case "ladder":
		out = append(out, fmt.Sprintf("A rung holds when at least %s of the offered rate was delivered, nothing was dropped and the counts reconcile.", DisplayLimit(p.DeliveredMin, share)))
	case "soak":
		out = append(out, "Soak: the steps share one setting and follow one another; first, last and lowest throughput tell whether it holds.")
	case "scenario":
		out = append(out, "Scenarios: each run is judged by its own checks; they are no steps of one curve.")
	case "pairs":
		out = append(out, "Pairs: the two arms are run in turn on one host. The host may change between pairs, so only ratios within a pair are given; fewer than six pairs cannot show significance.")
	case "repeats":
		out = append(out, fmt.Sprintf("A repeat passes when all of these do: %s. At least %s samples; drift (p99 of the last third over the first's) at most %s.",
			strings.Join(d.required(repeatGates...), ", "), Count(p.MinSamples), DisplayLimit(p.DriftLimit, "1")))
	}
	out = append(out, "A request belongs to the window, step or second in which it starts where load is offered by a schedule or its pacing is not known, and to the one in which it ends where workers wait for replies (a closed loop). Freezes, slow windows and drift always go by starts, so their counts may differ by the requests in flight at either edge.")
	return append(out, "Contention: a rate is a floor when foreign CPU is over 5 % of the host, steal over 1 %, CPU pressure (PSI some) over 10 % while our own processes used less than 90 % of the host, or, where only a load average is known, when it is above the core count.")
}

// reproduce lists the commands that made the load, as recorded.
func (d *document) reproduce() []string {
	var out []string
	for _, m := range d.runs {
		if c := m.manifest.Load.Command; c != "" {
			out = append(out, c)
		}
	}
	return unique(out)
}
