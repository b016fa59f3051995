package ingest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// SadfJSON reads what sadf -j prints.
var SadfJSON = &Importer{
	Name: "sadf-json",
	Doc: `sadf -j: sar's records as JSON

An object sysstat.hosts[].statistics[] (man 1 sadf), each element an instant with
its tables; stamps are UTC where the element says so (utc, or tz), else local time,
of which the zone must be given. Tables and columns are as for sar. A file that was
cut, or has a stray comma, gives its whole elements. Decimal commas, as some
versions print in some locales, cannot be told from the commas of JSON: such a file
is refused; record with LC_ALL=C.`,
	Gives: Sar.Gives,
	Lacks: []string{"CPU per process"},
	Sniff: func(head []byte) bool { return sysstatJSON(head) == "sadf" },
	Read:  readSysstatJSON,
}

// IostatJSON reads what iostat -o JSON prints.
var IostatJSON = &Importer{
	Name: "iostat-json",
	Doc: `iostat -o JSON: CPU time and disks

An object sysstat.hosts[].statistics[] whose elements hold avg-cpu or disk (man 1
iostat). As for iostat: the first element is an average since boot and is left out,
unless a stray comma stands in its place, as iostat -y leaves it. Without -t there
is no time, and a start and an interval must be given. A file that was cut gives its
whole elements; decimal commas are refused.`,
	Gives: Iostat.Gives,
	Lacks: Iostat.Lacks,
	Sniff: func(head []byte) bool { return sysstatJSON(head) == "iostat" },
	Read:  readSysstatJSON,
}

// MpstatJSON reads what mpstat -o JSON prints.
var MpstatJSON = &Importer{
	Name: "mpstat-json",
	Doc: `mpstat -o JSON: shares of CPU time

An object sysstat.hosts[].statistics[] whose elements hold cpu-load and a time of
day (man 1 mpstat); the date stands once, the zone nowhere. As for mpstat.`,
	Gives: Mpstat.Gives,
	Lacks: Mpstat.Lacks,
	Sniff: func(head []byte) bool { return sysstatJSON(head) == "mpstat" },
	Read:  readSysstatJSON,
}

// sysstatJSON tells which tool wrote a JSON: by its first element.
func sysstatJSON(head []byte) string {
	if !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) || !bytes.Contains(head[:min(len(head), 200)], []byte(`"sysstat"`)) {
		return ""
	}
	at := bytes.Index(head, []byte(`"statistics"`))
	if at < 0 {
		return ""
	}
	element := head[at:]
	element = element[:min(len(element), 8<<10)]
	switch {
	case bytes.Contains(element, []byte(`"disk_device"`)) || bytes.Contains(element, []byte(`"avg-cpu"`)):
		return "iostat"
	case bytes.Contains(element, []byte(`"interval"`)) && bytes.Contains(element, []byte(`"date"`)):
		return "sadf"
	case bytes.Contains(element, []byte(`"cpu-load"`)):
		return "mpstat"
	}
	return ""
}

// sysElement is one element of statistics.
type sysElement struct {
	Timestamp json.RawMessage `json:"timestamp"`
	tables    map[string]json.RawMessage
}

// sysStamp is the stamp of an element of sadf.
type sysStamp struct {
	Date     string      `json:"date"`
	Time     string      `json:"time"`
	UTC      int         `json:"utc"`
	Zone     string      `json:"tz"`
	Interval json.Number `json:"interval"`
}

// sysJSONReader reads elements as they come.
type sysJSONReader struct {
	in    *Input
	out   sysSink
	clock dayClock
	rows  rowClock
	tool  string

	sinceBoot bool
	elements  int64
}

func readSysstatJSON(in *Input, sink Sink) error {
	head, err := readSample(in)
	if err != nil {
		return err
	}
	s := &sysScanner{r: bufio.NewReaderSize(in.R, 64<<10), line: 1}
	preamble, err := s.preamble()
	if err != nil {
		return &FileError{in.Name, err}
	}
	r := &sysJSONReader{in: in, out: sysSink{sink: sink}, rows: rowClock{in: in}, tool: sysstatJSON(head)}
	r.date(preamble)
	r.sinceBoot = r.tool == "iostat"
	for {
		element, err := s.next()
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return &FileError{in.Name, err}
		}
		if s.stray > 0 && r.elements == 0 {
			r.sinceBoot = false
		}
		in.lines++
		if err := r.element(element, s); err != nil {
			return err
		}
	}
	return r.finish(s)
}

