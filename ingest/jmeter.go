package ingest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"headroom/runs"
)

// jmeterSample is one sample of a JTL, in either form. What the file does not
// have is "" or runs.Missing.
type jmeterSample struct {
	stamp           string
	elapsed         int64 // ns
	latency         int64 // ns to the first byte, connecting included
	connect         int64 // ns
	label, code     string
	message, failed string // responseMessage, failureMessage
	thread          string
	success         string // "true", "false" or ""
	allThreads      string
	sampleCount     string
	tags            []string // name, value, …
	bad             string   // why it cannot be used, if that was seen while it was read
}

// jmeterReader turns samples into rows.
type jmeterReader struct {
	in    *Input
	sink  Sink
	words intern
	clock *rowClock // where the file has no stamps

	layout       string // of dates, as package time has it; "": not yet told, or the stamps are numbers
	transactions int64
	threads      int64
	counted      int64 // rows that stand for several samples
	negative     int64
	last         int64 // ns: the latest end so far
	gaps         int64
	next         runs.Sample // made anew for every row
	pairs        []string    // the tags of the row before, and
	tags         string      // what they came to
}

func newJMeterReader(in *Input, sink Sink) *jmeterReader {
	return &jmeterReader{in: in, sink: sink, words: intern{}}
}

// jmeterTransactions is the scenario of transaction controllers, whose samples
// span those of the requests in them.
const jmeterTransactions = "transactions"

// jmeterTransaction is how the message of a transaction controller begins.
const jmeterTransaction = "Number of samples in transaction : "

// jmeterGap is the pause after which a further run is taken to begin, in ns:
// JMeter appends to a file that exists.
const jmeterGap = int64(3600e9)

// sample writes a sample. It returns the reason if it cannot be used; an error
// that is a refusal of the file ends the import.
func (j *jmeterReader) sample(m *jmeterSample) (reason string, err error) {
	start, err := j.start(m.stamp)
	if err != nil {
		return err.Error(), refusal(err)
	}
	s := &j.next
	*s = j.in.NewSample()
	s.Start, s.StartNS = runs.SplitNanos(start)
	s.Service, s.Connecting = m.elapsed, m.connect
	if m.latency != runs.Missing && m.connect != runs.Missing && m.latency >= m.connect {
		s.Waiting = m.latency - m.connect
	}
	s.Op, s.Status, s.Worker = j.words.word(m.label), j.words.word(m.code), j.words.word(m.thread)
	if !slices.Equal(m.tags, j.pairs) {
		j.pairs, j.tags = append(j.pairs[:0], m.tags...), j.words.labels(m.tags...)
	}
	s.Tags = j.tags
	if s.Outcome, reason = j.outcome(m); reason != "" {
		return reason, nil
	}
	if s.Outcome != runs.OK {
		s.Error = j.words.word(firstSet(strings.TrimSpace(m.failed), m.message))
	}
	if strings.HasPrefix(m.message, jmeterTransaction) {
		s.Scenario = jmeterTransactions
		j.transactions++
	}
	if n, err := strconv.ParseInt(m.allThreads, 10, 32); err == nil {
		j.threads = max(j.threads, n)
	}
	if m.sampleCount != "" && m.sampleCount != "1" {
		j.counted++
	}
	if s.Service < 0 {
		j.negative++
	}
	if j.last != 0 && start-j.last > jmeterGap {
		j.gaps++
	}
	j.last = max(j.last, start+max(s.Service, 0))
	return "", j.sink.Sample(s)
}

// outcome says how a sample ended: as JMeter decided, which is not the same as
// its status, else by the status.
func (j *jmeterReader) outcome(m *jmeterSample) (o runs.Outcome, reason string) {
	switch {
	case slices.Contains(j.in.Opt.Rejected, m.code) && m.code != "":
		return runs.Rejected, ""
	case strings.EqualFold(m.success, "true"):
		return runs.OK, ""
	case strings.EqualFold(m.success, "false"):
		for _, words := range []string{"SocketTimeoutException", "ConnectTimeoutException", "timed out"} {
			if strings.Contains(m.code, words) || strings.Contains(m.message, words) {
				return runs.Timeout, ""
			}
		}
		return runs.Failed, ""
	case m.success == "" && m.code != "":
		return httpOutcome(m.code, nil), ""
	}
	return "", fmt.Sprintf("success is %q, neither true nor false", clip(m.success))
}

