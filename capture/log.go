package capture

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"headroom/ingest"
	"headroom/runs"
)

// follower follows a log through rotation and truncation, from where it ends
// when the recording begins. What stands before is read only to learn how the
// log's lines look.
type follower struct {
	c    *capture
	path string
	name string // base name

	file   *os.File // nil: there is none now
	at     int64    // read so far
	buf    []byte   // to read into
	text   []byte   // read, not parsed yet
	waited time.Duration

	im       *ingest.Importer
	head     []byte // lines of the log, from which its form is told
	headRows int64
	headBad  int64

	sum         hash.Hash
	size        int64
	rows, bad   int64
	first, last int64
	seen        []string // the first bad lines
	told        bool     // that its form is not known
	unplaced    error    // why its stamps cannot be read, though its form is known
	astray      int64    // rows stamped far from when they were written, and
	shift       int64    // by how much the last of them, in µs: positive is ahead
}

// How a log is followed.
const (
	logPoll   = 250 * time.Millisecond
	logSettle = time.Second // after which a log that goes on growing is parsed
	logHead   = 16 << 10    // bytes from which its form is told
	logChunk  = 4 << 20     // bytes that are read at once, at most
	// A line is written within seconds of its stamp. What is stamped further away is
	// in another zone (they differ by a quarter of an hour at least) or of another clock.
	logAstray = 10 * time.Minute
)

func newFollower(c *capture, path string) *follower {
	return &follower{c: c, path: path, name: filepath.Base(path), sum: sha256.New()}
}

// start goes to the end of the log, if there is one.
func (f *follower) start() error {
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		f.c.tell(Note, "%s: there is no such log yet", f.name)
		return nil
	} else if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		file.Close()
		return errors.Join(err, fmt.Errorf("%s is no regular file", f.name))
	}
	f.file, f.at = file, info.Size()
	head := make([]byte, min(f.at, logHead))
	n, _ := file.ReadAt(head, f.at-int64(len(head)))
	f.learn(wholeLines(head[:n], f.at > logHead))
	return nil
}

