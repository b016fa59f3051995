package analyze

import (
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
	var sum uint64
	n := 0
	for _, r := range scenarios {
		h := fnv.New64a()
		io.WriteString(h, r.Scenario)
		sum = mix(sum, h.Sum64())
		for c := range r.Chunks() {
			for i, start := range c.Start {
				sum = mix(mix(mix(sum, uint64(start)), uint64(c.Wait[i])), uint64(c.Service[i]))
			}
			n += c.Len()
		}
	}
	if n == 0 {
		return 0
	}
	return max(sum, 1)
}

// mix adds a number to a digest, so that every bit of both changes about half of the
// bits (the finishing step of SplitMix64, Steele, Lea & Flood 2014).
func mix(sum, v uint64) uint64 {
	sum = (sum ^ v) + 0x9e3779b97f4a7c15
	sum = (sum ^ sum>>30) * 0xbf58476d1ce4e5b9
	sum = (sum ^ sum>>27) * 0x94d049bb133111eb
	return sum ^ sum>>31
}
