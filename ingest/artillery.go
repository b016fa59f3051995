package ingest

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"headroom/runs"
)

// Artillery reads reports of artillery run --output, of versions 2 and 1
// (https://www.artillery.io/docs/reference/cli/run).
var Artillery = &Importer{
	Name: "artillery-json",
	Doc: `artillery report (artillery run --output FILE)

Recognised by an object with "aggregate" and "intermediate". Each window of ten
seconds gives points, stamped with its start: counters (a counter that a window
lacks is not there, not 0), rates, and of each summary its count, extremes, mean
and percentiles, which are of a DDSketch: within 1 % of a value, extremes exact.
Names of counters hold dots, slashes and the script's own words and are kept as
they are. Latencies leave out requests that failed without an answer. Reports of
version 1, and their lists of single latencies where they have them, are read too:
an entry's stamp is when the answer came.`,
	Gives: []string{"points: artillery.*", "manifest: summaries", "samples, of version 1 with its list of latencies"},
	Lacks: []string{"single requests, of version 2", "the latency of requests without an answer", "percentiles other than its own"},
	Load:  true,
	Sniff: func(head []byte) bool {
		seen := jsonMembers(head)
		return seen["aggregate"] && (seen["intermediate"] || seen["aggregate.counters"] || seen["aggregate.scenariosCreated"] || seen["aggregate.latencies"])
	},
	Read: readArtillery,
}

type artilleryReport struct {
	Aggregate    artilleryWindow
	Intermediate []artilleryWindow
}

// artilleryWindow is a window of either version; the fields of the other are empty.
type artilleryWindow struct {
	Counters, Rates       map[string]jsonNumber
	Summaries, Histograms map[string]map[string]jsonNumber
	Period                jsonNumber // ms
	FirstMetricAt         jsonNumber
	LastMetricAt          jsonNumber

	// Version 1.
	Timestamp                            json.RawMessage
	ScenariosCreated, ScenariosCompleted jsonNumber
	RequestsCompleted                    jsonNumber
	Latency, ScenarioDuration            map[string]jsonNumber
	RPS                                  map[string]jsonNumber
	Codes, Errors                        map[string]jsonNumber
	Latencies                            []json.RawMessage
}

func readArtillery(in *Input, sink Sink) error {
	in.Meta.Tool, in.Meta.LatencyUnit = "artillery", "ms"
	in.Meta.Model, in.Meta.Basis = runs.OpenLoop, basisRequest // arrivals are on a schedule
	in.Meta.ModelAs = "Artillery's arrivals"
	a := artilleryReader{in: in, points: cadence{sink: sink}, sink: sink}
	err := documents(in, func(r *artilleryReport) error {
		for i := range r.Intermediate {
			if err := a.window(&r.Intermediate[i]); err != nil {
				return err
			}
		}
		a.describe(&r.Aggregate)
		return a.latencies(&r.Aggregate)
	})
	if err != nil {
		return err
	}
	if a.undated > 0 {
		in.Note("%d windows have no time that can be read and were left out", a.undated)
	}
	return a.points.finish()
}

type artilleryReader struct {
	in      *Input
	sink    Sink
	points  cadence
	undated int
}

// modern turns a window of version 1 into one of version 2.
func (w *artilleryWindow) modern() {
	if w.ScenariosCreated == "" && w.RequestsCompleted == "" {
		return
	}
	w.Counters, w.Rates = map[string]jsonNumber{}, map[string]jsonNumber{}
	set := func(name string, n jsonNumber) {
		if n != "" {
			w.Counters[name] = n
		}
	}
	set("vusers.created", w.ScenariosCreated)
	set("vusers.completed", w.ScenariosCompleted)
	set("http.responses", w.RequestsCompleted)
	for code, n := range w.Codes {
		set("http.codes."+code, n)
	}
	for e, n := range w.Errors {
		set("errors."+e, n)
	}
	if n := w.RPS["mean"]; n != "" {
		w.Rates["http.request_rate"] = n
	}
	w.Summaries = map[string]map[string]jsonNumber{}
	if len(w.Latency) > 0 {
		w.Summaries["http.response_time"] = w.Latency
	}
	if len(w.ScenarioDuration) > 0 {
		w.Summaries["vusers.session_length"] = w.ScenarioDuration
	}
}

// start returns when the window began, ns since the Unix epoch.
func (a *artilleryReader) start(w *artilleryWindow) (ns int64, ok bool) {
	text := string(w.Period)
	if text == "" {
		if json.Unmarshal(w.Timestamp, &text) != nil {
			text = string(w.Timestamp)
		}
	}
	ns, err := a.in.Stamps().Parse(text)
	return ns, err == nil
}

