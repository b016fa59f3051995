package ingest

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

// VegetaGob reads the output of vegeta attack.
var VegetaGob = &Importer{
	Name: "vegeta-gob",
	Doc: `vegeta results as vegeta writes them (vegeta attack > FILE)

Recognised by the definition of the type Result that a gob stream begins with.
The results are those of vegeta-json. Streams that were put one behind the other
(cat a.gob b.gob), which vegeta itself cannot read, are read all. A file that
ends inside a record gives the records before it. Places in errors are record
numbers. Bodies and headers are not decoded.`,
	Gives: []string{"samples: start, service, op, status, outcome, target, error, id, tags (attack, url)"},
	Lacks: []string{"when a request was due, the offered rate", "phases of a request", "op and target in files older than September 2019"},
	Load:  true,
	Sniff: sniffVegetaGob,
	Read:  readVegetaGob,
}

func sniffVegetaGob(head []byte) bool {
	head = head[:min(len(head), 256)]
	for _, name := range []string{"\x06Result\x01", "\x04Code\x01", "\x09Timestamp\x01", "\x07Latency\x01"} {
		if !bytes.Contains(head, []byte(name)) {
			return false
		}
	}
	return true
}

// gobResult holds the fields of a result that are kept. encoding/gob matches
// them by name and skips the others, whatever the version that wrote them.
type gobResult struct {
	Attack    string
	Seq       uint64
	Code      uint16
	Timestamp time.Time
	Latency   int64
	Error     string
	Method    string
	URL       string
}

// Bounds on a gob: of one message, and of the type definitions of one stream. A
// result holds the body of a reply.
const (
	gobMessageMax = 16 << 20
	gobTypesMax   = 64 << 10
)

// gobStreams reads the results of gob streams that follow each other.
// encoding/gob is not made for hostile input, so messages are taken apart and
// bounded here, and the decoder is shown one result at a time.
//
// See https://pkg.go.dev/encoding/gob, "Encoding Details": a message is its
// length and a type id, negative for the definition of a type.
type gobStreams struct {
	r       *bufio.Reader
	dec     *gob.Decoder
	src     bytes.Reader
	types   []byte // definitions not yet shown to dec
	message []byte
	values  bool // since the stream began
	streams int
}

// next reads the next result into r. It returns io.EOF at the end, and
// io.ErrUnexpectedEOF where the file ends inside a record; an errGobValue is one
// record that could not be read.
func (g *gobStreams) next(r *gobResult) error {
	for {
		kind, err := g.read()
		if err != nil {
			return err
		}
		if kind < 0 {
			if g.values || g.dec == nil {
				g.dec, g.types, g.values = gob.NewDecoder(&g.src), nil, false
				g.streams++
			}
			if len(g.types)+len(g.message) > gobTypesMax {
				return fmt.Errorf("%w: the definitions of its types exceed %d bytes", ErrTooLarge, gobTypesMax)
			}
			g.types = append(g.types, g.message...)
			continue
		}
		if g.dec == nil {
			return fmt.Errorf("%w: a gob that does not begin with a type", ErrUnreadable)
		}
		g.src.Reset(append(g.types, g.message...))
		g.types, g.values = g.types[:0], true
		*r = gobResult{}
		if err := decodeGob(g.dec, r); err != nil {
			return errGobValue{err}
		}
		return nil
	}
}

// errGobValue is a record that could not be read; the records after it can.
type errGobValue struct{ error }

// decodeGob decodes one value. What encoding/gob panics with, on types that no
// encoder writes, is an error like any other.
func decodeGob(d *gob.Decoder, r *gobResult) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: damaged gob: %v", ErrUnreadable, p)
		}
	}()
	return d.Decode(r)
}

