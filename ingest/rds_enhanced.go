package ingest

import (
	"encoding/json"
	"math"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// RDSEnhanced reads the documents of RDS Enhanced Monitoring.
var RDSEnhanced = &Importer{
	Name: "rds-enhanced-monitoring",
	Doc: `Amazon RDS Enhanced Monitoring: the database host, each 1 to 60 seconds

Recognised by "instanceResourceID", "numVCPUs" and "cpuUtilization"; read as bare
documents, as JSON lines, and as text inside the answers of aws logs
get-log-events, filter-log-events and Logs Insights (log group RDSOSMetrics). A
document that is there twice (pages that overlap) is read once.

A document is stamped, in whole seconds, at the end of the interval that it
reports. The interval is not in it: the amounts written and their rates give it,
else the distance between documents.

Shares are of the whole machine. cpuUtilization.total differs between documents
(most count waiting and steal, old ones do not): rds.cpu.total is recomputed as
everything but idle. diskIO.avgReqSz is kilobytes in old documents and sectors of
512 bytes in newer ones: rds.disk.request_size is recomputed from the rates, and
which of the two the document has is said. KB are 1,024 bytes. rdsdev, filesystem
and the physical devices are layers of the same I/O and must not be added.
Aurora has no data device, but latencies of its storage.`,
	Gives: []string{"points: rds.cpu.*, rds.load.*, rds.memory.*, rds.swap.*, rds.tasks.*, rds.network.*, rds.disk.*, rds.physical_disk.*, rds.filesystem.*; entity: the device"},
	Lacks: []string{"the process list, whose percentages mean one thing on one engine and another elsewhere", "what happens within the interval"},
	Sniff: func(head []byte) bool {
		for _, key := range []string{`"instanceResourceID`, `"numVCPUs`, `"cpuUtilization`} {
			if !strings.Contains(string(head), key) && !strings.Contains(string(head), `\`+key) {
				return false
			}
		}
		return beginsJSON(head)
	},
	Read: readRDSEnhanced,
}

// emDocument is one document of Enhanced Monitoring, in the schema of MySQL,
// MariaDB, PostgreSQL, Oracle and Aurora. What is absent stays nil.
// https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_Monitoring-Available-OS-Metrics.html
type emDocument struct {
	Engine     string             `json:"engine"`
	InstanceID string             `json:"instanceID"`
	Timestamp  json.RawMessage    `json:"timestamp"`
	VCPUs      *float64           `json:"numVCPUs"`
	CPU        map[string]float64 `json:"cpuUtilization"`
	Load       map[string]float64 `json:"loadAverageMinute"`
	Memory     map[string]float64 `json:"memory"`
	Tasks      map[string]float64 `json:"tasks"`
	Swap       map[string]float64 `json:"swap"`
	Network    []emNetwork        `json:"network"`
	Disks      []emDisk           `json:"diskIO"`
	Physical   []emDisk           `json:"physicalDeviceIO"`
	Files      []emFileSystem     `json:"fileSys"`
	Windows    jsontext.Value     `json:"system"` // of SQL Server's schema
}

type emNetwork struct {
	Interface string   `json:"interface"`
	RX        *float64 `json:"rx"`
	TX        *float64 `json:"tx"`
}

type emFileSystem struct {
	Name  string   `json:"name"`
	Mount string   `json:"mountPoint"`
	Used  *float64 `json:"used"`
	Total *float64 `json:"total"`
}

// emDisk is a device, or, with the second half, Aurora's storage.
type emDisk struct {
	Device      string   `json:"device"`
	ReadKBPS    *float64 `json:"readKbPS"`
	WriteKBPS   *float64 `json:"writeKbPS"`
	ReadKB      *float64 `json:"readKb"`
	WriteKB     *float64 `json:"writeKb"`
	Reads       *float64 `json:"readIOsPS"`
	Writes      *float64 `json:"writeIOsPS"`
	Transfers   *float64 `json:"tps"`
	Await       *float64 `json:"await"`
	Util        *float64 `json:"util"`
	Queue       *float64 `json:"avgQueueLen"`
	RequestSize *float64 `json:"avgReqSz"`

	ReadLatency     *float64 `json:"readLatency"`
	WriteLatency    *float64 `json:"writeLatency"`
	ReadThroughput  *float64 `json:"readThroughput"`
	WriteThroughput *float64 `json:"writeThroughput"`
	QueueDepth      *float64 `json:"diskQueueDepth"`
}

func readRDSEnhanced(in *Input, sink Sink) error {
	r := &emReader{in: in, sink: sink, out: &cadence{sink: sink}, last: map[string]int64{}, sizes: map[string]bool{}}
	if err := in.eachJSON(r.value); err != nil {
		return err
	}
	err := r.out.finish()
	r.finish()
	return err
}

// emReader holds what carries over from document to document.
type emReader struct {
	in   *Input
	sink Sink
	out  *cadence         // for documents that do not show their interval
	last map[string]int64 // ns of the last document, by instance

	twice   int
	sizes   map[string]bool // units of avgReqSz that were seen
	windows bool
	longest int64 // µs
}

// value finds the documents in a value: it is one, or wraps some.
func (r *emReader) value(w *jsonWalk) error {
	switch w.d.PeekKind() {
	case jsontext.KindBeginArray:
		return w.array(func() error { return r.value(w) })
	case jsontext.KindBeginObject:
		return r.object(w)
	}
	return w.skip()
}

// object reads an object that is a document, an event around one, a field of
// Logs Insights, or an answer that holds many.
func (r *emReader) object(w *jsonWalk) error {
	members := map[string]json.RawMessage{}
	err := w.object(func(name string) error {
		switch name {
		case "events", "logEvents", "results":
			return w.array(func() error { return r.value(w) })
		case "processList":
			return w.skip()
		}
		raw, err := w.raw()
		if err == nil && len(members) < maxTags {
			members[name] = json.RawMessage(strings.Clone(string(raw)))
		}
		return err
	})
	if err != nil {
		return err
	}
	if members["instanceResourceID"] != nil {
		return r.document(members)
	}
	for _, name := range []string{"message", "@message", "value"} {
		var text string
		if json.Unmarshal(members[name], &text) == nil && strings.HasPrefix(strings.TrimSpace(text), "{") && strings.Contains(text, `"instanceResourceID"`) {
			var inner map[string]json.RawMessage
			if err := json.Unmarshal([]byte(text), &inner); err != nil {
				return shapeError("the document inside " + name + ": " + err.Error())
			}
			return r.document(inner)
		}
	}
	return nil
}

// maxTags bounds the members of one object, or the labels of one point.
const maxTags = 1 << 10

func (r *emReader) document(members map[string]json.RawMessage) error {
	delete(members, "processList")
	whole, err := json.Marshal(members)
	if err != nil {
		return shapeError(err.Error())
	}
	var d emDocument
	if err := json.Unmarshal(whole, &d); err != nil {
		return shapeError(err.Error())
	}
	ns, err := awsStamp(r.in, d.Timestamp)
	if err != nil {
		return placeError(err)
	}
	if last, ok := r.last[d.InstanceID]; ok && last == ns {
		r.twice++
		return nil
	}
	if len(r.last) < maxTags {
		r.last[d.InstanceID] = ns
	}
	r.windows = r.windows || d.Windows != nil
	p := emPoints{reader: r, time: micros(ns), interval: d.interval(), instance: cutTag(d.InstanceID)}
	r.longest = max(r.longest, p.interval)
	return p.document(&d)
}

// interval returns the interval that a document reports, in µs: what was written
// or read over its rate, to the nearest second; 0 if nothing was.
func (d *emDocument) interval() int64 {
	most, seconds := 0.0, 0.0
	for _, disk := range append(append([]emDisk{}, d.Disks...), d.Physical...) {
		for _, pair := range [][2]*float64{{disk.WriteKB, disk.WriteKBPS}, {disk.ReadKB, disk.ReadKBPS}} {
			// The amount of most digits gives the interval best.
			if pair[0] != nil && pair[1] != nil && *pair[0] > most && *pair[1] > 0 {
				most, seconds = *pair[0], *pair[0] / *pair[1]
			}
		}
	}
	whole := math.Round(seconds)
	if whole < 1 || whole > 60 || math.Abs(seconds-whole) > 0.1*whole {
		return 0
	}
	return int64(whole) * int64(time.Second/time.Microsecond)
}

func (r *emReader) finish() {
	r.in.Note("stamps are the end of the interval that a document reports")
	if r.twice > 0 {
		r.in.Note("%d documents are there more than once (pages that overlap) and were read once", r.twice)
	}
	for _, unit := range []string{emSectors, emKilobytes} {
		if r.sizes[unit] {
			r.in.Note("avgReqSz is in %s, which is not said; rds.disk.request_size is recomputed from the rates", unit)
		}
	}
	if r.windows {
		r.in.Note("documents of SQL Server: of its own schema only what it shares with the other engines was read")
	}
	r.in.Meta.Resolution = max(r.longest, r.out.resolution)
}

// The units of avgReqSz, by the age of the document.
const (
	emSectors   = "sectors of 512 bytes"
	emKilobytes = "kilobytes"
)

// sizeUnit says in which unit a device's avgReqSz is, "" if that cannot be told.
func (d *emDisk) sizeUnit() string {
	if d.RequestSize == nil || d.Transfers == nil || *d.Transfers <= 0 || d.ReadKBPS == nil || d.WriteKBPS == nil {
		return ""
	}
	kb := (*d.ReadKBPS + *d.WriteKBPS) / *d.Transfers
	switch ratio := *d.RequestSize / kb; {
	case kb <= 0 || *d.RequestSize <= 0:
		return ""
	case ratio > 1.8 && ratio < 2.2:
		return emSectors
	case ratio > 0.9 && ratio < 1.1:
		return emKilobytes
	}
	return ""
}
