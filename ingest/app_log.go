package ingest

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"headroom/runs"
)

// What loggers call the time, the level and the message of a record: log/slog,
// zap, zerolog, logrus, tracing, Serilog, bunyan, the Elastic common schema.
var (
	appTimes    = wordSet("time", "ts", "timestamp", "@timestamp", "@t", "t", "datetime")
	appLevels   = wordSet("level", "lvl", "severity", "log.level", "@l")
	appMessages = wordSet("msg", "message", "event", "fields.message", "@m", "@mt")
)

func wordSet(words ...string) map[string]bool {
	set := map[string]bool{}
	for _, w := range words {
		set[w] = true
	}
	return set
}

// appRecord is one record of an application's log.
type appRecord struct {
	time, level, message string
	attrs                attrs
	n                    int // fields kept
}

// field takes one field by its name, a path with dots. number is set for JSON
// numbers, whose text is taken as it is written.
func (r *appRecord) field(name, value string, number bool) {
	switch {
	case appTimes[name] && r.time == "":
		r.time = value
	case appLevels[name] && r.level == "":
		r.level = value
	case appMessages[name] && r.message == "":
		r.message = value
	case r.n < maxTags:
		r.n++
		name = strings.TrimPrefix(name, "fields.") // where tracing puts them
		if v, short, ok := appNumber(name, value); ok {
			r.attrs.number(cutTag(short), v)
			return
		}
		if !number {
			value = cutTag(value)
		}
		r.attrs.text(cutTag(name), value)
	}
}

// appUnits are ends of names that say the unit of a duration.
var appUnits = []struct {
	end    string
	factor float64
}{
	{"_ms", 1e-3}, {"_millis", 1e-3}, {"Ms", 1e-3}, {"_us", 1e-6}, {"_micros", 1e-6}, {"_ns", 1e-9}, {"_nanos", 1e-9},
	{"_seconds", 1}, {"_secs", 1}, {"_sec", 1}, {"_s", 1},
}

// appNumber reads a value as a number. A duration whose unit its name or its own
// text says is in seconds, under the name without the unit; the unit of any other
// number is not known, and it is kept as it is.
func appNumber(name, value string) (v float64, short string, ok bool) {
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		if len(value) == 0 || len(value) > 40 || value[0] != '-' && !isDigit(value[0]) {
			return 0, "", false
		}
		d, err := time.ParseDuration(value)
		return d.Seconds(), name, err == nil
	}
	if v-v != 0 || strings.ContainsAny(value, "xXpP_nNiI") {
		return 0, "", false
	}
	for _, u := range appUnits {
		if short, ok := strings.CutSuffix(name, u.end); ok && short != "" {
			return toUnit(v, u.factor), short, true
		}
	}
	const digits = 15 // that a real number holds; a longer one is an identity
	if isDigits([]byte(value)) && len(value) > digits {
		return 0, "", false
	}
	return v, name, true
}

// mine adds the pairs that stand in the message itself, as "pruned nonces=10000".
func (r *appRecord) mine() {
	if !strings.Contains(r.message, "=") || len(r.message) > runs.MaxMessage {
		return
	}
	pairs, _ := parseLogfmt(r.message, nil)
	for _, p := range pairs {
		if !p.bare && p.value != "" && !appTimes[p.key] && !appLevels[p.key] && !appMessages[p.key] {
			r.field(p.key, strings.Trim(p.value, ",;"), false)
		}
	}
}

// appReader makes markers of records.
type appReader struct {
	in   *Input
	sink Sink
}

// put writes a record. It returns the reason if its time cannot be told.
func (a *appReader) put(r *appRecord) (reason, err error) {
	if r.time == "" {
		return shapeError("a record without a time"), nil
	}
	ns, err := a.in.Stamps().Parse(zoneColon(r.time))
	if err != nil {
		if err = placeError(err); isShape(err) {
			return err, nil
		}
		return nil, err
	}
	r.mine()
	m := runs.Marker{
		Time: micros(ns), Kind: "app.log", Severity: strings.ToUpper(cutTag(r.level)), Message: shorten(r.message, runs.MaxMessage),
		Attrs: r.attrs.json(), Duration: runs.Missing, PID: runs.Missing,
	}
	return nil, a.sink.Marker(&m)
}

// zoneColon puts the colon into an offset that lacks it: zap writes +0100.
func zoneColon(stamp string) string {
	n := len(stamp)
	if n >= 24 && (stamp[n-5] == '+' || stamp[n-5] == '-') && isDigits([]byte(stamp[n-4:])) {
		return stamp[:n-2] + ":" + stamp[n-2:]
	}
	return stamp
}