// wholeLines cuts text at line ends: at its own end, and at its beginning if it
// begins inside a line.
func wholeLines(text []byte, inside bool) []byte {
	if inside {
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	return text[:bytes.LastIndexByte(text, '\n')+1]
}

// learn tells the form of the log by some of its lines.
func (f *follower) learn(head []byte) {
	if len(head) == 0 || f.im != nil {
		return
	}
	im, err := ingest.Sniff(ingest.All, head)
	if err != nil {
		return
	}
	f.im, f.head = im, bytes.Clone(head)
	f.c.rec.is(f.name, im.Name)
	count := &logSink{f: f, skip: -1}
	in := ingest.NewInput(f.name, bytes.NewReader(f.head), f.options())
	if err := im.Read(in, count); err != nil {
		if f.im, f.head = nil, nil; errors.Is(err, ingest.ErrZone) {
			f.unplaced = err
		}
		return
	}
	f.unplaced = nil
	f.headRows = count.n
	f.headBad, _ = in.BadLines()
}

// options reads stamps that name no zone that is known anywhere in the zone that was
// given, else, in a log of PostgreSQL, in the one in which the server says that it
// stamps.
func (f *follower) options() ingest.Options {
	zone := f.c.opt.Zone
	if zone == nil && strings.HasPrefix(f.im.Name, "postgres-") {
		zone = f.c.pg.logZone()
	}
	return ingest.Options{Zone: zone}
}

// run is the collector.
func (f *follower) run(ctx context.Context, ready func()) error {
	ready()
	for {
		grown, err := f.poll()
		if err != nil {
			return err
		}
		if grown {
			f.waited += logPoll
		}
		if len(f.text) > 0 && (!grown || f.waited >= logSettle) {
			if err := f.parse(); err != nil {
				return err
			}
		}
		if !f.c.tick(ctx, logPoll) {
			for {
				if grown, err = f.poll(); err != nil || !grown {
					return errors.Join(err, f.parse())
				}
			}
		}
	}
}

// poll reads what was appended, and reports whether something was. A log that
// was cut is read from its beginning; one that another has replaced is read to
// its end first.
func (f *follower) poll() (grown bool, err error) {
	info, err := os.Stat(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if f.file == nil {
		if err != nil {
			return false, nil
		}
		if f.file, err = os.Open(f.path); err != nil {
			return false, err
		}
		f.at = 0
	}
	mine, err := f.file.Stat()
	if err != nil {
		return false, err
	}
	if mine.Size() < f.at {
		f.marker("capture.log.truncated", fmt.Sprintf("%s was cut from %d to %d bytes and is read from its beginning", f.name, f.at, mine.Size()))
		f.at = 0
	}
	replaced := info == nil || !os.SameFile(info, mine)
	if mine.Size() == f.at && !replaced {
		return false, nil
	}
	grown, err = f.read()
	if err != nil || grown {
		return grown, err
	}
	if replaced { // and what was in it is read
		f.marker("capture.log.rotated", f.name+" was replaced by another file")
		f.file.Close()
		f.file = nil
		return info != nil, f.parse()
	}
	return false, nil
}

func (f *follower) read() (bool, error) {
	if f.buf == nil {
		f.buf = make([]byte, 64<<10)
	}
	got := false
	for len(f.text) < logChunk {
		n, err := f.file.ReadAt(f.buf, f.at)
		f.at += int64(n)
		f.text = append(f.text, f.buf[:n]...)
		f.sum.Write(f.buf[:n])
		f.size += int64(n)
		got = got || n > 0
		if errors.Is(err, io.EOF) || n == 0 {
			return got, nil
		}
		if err != nil {
			return got, err
		}
	}
	return got, f.parse()
}

// parse reads the whole lines that have come, behind those that show how the
// log's lines look.
func (f *follower) parse() error {
	f.waited = 0
	end := bytes.LastIndexByte(f.text, '\n') + 1
	if end == 0 {
		if len(f.text) > ingest.MaxLine {
			f.text = nil
			f.bad++
		}
		return nil
	}
	text := f.text[:end]
	if f.im == nil {
		f.learn(text[:bytes.LastIndexByte(text[:min(end, logHead)], '\n')+1])
		f.headRows, f.headBad, f.head = 0, 0, nil // this time they count
	}
	if f.im == nil {
		f.unknown()
		f.text = append(f.text[:0], f.text[end:]...)
		return nil
	}
	in := ingest.NewInput(f.name, io.MultiReader(bytes.NewReader(f.head), bytes.NewReader(text)), f.options())
	err := f.im.Read(in, &logSink{f: f, skip: f.headRows})
	n, bad := in.BadLines()
	f.bad += max(0, n-f.headBad)
	if len(f.seen) < 20 && n > f.headBad {
		f.seen = append(f.seen, bad[min(len(bad), int(f.headBad)):]...)
	}
	if f.head == nil {
		f.learnAgain(text)
	}
	f.text = append(f.text[:0], f.text[end:]...)
	return err
}

// learnAgain keeps the first lines that were seen of a log that began empty.
func (f *follower) learnAgain(text []byte) {
	f.im = nil
	f.learn(text[:bytes.LastIndexByte(text[:min(len(text), logHead)], '\n')+1])
}

// unknown says once that the log's form is not known.
func (f *follower) unknown() {
	if f.told {
		return
	}
	f.told = true
	if f.unplaced != nil {
		f.c.absent("log "+f.name, runs.NotMeasurable, f.unplaced.Error())
		f.c.tell(Warning, "log %s is not recorded: %v", f.name, f.unplaced)
		return
	}
	f.c.absent("log "+f.name, runs.NotMeasurable, "its lines are of no known form (headroom formats lists them)")
	f.c.tell(Warning, "log %s: its lines are of no known form", f.name)
}

func (f *follower) marker(kind, text string) {
	f.c.rec.Marker(&runs.Marker{
		Time: f.c.opt.Clock.Now().UnixMicro(), Source: sourceAgent, Kind: kind, Message: text, Duration: runs.Missing, PID: runs.Missing,
	})
}

// doubts says what is wrong with what was read of the log; nothing if it is well.
func (f *follower) doubts() []string {
	var out []string
	if f.astray > 0 {
		by, side := time.Duration(f.shift)*time.Microsecond, "after"
		if by < 0 {
			by, side = -by, "before"
		}
		out = append(out, fmt.Sprintf("%d of %d entries are stamped far from when they were written, the last %s %s: they are in another zone than was taken (--timezone gives it), or of another clock, and lie outside of the run",
			f.astray, f.rows, by.Round(time.Second), side))
	}
	if f.rows == 0 && f.bad > 0 {
		out = append(out, fmt.Sprintf("none of its %d new lines could be read: %s", f.bad, strings.Join(f.seen[:min(1, len(f.seen))], "")))
	}
	return out
}

// source is the log's line in the manifest.
func (f *follower) source() runs.Source {
	s := runs.Source{
		File: f.name, Format: "log", SHA256: hex.EncodeToString(f.sum.Sum(nil)), Bytes: f.size, Rows: f.rows, BadLines: f.bad, Bad: f.seen,
		Notes: []string{"followed from its end when the recording began; the digest is that of what was read"},
	}
	if f.im != nil {
		s.Format = f.im.Name
	}
	s.Notes = append(s.Notes, f.doubts()...)
	if f.rows > 0 {
		s.First, s.Last = stamp(time.UnixMicro(f.first)), stamp(time.UnixMicro(f.last))
	}
	return s
}

// logSink takes the rows of a log but for the first skip, which are those of the
// lines from which its form is told; -1 skips all.
type logSink struct {
	f       *follower
	n, skip int64
}

func (s *logSink) keep(at int64) bool {
	s.n++
	if s.skip < 0 || s.n <= s.skip {
		return false
	}
	f := s.f
	if f.rows == 0 || at < f.first {
		f.first = at
	}
	f.last = max(f.last, at)
	f.rows++
	if shift := at - f.c.opt.Clock.Now().UnixMicro(); shift > logAstray.Microseconds() || shift < -logAstray.Microseconds() {
		f.astray, f.shift = f.astray+1, shift
	}
	return true
}

func (s *logSink) Marker(m *runs.Marker) error {
	if !s.keep(m.Time) {
		return nil
	}
	m.Source = s.f.name
	m.Message, m.Detail = maskText(m.Message), maskText(m.Detail)
	return s.f.c.rec.Marker(m)
}

func (s *logSink) Point(p *runs.Point) error {
	if !s.keep(p.Time) {
		return nil
	}
	p.Source = s.f.name
	return s.f.c.rec.Point(p)
}

func (s *logSink) Sample(r *runs.Sample) error {
	if !s.keep(r.Start) {
		return nil
	}
	return s.f.c.rec.Sample(r)
}

func (s *logSink) Activity(*runs.Activity) error   { s.n++; return nil }
func (s *logSink) Histogram(*runs.Histogram) error { s.n++; return nil }
func (s *logSink) Benchmark(*runs.Benchmark) error { s.n++; return nil }
func (s *logSink) Snapshot(*runs.Snapshot) error   { s.n++; return nil }
