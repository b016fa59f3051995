package cli

import (
	"path/filepath"
	"strings"
	"time"

	"headroom/ingest"
)

// addClocks adds what --timezone and --clock-offset say of the files' clocks.
func (f *evidenceFlags) addClocks(env *Env, req *ingest.Request) error {
	for _, text := range f.zones {
		file, name, one := strings.Cut(text, "=")
		if !one {
			file, name = "", text
		}
		zone, err := ingest.ParseZone(name)
		if err != nil {
			return usagef("--timezone %s: %w", text, err)
		}
		if !one {
			req.Options.Zone = zone
			continue
		}
		req.Clocks = append(req.Clocks, ingest.Clock{File: clockFile(env, file), Zone: zone})
	}
	for _, text := range f.offsets {
		i := strings.LastIndexByte(text, '=')
		if i <= 0 {
			return usagef("--clock-offset %q: want FILE=DURATION, as db.log=-1.5s", text)
		}
		offset, err := time.ParseDuration(text[i+1:])
		if err != nil {
			return usagef("--clock-offset %q: %q is no duration; want FILE=DURATION, as db.log=-1.5s", text, text[i+1:])
		}
		req.Clocks = append(req.Clocks, ingest.Clock{File: clockFile(env, text[:i]), Offset: offset})
	}
	return nil
}

// clockFile resolves the name of a file: a bare name is that of a file wherever it
// lies, a path is the file there.
func clockFile(env *Env, name string) string {
	if filepath.Base(name) == name {
		return name
	}
	return env.Path(name)
}
