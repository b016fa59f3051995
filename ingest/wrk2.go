package ingest

import (
	"math"
	"strconv"
	"strings"

	"headroom/runs"
)

// Wrk2 reads what wrk2 prints.
var Wrk2 = &Importer{
	Name: wrk2Name,
	Doc: `wrk2's own report (its standard output), with --latency its spectrum

Recognised as wrk is, by "Thread calibration:" or "HdrHistogram" in it: wrk2
calls itself wrk 4.0.0. Latency counts from when a request was due; where -U
printed an uncorrected spectrum as well, it is told by its heading and kept apart.
The spectrum becomes one histogram, a bucket for each step of its cumulative
count, if the start of the run is given (--start), since the report has none. It
leaves out the first ten seconds or so, in which wrk2 calibrates, so its total is
less than the requests; the summary counts all. Otherwise as wrk.`,
	Gives: []string{"histograms: the spectrum (with --start)", "manifest: summaries, load (connections, model)"},
	Lacks: []string{"single requests, and when they were: it has no start", "the offered rate, which only the command says (-R)", "the time of calibration"},
	Load:  true,
	Sniff: func(head []byte) bool { return inHead(head, wrkRunning, " test @ ") && isWrk2(head) },
	Read: func(in *Input, sink Sink) error {
		return readWrk(in, sink, wrk2Name, "HdrHistogram from when requests were due, without calibration")
	},
}

const wrk2Name = "wrk2"

// wrkSpectrum is a "Detailed Percentile spectrum": how many latencies were at or
// below each value.
type wrkSpectrum struct {
	corrected bool
	highs     []int64 // ns
	counts    []int64 // cumulative
	total     int64   // as printed below it
}

// maxSpectrum bounds the rows of a spectrum; wrk2 prints some hundred.
const maxSpectrum = 1 << 16

// spectrumRow takes a row "Value Percentile TotalCount 1/(1-Percentile)" of the
// last spectrum, or the line with its total. The values are ms.
func (r *wrkReport) spectrumRow(line string) bool {
	if len(r.spectra) == 0 {
		return false
	}
	s := &r.spectra[len(r.spectra)-1]
	if rest, ok := strings.CutPrefix(line, "#[Max"); ok {
		_, after, _ := strings.Cut(rest, "Total count")
		s.total, _ = strconv.ParseInt(strings.Trim(after, " =]"), 10, 64)
		return true
	}
	fields := strings.Fields(line)
	if len(fields) != 4 || len(s.highs) >= maxSpectrum {
		return false
	}
	high, okHigh := scaled([]byte(fields[0]), 6)
	count, okCount := scaled([]byte(fields[2]), 0)
	if _, err := strconv.ParseFloat(fields[1], 64); err != nil || !okHigh || !okCount || !isDigits([]byte(fields[2])) {
		return false
	}
	if n := len(s.highs); high < 0 || high > maxDuration || n > 0 && (high < s.highs[n-1] || count < s.counts[n-1]) {
		return false
	}
	s.highs, s.counts = append(s.highs, high), append(s.counts, count)
	return true
}

// placeSpectra makes histograms of the spectra of a file's only report, from the
// start that was given.
func placeSpectra(in *Input, sink Sink, found []*wrkReport) error {
	if len(found) != 1 {
		return nil
	}
	r := found[0]
	for _, s := range r.spectra {
		if !s.corrected || len(s.counts) == 0 {
			continue
		}
		last := s.counts[len(s.counts)-1]
		if s.total > 0 && last != s.total {
			in.Meta.Cut = true
			in.Note("the spectrum is cut: it counts %d of %d", last, s.total)
		}
		if n, counted := r.values["requests"]; counted {
			in.Note("the spectrum counts %d of %.0f requests: those of the calibration are not in it", last, n)
		}
		if in.Opt.Start.IsZero() {
			in.Note("the spectrum was left out: the report has no time axis of its own; give a start (--start)")
			return nil
		}
		in.Meta.Zone = "start as given"
		return s.place(in, sink, r.values["duration"])
	}
	return nil
}

// place writes the buckets of a spectrum that covers seconds from the start.
func (s *wrkSpectrum) place(in *Input, sink Sink, seconds float64) error {
	h := runs.Histogram{Start: in.Opt.Start.UnixMicro(), Scenario: in.NewSample().Scenario}
	if seconds < maxDuration/1e9 {
		h.Length = int64(math.Round(seconds * 1e9))
	}
	low, before := int64(0), int64(0)
	for i, high := range s.highs {
		if s.counts[i] == before {
			continue
		}
		h.Low, h.High, h.Count = low, high, s.counts[i]-before
		if h.Low > h.High { // a value that is printed twice: more of the same
			h.Low = h.High
		}
		if err := sink.Histogram(&h); err != nil {
			return err
		}
		low, before = high+1, s.counts[i]
	}
	return nil
}
