package ingest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"headroom/runs"
)

// fold writes what the files and the caller say into the manifest.
func (g *ingestion) fold() error {
	m, req := g.dst.Manifest(), g.req
	m.Labels, m.Steps, m.System, m.Host, m.Own = req.Labels, req.Steps, req.System, req.Host, req.Own
	m.Reconcile = req.Reconcile
	m.Notes = append(m.Notes, g.unread...)
	m.Notes = append(m.Notes, g.overlapNotes()...)
	if err := g.foldCounts(m); err != nil {
		return err
	}
	g.listed.fold(m)
	if !req.Part { // other parts may hold the stamps that a zone was given for
		g.tellZones()
	}
	for _, s := range g.sources {
		m.Sources = append(m.Sources, s.rec)
		m.Summaries = append(m.Summaries, s.meta.Summaries...)
		m.Thresholds = append(m.Thresholds, s.meta.Thresholds...)
		for k, v := range s.meta.Settings {
			if m.Settings == nil {
				m.Settings = map[string]string{}
			}
			m.Settings[k] = v
		}
	}
	g.foldLoad(m)
	if err := g.foldExit(m); err != nil {
		return err
	}
	if err := g.foldClaims(m); err != nil {
		return err
	}
	if !req.Part {
		m.Notes = append(m.Notes, Unanswered(m)...)
	}
	g.foldSnapshots(m)
	if err := g.foldWindow(m); err != nil {
		return err
	}
	g.foldAbsences(m)
	return nil
}

// foldLoad says how the load was made. Where files disagree nothing is claimed.
func (g *ingestion) foldLoad(m *runs.Manifest) {
	l, first := &m.Load, true
	for _, s := range g.sources {
		meta := &s.meta
		// The tool that sent the requests goes before one whose file has none.
		if l.Tool == "" || s.tally.samples > 0 && first {
			l.Tool, l.Version, l.LatencyUnit = meta.Tool, meta.Version, meta.LatencyUnit
		}
		l.FailuresHidden = l.FailuresHidden || meta.FailuresHidden
		if s.tally.samples == 0 {
			if first && l.Model == "" {
				l.Model, l.ModelAs, l.Basis = meta.Model, meta.ModelAs, meta.Basis
			}
			continue
		}
		if first {
			l.Model, l.ModelAs, l.Basis, l.DropsKnown = meta.Model, meta.ModelAs, meta.Basis, meta.DropsKnown
			first = false
			continue
		}
		switch {
		case l.Model == "":
			l.Model, l.ModelAs = meta.Model, meta.ModelAs
		case meta.Model == "": // it says nothing of it
		case l.Model != meta.Model:
			l.Model = runs.UnknownLoop
		case meta.ModelAs == "": // what one file says holds for the others
			l.ModelAs = ""
		}
		if l.Basis != meta.Basis {
			m.Notes = append(m.Notes, fmt.Sprintf("the load files measure latency on different bases (%s and %s)", l.Basis, meta.Basis))
			l.Basis = basisRequest
		}
		l.DropsKnown = l.DropsKnown && meta.DropsKnown
	}
	l.Model = firstSet(firstSet(g.req.Model, l.Model), runs.UnknownLoop)
	if g.req.Model != "" || l.Model == runs.UnknownLoop {
		l.ModelAs = ""
	}
	l.Rate = firstSet(g.req.Rate, agreed(g.sources, func(s *source) float64 { return s.meta.Rate }))
	l.Concurrency = firstSet(g.req.Concurrency, agreed(g.sources, func(s *source) int { return s.meta.Concurrency }))
	l.Command, l.ProbeOf, l.Jobs, l.Targets = g.req.Command, g.req.Probes, g.req.Jobs, g.req.Targets
}

// agreed returns what the files say that say something, and nothing where two differ: a
// tool that is started for each step of a sweep writes another number each time.
func agreed[T comparable](sources []*source, of func(*source) T) T {
	var zero, said T
	for _, s := range sources {
		switch v := of(s); {
		case v == zero || v == said:
		case said != zero:
			return zero
		default:
			said = v
		}
	}
	return said
}

// The bases of a latency; see runs.Load.
const (
	basisRequest  = "request"
	basisResponse = "response"
)

