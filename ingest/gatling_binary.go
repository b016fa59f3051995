package ingest

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
)

// GatlingBinary reads simulation.log of Gatling 3.13 and later.
var GatlingBinary = &Importer{
	Name: "gatling-binary",
	Doc: `Gatling simulation.log, binary (Gatling 3.13 and later)

Recognised by its first record: a zero byte and the version as text with its
length. Rows are those of gatling-log. The layout is that of 3.13.0 to 3.14.3;
a later 3.x is read by it as long as it fits. Another version, or a record that
the layout does not have, is refused with the command of Gatling that makes the
log readable: it writes a report with js/stats.json from the log. A file that
ends inside a record gives the records before it. Places in errors are record
numbers. No record says which scenario a request is of.`,
	Gives: []string{"samples: start, service, op, outcome, error, tags (groups)", "points: gatling.*", "markers: gatling.error"},
	Lacks: []string{"HTTP status, target, phases", "the load model and the offered rate", "when a request was due", "scenario of a request"},
	Load:  true,
	Sniff: isGatlingBinary,
	Read:  readGatlingBinary,
}

// Bounds on what a binary log holds.
const (
	gatlingStringMax = 1 << 20  // bytes of one text
	gatlingTextsMax  = 64 << 20 // bytes of all texts that are remembered
	gatlingTextsMany = 1 << 20  // how many they are
	gatlingListMax   = 1 << 16  // scenarios, assertions, groups of a request
)

// errGatlingLayout is wrapped by errors for records that the layout does not have.
var errGatlingLayout = errors.New("the layout of this binary log is not known")

// gatlingAdvice names what makes a log of any version readable.
const gatlingAdvice = "let the Gatling that wrote it make a report of it (mvn gatling:test -Dgatling.reportsOnly=FOLDER, or gatling.sh --reports-only FOLDER) and read the report's js/stats.json, or the log of a run with Gatling 3.12 or before"

// gatlingBinary decodes the records: big-endian, times in ms since the run began.
type gatlingBinary struct {
	*gatlingReader
	r         *bufio.Reader
	start     int64 // ms since the Unix epoch
	scenarios []string
	texts     map[int32]string
	textBytes int
}

// The kinds of records.
const (
	gatlingRun byte = iota
	gatlingRequestRecord
	gatlingUser
	gatlingGroup
	gatlingError
)

func readGatlingBinary(in *Input, sink Sink) error {
	b := &gatlingBinary{gatlingReader: newGatlingReader(in, sink), r: bufio.NewReaderSize(in.R, HeadSize), texts: map[int32]string{}}
	for {
		kind, err := b.r.ReadByte()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = b.record(kind)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			in.Meta.Cut = true
			in.Note("record %d, the last, is cut and was left out", in.lines+1)
			break
		}
		if err != nil {
			return fmt.Errorf("record %d: %w", in.lines+1, err)
		}
		in.lines++
	}
	b.close()
	return nil
}

func (b *gatlingBinary) record(kind byte) error {
	if kind != gatlingRun && b.start == 0 {
		return fmt.Errorf("%w (no record of the run before it): %s", errGatlingLayout, gatlingAdvice)
	}
	switch kind {
	case gatlingRun:
		return b.run()
	case gatlingRequestRecord:
		return b.requestRecord()
	case gatlingUser:
		return b.userRecord()
	case gatlingGroup:
		return b.groupRecord()
	case gatlingError:
		message, err := b.cached()
		if err != nil {
			return err
		}
		ms, err := b.time()
		if err != nil {
			return err
		}
		return b.failure(message, ms)
	}
	return fmt.Errorf("%w (a record of kind %d): %s", errGatlingLayout, kind, gatlingAdvice)
}

// run reads the record of the run, which comes first.
func (b *gatlingBinary) run() error {
	version, err := b.text()
	if err != nil {
		return err
	}
	if b.start != 0 {
		return fmt.Errorf("%w: a second simulation begins; make a file of each", ErrUnreadable)
	}
	if !isGatlingLayout(version) {
		return fmt.Errorf("%w: Gatling %s wrote it, and 3.12 to 3.x is read: %s", errGatlingLayout, clip(version), gatlingAdvice)
	}
	class, err := b.text()
	if err != nil {
		return err
	}
	start, err := b.long()
	if err != nil {
		return err
	}
	if reason := gatlingTimes(start); reason != "" {
		return fmt.Errorf("%w (the start %s): %s", errGatlingLayout, reason, gatlingAdvice)
	}
	description, err := b.text()
	if err != nil {
		return err
	}
	err = b.list(func() error {
		name, err := b.text()
		b.scenarios = append(b.scenarios, b.words.word(name))
		return err
	})
	if err != nil {
		return err
	}
	if err := b.list(b.skipBytes); err != nil {
		return err
	}
	b.start = start
	b.simulation(class, description, version, start)
	return nil
}

// isGatlingLayout reports whether a version writes the layout that is read. The
// development versions of 3.13 called themselves 3.12.
func isGatlingLayout(version string) bool {
	parts := strings.Split(version, ".")
	if len(parts) < 2 || parts[0] != "3" {
		return false
	}
	minor, err := strconv.Atoi(parts[1])
	return err == nil && minor >= 12
}

// list reads a count and as many items.
func (b *gatlingBinary) list(item func() error) error {
	n, err := b.int()
	if err != nil {
		return err
	}
	if n < 0 || n > gatlingListMax {
		return fmt.Errorf("%w (a list of %d items): %s", errGatlingLayout, n, gatlingAdvice)
	}
	for range n {
		if err := item(); err != nil {
			return err
		}
	}
	return nil
}

