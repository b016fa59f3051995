package ingest

import "headroom/runs"

// emPoints writes the points of one document.
type emPoints struct {
	reader   *emReader
	time     int64 // µs
	interval int64 // µs; 0: not known
	instance string
	err      error
}

// emMember is a member of an object of a document, with the metric it becomes
// and the factor to its unit.
type emMember struct {
	name, metric, unit string
	factor             float64
}

var (
	emCPU = []emMember{
		{"user", "rds.cpu.user", "1", 0.01}, {"nice", "rds.cpu.nice", "1", 0.01}, {"system", "rds.cpu.system", "1", 0.01},
		{"kern", "rds.cpu.system", "1", 0.01}, {"irq", "rds.cpu.irq", "1", 0.01}, {"wait", "rds.cpu.iowait", "1", 0.01},
		{"idle", "rds.cpu.idle", "1", 0.01}, {"steal", "rds.cpu.steal", "1", 0.01}, {"guest", "rds.cpu.guest", "1", 0.01},
	}
	emLoad   = []emMember{{"one", "rds.load.1m", "1", 1}, {"five", "rds.load.5m", "1", 1}, {"fifteen", "rds.load.15m", "1", 1}}
	emMemory = []emMember{
		{"total", "rds.memory.total", "B", kib}, {"free", "rds.memory.free", "B", kib}, {"cached", "rds.memory.cached", "B", kib},
		{"buffers", "rds.memory.buffers", "B", kib}, {"active", "rds.memory.active", "B", kib}, {"inactive", "rds.memory.inactive", "B", kib},
		{"dirty", "rds.memory.dirty", "B", kib}, {"writeback", "rds.memory.writeback", "B", kib}, {"mapped", "rds.memory.mapped", "B", kib},
		{"slab", "rds.memory.slab", "B", kib}, {"pageTables", "rds.memory.page_tables", "B", kib},
	}
	emSwap = []emMember{
		{"total", "rds.swap.total", "B", kib}, {"free", "rds.swap.free", "B", kib}, {"cached", "rds.swap.cached", "B", kib},
		{"in", "rds.swap.in", "B", kib}, {"out", "rds.swap.out", "B", kib},
	}
	emTasks = []emMember{
		{"total", "rds.tasks.total", "1", 1}, {"running", "rds.tasks.running", "1", 1}, {"sleeping", "rds.tasks.sleeping", "1", 1},
		{"blocked", "rds.tasks.blocked", "1", 1}, {"stopped", "rds.tasks.stopped", "1", 1}, {"zombie", "rds.tasks.zombie", "1", 1},
	}
)

// document writes everything that a document holds.
func (p *emPoints) document(d *emDocument) error {
	for _, part := range []struct {
		values  map[string]float64
		members []emMember
	}{{d.CPU, emCPU}, {d.Load, emLoad}, {d.Memory, emMemory}, {d.Swap, emSwap}, {d.Tasks, emTasks}} {
		for _, m := range part.members {
			if v, ok := part.values[m.name]; ok {
				p.put("", m.metric, m.unit, toUnit(v, m.factor))
			}
		}
	}
	if idle, ok := d.CPU["idle"]; ok {
		p.put("", "rds.cpu.total", "1", (100-idle)/100)
	}
	p.maybe("", "rds.vcpus", "1", d.VCPUs, 1)
	for _, n := range d.Network {
		p.maybe(n.Interface, "rds.network.rx", "B/s", n.RX, 1)
		p.maybe(n.Interface, "rds.network.tx", "B/s", n.TX, 1)
	}
	for i := range d.Disks {
		p.disk("rds.disk.", &d.Disks[i])
	}
	for i := range d.Physical {
		p.disk("rds.physical_disk.", &d.Physical[i])
	}
	for _, f := range d.Files {
		entity := firstSet(f.Mount, f.Name)
		p.maybe(entity, "rds.filesystem.used", "B", f.Used, kib)
		p.maybe(entity, "rds.filesystem.total", "B", f.Total, kib)
	}
	return p.err
}

// disk writes one device; Aurora's storage has no name.
func (p *emPoints) disk(prefix string, d *emDisk) {
	entity := firstSet(d.Device, "aurora")
	for _, m := range []struct {
		metric, unit string
		value        *float64
		factor       float64
	}{
		{"read_rate", "B/s", d.ReadKBPS, kib}, {"write_rate", "B/s", d.WriteKBPS, kib},
		{"read_rate", "B/s", d.ReadThroughput, 1}, {"write_rate", "B/s", d.WriteThroughput, 1},
		{"reads", "1/s", d.Reads, 1}, {"writes", "1/s", d.Writes, 1}, {"transfers", "1/s", d.Transfers, 1},
		{"await", "s", d.Await, 1e-3}, {"read_latency", "s", d.ReadLatency, 1e-3}, {"write_latency", "s", d.WriteLatency, 1e-3},
		{"queue", "1", d.Queue, 1}, {"queue", "1", d.QueueDepth, 1}, {"util", "1", d.Util, 0.01},
	} {
		p.maybe(entity, prefix+m.metric, m.unit, m.value, m.factor)
	}
	if d.Transfers != nil && *d.Transfers > 0 && d.ReadKBPS != nil && d.WriteKBPS != nil {
		p.put(entity, prefix+"request_size", "B", (*d.ReadKBPS+*d.WriteKBPS)*kib / *d.Transfers)
	}
	if unit := d.sizeUnit(); unit != "" {
		p.reader.sizes[unit] = true
	}
}

func (p *emPoints) maybe(entity, metric, unit string, v *float64, factor float64) {
	if v != nil {
		p.put(entity, metric, unit, toUnit(*v, factor))
	}
}

func (p *emPoints) put(entity, metric, unit string, v float64) {
	if p.err != nil || v-v != 0 {
		return
	}
	point := runs.Point{Time: p.time, Entity: cutTag(entity), Metric: metric, Kind: runs.Gauge, Value: v, Unit: unit, Resolution: p.interval}
	if p.instance != "" {
		point.Tags = canonicalObject(map[string]string{"instance": p.instance})
	}
	if p.interval > 0 {
		p.err = p.reader.sink.Point(&point)
		return
	}
	p.err = p.reader.out.point(&point)
}
