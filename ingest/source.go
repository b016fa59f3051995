package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"headroom/runs"
)

// source is one file on its way into a run.
type source struct {
	file     File
	base     string
	importer *Importer
	mapping  *Mapping  // for the generic formats; nil if none is for the file
	part     string    // identity of the generator that wrote it
	content  *Content  // of standard input or a pipe, opened once
	pipe     io.Closer // of that pipe; else nil
	size     int64
	show     func(path string) string // Request.Show
	listed   *idList                  // of another file of the run; nil if there is none

	meta       Meta
	rec        runs.Source
	tally      tally
	contentKey content
}

// open opens the file; the caller closes it. What can be read once only, standard
// input and a pipe, is opened once.
func (s *source) open(r *Request) (*Content, func(), error) {
	if s.content != nil {
		return s.content, s.closePipe, nil
	}
	if s.file.Path == stdinPath {
		if r.Stdin == nil {
			return nil, nil, fmt.Errorf("%w: there is no standard input to read", ErrUsage)
		}
		head := HeadSize
		if s.file.As != "" {
			head = 1
		}
		c, err := newContent(stdinName, r.Stdin, r.Limits, head)
		if err != nil {
			return nil, nil, err
		}
		s.content = c
		return c, func() {}, nil
	}
	info, err := os.Stat(s.file.Path)
	if err == nil && info.Mode()&os.ModeNamedPipe != 0 {
		return s.openPipe(r)
	}
	f, err := os.Open(s.file.Path)
	if err != nil {
		return nil, nil, &FileError{s.base, readError(pathless(err))}
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		s.size = info.Size()
	}
	c, err := NewContent(s.base, f, r.Limits)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return c, func() { c.Close(); f.Close() }, nil
}

// openPipe opens a named pipe, which stays open until it has been read.
func (s *source) openPipe(r *Request) (*Content, func(), error) {
	if r.Pipe == nil {
		return nil, nil, &FileError{s.base, fmt.Errorf("%w: it is a named pipe: give a file", ErrUnreadable)}
	}
	f, err := r.Pipe(s.file.Path)
	if err != nil {
		return nil, nil, &FileError{s.base, readError(pathless(err))}
	}
	c, err := NewContent(s.base, f, r.Limits)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	s.content, s.pipe = c, f
	return c, func() {}, nil
}

// closePipe closes the pipe that the file is, if it is one.
func (s *source) closePipe() {
	if s.pipe != nil {
		s.content.Close()
		s.pipe.Close()
	}
}

// choose finds the importer of the file by what it begins with.
func (s *source) choose(r *Request, list []*Importer) error {
	s.base, s.show = stdinName, r.Show
	if s.file.Path != stdinPath {
		s.base = filepath.Base(s.file.Path)
	}
	c, done, err := s.open(r)
	if err != nil {
		return err
	}
	defer done()
	as := s.file.As
	if as == "" && s.file.Role == ExitFile {
		as = ExitStatus.Name
	}
	if s.mapping = mappingFor(r.Maps, s.base); s.mapping != nil && as == "" {
		as = s.mapping.Format
	}
	if s.mapping == nil {
		s.mapping = mappingForRest(r.Maps)
	}
	if as != "" {
		s.importer, err = Lookup(list, as)
	} else {
		s.importer, err = Sniff(list, c.Head)
		if s.mapping != nil && (errors.Is(err, ErrUnknown) && !isBinary(c.Head) || err == nil && s.meantFor(s.mapping, c.Head)) {
			s.importer, err = Lookup(list, s.mapping.Format)
		}
	}
	if errors.Is(err, ErrUnknown) && as == "" && (s.file.Role == Before || s.file.Role == After) {
		s.importer, err = sniffCounts(c.Head, err)
	}
	if err != nil {
		s.closePipe()
		return &FileError{s.base, err}
	}
	s.part = s.file.Path
	if s.mapping != nil && s.mapping.Format == s.importer.Name {
		s.part = "mapped" // whoever maps several files of a run declares them to be of one
	}
	if s.importer.Part != nil {
		if part := s.importer.Part(s.base, c.Head); part != "" {
			s.part = s.importer.Name + " " + part
		}
	}
	return nil
}

// meantFor reports whether a mapping that names no files says more of the file
// than the format that claims its content: a format that yields to a mapping, or
// a CSV of one row, which could be counts, whose header has what is mapped.
func (s *source) meantFor(m *Mapping, head []byte) bool {
	if s.importer.Mapped == m.Format {
		return true
	}
	if s.importer != PsqlCounts || m.Format != genericCSVName || m.Columns != nil || s.file.Role != "" {
		return false
	}
	line, _ := firstLine(head)
	header := strings.Split(string(line), firstSet(m.Delimiter, ","))
	for i := range header {
		header[i] = strings.Trim(header[i], "\" \t\r")
	}
	_, err := columnsOf(m.rowFields(), header)
	return err == nil
}

