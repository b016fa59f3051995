package ingest

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"headroom/internal/yamlfile"
	"headroom/runs"
)

// Mapping declares what the columns of a generic CSV, JSON-lines or logfmt file mean;
// docs/formats/mapping.md shows one of each. Columns are named as in the header
// or in Columns; fields of JSON lines by their path, with dots ("fields.took").
type Mapping struct {
	// Format is "generic-csv", "generic-jsonl" or "generic-logfmt".
	Format string `yaml:"format"`
	// Files are patterns (as of path.Match) of the base names that the mapping
	// is for, even if another format claims their content. Empty: it is for the
	// files that no other format claims.
	Files []string `yaml:"files"`

	Delimiter string   `yaml:"delimiter"` // CSV: one character; "": a comma
	Columns   []string `yaml:"columns"`   // CSV: names of the columns of a file without a header
	Comment   string   `yaml:"comment"`   // CSV: what a line begins with that is no row; "": none

	// Where keeps only the rows of which every condition holds; the others are
	// counted and noted.
	Where []Condition `yaml:"where"`

	Start   *InstantField  `yaml:"start"`   // when the work was due, enqueued or issued
	End     *InstantField  `yaml:"end"`     // when it was done
	Latency *DurationField `yaml:"latency"` // wait and service together
	Wait    *DurationField `yaml:"wait"`    // between due and begun
	Service *DurationField `yaml:"service"` // being served

	Status   string   `yaml:"status"`
	Scenario string   `yaml:"scenario"`
	Op       string   `yaml:"op"`
	Target   string   `yaml:"target"`
	Worker   string   `yaml:"worker"`
	ID       string   `yaml:"id"`
	Error    string   `yaml:"error"`
	Events   string   `yaml:"events"` // a whole number
	Tags     []string `yaml:"tags"`   // kept as labels under their own names

	// Points makes points of fields, for counters and levels that a log writes. A
	// mapping that names points and neither a latency, a service nor both ends
	// makes no samples.
	Points []PointField `yaml:"points"`
	// Fit makes measured costs of rows that bear no time, to be fitted by a line.
	Fit *FitFields `yaml:"fit"`

	// Outcome says how a row ended. Without it a row is ok if its status is an
	// HTTP 2xx or 3xx, or, where no status is mapped, if it has no error.
	Outcome *OutcomeRule `yaml:"outcome"`
	// Set gives constants: the scenario, op or target of every row.
	Set  Constants `yaml:"set"`
	Load LoadFacts `yaml:"load"`
}

// InstantField is a column that holds an instant.
type InstantField struct {
	Field string `yaml:"field"`
	// Unit is unix_s, unix_ms, unix_us, unix_ns, rfc3339, auto (any form that
	// Stamps reads) or layout.
	Unit   string `yaml:"unit"`
	Layout string `yaml:"layout"` // of package time, with the unit layout
	Zone   string `yaml:"zone"`   // of stamps without one: "UTC", "Europe/Paris", "+02:00"; "": --timezone
}

// DurationField is a column that holds a length of time.
type DurationField struct {
	Field string `yaml:"field"`
	Unit  string `yaml:"unit"` // s, ms, us, ns, or duration ("1m2.5s")
}

// Condition holds if the field is one of the values.
type Condition struct {
	Field string   `yaml:"field"`
	In    []string `yaml:"in"`
}

// OutcomeRule says how a row ended by the value of a field. A value that is in
// no list is ok or failed by the rule for HTTP statuses, except that it is
// failed where there is a list for ok.
type OutcomeRule struct {
	Field    string   `yaml:"field"` // "": the status
	OK       []string `yaml:"ok"`
	Failed   []string `yaml:"failed"`
	Rejected []string `yaml:"rejected"`
	Timeout  []string `yaml:"timeout"`
	Dropped  []string `yaml:"dropped"`
	Skipped  []string `yaml:"skipped"`
}

