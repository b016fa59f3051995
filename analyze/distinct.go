package analyze

import "fmt"

// distinct refuses runs that hold the same recording: a run is no repeat of
// itself, whatever folder, name or label it has.
func distinct(ms []*Measured) error {
	type place struct{ run, file string }
	seen := map[string]place{}
	for _, m := range ms {
		for _, s := range m.manifest.Sources {
			if s.Samples == 0 {
				continue
			}
			here := place{m.manifest.ID, s.File}
			if first, ok := seen[s.SHA256]; ok && first.run != here.run {
				return fmt.Errorf("run %s holds the recording of run %s (%s, %s): a run is no repeat of itself; give one of them", here.run, first.run, here.file, first.file)
			}
			seen[s.SHA256] = here
		}
	}
	return nil
}
