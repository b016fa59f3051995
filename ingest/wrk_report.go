package ingest

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"headroom/internal/pattern"
	"headroom/runs"
)

// wrkReport is the report of one run of wrk or wrk2.
type wrkReport struct {
	announced   string // how long the test was to run: "5s"
	ran         string // and how long it did, as printed
	connections int
	values      map[string]float64
	errors      float64 // of sockets
	bad         float64 // answers that were not 2xx or 3xx
	refused     string  // why rate and latency are not to be believed
	spectra     []wrkSpectrum
	corrected   bool // the current percentiles are those that count
	other       map[string]float64
	ended       bool // the totals were seen, or a Lua script speaks
}

// The lines of a report. Cells are as wrk prints them, with their units.
var (
	wrkStart       = pattern.New(`^Running (\S+) test @ `)
	wrkConnections = pattern.New(`^\s+\d+ threads? and (\d+) connections?$`)
	wrkLatency     = pattern.New(`^\s+Latency\s+(\S+)\s+(\S+)\s+(\S+)\s+\S+$`)
	wrkPercentile  = pattern.New(`^\s*(\d+(?:\.\d+)?)%\s+(\S+)\s*$`)
	wrkTotal       = pattern.New(`^\s+(\d+) requests in ([^\s,]+), (\S+) read$`)
	wrkSockets     = pattern.New(`^\s+Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)$`)
	wrkStatus      = pattern.New(`^\s+Non-2xx or 3xx responses: (\d+)$`)
	wrkRate        = pattern.New(`^Requests/sec:\s+(\S+)$`)
	wrkHeading     = pattern.New(`^\s+Latency Distribution(?: \(HdrHistogram - (\w+) Latency)?`)
)

// wrkPercentiles are the percentiles that have a name here.
var wrkPercentiles = map[float64]string{50: "latency.p50", 75: "latency.p75", 90: "latency.p90", 99: "latency.p99", 99.9: "latency.p999"}

// maxReports bounds the reports of one file.
const maxReports = 1 << 12

func readWrk(in *Input, sink Sink, tool, method string) error {
	var found []*wrkReport
	lines := in.Lines()
	for lines.Next() {
		line := string(lines.Bytes())
		if m := wrkStart.FindStringSubmatch(line); m != nil && len(found) < maxReports {
			r := &wrkReport{values: map[string]float64{}, other: map[string]float64{}, corrected: true}
			r.announced = m[1]
			found = append(found, r)
		}
		if len(found) == 0 {
			continue
		}
		if r := found[len(found)-1]; !r.ended {
			r.line(line)
		}
	}
	if err := lines.Finish(); err != nil {
		return err
	}
	m := &in.Meta
	m.Tool, m.LatencyUnit = tool, "as printed"
	for i, r := range found {
		of := ""
		if len(found) > 1 {
			of = fmt.Sprintf("run %d", i+1)
		}
		r.judge(in, of)
		m.Summaries = append(m.Summaries, runs.Summary{Source: in.Name, Of: of, Values: r.values, Method: method})
		if len(r.other) > 0 {
			m.Summaries = append(m.Summaries, runs.Summary{Source: in.Name, Of: strings.TrimSpace(of + " uncorrected"), Values: r.other, Method: "from when requests were sent, not from when they were due"})
		}
	}
	if len(found) > 1 {
		in.Note("the file holds the reports of %d runs", len(found))
	} else if len(found) == 1 {
		m.Concurrency = found[0].connections
	}
	m.Model, m.Basis = runs.ClosedLoop, basisRequest
	m.ModelAs = "wrk's connections"
	if tool == wrk2Name {
		m.Model, m.Basis = runs.OpenLoop, basisResponse
		m.ModelAs = "" // wrk2 runs at a rate or not at all
		return placeSpectra(in, sink, found)
	}
	return nil
}

