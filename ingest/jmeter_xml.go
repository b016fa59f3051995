package ingest

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"headroom/runs"
)

// JMeterXML reads JTL files that are XML.
var JMeterXML = &Importer{
	Name: "jmeter-xml",
	Doc: `JMeter results as XML (jmeter.save.saveservice.output_format=xml)

Recognised by the element testResults, or by httpSample or sample with the
attributes t and ts. Each top-level element with a time (t) and a stamp (ts, the
start as JMeter ships) is a sample, whatever a plug-in calls it. Samples inside
of one (redirects, embedded resources, the requests of a transaction) are counted
and left out: their time is in the one around them. Otherwise as jmeter-csv;
responses are not kept. A file without its end, as of a run that was killed, gives
the samples before. Characters that XML forbids are replaced.`,
	Gives: []string{"samples: start, service, connecting, waiting, scenario, op, status, outcome, error, worker, tags (generator)", "manifest: load (threads, model)"},
	Lacks: []string{"when a request was due", "whether stamps are the end of a sample", "requests inside of a sample"},
	Load:  true,
	Sniff: sniffJMeterXML,
	Read:  readJMeterXML,
}

func sniffJMeterXML(head []byte) bool {
	head = bytes.TrimSpace(head)
	if len(head) == 0 || head[0] != '<' {
		return false
	}
	return bytes.Contains(head, []byte("<testResults")) || bytes.HasPrefix(head, []byte("<httpSample ")) || bytes.HasPrefix(head, []byte("<sample "))
}

// xmlDepth is how deep elements may lie in each other.
const xmlDepth = 1000

// jmeterXML walks through the elements of a file.
type jmeterXML struct {
	*jmeterReader
	d       *xml.Decoder
	open    []bool // for each open element, whether it is a sample
	inside  int    // how many of them are
	nested  int64  // samples inside of samples
	nestBad int64  // … that failed
	held    *jmeterSample
	failure string // failureMessage of an assertion of the sample that is held
	ended   bool   // the end of testResults was seen
}

func readJMeterXML(in *Input, sink Sink) error {
	x := &jmeterXML{jmeterReader: newJMeterReader(in, sink)}
	x.d = xml.NewDecoder(&xmlText{r: bufio.NewReaderSize(in.R, HeadSize)})
	x.d.Strict = false
	x.d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // what is not UTF-8 was replaced
	for {
		t, err := x.d.RawToken()
		if err != nil {
			if err := x.end(err); err != nil {
				return err
			}
			break
		}
		if err := x.token(t); err != nil {
			return err
		}
	}
	if x.nested > 0 {
		in.Note("%d samples lie inside of others (%d of them failed) and were left out: their time is in the sample around them", x.nested, x.nestBad)
	}
	x.close()
	return nil
}

// end says how the file ended: at its end, cut, or at what is no XML.
func (x *jmeterXML) end(err error) error {
	var bad *xml.SyntaxError
	switch {
	case errors.Is(err, io.EOF) && x.ended || errors.Is(err, io.EOF) && len(x.open) == 0:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &bad) && strings.Contains(bad.Msg, "unexpected EOF"):
		x.in.Meta.Cut = true
		x.in.Note("line %d: the file ends inside an element: the sample that it is of was left out", x.line())
		return nil
	case errors.As(err, &bad):
		x.in.Meta.Cut = true
		x.in.Note("line %d: no XML (%s): what follows was left out", x.line(), clip(bad.Msg))
		return x.in.Bad(x.line(), "no XML: %s", clip(bad.Msg))
	}
	return err
}

func (x *jmeterXML) line() int64 {
	line, _ := x.d.InputPos()
	return int64(line)
}

func (x *jmeterXML) token(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		if len(x.open) >= xmlDepth {
			return fmt.Errorf("%w: elements lie more than %d deep in each other", ErrTooLarge, xmlDepth)
		}
		return x.begin(t)
	case xml.EndElement:
		return x.finish(t.Name.Local)
	case xml.CharData:
		if x.failure == "?" {
			x.failure = cutTag(strings.TrimSpace(string(t)))
		}
	}
	return nil
}

func (x *jmeterXML) begin(e xml.StartElement) error {
	m := jmeterElement(e)
	x.open = append(x.open, m != nil)
	if m == nil {
		if e.Name.Local == "failureMessage" && x.inside == 1 && x.failure == "" {
			x.failure = "?"
		}
		return nil
	}
	if x.inside++; x.inside > 1 {
		x.nested++
		if m.success == "false" {
			x.nestBad++
		}
		return nil
	}
	x.held, x.failure = m, ""
	x.in.lines++ // records, for the share of bad ones
	return nil
}

// finish takes the end of an element; the sample that is held is written at its.
func (x *jmeterXML) finish(name string) error {
	if x.failure == "?" {
		x.failure = ""
	}
	if len(x.open) == 0 {
		return nil
	}
	sample := x.open[len(x.open)-1]
	x.open = x.open[:len(x.open)-1]
	x.ended = x.ended || name == "testResults"
	if !sample {
		return nil
	}
	if x.inside--; x.inside > 0 || x.held == nil {
		return nil
	}
	m := x.held
	x.held = nil
	m.failed = x.failure
	reason := m.bad
	if reason == "" {
		var err error
		if reason, err = x.sample(m); err != nil {
			return &FileError{x.in.Name, fmt.Errorf("line %d: %w", x.line(), err)}
		}
	}
	if reason != "" {
		return x.in.Bad(x.line(), "%s", reason)
	}
	return nil
}

// jmeterElement returns the sample that an element is, or nil.
func jmeterElement(e xml.StartElement) *jmeterSample {
	m := &jmeterSample{elapsed: runs.Missing, latency: runs.Missing, connect: runs.Missing}
	times := 0
	for _, a := range e.Attr {
		reason := ""
		switch a.Name.Local {
		case "t":
			m.elapsed, reason = jmeterMillis("t", a.Value)
			times++
		case "ts":
			m.stamp = a.Value
			times++
		case "lt":
			m.latency, reason = jmeterMillis("lt", a.Value)
		case "ct":
			m.connect, reason = jmeterMillis("ct", a.Value)
		case "s":
			m.success = a.Value
		case "lb":
			m.label = a.Value
		case "rc":
			m.code = a.Value
		case "rm":
			m.message = a.Value
		case "tn":
			m.thread = a.Value
		case "na":
			m.allThreads = a.Value
		case "sc":
			m.sampleCount = a.Value
		case "hn":
			m.tags = append(m.tags, "generator", a.Value)
		}
		m.bad = firstSet(m.bad, reason)
	}
	if times < 2 {
		return nil
	}
	if m.elapsed == runs.Missing {
		m.bad = firstSet(m.bad, "there is no elapsed time")
	}
	return m
}
