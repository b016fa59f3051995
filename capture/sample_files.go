package capture

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"headroom/ingest"
	"headroom/runs"
)

// readFiles reads the samples that lie in files when the load is over.
func (c *capture) readFiles(ctx context.Context) *piece {
	if len(c.files) == 0 {
		return nil
	}
	p := &piece{}
	var files []ingest.File
	var read []os.FileInfo // a file that two sources name, or two names of one, is read once
	for _, s := range c.files {
		as, _, _ := s.format()
		found, others := s.own(s.files())
		for _, path := range others {
			p.manifest.Notes = append(p.manifest.Notes, fmt.Sprintf("%s begins with the name of the samples and is no file of %s: left out", filepath.Base(path), s.Format))
			c.tell(Note, "samples: %s is no file of %s and is left out", path, s.Format)
		}
		if len(found) == 0 {
			c.absent("samples of "+filepath.Base(s.Path), runs.CollectorDied, "the command wrote no such file")
			c.tell(Warning, "samples: there is no file %s", s.Path)
		}
		for _, path := range found {
			if old, ok := c.stale[path]; ok && old.is(path) {
				c.absent("samples of "+filepath.Base(path), runs.NotAsked, "the file was there before the load, which did not write it")
				c.tell(Warning, "samples: %s was there before the load, which did not write it: it is left out", path)
				continue
			}
			if info, err := os.Stat(path); err == nil {
				if slices.ContainsFunc(read, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
					c.tell(Note, "samples: %s is named twice and read once", path)
					continue
				}
				read = append(read, info)
			}
			files = append(files, ingest.File{Path: path, As: as})
		}
	}
	if len(files) == 0 {
		return nil
	}
	// The load is over: there is time to read them twice, so that no row of samples
	// that are refused comes into the run.
	if p.err = why(ctx, ingest.Check(ctx, c.request(files))); p.err == nil {
		p.err = why(ctx, c.ingestAll(ctx, nil, files, "", &p.manifest, ""))
	}
	if p.err != nil {
		c.absent(runs.AbsentSamples, runs.CollectorDied, p.err.Error())
		c.tell(Warning, "samples: %v", p.err)
	}
	return p
}

// files returns the files that are there of a source: the path itself, or those
// that begin with it.
func (s SampleSource) files() []string {
	if _, err := os.Stat(s.Path); err == nil {
		return []string{s.Path}
	}
	found, _ := filepath.Glob(globQuote(s.Path) + "*")
	return found
}

// own parts the files of a prefix that are of the source's format from those that
// lie beside them, as what the command printed does. Where none is, all stay: reading
// them says why.
func (s SampleSource) own(found []string) (own, others []string) {
	if len(found) < 2 {
		return found, nil
	}
	as, prefix, _ := s.format()
	for _, path := range found {
		if name, known := formatOf(path); !known || as != "" && name != as || !strings.HasPrefix(name, prefix) {
			others = append(others, path)
			continue
		}
		own = append(own, path)
	}
	if len(own) == 0 {
		return found, nil
	}
	return own, others
}

// formatOf tells the format of a file by its content, if that is known.
func formatOf(path string) (name string, known bool) {
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, ingest.HeadSize))
	if err != nil {
		return "", false
	}
	im, err := ingest.Sniff(ingest.All, head)
	if err != nil {
		return "", false
	}
	return im.Name, true
}

// fileMark is what tells a file that was written from one that was not.
type fileMark struct {
	size int64
	at   time.Time
}

func markOf(path string) (m fileMark, ok bool) {
	info, err := os.Stat(path)
	if err != nil {
		return m, false
	}
	return fileMark{info.Size(), info.ModTime()}, true
}

func (m fileMark) is(path string) bool {
	now, ok := markOf(path)
	return ok && now.size == m.size && now.at.Equal(m.at)
}

// globQuote makes a prefix stand for itself in a pattern.
func globQuote(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
