package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"headroom/runs"
)

// SadfCSV reads what sadf -d prints.
var SadfCSV = &Importer{
	Name: "sadf-csv",
	Doc: `sadf -d: sar's records, parted by semicolons

Tables under headers "# hostname;interval;timestamp;…" (man 1 sadf); columns as
for sar. A stamp is with UTC behind it, or a number of the epoch (-U); with -T or -t
it is local time, and a zone must be given. CPU -1 is all of them. Rows with -h hold
all tables side by side; a group that is repeated ([...]) is read where there is one
of them. LINUX-RESTART is a marker.`,
	Gives: Sar.Gives,
	Lacks: []string{"CPU per process"},
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		return bytes.HasPrefix(line, []byte("# hostname;interval;timestamp;"))
	},
	Read: readSadfCSV,
}

// SadfPPC reads what sadf -p prints.
var SadfPPC = &Importer{
	Name: "sadf-ppc",
	Doc: `sadf -p: sar's records, a value a line

Lines of host, interval, stamp, device, metric and value, parted by tabs (man 1
sadf), for other programs to cut. Stamps and columns are as for sadf-csv, the device
is all or - for the whole host.`,
	Gives: Sar.Gives,
	Lacks: []string{"CPU per process"},
	Sniff: func(head []byte) bool {
		line, whole := firstLine(head)
		f := bytes.Split(line, []byte("\t"))
		return whole && len(f) == 6 && isWhole(f[1]) && (isDate(f[2]) || isWhole(f[2]) && len(f[2]) >= minEpochDigits) && sadfColumn(string(f[4]))
	},
	Read: readSadfPPC,
}

// SadfOther recognises what sadf prints and sar records, and refuses it.
var SadfOther = &Importer{
	Name: "sadf-other",
	Doc: `sar's data file, or output of sadf that holds no samples to read

Recognised so as to say what to do: a binary data file of sar (sa30, sar.bin), sadf
-H (the header of one), sadf -r (raw counters), sadf -x (XML). All of them are
records that sadf -j prints as JSON, which is read.`,
	Gives: []string{"nothing: it is refused with the command that makes a file that is read"},
	Lacks: []string{"samples"},
	Sniff: func(head []byte) bool { return sadfOther(head) != "" },
	Read: func(in *Input, _ Sink) error {
		head, err := readSample(in)
		if err != nil {
			return err
		}
		return fmt.Errorf("%w: this is %s; run sadf -j FILE -- -A, and give its output", ErrUnreadable, firstSet(sadfOther(head), "no output of sadf"))
	},
}

// sadfOther names what is refused, "" for anything else.
func sadfOther(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte{0x96, 0xd5}) && isBinary(head):
		return "a data file of sar"
	case bytes.HasPrefix(head, []byte("System activity data file: ")):
		return "the header of a data file (sadf -H), without a sample"
	case bytes.HasPrefix(head, []byte("<?xml")) && bytes.Contains(head, []byte("<sysstat")):
		return "sadf -x (XML)"
	}
	line, _ := firstLine(head)
	f := bytes.Split(line, []byte("; "))
	if len(f) >= 5 {
		if _, _, ok := timeOfDay(bytes.Fields(f[0])); ok && isWhole(bytes.TrimSuffix(f[len(f)-1], []byte(";"))) {
			return "sadf -r (raw counters)"
		}
	}
	return ""
}

// sadfColumn reports whether a name is a column of any table.
func sadfColumn(name string) bool {
	return slices.ContainsFunc([]map[string]sysMetric{sysDiskMetrics, sysNetMetrics, sysHostMetrics, sysFilesystemMetrics}, func(m map[string]sysMetric) bool { return m[name].name != "" }) ||
		strings.HasPrefix(name, "%") || strings.HasSuffix(name, "/s")
}

// sadfReader reads the records of sadf -d.
type sadfReader struct {
	in     *Input
	out    sysSink
	groups []sadfGroup
	fields int // of a row, after the stamp
}

// sadfGroup is one table of a row: its columns, and where they begin.
type sadfGroup struct {
	table *sysTable
	at    int
	many  bool // it is repeated
}

func readSadfCSV(in *Input, sink Sink) error {
	r := &sadfReader{in: in, out: sysSink{sink: sink}}
	l := in.Lines()
	for l.Next() {
		line := string(l.Bytes())
		if strings.TrimSpace(line) == "" {
			continue
		}
		if header, ok := strings.CutPrefix(line, "# hostname;interval;timestamp;"); ok {
			r.header(strings.Split(header, ";"))
			continue
		}
		err := r.row(strings.Split(line, ";"), l)
		if bad, ok := errors.AsType[errBadRow](err); ok {
			err = in.BadAt(l, "%v", bad.error)
		}
		if err != nil {
			return err
		}
	}
	if err := l.Finish(); err != nil {
		return err
	}
	r.out.finish(in)
	return nil
}