// refusal returns an error that no row of the file will be without, else nil.
func refusal(err error) error {
	if isRefusal(err) {
		return err
	}
	return nil
}

// jmeterDates are the forms of a date that are told apart, by example, and what
// they are in the words of package time. JMeter writes any SimpleDateFormat.
var jmeterDates = []struct{ form, layout, name string }{
	{"dddd/dd/dd dd:dd:dd", "2006/01/02 15:04:05", "yyyy/MM/dd HH:mm:ss"},
	{"dd.dd.dd dd:dd:dd", "02.01.06 15:04:05", "dd.MM.yy HH:mm:ss"},
	{"dd.dd.dddd dd:dd:dd", "02.01.2006 15:04:05", "dd.MM.yyyy HH:mm:ss"},
}

// start reads the stamp of a sample, ns since the Unix epoch. JMeter stamps the
// start unless sampleresult.timestamp.start=false, which the file does not say.
func (j *jmeterReader) start(stamp string) (int64, error) {
	if j.clock != nil {
		return j.clock.next()
	}
	stamp = strings.TrimSpace(stamp)
	if err := spreadsheetError(stamp); err != nil {
		return 0, err
	}
	stamps := j.in.Stamps()
	for _, d := range jmeterDates {
		if !fitsForm(stamp, d.form) {
			continue
		}
		if j.layout == "" {
			j.layout = d.layout
			j.in.Note("stamps were read as %s", d.name)
		}
		if j.layout != d.layout {
			return 0, fmt.Errorf("stamp %q has another form than those before it", clip(stamp))
		}
		return stamps.Layout(d.layout, stamp)
	}
	return stamps.Parse(stamp)
}

// fitsForm reports whether text begins like form, in which d is a digit.
func fitsForm(text, form string) bool {
	if len(text) < len(form) {
		return false
	}
	for i, c := range []byte(form) {
		if c == 'd' && !isDigit(text[i]) || c != 'd' && text[i] != c {
			return false
		}
	}
	return len(text) == len(form) || !isDigit(text[len(form)])
}

// spreadsheetError says that a stamp in scientific notation lost its digits; nil
// of any other.
func spreadsheetError(stamp string) error {
	e := strings.IndexAny(stamp, "eE")
	if e <= 0 || !isDigit(stamp[0]) {
		return nil
	}
	exponent, err := strconv.Atoi(strings.TrimPrefix(stamp[e+1:], "+"))
	if err != nil || exponent > 18 {
		return nil
	}
	_, decimals, _ := strings.Cut(stamp[:e], ".")
	unit := math.Pow10(max(exponent-len(decimals), 0))
	return fmt.Errorf("%w: the file was rewritten by a spreadsheet: the stamp %s is only known to within %.0f ms; use the file that JMeter wrote",
		errSpreadsheet, clip(stamp), unit)
}

// close says what the file tells as a whole.
func (j *jmeterReader) close() {
	m := &j.in.Meta
	m.Tool, m.LatencyUnit, m.Model, m.Basis = "jmeter", "ms", runs.ClosedLoop, basisRequest
	m.ModelAs = "JMeter's thread groups"
	m.Concurrency = int(j.threads)
	if j.transactions > 0 {
		j.in.Note("%d samples are of transactions, which span the requests in them: they are the scenario %q and not added to the requests", j.transactions, jmeterTransactions)
	}
	if j.counted > 0 {
		j.in.Note("%d rows stand for another number of samples than one (SampleCount): each was read as one", j.counted)
	}
	if j.negative > 0 {
		j.in.Note("%d samples have a negative time: kept as measured, and part of no percentile", j.negative)
	}
	if j.gaps > 0 {
		j.in.Note("%d pauses of more than an hour: runs were appended to one file; choose one with --window", j.gaps)
	}
}
