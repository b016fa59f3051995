package analyze

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"

	"headroom/detect"
)

// ErrSame: two runs of one document hold the same recording.
var ErrSame = errors.New("are one recording")

// distinct refuses runs that hold the same recording: a run is no repeat of
// itself, whatever folder, name or label it has.
func distinct(ms []*Measured) error {
	type place struct {
		index     int
		run, file string
	}
	seen := map[string]place{}
	same := map[uint64]int{}
	for i, m := range ms {
		for _, s := range m.manifest.Sources {
			if s.Samples == 0 {
				continue
			}
			here := place{i, m.manifest.ID, s.File}
			if first, ok := seen[s.SHA256]; ok && first.index != i {
				return fmt.Errorf("run %s (%s) and run %s (%s) %w: a run is no repeat of itself; give one of them", first.run, first.file, here.run, here.file, ErrSame)
			}
			seen[s.SHA256] = here
		}
		if first, ok := same[m.recording]; ok && m.recording != 0 {
			return fmt.Errorf("run %s and run %s %w, request by request: a run is no repeat of itself; give one of them", ms[first].manifest.ID, m.manifest.ID, ErrSame)
		}
		same[m.recording] = i
	}
	return nil
}

// recordingOf digests when each request began and how long it took: the same
// recording unpacked, renamed or converted has the same digest. 0 is no request.
func recordingOf(scenarios []*detect.Requests) uint64 {
	h := fnv.New64a()
	n := 0
	var b [24]byte
	for _, r := range scenarios {
		io.WriteString(h, r.Scenario)
		for i := range r.Rows {
			q := &r.Rows[i]
			binary.LittleEndian.PutUint64(b[:], uint64(q.Start))
			binary.LittleEndian.PutUint64(b[8:], uint64(q.Wait))
			binary.LittleEndian.PutUint64(b[16:], uint64(q.Service))
			h.Write(b[:])
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return h.Sum64()
}
