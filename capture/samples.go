package capture

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"headroom/ingest"
	"headroom/runs"
)

// stream is a pipe from which samples are read while the load runs.
type stream struct {
	name   string // of its source
	as     string // format; "": by content
	prefix string // what the format must begin with
	file   *os.File
	path   string // of a pipe that was made, to be removed; else ""
	out    piece
	done   chan struct{}
}

// piece is what the reading of some files says of the run.
type piece struct {
	manifest runs.Manifest
	err      error
}

// sampleSink is a destination of ingest: rows go to the run, under the name of
// their source; the manifest is a piece of its own.
type sampleSink struct {
	*recorder
	m        *runs.Manifest
	name     string // of the source, where the importer calls it stdin; "": as it says
	streamed bool   // while the load runs
}

func (s *sampleSink) Manifest() *runs.Manifest { return s.m }

func (s *sampleSink) Sample(r *runs.Sample) error { return s.recorder.sampleOf(s.name, r, s.streamed) }

func (s *sampleSink) Point(p *runs.Point) error {
	if s.name != "" {
		p.Source = s.name
	}
	return s.recorder.Point(p)
}

func (s *sampleSink) Histogram(h *runs.Histogram) error {
	if s.name != "" {
		h.Source = s.name
	}
	return s.recorder.Histogram(h)
}

// format returns the importer that a word names, if it names one, and else what
// the name of the one that is found must begin with.
func (s SampleSource) format() (as, prefix string, err error) {
	for _, im := range ingest.All {
		if im.Name == s.Format && strings.HasPrefix(im.Name, "generic-") {
			return "", "", fmt.Errorf("%w: %s needs a mapping, which a capture does not take: record without these samples, and ingest the file with --map", ErrUsage, im.Name)
		}
		if im.Name == s.Format {
			return s.Format, "", nil
		}
	}
	for _, im := range ingest.All {
		if tool, _, _ := strings.Cut(im.Name, "-"); tool == s.Format {
			return "", s.Format + "-", nil
		}
	}
	return "", "", fmt.Errorf("%w: there is no format %q (headroom formats lists them)", ErrUsage, s.Format)
}

// openStreams opens the pipes among the sample sources, and makes those that
// are asked for; words is the command with their paths in it.
func (c *capture) openStreams() (words []string, err error) {
	words = slices.Clone(c.opt.Command)
	for i, s := range c.opt.Samples {
		as, prefix, err := s.format()
		if err != nil {
			return nil, err
		}
		st := &stream{as: as, prefix: prefix, done: make(chan struct{})}
		path := s.Path
		if path == PipePath {
			if path, err = c.makePipe(i, words); err != nil {
				return nil, err
			}
			st.path = path
		} else if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
			c.files = append(c.files, s)
			for _, path := range s.files() {
				if m, ok := markOf(path); ok {
					c.stale[path] = m
				}
			}
			continue
		}
		// Without O_NONBLOCK, opening waits for a writer, which may never come.
		if st.file, err = os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
			return nil, err
		}
		st.name = filepath.Base(path)
		c.streams = append(c.streams, st)
	}
	return words, nil
}

// makePipe makes a pipe beside the run's files and puts its path into the words
// of the command.
func (c *capture) makePipe(i int, words []string) (string, error) {
	path := filepath.Join(c.pipes, fmt.Sprintf("samples-%d.fifo", i))
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		return "", err
	}
	used := false
	for j, w := range words {
		if strings.Contains(w, PipeWord) {
			words[j], used = strings.ReplaceAll(w, PipeWord, path), true
			break // each pipe has a word of its own
		}
	}
	if !used {
		return "", fmt.Errorf("%w: a pipe is made for samples, and the command has no word %s to put its path in", ErrUsage, PipeWord)
	}
	return path, nil
}

// pipeReader reads a pipe until its writers are gone and the command has ended:
// before that, an end is only that nobody has it open now.
type pipeReader struct {
	f     *os.File
	child *child
	ctx   context.Context
}

// pipePoll is how often a pipe without a writer is looked at.
const pipePoll = 20 * time.Millisecond

func (r *pipeReader) Read(b []byte) (int, error) {
	for {
		over := r.child.ended()
		n, err := r.f.Read(b)
		switch {
		case n > 0:
			return n, nil
		case err != nil && !errors.Is(err, io.EOF):
			if errors.Is(err, os.ErrDeadlineExceeded) {
				return 0, io.EOF
			}
			return 0, err
		case over:
			return 0, io.EOF
		case !sleep(r.ctx, pipePoll):
			return 0, io.EOF
		}
	}
}

// read reads a stream to its end, as one ingestion.
func (c *capture) readStream(ctx context.Context, st *stream) {
	defer close(st.done)
	c.rec.is(st.name, cmp.Or(st.as, strings.TrimSuffix(st.prefix, "-"))) // as announced, until its content has told
	var r io.Reader = &pipeReader{st.file, c.child, ctx}
	as := st.as
	if as == "" {
		var head []byte
		head, as = recognise(r, st.prefix)
		r = io.MultiReader(bytes.NewReader(head), r)
	}
	st.out.err = c.ingest(ctx, r, ingest.File{Path: "-", As: as}, st.name, &st.out.manifest, st.prefix)
}

