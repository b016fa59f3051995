package ordered

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"headroom/runs"
)

// Space is where tables put their blocks: in memory up to a limit, beyond it in
// one temporary file. It may be used by several goroutines.
type Space struct {
	limit   int64
	folders []string

	mu   sync.Mutex
	used int64 // bytes in memory
	file *os.File
	end  int64 // of the file
	err  error // the first
}

// NewSpace returns a space that holds at most limit bytes in memory. Its file is
// made, when it is needed, in the first of the folders where it can be; "" is
// the system's folder for temporary files. Without folders all stays in memory.
func NewSpace(limit int64, folders ...string) *Space {
	return &Space{limit: limit, folders: folders}
}

// OfRun returns a space for the rows of a run, whose file is made beside what else is
// derived from the run, or else in the system's folder.
func OfRun(run *runs.Run, limit int64) *Space {
	return NewSpace(limit, filepath.Join(run.Path(), "derived"), "")
}

// Err returns the first error of the file. What was read since is not what was
// written: whoever computed anything of it must ask before it is told.
func (s *Space) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Spilled returns how many bytes went to the file.
func (s *Space) Spilled() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end
}

// Close removes the file. Tables of the space must not be read any more.
func (s *Space) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if gone := os.Remove(s.file.Name()); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	s.file = nil
	return err
}

// place is where bytes were put: in memory, or in the file.
type place struct {
	held   []byte
	offset int64
	length int
}

// put keeps a copy of b.
func (s *Space) put(b []byte) place {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.folders) == 0 || s.used+int64(len(b)) <= s.limit {
		s.used += int64(len(b))
		return place{held: append([]byte(nil), b...), length: len(b)}
	}
	p := place{offset: s.end, length: len(b)}
	if s.file == nil && s.err == nil {
		s.file, s.err = create(s.folders)
	}
	if s.err == nil {
		if _, err := s.file.WriteAt(b, p.offset); err != nil {
			s.err = fmt.Errorf("rows that do not fit into memory: %w: some ten bytes for each are needed there", err)
		}
		s.end += int64(len(b))
	}
	return p
}

// create makes the file. Where a file in use can be removed it has no name from
// the beginning, so that nothing is left of a program that was killed.
func create(folders []string) (*os.File, error) {
	var errs []error
	for _, folder := range folders {
		if err := usable(folder); err != nil {
			errs = append(errs, err)
			continue
		}
		f, err := os.CreateTemp(folder, ".headroom-rows-*")
		if err != nil {
			errs = append(errs, err)
			continue
		}
		os.Remove(f.Name()) // or else by Close
		return f, nil
	}
	return nil, fmt.Errorf("rows that do not fit into memory have no place: %w", errors.Join(errs...))
}

// usable makes a folder that is not there, in one that is. A link may lead anywhere:
// nothing is written there.
func usable(folder string) error {
	if folder == "" {
		return nil
	}
	if err := os.Mkdir(folder, 0o777); err == nil || !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(folder)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s: is no folder", folder)
	}
	return err
}

// get returns the bytes at a place, in buf if they come from the file; nil after
// an error.
func (s *Space) get(p place, buf []byte) []byte {
	if p.held != nil || p.length == 0 {
		return p.held
	}
	s.mu.Lock()
	file, err := s.file, s.err
	s.mu.Unlock()
	if err != nil || file == nil {
		return nil
	}
	if cap(buf) < p.length {
		buf = make([]byte, p.length)
	}
	buf = buf[:p.length]
	if _, err := file.ReadAt(buf, p.offset); err != nil {
		s.mu.Lock()
		s.err = err
		s.mu.Unlock()
		return nil
	}
	return buf
}