func firstSet[T comparable](a, b T) T {
	var zero T
	if a != zero {
		return a
	}
	return b
}

func (g *ingestion) foldExit(m *runs.Manifest) error {
	m.ExitStatus = g.req.ExitStatus
	for _, s := range g.sources {
		if s.meta.ExitStatus == nil {
			continue
		}
		if m.ExitStatus != nil && *m.ExitStatus != *s.meta.ExitStatus {
			return &FileError{s.base, fmt.Errorf("%w: the load generator cannot have ended with %d and with %d", ErrUsage, *m.ExitStatus, *s.meta.ExitStatus)}
		}
		m.ExitStatus = s.meta.ExitStatus
	}
	return nil
}

// foldClaims adds up what the generators say they did, and names the claim
// that counts events.
func (g *ingestion) foldClaims(m *runs.Manifest) error {
	counted, err := g.addUp(func(s *source) map[string]string { return s.meta.Claims })
	if err != nil {
		return err
	}
	load, err := g.addUp(func(s *source) map[string]string { return s.totals(true) })
	if err != nil {
		return err
	}
	summary, err := g.addUp(func(s *source) map[string]string { return s.totals(false) })
	if err != nil {
		return err
	}
	named, err := g.printed()
	if err != nil {
		return err
	}
	claims := maps.Clone(counted)
	if _, _, ok := g.loadSpan(); ok {
		summary = map[string]string{} // what the samples do not count is not known
	} else if len(counted) == 0 && len(summary) > 0 {
		claims = maps.Clone(summary)
		m.Notes = append(m.Notes, "claims are those of the generator's own summary: there are no samples to add them up from")
	}
	if n, ok := g.okSamples(); ok {
		named[requestsClaim] = strconv.FormatInt(n, 10)
	}
	maps.Copy(named, summary) // what counts for more comes last
	maps.Copy(named, load)
	maps.Copy(named, counted)
	for _, name := range slices.Sorted(maps.Keys(g.req.Claims)) {
		value := g.req.Claims[name]
		sum, isCounter := named[value]
		number, isNumber := rational(value)
		switch {
		case isCounter:
			claims[name] = sum
		case isNumber:
			if own, ok := rational(named[name]); ok && own.Cmp(number) != 0 {
				return fmt.Errorf("%w: claim %s=%s: the files themselves count %s: a number given by hand stands only where they count none. Leave it out, or give it a name of its own",
					ErrUsage, name, clip(value), decimalText(own))
			}
			claims[name] = decimalText(number)
		case g.req.Part:
			continue
		default:
			m.Notes = append(m.Notes, fmt.Sprintf("claim %s: the files hold no counter %q (they hold: %s)",
				name, clip(value), firstSet(strings.Join(slices.Sorted(maps.Keys(named)), ", "), "none")))
			continue
		}
		if name == eventsClaim {
			m.EventsClaim = name
			if isCounter {
				m.EventsClaim = value
				claims[value] = sum
			}
		}
	}
	if len(claims) > 0 {
		m.Claims = claims
	}
	return nil
}

// totals returns the sums that become claims only by name, of files that are
// load or of those that are not.
func (s *source) totals(load bool) map[string]string {
	if s.importer.Load != load {
		return nil
	}
	return s.meta.Totals
}

// addUp adds numbers of all files by name.
func (g *ingestion) addUp(of func(*source) map[string]string) (map[string]string, error) {
	sums := map[string]*decimalSum{}
	for _, s := range g.sources {
		for name, text := range of(s) {
			if sums[name] == nil {
				sums[name] = &decimalSum{}
			}
			if !sums[name].add([]byte(text)) {
				return nil, &FileError{s.base, fmt.Errorf("%s: %q is not a number", clip(name), clip(text))}
			}
		}
	}
	all := map[string]string{}
	for name, sum := range sums {
		all[name] = sum.String()
	}
	return all, nil
}

// eventsClaim is the name under which --claim says how many events were sent.
const eventsClaim = "events"

// requestsClaim is the name of what headroom counts itself: the requests of the
// load, without its probes, that ended well.
const requestsClaim = "requests"

