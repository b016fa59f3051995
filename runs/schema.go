package runs

import "headroom/runs/internal/table"

// The declarations of the tables: the single source of their columns for the
// writer, the reader and the test of docs/format/run.md. (Put and Fit of the two
// that have many rows say it again, for speed, and are compared with it.)

var samplesTable = &table.Table[Sample]{Name: "samples", Put: putSample, Fit: fitSample, Fields: []table.Field[Sample]{
	{Name: string(ColStart), Type: table.Instant, Int: func(s *Sample) *int64 { return &s.Start }},
	{Name: string(ColStartNS), Type: table.Integer, Optional: true, Int: func(s *Sample) *int64 { return &s.StartNS }},
	{Name: string(ColWait), Type: table.Integer, Optional: true, Int: func(s *Sample) *int64 { return &s.Wait }},
	{Name: string(ColService), Type: table.Integer, Optional: true, Int: func(s *Sample) *int64 { return &s.Service }},
	{Name: string(ColScenario), Type: table.Text, Text: func(s *Sample) *string { return &s.Scenario }},
	{Name: string(ColOp), Type: table.Text, Text: func(s *Sample) *string { return &s.Op }},
	{Name: string(ColStatus), Type: table.Text, Text: func(s *Sample) *string { return &s.Status }},
	{Name: string(ColOutcome), Type: table.Text, Text: func(s *Sample) *string { return (*string)(&s.Outcome) }},
	{Name: string(ColTarget), Type: table.Text, Text: func(s *Sample) *string { return &s.Target }},
	{Name: string(ColEvents), Type: table.Integer, Int: func(s *Sample) *int64 { return &s.Events }},
	{Name: string(ColError), Type: table.Text, Optional: true, Text: func(s *Sample) *string { return &s.Error }},
	{Name: string(ColWorker), Type: table.Text, Optional: true, Text: func(s *Sample) *string { return &s.Worker }},
	{Name: string(ColID), Type: table.Text, Optional: true, Text: func(s *Sample) *string { return &s.ID }},
	{Name: string(ColTags), Type: table.Document, Optional: true, Text: func(s *Sample) *string { return &s.Tags }},
	{Name: string(ColConnecting), Type: table.Integer, Optional: true, Int: func(s *Sample) *int64 { return &s.Connecting }},
	{Name: string(ColTLS), Type: table.Integer, Optional: true, Int: func(s *Sample) *int64 { return &s.TLS }},
	{Name: string(ColSending), Type: table.Integer, Optional: true, Int: func(s *Sample) *int64 { return &s.Sending }},
	{Name: string(ColWaiting), Type: table.Integer, Optional: true, Int: func(s *Sample) *int64 { return &s.Waiting }},
	{Name: string(ColReceiving), Type: table.Integer, Optional: true, Int: func(s *Sample) *int64 { return &s.Receiving }},
}}

var pointsTable = &table.Table[Point]{Name: "points", Put: putPoint, Fit: fitPoint, Fields: []table.Field[Point]{
	{Name: "time", Type: table.Instant, Int: func(p *Point) *int64 { return &p.Time }},
	{Name: "time_ns", Type: table.Integer, Int: func(p *Point) *int64 { return &p.TimeNS }},
	{Name: "source", Type: table.Text, Text: func(p *Point) *string { return &p.Source }},
	{Name: "entity", Type: table.Text, Text: func(p *Point) *string { return &p.Entity }},
	{Name: "metric", Type: table.Text, Text: func(p *Point) *string { return &p.Metric }},
	{Name: "kind", Type: table.Text, Text: func(p *Point) *string { return (*string)(&p.Kind) }},
	{Name: "value", Type: table.Real, Real: func(p *Point) *float64 { return &p.Value }},
	{Name: "unit", Type: table.Text, Text: func(p *Point) *string { return &p.Unit }},
	{Name: "resolution", Type: table.Integer, Int: func(p *Point) *int64 { return &p.Resolution }},
	{Name: "tags", Type: table.Document, Optional: true, Text: func(p *Point) *string { return &p.Tags }},
}}

