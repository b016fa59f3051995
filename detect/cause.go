package detect

// A Cause is something that freezes can be put down to: which evidence goes with
// it, when, and what shows its mechanism.
type Cause struct {
	Name  string // "vacuum": JSON word, for life
	Title string // "a vacuum that ended", for the sentence
	Doc   string
	// Evidence are the kinds of evidence. Of those that were recorded and show
	// anything the most finely recorded counts, the first among equals.
	Evidence []Trace
	// Anchor is the moment of an episode that evidence is compared with, and Lag
	// how long after the evidence it may come.
	Anchor Anchor
	Lag    Lag
	// Signature shows the mechanism itself within an episode: any of them does.
	Signature []Trace
	// Finest is the coarsest resolution, in ns, that can attribute.
	Finest int64
	// Through names causes that this one acts through: their evidence is its
	// symptom, and no rival.
	Through []string
}

// Anchor is a moment of an episode.
type Anchor string

// The anchors.
const (
	AtOnset Anchor = "onset"
	AtThaw  Anchor = "thaw"
	During  Anchor = "during"
)

// Trace says what evidence looks like. One of Markers, Metrics, Waits,
// Sessions and Silence is set.
type Trace struct {
	What string // "a logged vacuum completion", for the sentence

	Markers []string // by prefix of the kind
	Attr    string   // that must be over Over; "" takes every marker
	Over    float64  // in SI units; of metrics: an absolute bound
	Lasting string   // of markers: an attribute, in s, that says for how long what was logged at its end had gone on
	Asked   bool     // of markers: a server logs them only if it was asked to, so that a log without any recorded none
	Burst   int      // of markers: at least so many within a second, and over Ratio times as many as in a mean second
	Portion float64  // of markers: Attr must be over this share of the episode's length; of silence: it must cover this share

	Metrics  []string // the first that was recorded
	Entities []string // by suffix; nil takes all
	Ratio    float64  // over this many times the run's median
	Under    float64  // under this share of the run's median

	Waits []string // by prefix of "type:event"
	Share float64  // of the active sessions, at least; and at least two of them

	Sessions bool // there were over Over of them, and over Ratio times as many as in the median look

	Silence bool // no request was sent though some were due
}

const second = int64(1e9)

// Traces that detectors look for as well.
var (
	shrunkRequests = Trace{What: "disk requests shrank below a quarter", Metrics: []string{"rds.physical_disk.request_size", "rds.disk.request_size", "disk.request_size"}, Under: 0.25}
	longQueue      = Trace{
		What: "a disk queue five times as long as usual", Ratio: 5, Over: 8,
		Metrics: []string{"rds.physical_disk.queue", "disk.queue", "rds.disk.queue", "disk.queue_seconds", "cloudwatch.DiskQueueDepth"},
	}
	walSegmentWaits  = Trace{What: "sessions that waited for a new WAL segment", Waits: []string{"IO:WALInitWrite", "IO:WALInitSync"}, Share: 0.1}
	walSegmentPoints = Trace{What: "sessions that waited for a new WAL segment", Metrics: []string{"pi.db.load.avg"}, Entities: []string{"WALInitWrite", "WALInitSync"}, Over: 0.5}
)