// okSamples counts these requests; ok is false if there is no load, or if its
// probes cannot be told from it.
func (g *ingestion) okSamples() (n int64, ok bool) {
	for _, s := range g.sources {
		if s.tally.samples > 0 && s.tally.scenarioNames() == nil && len(g.req.Probes) > 0 {
			return 0, false
		}
		for scenario, count := range s.tally.scenarios {
			if !slices.Contains(g.req.Probes, scenario) {
				n, ok = n+*count, true
			}
		}
	}
	return n, ok
}

// printed returns what the tools have names for, of reports and of samples.
func (g *ingestion) printed() (map[string]string, error) {
	all := map[string]string{}
	for _, samples := range []bool{false, true} { // what counts for more comes last
		sums, err := g.addUp(func(s *source) map[string]string {
			if samples != (s.tally.samples > 0) {
				return nil
			}
			return s.meta.Printed
		})
		if err != nil {
			return nil, err
		}
		maps.Copy(all, sums)
	}
	return all, nil
}

// foldWindow declares the measured window.
func (g *ingestion) foldWindow(m *runs.Manifest) error {
	w := g.req.Window
	if w == nil && g.req.Warmup <= 0 {
		return nil
	}
	var start, end time.Time
	if w != nil {
		var err1, err2 error
		start, err1 = time.Parse(time.RFC3339Nano, w.Start)
		end, err2 = time.Parse(time.RFC3339Nano, w.End)
		if err1 != nil || err2 != nil {
			return fmt.Errorf("%w: the window %s/%s is not two RFC 3339 instants", ErrUsage, w.Start, w.End)
		}
	} else {
		first, last, ok := g.loadSpan()
		if !ok {
			m.Notes = append(m.Notes, "no warm-up was cut: there are no samples")
			return nil
		}
		start, end = time.UnixMicro(first), time.UnixMicro(last)
	}
	start = start.Add(max(g.req.Warmup, 0))
	if !start.Before(end) {
		return fmt.Errorf("%w: the window %s to %s holds nothing", ErrUsage, stampText(start.UnixMicro()), stampText(end.UnixMicro()))
	}
	m.Window = &runs.Window{Start: stampText(start.UnixMicro()), End: stampText(end.UnixMicro()), Declared: true}
	return nil
}

// loadSpan returns the first start and the last end of all samples, µs.
func (g *ingestion) loadSpan() (first, last int64, ok bool) {
	for _, s := range g.sources {
		t := &s.tally
		if t.samples == 0 {
			continue
		}
		if !ok || t.start < first {
			first = t.start
		}
		if !ok || t.end > last {
			last = t.end
		}
		ok = true
	}
	return first, last, ok
}

// foldAbsences lists what a page must say was not looked at.
func (g *ingestion) foldAbsences(m *runs.Manifest) {
	var contention, activity, database, samples bool
	for _, s := range g.sources {
		contention = contention || s.tally.contention
		activity = activity || s.tally.activity
		database = database || s.tally.database
		samples = samples || s.tally.samples > 0
	}
	absent := func(seen bool, what string, why runs.Why, note string) {
		if !seen {
			m.NotCollected = append(m.NotCollected, runs.Absence{What: what, Why: why, Note: note})
		}
	}
	absent(samples, "samples", runs.NotAsked, g.whyNoSamples())
	absent(contention, "contention", runs.NotAsked, "no load average, run queue or CPU of the host was given")
	absent(m.Before != nil && m.After != nil, "counts", runs.NotAsked, "no counts from the system before and after the load were given")
	absent(len(m.Claims) > 0, "claims", runs.NotAsked, "the generator counted nothing but requests")
	absent(activity, "wait samples", runs.NotAsked, "no samples of database sessions were given")
	absent(database, "database log", runs.NotAsked, "no log of the database was given")
	absent(m.ExitStatus != nil, "exit status", runs.NotAsked, "the load generator's exit status was not given")
	absent(!samples || m.Load.DropsKnown, "drops", runs.NotMeasurable, "the load files do not show requests that were due and never sent")
}

// whyNoSamples tells a run without a load from one of which only totals are known.
func (g *ingestion) whyNoSamples() string {
	for _, s := range g.sources {
		if s.importer.Load || len(s.meta.Summaries) > 0 {
			return fmt.Sprintf("what was given of %s holds totals of its run, and no single request", s.tool())
		}
	}
	return "no file of a load generator was given"
}