func (r *sysJSONReader) finish(s *sysScanner) error {
	if s.stray > 0 {
		r.in.Note("line %d: a stray comma, which no JSON has; the elements around it were read", s.stray)
	}
	if !s.closed {
		r.in.Meta.Cut = true
		r.in.Note("the list of statistics is not closed, as when the tool was killed; its whole elements were read")
	}
	switch n, _ := r.in.BadLines(); {
	case r.elements == 0 && n == 0:
		return fmt.Errorf("%w: no element of statistics", ErrEmpty)
	case r.tool == "iostat" && r.sinceBoot && r.elements == 1:
		return fmt.Errorf("%w: one report only, the average since boot; record iostat -xt -o JSON 1", ErrEmpty)
	case r.tool == "iostat" && r.sinceBoot:
		r.in.Note("first report left out: the average since boot")
	case r.tool == "iostat":
		r.in.Note("first report kept: the stray comma before it is what iostat -y leaves")
	}
	r.out.finish(r.in)
	return nil
}

// date takes the date that stands before the statistics.
func (r *sysJSONReader) date(preamble []byte) {
	for _, key := range []string{`"date"`, `"file-date"`} {
		_, after, ok := bytes.Cut(preamble, []byte(key))
		if !ok {
			continue
		}
		part := bytes.SplitN(after, []byte(`"`), 3)
		if len(part) < 3 {
			continue
		}
		date, guessed, ok := parseSysstatDate(string(part[1]))
		if ok {
			r.clock = dayClock{date: date, known: true}
			if r.tool == "mpstat" {
				r.in.sayGuessed(guessed)
			}
		}
	}
}

// element reads one element.
func (r *sysJSONReader) element(text []byte, s *sysScanner) error {
	var e sysElement
	err := json.Unmarshal(text, &e)
	if err == nil {
		err = json.Unmarshal(text, &e.tables)
	}
	if err != nil {
		if at := decimalComma(text); at >= 0 {
			return &FileError{r.in.Name, fmt.Errorf("%w: a decimal comma in JSON at byte %d (line %d), %q: a pair of numbers cannot be told from one; record with LC_ALL=C",
				ErrUnreadable, s.at+int64(at), s.line, clip(string(text[max(at-12, 0):min(at+8, len(text))])))}
		}
		return r.in.Bad(s.line, "an element that is no JSON: %v", err)
	}
	r.elements++
	ns, err := r.instant(e.Timestamp)
	if err != nil {
		if errors.Is(err, ErrNoTimeAxis) || errors.Is(err, ErrZone) {
			return &FileError{r.in.Name, fmt.Errorf("line %d: %w", s.line, err)}
		}
		return r.in.Bad(s.line, "%v", err)
	}
	if r.sinceBoot && r.elements == 1 {
		r.out.begin = ns
		return nil
	}
	return r.objects("", e.tables, ns)
}

// instant returns the time of an element.
func (r *sysJSONReader) instant(stamp json.RawMessage) (int64, error) {
	if len(stamp) == 0 {
		return r.rows.next()
	}
	var text string
	if json.Unmarshal(stamp, &text) == nil {
		if f := bytes.Fields([]byte(text)); len(f) > 0 && len(f) < 3 {
			if day, words, ok := timeOfDay(f); ok && words == len(f) {
				return r.in.instant(&r.clock, r.clock.next(day))
			}
		}
		if b, guessed, ok := iostatStamp([]byte(text)); ok {
			if r.elements == 1 {
				r.in.sayGuessed(guessed)
			}
			return r.in.Stamps().Bytes(b)
		}
		return r.in.Stamps().Parse(text)
	}
	var s sysStamp
	if err := json.Unmarshal(stamp, &s); err != nil {
		return 0, fmt.Errorf("a stamp that is none: %w", err)
	}
	zone := ""
	if s.UTC == 1 || s.Zone == "UTC" {
		zone = " UTC"
	} else if s.Zone != "" {
		zone = " " + s.Zone
	}
	ns, err := r.in.Stamps().Parse(s.Date + " " + s.Time + zone)
	r.out.interval(ns, []byte(s.Interval))
	return ns, err
}