// window writes the points of one window.
func (a *artilleryReader) window(w *artilleryWindow) error {
	w.modern()
	ns, ok := a.start(w)
	if !ok {
		a.undated++
		return nil
	}
	p := runs.Point{Time: micros(ns)}
	put := func(name string, kind runs.Kind, unit string, v float64) error {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		p.Metric, p.Kind, p.Unit, p.Value = "artillery."+cutTag(name), kind, unit, v
		return a.points.point(&p)
	}
	for _, name := range inOrder(w.Counters) {
		if err := put(name, runs.Delta, "1", w.Counters[name].scaled(0)); err != nil {
			return err
		}
	}
	for _, name := range inOrder(w.Rates) {
		if err := put(name, runs.Gauge, "1/s", w.Rates[name].scaled(0)); err != nil {
			return err
		}
	}
	for _, name := range inOrder(w.series()) {
		values := artilleryFigures(name, w.series()[name])
		for _, key := range inOrder(values) {
			kind, unit := runs.Gauge, "s"
			if key == "count" {
				kind, unit = runs.Delta, "1"
			} else if !artilleryTime(name) {
				unit = "1"
			}
			if err := put(name+"."+key, kind, unit, values[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

// series returns the summaries of a window, which are also called histograms.
func (w *artilleryWindow) series() map[string]map[string]jsonNumber {
	if len(w.Summaries) > 0 {
		return w.Summaries
	}
	return w.Histograms
}

// artilleryTime reports whether a summary's values are milliseconds.
func artilleryTime(name string) bool {
	return strings.Contains(name, "response_time") || strings.Contains(name, "session_length") || strings.Contains(name, "duration")
}

// artilleryFigures returns the values of a summary under headroom's names.
func artilleryFigures(name string, of map[string]jsonNumber) figures {
	v := figures{}
	for _, key := range inOrder(of) {
		n, power := of[key], 0
		if artilleryTime(name) && key != "count" {
			power = -3
		}
		if key == "median" {
			key = "p50"
		}
		v.put(cutTag(key), n.scaled(power))
	}
	return v
}

// describe records what the aggregate says.
func (a *artilleryReader) describe(w *artilleryWindow) {
	w.modern()
	v := figures{}
	v.counts("", w.Counters)
	failed := 0.0
	for _, name := range inOrder(w.Counters) {
		x := w.Counters[name].scaled(0)
		code, isCode := strings.CutPrefix(name, "http.codes.")
		if strings.HasPrefix(name, "errors.") && !math.IsNaN(x) || isCode && !strings.HasPrefix(code, "2") && !strings.HasPrefix(code, "3") {
			failed += x
		}
	}
	v.put("requests", w.Counters["http.requests"].scaled(0))
	v.put("failed", failed)
	first, ok1 := w.FirstMetricAt.whole(0)
	last, ok2 := w.LastMetricAt.whole(0)
	if ok1 && ok2 && last >= first {
		v.put("duration", float64(last-first)/1e3)
	}
	for key, x := range artilleryFigures("http.response_time", w.series()["http.response_time"]) {
		v.put("latency."+key, x)
	}
	method := "DDSketch, within 1 % of a value; extremes exact"
	if w.RequestsCompleted != "" {
		method = "as printed by version 1"
	}
	a.in.summary("", method, v)
	for _, name := range inOrder(w.series()) {
		a.in.summary(cutTag(name), method, artilleryFigures(name, w.series()[name]))
	}
	created, done := w.Counters["vusers.created"].scaled(0), w.Counters["vusers.completed"].scaled(0)
	lost := w.Counters["vusers.failed"].scaled(0)
	if math.IsNaN(lost) {
		lost = 0
	}
	if created > done+lost {
		a.in.Note("%.0f virtual users were created, %.0f completed and %.0f failed: the run was stopped before all were done", created, done, lost)
	}
}

// latencies makes samples of version 1's list: [answered (ms), user, latency (ns), status].
func (a *artilleryReader) latencies(w *artilleryWindow) error {
	other := 0
	for _, raw := range w.Latencies {
		var e []json.RawMessage
		if json.Unmarshal(raw, &e) != nil || len(e) < 4 {
			other++
			continue
		}
		end, err := a.in.Stamps().Bytes(e[0])
		ns, ok := scaled(e[2], 0)
		if err != nil || !ok || ns < 0 || ns > maxDuration {
			other++
			continue
		}
		s := a.in.NewSample()
		s.Service, s.Status, s.Worker = ns, strings.Trim(string(e[3]), `"`), cutTag(strings.Trim(string(e[1]), `"`))
		s.Status = cutTag(s.Status)
		s.Outcome = a.in.httpOutcome(s.Status)
		s.Start, s.StartNS = runs.SplitNanos(end - ns)
		if err := a.sink.Sample(&s); err != nil {
			return fmt.Errorf("latency list: %w", err)
		}
	}
	if other > 0 {
		a.in.Note("%d of %d entries of the list of latencies say no time and were left out", other, len(w.Latencies))
	}
	if a.in.Meta.Resolution == 0 {
		a.in.Meta.Resolution = resolutionOf(time.Millisecond)
	}
	return nil
}
