package ingest

import "testing"

// TestNotesOfOne: a note about one thing is in the singular, and others are as they
// were written.
func TestNotesOfOne(t *testing.T) {
	for note, want := range map[string]string{
		"1 requests (http_reqs) have no http_req_duration and are not counted":       "1 request (http_reqs) has no http_req_duration and is not counted",
		"1 groups of phase lines belong to no request of the file and were left out": "1 group of phase lines belongs to no request of the file and was left out",
		"1 phases of requests are negative: kept as measured":                        "1 phase of requests is negative: kept as measured",
		"1 pauses of more than an hour: runs were appended to one file":              "1 pause of more than an hour: runs were appended to one file",
		"1 status lines were left out: they bear local time":                         "1 status line was left out: they bear local time",
		"1 distances between rows are not the usual 5m0s: gaps stay gaps":            "1 distance between rows is not the usual 5m0s: gaps stay gaps",
		"1 benchmarks failed": "1 benchmark failed",
		"1 stamp in Europe/Berlin: the local time occurs twice":                 "1 stamp in Europe/Berlin: the local time occurs twice",
		"1 of 3 intervals are empty":                                            "1 of 3 intervals are empty",
		"1 values are NaN or infinite, which is no value, and were left out":    "1 value is NaN or infinite, which is no value, and was left out",
		"2 requests have a negative duration":                                   "2 requests have a negative duration",
		"15 rows have no latency: they are requests, and part of no percentile": "15 rows have no latency: they are requests, and part of no percentile",
	} {
		in := NewInput("", nil, Options{})
		in.Note("%s", note)
		if got := in.Meta.Notes[0]; got != want {
			t.Errorf("%q: got %q, want %q", note, got, want)
		}
	}
}