// headLines is how many lines of a stream are waited for before it is looked at.
const headLines = 8

// recognise reads the beginning of a stream until its lines can be told to be of
// a format whose name begins with prefix, and returns what it read. as is "" if
// they cannot: an importer may see more in more of it, or in what is compressed.
func recognise(r io.Reader, prefix string) (head []byte, as string) {
	buf := make([]byte, 4096)
	for len(head) < ingest.HeadSize {
		n, err := r.Read(buf)
		head = append(head, buf[:n]...)
		if whole := bytes.LastIndexByte(head, '\n') + 1; bytes.Count(head[:whole], []byte("\n")) >= headLines {
			if im, err := ingest.Sniff(ingest.All, head[:min(whole, ingest.HeadSize)]); err == nil && strings.HasPrefix(im.Name, prefix) {
				return head, im.Name
			}
		}
		if err != nil {
			break // it shows again when the rest is read
		}
	}
	return head, ""
}

// ingest reads one input as what it is, or some files.
func (c *capture) ingest(ctx context.Context, r io.Reader, file ingest.File, name string, m *runs.Manifest, prefix string) error {
	return c.ingestAll(ctx, r, []ingest.File{file}, name, m, prefix)
}

func (c *capture) ingestAll(ctx context.Context, r io.Reader, files []ingest.File, name string, m *runs.Manifest, prefix string) error {
	req := c.request(files)
	req.Stdin = r
	_, err := ingest.Ingest(ctx, req, &sampleSink{c.rec, m, name, name != "" && name != nameStdout})
	for i := range m.Sources {
		s := &m.Sources[i]
		if prefix != "" && !strings.HasPrefix(s.Format, prefix) {
			m.Notes = append(m.Notes, fmt.Sprintf("%s is %s, and was announced as %s…", s.File, s.Format, prefix))
		}
		if name != "" {
			s.File = name
		}
	}
	return err
}

// request asks for files to be read as a part of the run.
func (c *capture) request(files []ingest.File) ingest.Request {
	return ingest.Request{
		Files: files, Claims: c.opt.Claims, Reconcile: c.opt.Reconcile, Part: true,
		Options: ingest.Options{Events: c.opt.Events, Zone: c.opt.Zone},
	}
}

// drainTime is how long a pipe may take to end after the command has.
const drainTime = 5 * time.Second

// endStreams waits for the streams to end, reads what is read at the end, and
// returns what all of it says.
func (c *capture) endStreams(ctx context.Context) []*piece {
	var pieces []*piece
	for _, st := range c.streams {
		late := time.AfterFunc(drainTime, func() { st.file.SetReadDeadline(time.Unix(1, 0)) })
		<-st.done
		late.Stop()
		st.file.Close()
		if st.path != "" {
			os.Remove(st.path)
		}
		if st.out.err = streamError(st); st.out.err != nil {
			c.absent("samples of "+st.name, runs.CollectorDied, st.out.err.Error())
			c.tell(Warning, "samples: %v", st.out.err)
		}
		pieces = append(pieces, &st.out)
	}
	if p := c.readFiles(ctx); p != nil {
		pieces = append(pieces, p)
	}
	if p := c.readStdout(ctx); p != nil {
		pieces = append(pieces, p)
	}
	return pieces
}

// streamError says what became of a stream in words that fit a pipe.
func streamError(st *stream) error {
	var of *ingest.FileError
	switch {
	case errors.Is(st.out.err, ingest.ErrEmpty):
		return fmt.Errorf("nothing came through the pipe %s: does the command write its samples there?", st.name)
	case errors.As(st.out.err, &of):
		return &ingest.FileError{File: st.name, Err: of.Err}
	}
	return st.out.err
}

// talkative are the load generators that print their summary, or their samples,
// on standard output.
var talkative = []string{
	"ab", "artillery", "autocannon", "benchbase", "bombardier", "fortio", "h2load", "hammerdb", "hey", "k6", "oha", "pgbench", "siege", "sysbench",
	"vegeta", "wrk", "wrk2", "ycsb",
}

// nameStdout is the source of what the command printed.
const nameStdout = "stdout"

// readStdout reads what the command printed, if it is the summary of a load
// generator; what it is not, is not missed.
func (c *capture) readStdout(ctx context.Context) *piece {
	text := c.child.stdout.head.Bytes()
	im, err := ingest.Sniff(ingest.All, text[:min(len(text), ingest.HeadSize)])
	if err != nil {
		return nil
	}
	tool, _, _ := strings.Cut(im.Name, "-")
	if !slices.Contains(talkative, tool) || im.Load && len(c.opt.Samples) > 0 {
		return nil
	}
	p := &piece{}
	if err := c.ingest(ctx, bytes.NewReader(text), ingest.File{Path: "-", As: im.Name}, nameStdout, &p.manifest, ""); err != nil {
		c.tell(Note, "the command's output was taken for %s and could not be read: %v", im.Name, err)
		return nil
	}
	return p
}