const appDoc = `

Each record becomes a marker, app.log, with its level, its message and its other
fields as attributes; a field inside another is named by its path, and pairs that
stand in the message ("pruned nonces=10000") are attributes too. A duration is in
seconds where its unit is known: from the end of its name (queue_wait_ms) or from
its own text (5.22ms). The unit of any other number is not: slog writes durations
as nanoseconds, zap as seconds and zerolog as milliseconds, all without saying
so. Such a number is kept as it is.

Requests and jobs of a log become samples, and its counters points, with a
mapping (--map), which says what the fields mean; see docs/formats/mapping.md.
Stack traces and other lines that are no record are counted as unreadable.`

// AppJSONL reads logs of applications as JSON lines.
var AppJSONL = &Importer{
	Name: "app-jsonl", Mapped: genericJSONLName,
	Doc: `Application log as JSON lines (slog, zap, zerolog, logrus, tracing, Serilog)

Recognised by lines that are objects with a time (time, ts, timestamp,
@timestamp, …) and a level (level, lvl, severity, …) and a message (msg, message,
event, …).` + appDoc,
	Gives: []string{"markers: app.log"},
	Lacks: []string{"which fields are waits, services and outcomes, without a mapping", "the unit of a number whose name does not say it"},
	Sniff: sniffAppJSONL,
	Read:  readAppJSONL,
}

// AppLogfmt reads logs of applications as logfmt.
var AppLogfmt = &Importer{
	Name: "app-logfmt", Mapped: genericLogfmtName,
	Doc: `Application log as logfmt (slog text, logrus, go-kit, Heroku)

Recognised by lines of key=value pairs, four in five at least, with a time and a
level or a message among them. Quotes and escapes are undone; an empty value is
missing.` + appDoc,
	Gives: []string{"markers: app.log"},
	Lacks: []string{"which fields are waits, services and outcomes, without a mapping", "the unit of a number that does not show it"},
	Sniff: isLogfmt,
	Read:  readAppLogfmt,
}

// sniffAppJSONL looks at the first record. Databases that log in this shape
// have formats of their own.
func sniffAppJSONL(head []byte) bool {
	if !beginsJSON(head) {
		return false
	}
	d := jsontext.NewDecoder(bytes.NewReader(head), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	r := appRecord{}
	if d.PeekKind() != jsontext.KindBeginObject || readAppObject(d, "", &r, 0) != nil {
		return false
	}
	record := head[:d.InputOffset()]
	if hasKeys(record, "error_severity") || hasKeys(record, "logger", "record") || hasKeys(record, "textPayload") {
		return false
	}
	return r.time != "" && r.level != "" && r.message != ""
}

func readAppJSONL(in *Input, sink Sink) error {
	a := &appReader{in: in, sink: sink}
	return in.eachJSON(func(w *jsonWalk) error {
		if w.d.PeekKind() != jsontext.KindBeginObject {
			if err := w.skip(); err != nil {
				return err
			}
			return shapeError("a record is an object")
		}
		r := appRecord{}
		if err := readAppObject(w.d, "", &r, 0); err != nil {
			return err
		}
		reason, err := a.put(&r)
		if err == nil {
			err = reason
		}
		return err
	})
}

// appDepth is how many objects deep fields are taken apart; what is deeper keeps
// its JSON text.
const appDepth = 4

// readAppObject reads the fields of the object that comes next.
func readAppObject(d *jsontext.Decoder, path string, r *appRecord, depth int) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == jsontext.KindString {
		tok, err := d.ReadToken()
		if err != nil {
			return err
		}
		name := path + tok.String()
		if d.PeekKind() == jsontext.KindBeginObject && depth < appDepth {
			if err := readAppObject(d, name+".", r, depth+1); err != nil {
				return err
			}
			continue
		}
		v, err := d.ReadValue()
		if err != nil {
			return err
		}
		switch v.Kind() {
		case jsontext.KindNull:
		case jsontext.KindString:
			var text string
			_ = json.Unmarshal(v, &text) // the decoder has checked it
			r.field(name, text, false)
		default:
			r.field(name, string(v), true)
		}
	}
	_, err := d.ReadToken()
	return err
}

func readAppLogfmt(in *Input, sink Sink) error {
	a := &appReader{in: in, sink: sink}
	var pairs []logfmtPair
	lines := in.Lines()
	for lines.Next() {
		line := strings.TrimSpace(string(lines.Bytes()))
		if line == "" {
			continue
		}
		var closed bool
		pairs, closed = parseLogfmt(line, pairs)
		var reason, err error
		switch {
		case !closed:
			reason = shapeError("a quote is not closed")
		case !isLogRecord(pairs):
			reason = shapeError("no record of key=value pairs with a time: " + strconv.Quote(clip(line)))
		default:
			r := appRecord{}
			for _, p := range pairs {
				if !p.bare && p.value != "" {
					r.field(p.key, p.value, false)
				}
			}
			reason, err = a.put(&r)
		}
		if err == nil && reason != nil {
			err = in.BadAt(lines, "%v", reason)
		}
		if err != nil {
			return err
		}
	}
	return lines.Finish()
}