// header takes the columns of the rows that follow. With -h a row holds several
// tables; those begin with a key, or with the first column of a table of the host.
func (r *sadfReader) header(columns []string) {
	r.groups, r.fields = nil, len(columns)
	begin := 0
	add := func(end int, many bool) {
		if end > begin {
			t := newSysTable(columns[begin:end])
			r.out.seen(t)
			r.groups = append(r.groups, sadfGroup{t, begin, many})
		}
		begin = end
	}
	for i, c := range columns {
		name, many := strings.CutSuffix(c, "[...]")
		columns[i] = name
		if _, isKey := sysKeys[name]; isKey {
			add(i, false)
		}
		if many {
			add(i+1, true)
		}
	}
	add(len(columns), false)
}

func (r *sadfReader) row(f []string, l *Lines) error {
	if len(f) < 4 || r.groups == nil {
		return errBadRow{fmt.Errorf("%d fields; want hostname;interval;timestamp;…, after a header", len(f))}
	}
	ns, err := r.in.Stamps().Parse(f[2])
	if err != nil {
		return r.in.unplaced(l, err)
	}
	values := f[3:]
	switch {
	case strings.HasPrefix(values[0], "LINUX-RESTART"):
		r.out.last = nil
		return r.out.sink.Marker(&runs.Marker{Time: micros(ns), Kind: "host.restart", Message: "the host was restarted", Duration: runs.Missing, PID: runs.Missing})
	case strings.HasPrefix(values[0], "COM "):
		return nil
	case l.Cut():
		return errBadRow{errors.New("cut")}
	case len(values) != r.fields:
		return errBadRow{fmt.Errorf("a row of %d values under a header of %d columns", len(values), r.fields)}
	}
	r.out.interval(ns, []byte(f[1]))
	for _, g := range r.groups {
		if g.table.kind == sysUnknown {
			continue
		}
		v, err := g.table.values(wordsOf(values[g.at : g.at+len(g.table.columns)]))
		if err != nil {
			return errBadRow{err}
		}
		if err := r.out.row(g.table, ns, v); err != nil {
			return err
		}
	}
	return nil
}

func wordsOf(texts []string) [][]byte {
	words := make([][]byte, len(texts))
	for i, t := range texts {
		words[i] = []byte(t)
	}
	return words
}

// readSadfPPC gathers the lines of one stamp and device into a row.
func readSadfPPC(in *Input, sink Sink) error {
	out := sysSink{sink: sink}
	var ns int64
	var at, device string
	var columns []string
	var values [][]byte
	flush := func() error {
		if len(columns) == 0 {
			return nil
		}
		defer func() { columns, values = nil, nil }()
		return out.mixed(columns, values, device, ns)
	}
	l := in.Lines()
	for l.Next() {
		f := bytes.Split(l.Bytes(), []byte("\t"))
		if len(bytes.TrimSpace(l.Bytes())) == 0 || len(f) >= 4 && bytes.HasPrefix(f[3], []byte("LINUX-RESTART")) {
			continue
		}
		number, ok := []byte(nil), len(f) == 6 && !l.Cut()
		if ok {
			number, ok = sysNumber(f[5])
		}
		if !ok {
			if err := in.BadAt(l, "no line of host, interval, stamp, device, metric and value: %q", clip(string(l.Bytes()))); err != nil {
				return err
			}
			continue
		}
		if string(f[2]) != at || string(f[3]) != device || slices.Contains(columns, string(f[4])) {
			if err := flush(); err != nil {
				return err
			}
			stamp, err := in.Stamps().Bytes(f[2])
			if err != nil {
				if err := in.unplaced(l, err); err != nil {
					return err
				}
				continue
			}
			ns, at, device = stamp, string(f[2]), string(f[3])
			out.interval(ns, f[1])
		}
		columns, values = append(columns, string(f[4])), append(values, bytes.Clone(number))
	}
	if err := l.Finish(); err != nil {
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	out.finish(in)
	return nil
}

// mixed writes the values of one device, whose table their names tell.
func (s *sysSink) mixed(columns []string, values [][]byte, device string, ns int64) error {
	for _, key := range []string{"CPU", "DEV", "IFACE", "FILESYSTEM", ""} {
		all, words := columns, values
		if key != "" {
			all, words = append([]string{key}, columns...), append([][]byte{[]byte(device)}, values...)
		} else if device != "-" && device != "all" {
			break
		}
		if t := newSysTable(all); t.kind != sysUnknown && t.kind != sysFrequency {
			return s.row(t, ns, sysValues{name: device, numbers: words})
		}
	}
	s.seen(&sysTable{columns: columns})
	return nil
}