// Constants are what is the same in every row.
type Constants struct {
	Scenario string `yaml:"scenario"`
	Op       string `yaml:"op"`
	Target   string `yaml:"target"`
	Events   int64  `yaml:"events"`
}

// LoadFacts are what the file itself does not say of the load.
type LoadFacts struct {
	Tool        string         `yaml:"tool"`
	Version     string         `yaml:"version"`
	Model       runs.LoadModel `yaml:"model"` // open or closed
	Rate        float64        `yaml:"rate"`  // offered, requests per second
	Concurrency int            `yaml:"concurrency"`
}

// ReadMappings reads a mapping file: one mapping, or several under "mappings",
// each with the files that it is for. Errors say file, line and column.
func ReadMappings(name string, text []byte) ([]*Mapping, error) {
	doc, err := yamlfile.Parse(name, text)
	if err != nil {
		return nil, err
	}
	var several struct {
		Mappings []*Mapping `yaml:"mappings"`
	}
	list := []*Mapping{{}}
	at := []any{}
	if doc.Has("mappings") {
		if err := doc.Decode(&several); err != nil {
			return nil, err
		}
		list = several.Mappings
		at = []any{"mappings"}
	} else if err := doc.Decode(list[0]); err != nil {
		return nil, err
	}
	for i, m := range list {
		here := at
		if len(at) > 0 {
			here = append(slices.Clone(at), i)
			if m == nil || len(m.Files) == 0 && len(list) > 1 {
				return nil, doc.Errorf(here, "one of several mappings must name its files")
			}
		}
		if where, msg := m.check(); msg != "" {
			return nil, doc.Errorf(append(here, where...), "%s", msg)
		}
	}
	return list, nil
}

// Validate reports what is wrong with a mapping that was not read from a file.
func (m *Mapping) Validate() error {
	where, msg := m.check()
	if msg == "" {
		return nil
	}
	return fmt.Errorf("%w: mapping: %s: %s", ErrUsage, strings.Trim(fmt.Sprint(where), "[]"), msg)
}

// check returns the place and the reason of the first thing that is wrong.
func (m *Mapping) check() (where []any, msg string) {
	switch {
	case m.Format != genericCSVName && m.Format != genericJSONLName && m.Format != genericLogfmtName:
		return []any{"format"}, fmt.Sprintf("format is %q; it must be %s, %s or %s", m.Format, genericCSVName, genericJSONLName, genericLogfmtName)
	case m.Format != genericCSVName && (m.Delimiter != "" || m.Comment != "" || len(m.Columns) > 0):
		return nil, "delimiter, comment and columns are for CSV"
	case len([]rune(m.Delimiter)) > 1:
		return []any{"delimiter"}, "the delimiter must be one character"
	case m.Fit == nil && m.Start == nil && m.End == nil:
		return nil, "start or end must be given: without a time a row is no sample"
	case m.Latency != nil && m.Service != nil:
		return []any{"service"}, "latency is wait and service together; give latency or service"
	case m.Start != nil && m.End != nil && (m.Latency != nil || m.Service != nil):
		return []any{"end"}, "start and end say the latency already; leave out the latency, or one of them"
	case m.Fit == nil && m.Start == nil && m.Latency == nil && m.Service == nil && len(m.Points) == 0:
		return []any{"end"}, "an end alone says not when the work began; give latency, or service and wait"
	case m.Load.Model != "" && m.Load.Model != runs.OpenLoop && m.Load.Model != runs.ClosedLoop:
		return []any{"load", "model"}, "the load model is open or closed"
	case m.Load.Rate < 0 || m.Load.Concurrency < 0:
		return []any{"load"}, "rate and concurrency cannot be below zero"
	case m.Set.Events < 0:
		return []any{"set", "events"}, "a row cannot carry less than no events"
	}
	for i, p := range m.Files {
		if _, err := path.Match(p, ""); err != nil {
			return []any{"files", i}, fmt.Sprintf("%q is no pattern", p)
		}
	}
	for i, c := range m.Where {
		if c.Field == "" || len(c.In) == 0 {
			return []any{"where", i}, "a condition needs a field and the values that it may have"
		}
	}
	if where, msg := m.checkPoints(); msg != "" {
		return where, msg
	}
	if m.Fit != nil {
		return m.alone()
	}
	return m.checkFields()
}