// Causes are the causes that findings are compared with.
var Causes = []*Cause{
	{
		Name: "generator", Title: "the load generator standing still",
		Doc:      "No request was sent for a while in which some were due, and the pause ended as the freeze did. The trace itself is the evidence, and the mechanism.",
		Evidence: []Trace{{What: "a pause of the load generator", Silence: true}},
		Anchor:   During, Lag: Lag{-second / 20, second / 20},
		Signature: []Trace{{What: "no request sent for half of it and more", Silence: true, Portion: 0.5}},
		Finest:    second, Through: []string{"cpu"},
	},
	{
		Name: "vacuum", Title: "vacuum",
		Doc: "A table's automatic vacuum ends by writing what it dirtied: a freeze thaws within seconds of the logged completion, while the disk's requests shrink and queue.",
		Evidence: []Trace{
			{What: "a logged vacuum completion", Markers: []string{"postgres.autovacuum"}},
		},
		Anchor: AtThaw, Lag: Lag{-2500e6, second},
		Signature: []Trace{
			shrunkRequests,
			{What: "waits for VACUUM's I/O", Waits: []string{"IO:VacuumDelay", "Timeout:VacuumDelay"}, Share: 0.1},
		},
		Finest: second, Through: []string{"storage", "wal-write"},
	},
	{
		Name: "checkpoint", Title: "checkpoints",
		Doc: "By the log a checkpoint begins at the freeze's onset, or syncs its files and ends. Its mechanism is a sync that took as long as the freeze.",
		Evidence: []Trace{
			{What: "the start or end of a logged checkpoint", Markers: []string{"postgres.checkpoint.start", "postgres.checkpoint.complete"}, Lasting: "sync"},
		},
		Anchor: AtOnset, Lag: Lag{-500e6, 2500e6},
		Signature: []Trace{
			{What: "its longest sync was half the freeze or more", Markers: []string{"postgres.checkpoint.complete"}, Attr: "longest", Portion: 0.5},
		},
		Finest: second, Through: []string{"storage", "wal-write"},
	},
	{
		Name: "wal_pool", Title: "an empty pool of WAL segments",
		Doc:      "Sessions wait while a new WAL segment is made and synced (WALInitWrite, WALInitSync) because none was recycled in time.",
		Evidence: []Trace{walSegmentWaits, walSegmentPoints},
		Anchor:   During, Lag: Lag{0, 0},
		Signature: []Trace{
			{What: "segments being synced", Metrics: []string{"pi.db.load.avg"}, Entities: []string{"WALInitSync"}, Over: 0.5},
			{What: "segments being synced", Waits: []string{"IO:WALInitSync"}, Share: 0.1},
		},
		Finest: second, Through: []string{"storage", "wal-write"},
	},
	{
		Name: "lock", Title: "sessions queued behind one lock",
		Doc: "A good part of the sampled sessions waited for a lock of another session (a hot row, a table lock, an index's extension).",
		Evidence: []Trace{
			{What: "sessions that waited for a lock", Waits: []string{"Lock:"}, Share: 0.3},
			{What: "sessions that waited for a lock", Metrics: []string{"pi.db.load.avg"}, Entities: []string{"transactionid", "tuple", "relation", "extend"}, Over: 2},
			{What: "a logged lock wait", Markers: []string{"postgres.lock.wait", "postgres.lock.acquired"}, Asked: true},
		},
		Anchor: During, Lag: Lag{0, 0},
		Signature: []Trace{
			{What: "most of them on one lock", Waits: []string{"Lock:"}, Share: 0.5},
			{What: "a logged wait of half the freeze or more", Markers: []string{"postgres.lock.acquired"}, Asked: true, Attr: "waited", Portion: 0.5},
		},
		Finest: second, Through: []string{"connections"}, // pools grow while requests hang
	},
	{
		Name: "storage", Title: "the volume at its limit",
		Doc:      "The device's queue is many times as long as usual. That alone does not say who filled it.",
		Evidence: []Trace{longQueue},
		Anchor:   During, Lag: Lag{0, 0}, Finest: second, Through: []string{"wal-write"},
	},
	{
		Name: "temp-files", Title: "temporary files of sorts and hashes",
		Doc: "Sorts and hashes that did not fit into work_mem went through temporary files, which the log names when they are deleted: during the freeze or soon after it. Its mechanism is sessions that read and write them meanwhile.",
		Evidence: []Trace{
			{What: "a logged temporary file over 10 MB", Markers: []string{"postgres.tempfile"}, Asked: true, Attr: "size", Over: 1e7},
			{What: "sessions that read or wrote temporary files", Waits: tempFileWaits, Share: 0.2},
			{What: "sessions that read or wrote temporary files", Metrics: []string{"pi.db.load.avg"}, Entities: []string{"BufFileRead", "BufFileWrite"}, Over: 1},
			{What: "temporary files over 10 MB/s", Metrics: []string{"postgres.database.temp_bytes"}, Over: 1e7},
		},
		Anchor: During, Lag: Lag{-2500e6, 0},
		Signature: []Trace{
			{What: "a third of the sessions at temporary files", Waits: tempFileWaits, Share: 0.33},
			{What: "two sessions and more at temporary files", Metrics: []string{"pi.db.load.avg"}, Entities: []string{"BufFileRead", "BufFileWrite"}, Over: 2},
		},
		Finest: second, Through: []string{"storage", "wal-write"},
	},
	{
		Name: "replication", Title: "a standby that was behind",
		Doc: "Commits waited for a standby (SyncRep), or reads on one for its recovery. A lag alone does not hold the primary.",
		Evidence: []Trace{
			{What: "sessions that waited for a standby", Waits: standbyWaits, Share: 0.3},
			{What: "sessions that waited for a standby", Metrics: []string{"pi.db.load.avg"}, Entities: []string{"SyncRep"}, Over: 2},
			{What: "a standby behind by 0.1 s, and five times as much as usual", Metrics: []string{"postgres.replication.flush_lag", "postgres.replication.replay_lag", "prometheus.pg_replication_lag_seconds", "cloudwatch.ReplicaLag", "sql.replication_lag"}, Over: 0.1, Ratio: 5},
		},
		Anchor: During, Lag: Lag{0, 0},
		Signature: []Trace{
			{What: "most of them waited for a standby", Waits: standbyWaits, Share: 0.5},
			{What: "five sessions and more waited for a standby", Metrics: []string{"pi.db.load.avg"}, Entities: []string{"SyncRep"}, Over: 5},
		},
		Finest: second,
	},
	{
		Name: "connections", Title: "a storm of new connections",
		Doc: "Many connections were opened at once, and the freeze began with them or within 2.5 s: each costs the server a process and a log-in. A pool that grows because requests hang comes after the onset.",
		Evidence: []Trace{
			{What: "20 connections within a second, five times as many as usual", Markers: []string{"postgres.connection.received"}, Asked: true, Burst: 20, Ratio: 5},
			{What: "20 connections within a second, five times as many as usual", Markers: []string{"postgres.connection.authorized"}, Asked: true, Burst: 20, Ratio: 5},
			{What: "twice as many sessions as usual, and over 20", Sessions: true, Over: 20, Ratio: 2},
			{What: "TCP connections five times as many as usual", Metrics: []string{"net.tcp_accepted"}, Over: 20, Ratio: 5},
		},
		Anchor: AtOnset, Lag: Lag{0, 2500e6},
		Signature: []Trace{
			{What: "connections that were refused", Markers: []string{"postgres.connection.refused"}},
			{What: "a third of the sessions at the list of sessions", Waits: []string{"LWLock:ProcArray"}, Share: 0.33},
			{What: "two sessions and more at the list of sessions", Metrics: []string{"pi.db.load.avg"}, Entities: []string{"ProcArray", "ProcArrayLock"}, Over: 2},
		},
		Finest: second, Through: []string{"cpu"},
	},
	{
		Name: "wal-write", Title: "sessions waiting to write WAL",
		Doc: "Sessions wait for WAL to be written or synced. Whatever slows the disk shows in it.",
		Evidence: []Trace{
			{What: "sessions that waited to write WAL", Waits: []string{"LWLock:WALWrite", "IO:WALWrite", "IO:WALSync"}, Share: 0.5},
			{What: "sessions that waited to write WAL", Metrics: []string{"pi.db.load.avg"}, Entities: []string{"WALWrite", "WALSync"}, Over: 5},
		},
		Anchor: During, Lag: Lag{0, 0}, Finest: second,
	},
	{
		Name: "steal", Title: "CPU time taken by the hypervisor",
		Doc: "The hypervisor gave the host's CPUs to others.",
		Evidence: []Trace{
			{What: "steal over a tenth", Metrics: []string{"cpu.steal", "rds.cpu.steal"}, Over: 0.1},
		},
		Anchor: During, Lag: Lag{0, 0},
		Signature: []Trace{{What: "steal over a third", Metrics: []string{"cpu.steal", "rds.cpu.steal"}, Over: 0.33}},
		Finest:    second, Through: []string{"cpu"},
	},
	{
		Name: "memory", Title: "memory being swapped in",
		Doc: "Pages came back from swap: what ran had to wait for them.",
		Evidence: []Trace{
			{What: "swap-in over 1 MB/s", Metrics: []string{"swap.in", "swap.in_bytes"}, Over: 1e6},
			{What: "every task waiting for memory for a tenth of the time", Metrics: memoryPressure, Over: 0.1},
		},
		Anchor: During, Lag: Lag{0, 0},
		Signature: []Trace{
			{What: "swap-in over 10 MB/s", Metrics: []string{"swap.in", "swap.in_bytes"}, Over: 1e7},
			{What: "every task waiting for memory for a third of the time", Metrics: memoryPressure, Over: 0.33},
		},
		Finest: second, Through: []string{"storage"},
	},
	{
		Name: "foreign", Title: "other work on the host",
		Doc: "Processes that are neither the system's nor the load generator's took the host's CPUs.",
		Evidence: []Trace{
			{What: "foreign CPU over a tenth of the host, three times as much as usual", Metrics: []string{foreignCPU}, Over: 0.1, Ratio: 3},
		},
		Anchor: During, Lag: Lag{0, 0},
		Signature: []Trace{{What: "foreign CPU over half of the host", Metrics: []string{foreignCPU}, Over: 0.5}},
		Finest:    second, Through: []string{"cpu"},
	},
	{
		Name: "cpu", Title: "a host without idle CPU",
		Doc: "The host had next to no idle CPU time, whoever used it.",
		Evidence: []Trace{
			{What: "a CPU queue over twice as long as usual", Metrics: []string{"procs.running"}, Ratio: 2, Over: 8},
		},
		Anchor: During, Lag: Lag{0, 0}, Finest: second,
	},
	{
		Name: "throttle", Title: "a quota that held processes back",
		Doc: "A control group had used up its CPU quota: its processes were held back until the next period.",
		Evidence: []Trace{
			{What: "a control group held back for a tenth of the time", Metrics: []string{"cgroup.throttled_seconds"}, Over: 0.1},
		},
		Anchor: During, Lag: Lag{0, 0},
		Signature: []Trace{{What: "held back for half of the time", Metrics: []string{"cgroup.throttled_seconds"}, Over: 0.5}},
		Finest:    second, Through: []string{"connections"},
	},
	{
		Name: "gc", Title: "a pause of the runtime's garbage collector",
		Doc: "The runtime stood still to collect garbage, by its own count of pauses. Scraped every few seconds, as is usual, it can at best be a candidate.",
		Evidence: []Trace{
			{What: "garbage collection for a tenth of the time", Metrics: collectorPauses, Over: 0.1},
		},
		Anchor: During, Lag: Lag{0, 0},
		Signature: []Trace{{What: "garbage collection for half of the time", Metrics: collectorPauses, Over: 0.5}},
		Finest:    second, Through: []string{"connections"},
	},
	{
		Name: "network", Title: "packets lost on the way",
		Doc: "TCP sent segments again, many times more than usual: what waited for them waited at least 200 ms. Nothing says whose connections they were.",
		Evidence: []Trace{
			{What: "retransmits five times as many as usual", Metrics: []string{"net.tcp_retransmits", "tcp.retransmitted_segments"}, Ratio: 5, Over: 10},
		},
		Anchor: During, Lag: Lag{0, 0}, Finest: second,
	},
}

// What several causes and names of metrics share.
var (
	memoryPressure  = []string{"pressure.memory_full_seconds", "pressure.memory.full", "pressure.memory.full_seconds"}
	tempFileWaits   = []string{"IO:BufFile"}
	standbyWaits    = []string{"IPC:SyncRep", "IPC:RecoveryConflict"}
	collectorPauses = []string{"prometheus.jvm_gc_pause_seconds_sum", "prometheus.jvm_gc_collection_seconds_sum", "prometheus.go_gc_duration_seconds_sum"}
)

// metrics returns what the cause reads of the points.
func (c *Cause) metrics() []string {
	var out []string
	for _, t := range append(append([]Trace{}, c.Evidence...), c.Signature...) {
		out = append(out, t.Metrics...)
	}
	return out
}

// loggedCauses returns the kinds of markers that any cause is told by.
func loggedCauses() []string {
	var out []string
	for _, c := range Causes {
		for _, t := range append(append([]Trace{}, c.Evidence...), c.Signature...) {
			out = append(out, t.Markers...)
		}
	}
	return out
}