// read reads a message, with its length, and returns its type id.
func (g *gobStreams) read() (kind int64, err error) {
	n, prefix, err := g.uint()
	if err != nil {
		return 0, err
	}
	if n > gobMessageMax {
		return 0, fmt.Errorf("%w: a record of %d bytes; the most that is read is %d", ErrTooLarge, n, gobMessageMax)
	}
	g.message = append(g.message[:0], prefix...)
	body := int(n) + len(prefix)
	for len(g.message) < body { // in steps, so that a length alone takes no memory
		from := len(g.message)
		g.message = append(g.message, make([]byte, min(body-from, HeadSize))...)
		if _, err := io.ReadFull(g.r, g.message[from:]); err != nil {
			return 0, cutOff(err)
		}
	}
	id, ok := gobInt(g.message[len(prefix):])
	if !ok {
		return 0, fmt.Errorf("%w: damaged gob: a record without a type", ErrUnreadable)
	}
	return id, nil
}

// uint reads an unsigned number and returns the bytes that it was made of.
func (g *gobStreams) uint() (n uint64, raw []byte, err error) {
	first, err := g.r.ReadByte()
	if err != nil {
		return 0, nil, err
	}
	if first < 0x80 {
		return uint64(first), []byte{first}, nil
	}
	size := -int(int8(first))
	if size > 8 {
		return 0, nil, fmt.Errorf("%w: damaged gob: no length of a record", ErrUnreadable)
	}
	raw = make([]byte, 1+size)
	raw[0] = first
	if _, err := io.ReadFull(g.r, raw[1:]); err != nil {
		return 0, nil, cutOff(err)
	}
	return gobUint(raw[1:]), raw, nil
}

func gobUint(b []byte) (n uint64) {
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	return n
}

// gobInt reads the signed number that b begins with.
func gobInt(b []byte) (int64, bool) {
	if len(b) == 0 {
		return 0, false
	}
	u := uint64(b[0])
	if b[0] >= 0x80 {
		size := -int(int8(b[0]))
		if size > 8 || len(b) < 1+size {
			return 0, false
		}
		u = gobUint(b[1 : 1+size])
	}
	if u&1 != 0 {
		return ^int64(u >> 1), true
	}
	return int64(u >> 1), true
}

// cutOff makes the end of a file inside a record an unexpected one.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func readVegetaGob(in *Input, sink Sink) error {
	v, g := newVegetaReader(in, sink), &gobStreams{r: bufio.NewReaderSize(in.R, HeadSize)}
	stamps := in.Stamps()
	for {
		var r gobResult
		err := g.next(&r)
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, io.ErrUnexpectedEOF) && !errors.As(err, &errGobValue{}) {
			in.Meta.Cut = true
			in.Note("record %d, the last, is cut and was left out", in.lines+1)
			break
		}
		in.lines++
		reason := ""
		if bad, ok := errors.AsType[errGobValue](err); ok {
			reason, err = "not a result of vegeta: "+clip(bad.Error()), nil
		}
		if err != nil {
			return fmt.Errorf("record %d: %w", in.lines, err)
		}
		if reason == "" {
			reason, err = v.gob(&r, stamps)
		}
		if err != nil {
			return err
		}
		if reason != "" {
			if err := in.Bad(in.lines, "%s", reason); err != nil {
				return err
			}
		}
	}
	if g.streams > 1 {
		in.Note("it holds %d streams, one behind the other", g.streams)
	}
	v.close()
	return nil
}

// gob takes a decoded result.
func (v *vegetaReader) gob(r *gobResult, stamps *Stamps) (reason string, err error) {
	ns, err := stamps.checked(r.Timestamp.Unix(), int64(r.Timestamp.Nanosecond()), []byte(r.Timestamp.UTC().String()))
	if err != nil {
		return err.Error(), nil
	}
	stamps.say("explicit offset")
	stamps.fraction(9)
	return v.result(&vegetaResult{
		start: ns, latency: r.Latency, code: uint64(r.Code), seq: strconv.FormatUint(r.Seq, 10),
		attack: r.Attack, errorText: r.Error, method: r.Method, url: r.URL,
	})
}