// line takes one line of the report.
func (r *wrkReport) line(line string) {
	line = strings.TrimRight(line, " \t")
	switch {
	case strings.HasPrefix(line, "-----"):
		_, r.ended = r.values["requests"] // wrk2 draws one above the totals as well
	case wrkConnections.MatchString(line):
		r.connections, _ = strconv.Atoi(wrkConnections.FindStringSubmatch(line)[1])
	case wrkHeading.MatchString(line):
		r.corrected = wrkHeading.FindStringSubmatch(line)[1] != "Uncorrected"
		r.spectra = append(r.spectra, wrkSpectrum{corrected: r.corrected})
	case r.spectrumRow(line):
	case r.total(line):
	default:
		if m := wrkLatency.FindStringSubmatch(line); m != nil {
			for i, name := range []string{"latency.mean", "latency.stddev", "latency.max"} {
				if v, ok := wrkTime(m[i+1]); ok {
					r.values[name] = v
				}
			}
		}
		if m := wrkPercentile.FindStringSubmatch(line); m != nil && len(r.spectra) > 0 {
			p, _ := strconv.ParseFloat(m[1], 64)
			v, ok := wrkTime(m[2])
			if name := wrkPercentiles[p]; ok && name != "" {
				r.part()[name] = v
			}
		}
	}
}

// part returns the values that the percentiles below the last heading are of.
func (r *wrkReport) part() map[string]float64 {
	if r.corrected {
		return r.values
	}
	return r.other
}

// total takes a line of the report's end.
func (r *wrkReport) total(line string) bool {
	if m := wrkTotal.FindStringSubmatch(line); m != nil {
		r.values["requests"], _ = strconv.ParseFloat(m[1], 64)
		r.ran = m[2]
		if v, ok := wrkTime(m[2]); ok {
			r.values["duration"] = v
		} else {
			r.refused = "it prints no time of the run but " + strconv.Quote(clip(m[2]))
		}
		if v, ok := wrkSize(m[3]); ok {
			r.values["bytes_in"] = v
		}
		return true
	}
	if m := wrkSockets.FindStringSubmatch(line); m != nil {
		for i, name := range []string{"failed.connect", "failed.read", "failed.write", "failed.timeout"} {
			v, _ := strconv.ParseFloat(m[i+1], 64)
			r.values[name] = v
			r.errors += v
		}
		return true
	}
	if m := wrkStatus.FindStringSubmatch(line); m != nil {
		r.bad, _ = strconv.ParseFloat(m[1], 64)
		r.values["failed.status"] = r.bad
		return true
	}
	if m := wrkRate.FindStringSubmatch(line); m != nil {
		if v, ok := wrkCount(m[1]); ok {
			r.values["throughput.requests"] = v
		}
		return true
	}
	return false
}

// wrkLongest is how much longer than announced a run may have taken, in
// seconds, to be believed: a year. wrk computes its time in unsigned µs, and a
// run in which every connection hangs can make it negative, which prints as
// some 307 billion minutes (wg/wrk issue 327).
const wrkLongest = 366 * 86400

// judge decides what of a report is evidence, and notes what is not.
func (r *wrkReport) judge(in *Input, of string) {
	if of != "" {
		of += ": "
	}
	n, counted := r.values["requests"]
	if !counted {
		in.Meta.Cut = true
		in.Note("%sthe report is cut: it has no line with the requests", of)
		return
	}
	r.values["failed"] = r.errors + r.bad
	d, timed := r.values["duration"]
	if announced, _ := wrkTime(r.announced); timed && d > announced+wrkLongest {
		r.refused = fmt.Sprintf("a run of %s is not credible for a %s test", clip(r.ran), clip(r.announced))
	}
	if r.refused != "" {
		in.Note("%srate and latency are refused: %s", of, r.refused)
		r.forget("latency.")
		r.forget("throughput.")
		delete(r.values, "duration")
		return
	}
	if n == 0 {
		r.forget("latency.")
		in.Note("%sno request was completed: there is no latency", of)
	}
	// Both numbers are printed with two decimals and wrk's rate uses the time in µs.
	if rate := r.values["throughput.requests"]; timed && d > 0 && math.Abs(n/d-rate) > 0.01*rate+0.01 {
		in.Note("%sthe report contradicts itself: %.0f requests in %v s are not %v per second", of, n, d, rate)
	}
}

func (r *wrkReport) forget(prefix string) {
	for name := range r.values {
		if strings.HasPrefix(name, prefix) {
			delete(r.values, name)
		}
	}
	r.spectra, r.other = nil, nil
}
