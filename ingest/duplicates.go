package ingest

import (
	"fmt"
	"hash/fnv"
	"strconv"

	"headroom/runs"
)

// content tells the contents of two files apart, unpacked, without an effort that
// would show in a reading: what differs in neither is the same for our purpose,
// which is to notice a file beside its compressed copy.
type content struct {
	format string
	bytes  int64  // that the importer was given
	sum    uint32 // CRC-32C of them
}

// twice refuses a file that is given twice, as it is or compressed, in one role.
func (g *ingestion) twice() error {
	digests, contents := map[string]*source{}, map[content]*source{}
	for _, s := range g.sources {
		for _, other := range []*source{digests[s.rec.SHA256], contents[s.contentKey]} {
			if other != nil && other.file.Role == s.file.Role {
				return &FileError{s.name(other), fmt.Errorf("%w: its content is that of %s", ErrDuplicate, other.name(s))}
			}
		}
		digests[s.rec.SHA256], contents[s.contentKey] = s, s
	}
	return nil
}

// entries remembers which entries a server's log has, by the second, kind and
// message of each; of many, a sample that is the same for every file: those whose
// hash ends in zeros.
type entries struct {
	seconds map[uint64]int64 // by hash, s since the Unix epoch
	mask    uint64           // the zeros that a hash must have
}

// maxEntries is how many entries of a file are remembered.
const maxEntries = 1 << 13

func (e *entries) add(m *runs.Marker) {
	second := m.Time / 1e6 // the coarsest that a log_line_prefix stamps
	h := fnv.New64a()
	h.Write(strconv.AppendInt(nil, second, 10))
	h.Write([]byte(" " + m.Kind + " " + m.Message))
	sum := h.Sum64()
	if sum&e.mask != 0 {
		return
	}
	if e.seconds == nil {
		e.seconds = map[uint64]int64{}
	}
	e.seconds[sum] = second
	for len(e.seconds) > maxEntries {
		e.mask = e.mask<<1 | 1
		e.thin()
	}
}

func (e *entries) thin() {
	for sum := range e.seconds {
		if sum&e.mask != 0 {
			delete(e.seconds, sum)
		}
	}
}

// shared returns how many entries of e, in the time that o covers as well, are
// those of o, and how many there are.
func (e *entries) shared(o *entries, from, to int64) (shared, of int) {
	mask := e.mask | o.mask
	for sum, second := range e.seconds {
		if sum&mask != 0 || second < from || second > to {
			continue
		}
		of++
		if _, ok := o.seconds[sum]; ok {
			shared++
		}
	}
	return shared, of
}

// Two logs are of one server, for the same time, if they share at least this many
// entries and half of those that either has while both were written: a server that
// logs to stderr and csvlog writes everything twice, two servers agree on a word now
// and then.
const fewestShared = 2

// sameLogs refuses two logs that hold the same entries: each would count twice.
func (g *ingestion) sameLogs() error {
	for i, a := range g.sources {
		for _, b := range g.sources[i+1:] {
			if !a.tally.database || !b.tally.database {
				continue
			}
			from, to := max(a.tally.first, b.tally.first)/1e6, min(a.tally.last, b.tally.last)/1e6
			shared, of := a.tally.entries.shared(&b.tally.entries, from, to)
			_, ofB := b.tally.entries.shared(&a.tally.entries, from, to)
			if of = min(of, ofB); shared >= fewestShared && 2*shared >= of {
				return &FileError{b.name(a), fmt.Errorf("%w: it holds the entries of %s for the same time (%d of %d that were compared), as a server writes them whose log_destination names two forms; give one of the two",
					ErrDuplicate, a.name(b), shared, of)}
			}
		}
	}
	return nil
}
