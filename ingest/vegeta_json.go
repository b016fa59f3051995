package ingest

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// VegetaJSON reads results of vegeta as JSON lines (vegeta encode -to json).
var VegetaJSON = &Importer{
	Name: "vegeta-json",
	Doc: `vegeta results as JSON lines (vegeta encode -to json)

Recognised by objects with "timestamp", "latency", "bytes_in" and "code". Each
is one request: the timestamp is when it was sent, latency is ns. Lines stand in
the order in which requests ended. A code from 200 to 399 is a success; code 0
is a request without an answer, a timeout if its error says so. Bodies and
headers are not kept. vegeta sends on a schedule, so the load is taken for open;
an attack with -rate 0 is closed and the file does not say so.`,
	Gives: []string{"samples: start, service, op, status, outcome, target, error, id, tags (attack, url)"},
	Lacks: []string{"when a request was due, the offered rate", "phases of a request", "whether -rate 0 made the load closed"},
	Load:  true,
	Sniff: sniffVegetaJSON,
	Read:  readVegetaJSON,
}

func sniffVegetaJSON(head []byte) bool {
	line, _ := firstLine(head)
	if line = bytes.TrimSpace(line); len(line) == 0 || line[0] != '{' {
		return false
	}
	for _, key := range []string{`"timestamp":`, `"latency":`, `"bytes_in":`, `"bytes_out":`, `"code":`} {
		if !bytes.Contains(line, []byte(key)) {
			return false
		}
	}
	return true
}

// vegetaLine is one JSON result. What is absent is nil.
type vegetaLine struct {
	Attack    string
	Seq       *uint64
	Code      *uint16
	Timestamp *string
	Latency   *int64
	Error     string
	Method    string
	URL       string
}

func readVegetaJSON(in *Input, sink Sink) error {
	v := newVegetaReader(in, sink)
	var quick vegetaQuick
	lines, r := in.Lines(), new(vegetaResult)
	for lines.Next() {
		reason := ""
		if !quick.read(lines.Bytes(), in.Stamps(), r) {
			text := bytes.TrimSpace(lines.Bytes())
			if len(text) == 0 {
				continue
			}
			if r, reason = parseVegetaLine(text, in.Stamps()); r == nil {
				r = new(vegetaResult)
			}
		}
		var err error
		if reason == "" {
			reason, err = v.result(r)
		}
		if err != nil {
			return err
		}
		if reason != "" {
			if err := in.BadAt(lines, "%s", reason); err != nil {
				return err
			}
		}
	}
	v.close()
	return lines.Finish()
}

func parseVegetaLine(text []byte, stamps *Stamps) (*vegetaResult, string) {
	var l vegetaLine
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, "not a result of vegeta: " + clip(plainly(err.Error()))
	}
	if l.Timestamp == nil || l.Latency == nil || l.Code == nil {
		return nil, "a result needs timestamp, latency and code"
	}
	ns, err := stamps.Parse(*l.Timestamp)
	if err != nil {
		return nil, err.Error()
	}
	stamps.fraction(9) // RFC 3339 to the nanosecond, which drops trailing zeros
	r := &vegetaResult{start: ns, latency: *l.Latency, code: uint64(*l.Code), attack: l.Attack, errorText: l.Error, method: l.Method, url: l.URL}
	if l.Seq != nil {
		r.seq = strconv.FormatUint(*l.Seq, 10)
	}
	return r, ""
}