var activityTable = &table.Table[Activity]{Name: "activity", Fields: []table.Field[Activity]{
	{Name: "time", Type: table.Instant, Int: func(a *Activity) *int64 { return &a.Time }},
	{Name: "source", Type: table.Text, Text: func(a *Activity) *string { return &a.Source }},
	{Name: "pid", Type: table.Integer, Optional: true, Int: func(a *Activity) *int64 { return &a.PID }},
	{Name: "backend_type", Type: table.Text, Optional: true, Text: func(a *Activity) *string { return &a.BackendType }},
	{Name: "state", Type: table.Text, Optional: true, Text: func(a *Activity) *string { return &a.State }},
	{Name: "wait_type", Type: table.Text, Optional: true, Text: func(a *Activity) *string { return &a.WaitType }},
	{Name: "wait", Type: table.Text, Optional: true, Text: func(a *Activity) *string { return &a.Wait }},
	{Name: "database", Type: table.Text, Optional: true, Text: func(a *Activity) *string { return &a.Database }},
	{Name: "user", Type: table.Text, Optional: true, Text: func(a *Activity) *string { return &a.User }},
	{Name: "application", Type: table.Text, Optional: true, Text: func(a *Activity) *string { return &a.Application }},
	{Name: "query", Type: table.Text, Optional: true, Text: func(a *Activity) *string { return &a.Query }},
	{Name: "blocked_by", Type: table.Text, Optional: true, Text: func(a *Activity) *string { return &a.BlockedBy }},
}}

var markersTable = &table.Table[Marker]{Name: "markers", Fields: []table.Field[Marker]{
	{Name: "time", Type: table.Instant, Int: func(m *Marker) *int64 { return &m.Time }},
	{Name: "source", Type: table.Text, Text: func(m *Marker) *string { return &m.Source }},
	{Name: "kind", Type: table.Text, Text: func(m *Marker) *string { return &m.Kind }},
	{Name: "severity", Type: table.Text, Optional: true, Text: func(m *Marker) *string { return &m.Severity }},
	{Name: "message", Type: table.Text, Text: func(m *Marker) *string { return &m.Message }},
	{Name: "detail", Type: table.Text, Optional: true, Text: func(m *Marker) *string { return &m.Detail }},
	{Name: "attrs", Type: table.Document, Optional: true, Text: func(m *Marker) *string { return &m.Attrs }},
	{Name: "duration", Type: table.Integer, Optional: true, Int: func(m *Marker) *int64 { return &m.Duration }},
	{Name: "pid", Type: table.Integer, Optional: true, Int: func(m *Marker) *int64 { return &m.PID }},
}}

var histogramsTable = &table.Table[Histogram]{Name: "histograms", Fields: []table.Field[Histogram]{
	{Name: "start", Type: table.Instant, Int: func(h *Histogram) *int64 { return &h.Start }},
	{Name: "length", Type: table.Integer, Int: func(h *Histogram) *int64 { return &h.Length }},
	{Name: "source", Type: table.Text, Text: func(h *Histogram) *string { return &h.Source }},
	{Name: "scenario", Type: table.Text, Text: func(h *Histogram) *string { return &h.Scenario }},
	{Name: "op", Type: table.Text, Text: func(h *Histogram) *string { return &h.Op }},
	{Name: "low", Type: table.Integer, Int: func(h *Histogram) *int64 { return &h.Low }},
	{Name: "high", Type: table.Integer, Int: func(h *Histogram) *int64 { return &h.High }},
	{Name: "count", Type: table.Integer, Int: func(h *Histogram) *int64 { return &h.Count }},
}}

// benchmarksTable has no instant: results of benchmarks carry none.
var benchmarksTable = &table.Table[Benchmark]{Name: "benchmarks", Fields: []table.Field[Benchmark]{
	{Name: "source", Type: table.Text, Text: func(b *Benchmark) *string { return &b.Source }},
	{Name: "package", Type: table.Text, Text: func(b *Benchmark) *string { return &b.Package }},
	{Name: "name", Type: table.Text, Text: func(b *Benchmark) *string { return &b.Name }},
	{Name: "procs", Type: table.Integer, Int: func(b *Benchmark) *int64 { return &b.Procs }},
	{Name: "repeat", Type: table.Integer, Int: func(b *Benchmark) *int64 { return &b.Repeat }},
	{Name: "iterations", Type: table.Integer, Int: func(b *Benchmark) *int64 { return &b.Iterations }},
	{Name: "unit", Type: table.Text, Text: func(b *Benchmark) *string { return &b.Unit }},
	{Name: "value", Type: table.Real, Real: func(b *Benchmark) *float64 { return &b.Value }},
	{Name: "config", Type: table.Document, Optional: true, Text: func(b *Benchmark) *string { return &b.Config }},
}}
