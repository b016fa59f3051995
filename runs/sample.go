package runs

import "math"

// Missing marks an int64 that the source did not record. It is stored as null,
// so that a reader of the Parquet file sees null as well. Zero is a value.
const Missing int64 = math.MinInt64

// Outcome says how a sample ended. The zero value is not valid.
type Outcome string

// The outcomes of a sample.
const (
	// OK: the request was answered as its sender expected.
	OK Outcome = "ok"
	// Failed: it was answered otherwise, or not at all.
	Failed Outcome = "failed"
	// Rejected: it was refused by design (a rate limiter's 429, say).
	Rejected Outcome = "rejected"
	// Timeout: its sender stopped waiting.
	Timeout Outcome = "timeout"
	// Dropped: it was due and never sent. Such a sample has no service time.
	Dropped Outcome = "dropped"
	// Skipped: the generator left it out because it was late already
	// (pgbench --latency-limit).
	Skipped Outcome = "skipped"
)

// Sent reports whether a request with this outcome left the generator.
func (o Outcome) Sent() bool { return o != Dropped && o != Skipped }

// Sample is one measured request (or transaction, job, message).
//
// End = Start + Wait + Service. Start is when the work was due, enqueued or
// issued, whichever the source records first; it is floored to the microsecond,
// and StartNS keeps the rest where the source has it.
type Sample struct {
	Start   int64 // microseconds since the Unix epoch, UTC
	StartNS int64 // nanoseconds below Start's microsecond, 0..999, or Missing
	Wait    int64 // ns between due and begun, or Missing
	Service int64 // ns being served; may be negative if the source's clock was (kept as measured); Missing if never sent

	Scenario string // a workload within the run; "default" where the source names none
	Op       string // the kind of request (name, route, transaction); "" if there is one kind
	Status   string // the source's own word: "200", "serialization"
	Outcome  Outcome
	Target   string // which replica or host served it; "" if not recorded
	Events   int64  // units of load the sample carries; 1 unless declared

	Error  string // error text or code; "" if none
	Worker string // virtual user, client or thread; "" if not recorded
	ID     string // the source's own identity of the request; "" if none
	Tags   string // remaining labels as one canonical JSON object; "" if none

	// Phases of an HTTP request in ns, Missing where the source has none.
	Connecting int64
	TLS        int64
	Sending    int64
	Waiting    int64
	Receiving  int64
}

// NewSample returns a Sample whose optional numbers are all Missing and whose
// Events is 1, so that an importer sets only what its source recorded.
func NewSample() Sample {
	return Sample{
		StartNS: Missing, Wait: Missing, Service: Missing, Events: 1,
		Connecting: Missing, TLS: Missing, Sending: Missing, Waiting: Missing, Receiving: Missing,
	}
}

// Latency returns wait plus service in ns, where a missing wait counts as none.
// ok is false when there is no service time, or it is negative (the source's
// clock went backwards): such a sample is a request, but no latency.
func (s *Sample) Latency() (ns int64, ok bool) { return Latency(s.Wait, s.Service) }

// Latency is Sample.Latency on columns.
func Latency(wait, service int64) (ns int64, ok bool) {
	if service == Missing || service < 0 {
		return 0, false
	}
	if wait != Missing {
		service += wait
	}
	return service, service >= 0
}

// StartNanos returns the start in nanoseconds since the Unix epoch, as finely
// as the source recorded it.
func (s *Sample) StartNanos() int64 { return StartNanos(s.Start, s.StartNS) }

// StartNanos is Sample.StartNanos on columns.
func StartNanos(start, startNS int64) int64 {
	if startNS == Missing {
		startNS = 0
	}
	return start*1000 + startNS
}

// EndNanos returns the end of a sample, start plus wait plus service, in
// nanoseconds since the Unix epoch. What is missing counts as nothing; a
// negative service time counts as measured. A sum outside int64 is clamped.
func EndNanos(start, startNS, wait, service int64) int64 {
	end := StartNanos(start, startNS)
	for _, d := range [2]int64{wait, service} {
		switch {
		case d == Missing:
		case d > 0 && end > math.MaxInt64-d:
			return math.MaxInt64
		case d < 0 && end < math.MinInt64-d:
			return math.MinInt64
		default:
			end += d
		}
	}
	return end
}

// SplitNanos splits an instant in nanoseconds into the two stored columns. The
// microsecond is floored, before 1970 as well.
func SplitNanos(ns int64) (start, startNS int64) {
	start = ns / 1000
	startNS = ns % 1000
	if startNS < 0 {
		start--
		startNS += 1000
	}
	return start, startNS
}
