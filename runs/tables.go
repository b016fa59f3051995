package runs

// Kind says how the values of a metric combine.
type Kind string

// The kinds of a point.
const (
	Gauge   Kind = "gauge"   // a level at an instant, or a mean over the interval that ends (or starts) there
	Counter Kind = "counter" // a total since some start; a decrease is a reset
	Delta   Kind = "delta"   // an amount since the previous point
)

// Point is one value of a metric at a time. Its names are listed in
// docs/format/metrics.md.
type Point struct {
	Time       int64   // microseconds since the Unix epoch, UTC; the end of the interval for rates, unless the source says otherwise
	TimeNS     int64   // nanoseconds below Time's microsecond, 0..999; 0 where the source's stamps are no finer
	Source     string  // base name of the file it came from
	Entity     string  // what it is about: a host, a device, a process, a series of labels; "" for the whole
	Metric     string  // dotted name, e.g. "load.1m", "cpu.idle", "process.cpu"
	Kind       Kind    //
	Value      float64 // NaN never; a value that is not a number is not a point
	Unit       string  // SI base: "s", "B", "1" (shares and plain numbers), "1/s"
	Resolution int64   // microseconds between the source's points, or 0 if not known
	Tags       string  // further labels as one canonical JSON object; "" if none
}

// Nanos returns the time in nanoseconds since the Unix epoch, as finely as the
// source recorded it.
func (p *Point) Nanos() int64 { return p.Time*1000 + p.TimeNS }

// Activity is one database session seen at one sampling instant
// (pg_stat_activity, https://www.postgresql.org/docs/current/monitoring-stats.html).
type Activity struct {
	Time        int64  // microseconds since the Unix epoch, UTC
	Source      string // base name of the file it came from
	PID         int64  // Missing if not recorded
	BackendType string // "client backend", "checkpointer", …; "" if the server did not say
	State       string // "active", "idle", "idle in transaction", …; "" for background processes
	WaitType    string // "" when the session does not wait
	Wait        string // "" when the session does not wait
	Database    string
	User        string
	Application string
	Query       string // as recorded; literals are normalised before publication
	BlockedBy   string // pids, comma separated; "" if none or not recorded
}

// Marker is one dated thing that happened: a log line, a checkpoint, a deploy.
type Marker struct {
	Time     int64  // microseconds since the Unix epoch, UTC
	Source   string // base name of the file it came from
	Kind     string // dotted: "postgres.checkpoint.complete", "postgres.log", "step"
	Severity string // the source's own word, upper case: "LOG", "ERROR"; "" if it has none
	Message  string // the first line, cut at MaxMessage bytes
	Detail   string // further lines and fields
	Attrs    string // parsed attributes as one canonical JSON object of numbers (SI base units) and strings; "" if none
	Duration int64  // ns the thing lasted, ending at Time; Missing if not said
	PID      int64  // Missing if not recorded
}

// MaxMessage is the longest message, in bytes, that a marker keeps; the rest is
// cut and marked with an ellipsis.
const MaxMessage = 8 << 10

// Histogram is latency that exists only pre-aggregated: one bucket of one
// interval of one series.
type Histogram struct {
	Start    int64 // of the interval, microseconds since the Unix epoch, UTC
	Length   int64 // of the interval, ns
	Source   string
	Scenario string
	Op       string
	Low      int64 // ns, inclusive
	High     int64 // ns, inclusive: the highest value the bucket may hold; math.MaxInt64 if that is not bounded, where the recorder limits values
	Count    int64
}