// sysJSONNames are the members of sadf's JSON that have another name than the
// column of sar: of each table, the member and the column.
var sysJSONNames = map[string]map[string]string{
	"process-and-context-switch": {"proc": "proc/s", "cswch": "cswch/s"},
	"swap-pages":                 {"pswpin": "pswpin/s", "pswpout": "pswpout/s"},
	"paging":                     {"pgpgin": "pgpgin/s", "pgpgout": "pgpgout/s", "fault": "fault/s", "majflt": "majflt/s"},
	"io":                         {"tps": "tps"},
	"io-reads":                   {"rtps": "rtps", "bread": "bread/s"},
	"io-writes":                  {"wtps": "wtps", "bwrtn": "bwrtn/s"},
	"memory": {"memfree": "kbmemfree", "avail": "kbavail", "memused": "kbmemused", "buffers": "kbbuffers", "cached": "kbcached", "commit": "kbcommit",
		"active": "kbactive", "inactive": "kbinact", "dirty": "kbdirty", "anonpg": "kbanonpg", "swpfree": "kbswpfree", "swpused": "kbswpused"},
	"queue":         {"runq-sz": "runq-sz", "plist-sz": "plist-sz", "ldavg-1": "ldavg-1", "ldavg-5": "ldavg-5", "ldavg-15": "ldavg-15", "blocked": "blocked"},
	"interrupts":    {"intr": "INTR", "all": "all"},
	"disk":          {"disk-device": "DEV", "disk_device": "DEV"},
	"net-dev":       {"iface": "IFACE", "rxpck": "rxpck/s", "txpck": "txpck/s", "rxkB": "rxkB/s", "txkB": "txkB/s", "ifutil-percent": "%ifutil"},
	"net-edev":      {"iface": "IFACE", "rxerr": "rxerr/s", "txerr": "txerr/s", "rxdrop": "rxdrop/s", "txdrop": "txdrop/s"},
	"net-sock":      {"totsck": "totsck", "tcpsck": "tcpsck", "tcp-tw": "tcp-tw"},
	"net-tcp":       {"active": "active/s", "passive": "passive/s"},
	"net-etcp":      {"retrans": "retrans/s"},
	"cpu-load":      {"cpu": "CPU"},
	"avg-cpu":       {},
	"cpu-frequency": {"number": "CPU", "frequency": "MHz"},
	"filesystems":   {"filesystem": "FILESYSTEM", "MBfsfree": "MBfsfree", "MBfsused": "MBfsused", "Ifree": "Ifree"},
	"psi-cpu":       {"some_avg10": "%scpu-10", "some_avg60": "%scpu-60", "some_avg300": "%scpu-300", "some_avg": "%scpu"},
	"psi-io": {"some_avg10": "%sio-10", "some_avg60": "%sio-60", "some_avg300": "%sio-300", "some_avg": "%sio",
		"full_avg10": "%fio-10", "full_avg60": "%fio-60", "full_avg300": "%fio-300", "full_avg": "%fio"},
	"psi-mem": {"some_avg10": "%smem-10", "some_avg60": "%smem-60", "some_avg300": "%smem-300", "some_avg": "%smem",
		"full_avg10": "%fmem-10", "full_avg60": "%fmem-60", "full_avg300": "%fmem-300", "full_avg": "%fmem"},
}

// objects reads the members of an object: tables, and objects that hold tables.
func (r *sysJSONReader) objects(parent string, members map[string]json.RawMessage, ns int64) error {
	if names, ok := sysJSONNames[parent]; ok {
		if err := r.object(parent, names, members, ns); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		text := members[name]
		if name == "timestamp" || len(text) == 0 {
			continue
		}
		var list []map[string]json.RawMessage
		var one map[string]json.RawMessage
		switch text[0] {
		case '[':
			if json.Unmarshal(text, &list) != nil {
				continue
			}
		case '{':
			if json.Unmarshal(text, &one) != nil {
				continue
			}
			list = append(list, one)
		}
		for _, o := range list {
			if err := r.objects(name, o, ns); err != nil {
				return err
			}
		}
	}
	return nil
}

// object reads one row of a table.
func (r *sysJSONReader) object(table string, names map[string]string, members map[string]json.RawMessage, ns int64) error {
	v := sysValues{}
	var columns []string
	for _, member := range slices.Sorted(maps.Keys(members)) {
		text := members[member]
		column, ok := names[member]
		switch {
		case ok && sysKeys[column] != sysUnknown:
			v.name = strings.Trim(string(text), `"`)
			if json.Unmarshal(text, &v.name) != nil {
				v.name = string(text)
			}
			v.name = strings.ToValidUTF8(v.name, "\uFFFD")
			columns = append([]string{column}, columns...)
			v.numbers = append([][]byte{nil}, v.numbers...)
			continue
		case !ok && table != "disk" && table != "cpu-load" && table != "avg-cpu":
			continue
		case !ok:
			column = member
		}
		number, isNumber := sysNumber(text)
		if !isNumber {
			continue
		}
		columns, v.numbers = append(columns, column), append(v.numbers, number)
	}
	if table == "avg-cpu" {
		columns, v.numbers = append([]string{"CPU"}, columns...), append([][]byte{nil}, v.numbers...)
	}
	if len(columns) == 0 {
		return nil
	}
	t := newSysTable(columns)
	if t.kind == sysUnknown {
		return nil
	}
	t.columns[0] = table + " " + t.columns[0] // tables of one key are apart
	return r.out.row(t, ns, v)
}

// decimalComma returns where a comma stands between digits in text that is no
// JSON, -1 if none does.
func decimalComma(text []byte) int {
	quoted := false
	for i := 1; i+1 < len(text); i++ {
		switch {
		case text[i] == '"' && text[i-1] != '\\':
			quoted = !quoted
		case !quoted && text[i] == ',' && isDigit(text[i-1]) && isDigit(text[i+1]):
			return i
		}
	}
	return -1
}
