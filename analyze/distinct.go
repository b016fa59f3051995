package analyze

import (
	"errors"
	"fmt"
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
	}
	return nil
}