// skipBytes passes over bytes behind their length.
func (b *gatlingBinary) skipBytes() error {
	n, err := b.int()
	if err != nil {
		return err
	}
	if n < 0 || n > gatlingStringMax {
		return fmt.Errorf("%w (an item of %d bytes): %s", errGatlingLayout, n, gatlingAdvice)
	}
	_, err = io.CopyN(io.Discard, b.r, int64(n))
	return err
}

// groups reads the names of the groups that something is in, joined by commas as
// the text log writes them.
func (b *gatlingBinary) groups() (string, error) {
	var names strings.Builder
	err := b.list(func() error {
		name, err := b.cached()
		if names.Len() > 0 {
			name = "," + name
		}
		if names.Len() <= maxTag { // no more is kept of a label
			names.WriteString(name)
		}
		return err
	})
	return names.String(), err
}

func (b *gatlingBinary) requestRecord() error {
	groups, err := b.groups()
	if err != nil {
		return err
	}
	r := gatlingRequest{groups: groups}
	if r.name, err = b.cached(); err != nil {
		return err
	}
	start, err := b.int()
	if err != nil {
		return err
	}
	end, err := b.int()
	if err != nil {
		return err
	}
	if r.ok, err = b.bool(); err != nil {
		return err
	}
	if r.message, err = b.cached(); err != nil {
		return err
	}
	if end == math.MinInt32 {
		b.unmatched++
		return nil
	}
	r.start, r.end = b.start+int64(start), b.start+int64(end)
	return b.request(&r)
}

func (b *gatlingBinary) userRecord() error {
	index, err := b.int()
	if err != nil {
		return err
	}
	if index < 0 || int(index) >= len(b.scenarios) {
		return fmt.Errorf("%w (scenario %d of %d): %s", errGatlingLayout, index, len(b.scenarios), gatlingAdvice)
	}
	start, err := b.bool()
	if err != nil {
		return err
	}
	ms, err := b.time()
	if err != nil {
		return err
	}
	return b.user(b.scenarios[index], start, ms)
}

func (b *gatlingBinary) groupRecord() error {
	groups, err := b.groups()
	if err != nil {
		return err
	}
	start, err := b.time()
	if err != nil {
		return err
	}
	end, err := b.time()
	if err != nil {
		return err
	}
	cumulated, err := b.int()
	if err != nil {
		return err
	}
	ok, err := b.bool()
	if err != nil {
		return err
	}
	return b.group(groups, start, end, int64(cumulated), ok)
}

// cached reads a text that is written once and then referred to: a positive
// number is followed by the text, a negative one is that of an earlier text.
func (b *gatlingBinary) cached() (string, error) {
	index, err := b.int()
	if err != nil {
		return "", err
	}
	if index < 0 {
		s, ok := b.texts[-index]
		if !ok {
			return "", fmt.Errorf("%w (text %d was not written): %s", errGatlingLayout, -index, gatlingAdvice)
		}
		return s, nil
	}
	s, err := b.text()
	if err != nil {
		return "", err
	}
	if b.textBytes += len(s); b.textBytes > gatlingTextsMax || len(b.texts) > gatlingTextsMany {
		return "", fmt.Errorf("%w: its texts exceed %d bytes, or are more than %d", ErrTooLarge, gatlingTextsMax, gatlingTextsMany)
	}
	b.texts[index] = s
	return s, nil
}

// text reads a text: its length in bytes, the bytes, and unless it is empty its
// coding, 0 for Latin-1 and 1 for UTF-16, little-endian on the usual hosts.
func (b *gatlingBinary) text() (string, error) {
	n, err := b.int()
	if err != nil || n == 0 {
		return "", err
	}
	if n < 0 || n > gatlingStringMax {
		return "", fmt.Errorf("%w (a text of %d bytes): %s", errGatlingLayout, n, gatlingAdvice)
	}
	raw := make([]byte, n)
	if _, err := io.ReadFull(b.r, raw); err != nil {
		return "", err
	}
	coding, err := b.r.ReadByte()
	if err != nil {
		return "", err
	}
	switch {
	case coding == 0:
		runes := make([]rune, len(raw))
		for i, c := range raw {
			runes[i] = rune(c)
		}
		return string(runes), nil
	case coding == 1 && n%2 == 0:
		units := make([]uint16, n/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(raw[2*i:])
		}
		return string(utf16.Decode(units)), nil
	}
	return "", fmt.Errorf("%w (a text in coding %d): %s", errGatlingLayout, coding, gatlingAdvice)
}

// time reads an instant, in ms since the Unix epoch.
func (b *gatlingBinary) time() (int64, error) {
	n, err := b.int()
	return b.start + int64(n), err
}

func (b *gatlingBinary) int() (int32, error) {
	var raw [4]byte
	_, err := io.ReadFull(b.r, raw[:])
	return int32(binary.BigEndian.Uint32(raw[:])), err
}

func (b *gatlingBinary) long() (int64, error) {
	var raw [8]byte
	_, err := io.ReadFull(b.r, raw[:])
	return int64(binary.BigEndian.Uint64(raw[:])), err
}

func (b *gatlingBinary) bool() (bool, error) {
	c, err := b.r.ReadByte()
	if err == nil && c > 1 {
		err = fmt.Errorf("%w (%d where 0 or 1 stands): %s", errGatlingLayout, c, gatlingAdvice)
	}
	return c == 1, err
}
