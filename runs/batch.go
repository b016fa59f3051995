package runs

// Range is a half-open interval [Start, End) of microseconds since the Unix
// epoch. The zero Range is all of time.
type Range struct{ Start, End int64 }

// all reports whether the range is all of time.
func (w Range) all() bool { return w == Range{} }

// contains reports whether an instant lies in the range.
func (w Range) contains(us int64) bool { return w.all() || us >= w.Start && us < w.End }

// Column names a column of the samples table, as docs/format/run.md does.
type Column string

// The columns of the samples table.
const (
	ColStart      Column = "start"
	ColStartNS    Column = "start_ns"
	ColWait       Column = "wait"
	ColService    Column = "service"
	ColScenario   Column = "scenario"
	ColOp         Column = "op"
	ColStatus     Column = "status"
	ColOutcome    Column = "outcome"
	ColTarget     Column = "target"
	ColEvents     Column = "events"
	ColError      Column = "error"
	ColWorker     Column = "worker"
	ColID         Column = "id"
	ColTags       Column = "tags"
	ColConnecting Column = "connecting"
	ColTLS        Column = "tls"
	ColSending    Column = "sending"
	ColWaiting    Column = "waiting"
	ColReceiving  Column = "receiving"
)

// Batch holds consecutive rows of the samples table by column. Slices of
// columns that were not asked for are nil; the others have Len elements. All of
// it is valid until the callback returns, but strings, which stay valid.
type Batch struct {
	Len int
	// Floor: no sample of a later batch of this scan starts before it, by the
	// statistics of the row groups, so that what lies before it may be closed.
	// Samples are recorded roughly in the order of their ends; the floor rises
	// once a row group, to math.MaxInt64 in the last at most.
	Floor int64

	Start, StartNS, Wait, Service, Events        []int64
	Scenario, Op, Status, Target, Error          []string
	Outcome                                      []Outcome
	Worker, ID, Tags                             []string
	Connecting, TLS, Sending, Waiting, Receiving []int64

	// Group counts the row groups of the scan: batches of one share their Labels' words.
	Group  int
	labels map[Column]Labels // of ScanLabels
}

// Labels are the words of a column: that of row i is Words[Codes[i]].
type Labels struct {
	Codes []int32
	Words []string
}

// SetLabels makes a column of words, for a Batch that is put together.
func (b *Batch) SetLabels(c Column, l Labels) {
	if b.labels == nil {
		b.labels = map[Column]Labels{}
	}
	b.labels[c] = l
}

// Labels returns a column of words of ScanLabels.
func (b *Batch) Labels(c Column) Labels { return b.labels[c] }

// ints returns the slice that holds a column of numbers, nil for another column.
func (b *Batch) ints(c Column) *[]int64 {
	switch c {
	case ColStart:
		return &b.Start
	case ColStartNS:
		return &b.StartNS
	case ColWait:
		return &b.Wait
	case ColService:
		return &b.Service
	case ColEvents:
		return &b.Events
	case ColConnecting:
		return &b.Connecting
	case ColTLS:
		return &b.TLS
	case ColSending:
		return &b.Sending
	case ColWaiting:
		return &b.Waiting
	case ColReceiving:
		return &b.Receiving
	}
	return nil
}

// texts returns the slice that holds a column of strings, nil for another
// column and for outcome, which has a type of its own.
func (b *Batch) texts(c Column) *[]string {
	switch c {
	case ColScenario:
		return &b.Scenario
	case ColOp:
		return &b.Op
	case ColStatus:
		return &b.Status
	case ColTarget:
		return &b.Target
	case ColError:
		return &b.Error
	case ColWorker:
		return &b.Worker
	case ColID:
		return &b.ID
	case ColTags:
		return &b.Tags
	}
	return nil
}
