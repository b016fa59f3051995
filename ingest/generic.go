package ingest

import (
	"errors"
	"fmt"
	"slices"

	"headroom/runs"
)

// The formats that need a mapping.
const (
	genericCSVName   = "generic-csv"
	genericJSONLName = "generic-jsonl"
)

// genericReader turns rows into samples as a mapping says. The formats of rows
// differ only in how they find the fields that it asks for.
type genericReader struct {
	in   *Input
	sink Sink
	m    *Mapping

	fields     []string // that the mapping names, each once
	start, end func([]byte) (int64, error)
	stamps     []*Stamps
	at         genericFields
	words      map[string]string
	outcomes   map[string]runs.Outcome // by value, as the mapping lists them

	fit    *genericFit
	points []genericPoint
	out    *cadence // of the points

	left     int64 // rows that a condition left out
	noTime   int64 // rows without any latency
	negative int64
	unnamed  unnamedWords
}

// genericFields are the positions of the mapped fields in a row; -1: not mapped.
type genericFields struct {
	start, end, latency, wait, service                              int
	status, scenario, op, target, worker, id, errorText, events, by int
	tags, where                                                     []int
}

// genericValue is one field of a row; nil if the row has none, or it is null.
type genericValue = []byte

func newGenericReader(in *Input, sink Sink, format string) (*genericReader, error) {
	m := in.Opt.Map
	if m == nil {
		return nil, fmt.Errorf("%w: %s says nothing of what its columns mean; give a mapping with --map", ErrUsage, format)
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	g := &genericReader{in: in, sink: sink, m: m, words: map[string]string{}, out: &cadence{sink: sink}}
	var err error
	if g.start, err = g.instant(m.Start); err != nil {
		return nil, err
	}
	if g.end, err = g.instant(m.End); err != nil {
		return nil, err
	}
	g.place()
	g.listOutcomes()
	return g, nil
}

func (g *genericReader) instant(f *InstantField) (func([]byte) (int64, error), error) {
	if f == nil {
		return nil, nil
	}
	parse, stamps, err := f.parser(g.in.Opt.Zone, g.in.Opt.TimeUnit)
	g.stamps = append(g.stamps, stamps)
	return parse, err
}

// place numbers the fields that the mapping names.
func (g *genericReader) place() {
	at := func(name string) int {
		if name == "" {
			return -1
		}
		if i := slices.Index(g.fields, name); i >= 0 {
			return i
		}
		g.fields = append(g.fields, name)
		return len(g.fields) - 1
	}
	instant := func(f *InstantField) int {
		if f == nil {
			return -1
		}
		return at(f.Field)
	}
	duration := func(f *DurationField) int {
		if f == nil {
			return -1
		}
		return at(f.Field)
	}
	m := g.m
	g.at = genericFields{
		start: instant(m.Start), end: instant(m.End),
		latency: duration(m.Latency), wait: duration(m.Wait), service: duration(m.Service),
		status: at(m.Status), scenario: at(m.Scenario), op: at(m.Op), target: at(m.Target), worker: at(m.Worker),
		id: at(m.ID), errorText: at(m.Error), events: at(m.Events), by: at(m.Status),
	}
	if m.Outcome != nil && m.Outcome.Field != "" {
		g.at.by = at(m.Outcome.Field)
	}
	for _, tag := range m.Tags {
		g.at.tags = append(g.at.tags, at(tag))
	}
	for _, c := range m.Where {
		g.at.where = append(g.at.where, at(c.Field))
	}
	g.points, g.fit = placePoints(m.Points, at), placeFit(m.Fit, at)
}

func (g *genericReader) listOutcomes() {
	g.outcomes = map[string]runs.Outcome{}
	o := g.m.Outcome
	if o == nil {
		return
	}
	for _, list := range []struct {
		outcome runs.Outcome
		values  []string
	}{{runs.OK, o.OK}, {runs.Failed, o.Failed}, {runs.Rejected, o.Rejected}, {runs.Timeout, o.Timeout}, {runs.Dropped, o.Dropped}, {runs.Skipped, o.Skipped}} {
		for _, v := range list.values {
			g.outcomes[v] = list.outcome
		}
	}
}

// row takes the values of one row, in the order of fields. It returns the reason
// if the row cannot be used.
func (g *genericReader) row(values []genericValue) (reason string, err error) {
	if g.fit != nil {
		if !holds(g.m.Where, g.at.where, values) {
			g.left++
			return "", nil
		}
		return g.putFit(values)
	}
	used, reason, err := g.putPoints(values)
	if reason != "" || err != nil {
		return reason, err
	}
	if !g.m.samples() || !holds(g.m.Where, g.at.where, values) {
		if !used {
			g.left++
		}
		return "", nil
	}
	s := g.in.NewSample()
	g.label(&s, values)
	s.Outcome = g.outcome(values)
	if reason := g.count(&s, values); reason != "" {
		return reason, nil
	}
	if reason, err := g.time(&s, values); reason != "" || err != nil {
		return reason, err
	}
	return "", g.sink.Sample(&s)
}

// label sets the columns that are words.
func (g *genericReader) label(s *runs.Sample, values []genericValue) {
	m := g.m
	s.Scenario = firstSet(firstSet(g.word(values, g.at.scenario), m.Set.Scenario), s.Scenario)
	s.Op = firstSet(g.word(values, g.at.op), m.Set.Op)
	s.Target = firstSet(g.word(values, g.at.target), m.Set.Target)
	s.Status, s.Worker = g.word(values, g.at.status), g.word(values, g.at.worker)
	s.Error = g.word(values, g.at.errorText)
	if i := g.at.id; i >= 0 && len(values[i]) > 0 {
		s.ID = cutTag(string(values[i]))
	}
	if len(m.Tags) > 0 {
		tags := map[string]string{}
		for i, at := range g.at.tags {
			if len(values[at]) > 0 {
				tags[m.Tags[i]] = cutTag(string(values[at]))
			}
		}
		s.Tags = canonicalObject(tags)
	}
}

// word returns a field as text that is shared by the rows that have it.
func (g *genericReader) word(values []genericValue, at int) string {
	if at < 0 || len(values[at]) == 0 {
		return ""
	}
	w, ok := g.words[string(values[at])]
	if !ok {
		w = cutTag(string(values[at]))
		if len(g.words) < maxWords && len(values[at]) <= maxTag {
			g.words[string(values[at])] = w
		}
	}
	return w
}

// count sets the events of a row.
func (g *genericReader) count(s *runs.Sample, values []genericValue) (reason string) {
	if g.m.Set.Events > 0 {
		s.Events = g.m.Set.Events
	}
	if g.at.events < 0 {
		return ""
	}
	text := values[g.at.events]
	n, ok := scaled(text, 0)
	switch {
	case len(text) == 0 && s.Outcome != runs.OK:
		n = 0 // what was not accepted carried nothing
	case !ok || n < 0 || !isDigits(text):
		return fmt.Sprintf("events is %q and no whole number", clip(string(text)))
	}
	s.Events = n
	return ""
}

// outcome says how a row ended.
func (g *genericReader) outcome(values []genericValue) runs.Outcome {
	var value string
	if g.at.by >= 0 {
		value = string(values[g.at.by])
	}
	if o, ok := g.outcomes[value]; ok && g.at.by >= 0 {
		return o
	}
	if g.at.status >= 0 && slices.Contains(g.in.Opt.Rejected, string(values[g.at.status])) {
		return runs.Rejected
	}
	ok := false
	switch {
	case g.m.Outcome != nil && len(g.m.Outcome.OK) > 0:
	case g.at.by >= 0:
		ok = isHTTPStatus(value) && (value[0] == '2' || value[0] == '3')
	default:
		ok = g.at.errorText < 0 || len(values[g.at.errorText]) == 0
	}
	if ok {
		return runs.OK
	}
	listed := g.m.Outcome != nil && len(g.m.Outcome.OK) > 0
	if g.at.by >= 0 && !listed && !isDigits([]byte(value)) {
		g.unnamed.add(value)
	}
	return runs.Failed
}

// time sets start, wait and service.
func (g *genericReader) time(s *runs.Sample, values []genericValue) (reason string, err error) {
	start, reason, err := g.stamp("start", g.start, values, g.at.start)
	if reason != "" || err != nil {
		return reason, err
	}
	end, reason, err := g.stamp("end", g.end, values, g.at.end)
	if reason != "" || err != nil {
		return reason, err
	}
	latency, reason := g.duration("latency", g.m.Latency, values, g.at.latency)
	if reason != "" {
		return reason, nil
	}
	if s.Wait, reason = g.duration("wait", g.m.Wait, values, g.at.wait); reason != "" {
		return reason, nil
	}
	if s.Service, reason = g.duration("service", g.m.Service, values, g.at.service); reason != "" {
		return reason, nil
	}
	if latency == runs.Missing && g.start != nil && g.end != nil {
		latency = end - start
	}
	if latency != runs.Missing {
		s.Service = latency
		if s.Wait != runs.Missing {
			s.Service -= s.Wait
		}
	}
	if !s.Outcome.Sent() {
		s.Service = runs.Missing
	} else if s.Service == runs.Missing {
		g.noTime++
	} else if s.Service < 0 {
		g.negative++
	}
	if g.start == nil {
		start = end
		if ns, ok := s.Latency(); ok {
			start -= ns
		}
	}
	s.Start, s.StartNS = runs.SplitNanos(start)
	return "", nil
}

// stamp reads an instant; a mixture of units ends the import.
func (g *genericReader) stamp(name string, parse func([]byte) (int64, error), values []genericValue, at int) (ns int64, reason string, err error) {
	if at < 0 {
		return 0, "", nil
	}
	ns, err = parse(values[at])
	if errors.Is(err, errMixedUnits) || errors.Is(err, ErrZone) {
		return 0, "", fmt.Errorf("%s: %w", name, err)
	}
	if err != nil {
		return 0, name + ": " + err.Error(), nil
	}
	return ns, "", nil
}

func (g *genericReader) duration(name string, f *DurationField, values []genericValue, at int) (ns int64, reason string) {
	if at < 0 || len(values[at]) == 0 {
		return runs.Missing, ""
	}
	ns, ok := f.parse(values[at])
	if !ok || ns > maxDuration || ns < -maxDuration {
		return 0, fmt.Sprintf("%s is %q and no number of %s", name, clip(string(values[at])), f.Unit)
	}
	return ns, ""
}

// close says what the file tells as a whole, and writes the points that wait.
func (g *genericReader) close() error {
	if err := g.out.finish(); err != nil {
		return err
	}
	meta, m := &g.in.Meta, g.m
	meta.Tool, meta.Version, meta.Model = m.Load.Tool, m.Load.Version, m.Load.Model
	meta.Rate, meta.Concurrency, meta.Basis = m.Load.Rate, m.Load.Concurrency, basisRequest
	if m.Wait != nil {
		meta.Basis = basisResponse
	}
	if o := m.Outcome; o != nil && len(o.Dropped)+len(o.Skipped) > 0 {
		meta.DropsKnown = true
	}
	if m.Latency != nil {
		meta.LatencyUnit = m.Latency.Unit
	}
	for _, s := range g.stamps {
		if err := s.undecided(); err != nil {
			return err
		}
		s.describe(meta)
	}
	if g.left > 0 {
		g.in.Note("%d rows do not meet the mapping's conditions and were left out", g.left)
	}
	g.unnamed.note(g.in)
	if g.noTime > 0 {
		g.in.Note("%d rows have no latency: they are requests, and part of no percentile", g.noTime)
	}
	if g.negative > 0 {
		g.in.Note("%d rows have a negative latency: kept as measured, and part of no percentile", g.negative)
	}
	return nil
}