// read parses the file into dst.
func (s *source) read(ctx context.Context, r *Request, dst Sink, hints map[string]string) error {
	c, done, err := s.open(r)
	if err != nil {
		return err
	}
	defer done()
	opt := r.Options
	if opt.Map == nil {
		opt.Map = s.mapping
	}
	if s.file.zone != nil {
		opt.Zone = s.file.zone
	}
	in := NewInput(s.base, &progressReader{ctx: ctx, r: c, c: c, s: s, report: r.Progress}, opt)
	in.Hints = hints
	s.tally = tally{dst: dst, base: s.base, role: s.file.Role, load: s.importer.Load, listed: s.listed}
	var sink Sink = &s.tally
	if s.file.offset != 0 {
		sink = &shift{sink, int64(s.file.offset)}
	}
	if err := s.importer.Read(in, sink); err != nil {
		var bad *SyntaxError
		if errors.As(err, &bad) || errors.As(err, new(*FileError)) {
			return err
		}
		return &FileError{s.base, err}
	}
	if err := s.nothingRead(in); err != nil {
		return &FileError{s.base, err}
	}
	if in.stamps != nil {
		if err := in.stamps.undecided(); err != nil {
			return &FileError{s.base, err}
		}
	}
	digest, size, err := c.Sum()
	if err != nil {
		return &FileError{s.base, err}
	}
	s.finish(in, c, digest, size)
	return nil
}

// nothingRead is an error if the file gave nothing at all: what holds a header
// and no row is as empty as what holds no byte.
func (s *source) nothingRead(in *Input) error {
	m := &in.Meta
	said := len(m.Summaries) + len(m.Settings) + len(m.Thresholds) + len(m.Claims) + len(m.Totals) + len(m.Printed)
	if s.tally.rows > 0 || said > 0 || m.Counts != nil || m.Listed != nil || m.ExitStatus != nil {
		return nil
	}
	if n, bad := in.BadLines(); n > 0 {
		return fmt.Errorf("%w: none of its lines can be read as %s; the first of %d: %s", ErrUnreadable, s.importer.Name, n, bad[0])
	}
	if m.Cut && len(m.Notes) > 0 {
		return fmt.Errorf("%w: nothing is left of the %s: %s", ErrEmpty, s.importer.Name, m.Notes[len(m.Notes)-1])
	}
	return fmt.Errorf("%w: it looks like %s and holds no row", ErrEmpty, s.importer.Name)
}

// finish makes the file's line in the manifest.
func (s *source) finish(in *Input, c *Content, digest string, size int64) {
	if in.stamps != nil {
		in.stamps.describe(&in.Meta)
	}
	if c.Cut() {
		in.Meta.Cut = true
		in.Note("the %s stream is cut; what it held until then was read", c.Layers[len(c.Layers)-1])
	}
	if c.Noise {
		in.Note("bytes that are not gzip follow the last gzip member and were left out")
	}
	s.contentKey = content{s.importer.Name, c.given, c.sum}
	s.tally.checks.notes(in)
	if s.file.offset != 0 {
		in.Note("%v were added to its stamps, as given", s.file.offset)
	}
	s.meta = in.Meta
	s.shiftCounts()
	n, bad := in.BadLines()
	s.rec = runs.Source{
		File: s.base, Format: s.importer.Name, SHA256: digest, Bytes: size, Role: string(s.file.Role),
		Rows: s.tally.rows, Samples: s.tally.samples, Scenarios: s.tally.scenarioNames(), Resolution: in.Meta.Resolution, Zone: in.Meta.Zone, Offset: s.file.offset.Microseconds(),
		BadLines: n, Bad: bad, Cut: in.Meta.Cut, Notes: in.Meta.Notes,
	}
	if s.tally.dated > 0 {
		s.rec.First, s.rec.Last = stampText(s.tally.first), stampText(s.tally.last)
	}
}

// progressReader reports how much was read, and ends the reading when its
// context is done.
type progressReader struct {
	ctx    context.Context
	r      io.Reader
	c      *Content
	s      *source
	report func(Progress)
	told   int64
}

// progressStep is how many bytes are read between two reports.
const progressStep = 4 << 20

func (p *progressReader) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := p.r.Read(b)
	if done := p.c.Consumed(); p.report != nil && (done-p.told >= progressStep || err != nil) {
		p.told = done
		p.report(Progress{File: p.s.base, Read: done, Size: p.s.size})
	}
	return n, err
}