func (m *Mapping) checkFields() (where []any, msg string) {
	for _, f := range []struct {
		name  string
		field *InstantField
	}{{"start", m.Start}, {"end", m.End}} {
		if f.field == nil {
			continue
		}
		if _, _, err := f.field.parser(nil, 0); err != nil || f.field.Field == "" {
			return []any{f.name}, firstSet(errText(err), "it names no field")
		}
	}
	for _, f := range []struct {
		name  string
		field *DurationField
	}{{"latency", m.Latency}, {"wait", m.Wait}, {"service", m.Service}} {
		if f.field == nil {
			continue
		}
		if f.field.Field == "" {
			return []any{f.name}, "it names no field"
		}
		if _, ok := durationPlaces[f.field.Unit]; !ok {
			return []any{f.name, "unit"}, fmt.Sprintf("unit is %q; it must be s, ms, us, ns or duration", f.field.Unit)
		}
	}
	return nil, ""
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// durationPlaces says how many decimals a unit is above the nanosecond.
var durationPlaces = map[string]int{"s": 9, "ms": 6, "us": 3, "µs": 3, "ns": 0, "duration": -1}

// parse reads a duration in ns.
func (f *DurationField) parse(text []byte) (int64, bool) {
	if f.Unit == "duration" {
		d, err := time.ParseDuration(string(text))
		return int64(d), err == nil
	}
	return scaled(text, durationPlaces[f.Unit])
}

// parser returns the function that reads the field's instants, in ns, and the
// stamps behind it.
func (f *InstantField) parser(zone *time.Location, unit time.Duration) (func([]byte) (int64, error), *Stamps, error) {
	from := ""
	if f.Zone != "" {
		from = "zone of the mapping:"
		var err error
		if zone, err = ParseZone(f.Zone); err != nil {
			return nil, nil, err
		}
	}
	s := &Stamps{zone: zone, from: from, unit: unit, unitGiven: unit != 0}
	switch f.Unit {
	case "unix_s", "unix_ms", "unix_us", "unix_ns":
		s.unit = map[string]time.Duration{"unix_s": time.Second, "unix_ms": time.Millisecond, "unix_us": time.Microsecond, "unix_ns": time.Nanosecond}[f.Unit]
		s.unitGiven = true
		return s.Epoch, s, nil
	case "rfc3339", "auto":
		return s.Bytes, s, nil
	case "layout":
		if f.Layout == "" {
			return nil, nil, fmt.Errorf("the unit layout needs a layout, as \"2006-01-02 15:04:05\"")
		}
		return func(b []byte) (int64, error) { return s.Layout(f.Layout, string(b)) }, s, nil
	}
	return nil, nil, fmt.Errorf("unit is %q; it must be unix_s, unix_ms, unix_us, unix_ns, rfc3339, auto or layout", f.Unit)
}

// mappingFor returns the mapping that names the file; nil if none does.
func mappingFor(maps []*Mapping, base string) *Mapping {
	for _, m := range maps {
		for _, pattern := range m.Files {
			if ok, _ := path.Match(pattern, base); ok {
				return m
			}
		}
	}
	return nil
}

// rowFields lists the fields that place a row in time.
func (m *Mapping) rowFields() []string {
	var names []string
	for _, f := range []*InstantField{m.Start, m.End} {
		if f != nil {
			names = append(names, f.Field)
		}
	}
	for _, f := range []*DurationField{m.Latency, m.Wait, m.Service} {
		if f != nil {
			names = append(names, f.Field)
		}
	}
	return names
}

// mappingForRest returns the mapping of the files that nothing else claims.
func mappingForRest(maps []*Mapping) *Mapping {
	for _, m := range maps {
		if len(m.Files) == 0 {
			return m
		}
	}
	return nil
}
