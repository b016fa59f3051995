package ingest

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"headroom/runs"
)

// What the text outputs of the sysstat tools (https://sysstat.github.io) share: a
// banner with the date, times of day without one, numbers in the writer's locale.

// sysstatBanner is the line that every tool prints first.
type sysstatBanner struct {
	date time.Time // midnight, as if in UTC
	cpus float64   // 0 if not said
	// guessed is the date as written where day and month could be either way round.
	guessed string
}

// parseSysstatBanner reads "Linux RELEASE (HOST) <tab>DATE <tab>_ARCH_<tab>(N CPU)".
func parseSysstatBanner(line []byte) (b sysstatBanner, ok bool) {
	if !bytes.HasPrefix(line, []byte("Linux ")) || len(line) > 512 {
		return b, false
	}
	_, after, found := bytes.Cut(line, []byte(") "))
	f := bytes.Fields(after)
	if !found || len(f) < 2 || !bytes.HasPrefix(f[1], []byte("_")) {
		return b, false
	}
	if len(f) >= 4 {
		b.cpus, _ = strconv.ParseFloat(strings.TrimPrefix(string(f[2]), "("), 64)
	}
	b.date, b.guessed, ok = parseSysstatDate(string(f[0]))
	return b, ok
}

// parseSysstatDate reads a date as the locales write it: 2026-11-30, 30.11.2026,
// or 11/30/26 with the month first. guessed is the text where the last could as
// well have the day first.
func parseSysstatDate(text string) (date time.Time, guessed string, ok bool) {
	sep := strings.IndexAny(text, "-./")
	if sep < 0 {
		return date, "", false
	}
	part := strings.Split(text, text[sep:sep+1])
	if len(part) != 3 {
		return date, "", false
	}
	var n [3]int
	for i, p := range part {
		v, err := strconv.Atoi(p)
		if err != nil || v < 0 || len(p) > 4 {
			return date, "", false
		}
		n[i] = v
	}
	year, month, day := n[0], n[1], n[2]
	switch {
	case len(part[0]) == 4:
	case text[sep] == '.':
		year, month, day = n[2], n[1], n[0]
	case n[0] > 12:
		year, month, day = n[2], n[1], n[0]
	default:
		year, month, day = n[2], n[0], n[1]
		if n[1] <= 12 && n[0] != n[1] {
			guessed = text
		}
	}
	if year < 100 {
		year += 2000
	}
	date = time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return date, guessed, date.Day() == day && int(date.Month()) == month
}

// sayGuessed notes a date that could be read in two ways.
func (in *Input) sayGuessed(date string) {
	if date != "" {
		in.Note("the date %s was read with the month first, as the C locale writes it; record with S_TIME_FORMAT=ISO", clip(date))
	}
}

// timeOfDay reads "15:04:05" or "03:04:05 PM" at the start of the words, and
// returns how many it takes.
func timeOfDay(f [][]byte) (day time.Duration, words int, ok bool) {
	if len(f) == 0 || len(f[0]) != len("15:04:05") || f[0][2] != ':' || f[0][5] != ':' {
		return 0, 0, false
	}
	h, ok1 := twoDigits(f[0])
	m, ok2 := twoDigits(f[0][3:])
	s, ok3 := twoDigits(f[0][6:])
	if !ok1 || !ok2 || !ok3 || h > 23 || m > 59 || s > 60 {
		return 0, 0, false
	}
	words = 1
	if len(f) > 1 && (string(f[1]) == "AM" || string(f[1]) == "PM") {
		words = 2
		h %= 12
		if string(f[1]) == "PM" {
			h += 12
		}
	}
	return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second, words, true
}

// sysNumber takes a number as a locale writes it, "25.50" or "25,50", and returns
// it with a point. Numbers are parted by blanks, so that a comma is a decimal one.
func sysNumber(text []byte) ([]byte, bool) {
	if i := bytes.IndexByte(text, ','); i >= 0 {
		text = bytes.Clone(text)
		text[i] = '.'
	}
	digits, points := 0, 0
	for i, c := range text {
		switch {
		case isDigit(c):
			digits++
		case c == '.':
			points++
		case c == '-' && i == 0:
		default:
			return nil, false
		}
	}
	return text, digits > 0 && points <= 1 && len(text) < 40
}

// sysHeadLines is how many lines of a head are looked at for a table.
const sysHeadLines = 60

// sysstatTool tells which tool wrote a text by the first table in it: "sar",
// "mpstat", "pidstat", "iostat"; "" if none did.
func sysstatTool(head []byte) string {
	banner := false
	for n := 0; n < sysHeadLines && len(head) > 0; n++ {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		head = rest
		if _, after, ok := leadingStamp(line); ok && (isIostatHeader(after) || bytes.HasPrefix(after, []byte("Linux "))) {
			line = after
		}
		if _, ok := parseSysstatBanner(line); ok {
			banner = true
			continue
		}
		if isIostatHeader(line) {
			return "iostat"
		}
		f := bytes.Fields(line[:min(len(line), 2048)])
		if len(f) == 0 {
			continue
		}
		if isPidstatHeader(f) {
			return "pidstat"
		}
		if _, words, ok := timeOfDay(f); ok && isSysHeader(f[words:]) {
			return sysTableTool(textsOf(f[words:]))
		}
		if !banner {
			if _, _, ok := timeOfDay(f); !ok {
				return "" // not one of these tools
			}
		}
	}
	return ""
}

// isSysHeader reports whether words after a time are a table's header: none of
// them is a number.
func isSysHeader(f [][]byte) bool {
	if len(f) == 0 || len(f) == 2 && string(f[0]) == "LINUX" || string(f[0]) == "LINUX" {
		return false
	}
	for _, word := range f {
		if _, ok := sysNumber(word); ok {
			return false
		}
	}
	return true
}

// sysTableTool tells sar's and mpstat's tables apart: the same grammar, another
// order of columns.
func sysTableTool(columns []string) string {
	for i, c := range columns[:len(columns)-1] {
		if c == "%iowait" && columns[i+1] == "%irq" {
			return "mpstat"
		}
	}
	if newSysTable(columns).kind == sysUnknown && columns[0] != "INTR" && !strings.Contains(strings.Join(columns, " "), "/s") {
		return ""
	}
	if columns[0] == "CPU" && (columns[1] == "intr/s" || strings.Trim(columns[1], "0123456789/s") == "") {
		return "mpstat"
	}
	return "sar"
}

func textsOf(words [][]byte) []string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = string(w)
	}
	return texts
}

// readSysTables reads the text of sar or of mpstat: tables, each under a header.
func readSysTables(in *Input, sink Sink) error {
	r := &sysReader{in: in, out: sysSink{sink: sink}}
	l := in.Lines()
	for l.Next() {
		if err := r.line(l); err != nil {
			return err
		}
	}
	if err := l.Finish(); err != nil {
		return err
	}
	r.out.finish(in)
	if r.rows == 0 && r.boot == 0 {
		if n, _ := in.BadLines(); n == 0 {
			return errors.New("holds no row of a table")
		}
	}
	return nil
}

// sysReader reads tables line by line.
type sysReader struct {
	in    *Input
	out   sysSink
	clock dayClock
	table *sysTable
	start time.Duration // of the interval that the header names
	days  time.Duration // time of day of the header
	rows  int64
	boot  int64 // rows that were averages since boot
	comma bool
}

func (r *sysReader) line(l *Lines) error {
	line := l.Bytes()
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	if b, ok := parseSysstatBanner(line); ok {
		if !r.clock.known {
			r.in.sayGuessed(b.guessed)
		}
		r.clock = dayClock{date: b.date, known: true}
		return nil
	}
	f := bytes.Fields(line)
	day, words, ok := timeOfDay(f)
	switch rest := f[min(words, len(f)):]; {
	case !ok && r.table == nil && l.Number() > 2:
		return r.in.BadAt(l, "neither a banner, a header nor a row: %q", clip(string(line)))
	case !ok:
		return nil // averages, in whatever language
	case len(rest) > 1 && (string(rest[0]) == "LINUX" || string(rest[0]) == "LINUX-RESTART"):
		return r.restart(day, l)
	case isSysHeader(rest):
		columns := textsOf(rest)
		if r.table != nil && !slices.Equal(columns, r.table.columns) && sysTableTool(columns) != "mpstat" && r.clock.startsOver(day) {
			r.in.Stamps().startOver()
		}
		r.table, r.days = newSysTable(columns), day
		r.start = r.clock.header(day)
		if ns, err := r.in.instant(&r.clock, r.start); err == nil {
			r.out.begin = ns // a header bears the time at which its first interval begins
		}
		r.out.seen(r.table)
		return nil
	case r.table == nil:
		return r.in.BadAt(l, "a row before the first header")
	case r.table.kind == sysUnknown:
		return nil
	case day == r.days && r.clock.last == r.start:
		r.boot++ // a header and rows of one time: since boot
		r.out.sinceBoot++
		return nil
	default:
		return r.row(day, rest, l)
	}
}

// row reads a row of a table.
func (r *sysReader) row(day time.Duration, words [][]byte, l *Lines) error {
	values, err := r.table.values(words)
	if err == nil && l.Cut() {
		err = errors.New("cut")
	}
	if err != nil {
		return r.in.BadAt(l, "%v", err)
	}
	ns, err := r.in.instant(&r.clock, r.clock.next(day))
	if err != nil {
		return r.in.unplaced(l, err)
	}
	if !r.comma && bytes.IndexByte(l.Bytes(), ',') >= 0 {
		r.comma = true
		r.in.Note("numbers are written with a decimal comma")
	}
	r.rows++
	return r.out.row(r.table, ns, values)
}

// restart notes that the host was restarted: series do not go on across it.
func (r *sysReader) restart(day time.Duration, l *Lines) error {
	ns, err := r.in.instant(&r.clock, r.clock.header(day))
	if err != nil {
		return r.in.unplaced(l, err)
	}
	r.out.last = nil
	return r.out.sink.Marker(&runs.Marker{Time: micros(ns), Kind: "host.restart", Message: "the host was restarted", Duration: runs.Missing, PID: runs.Missing})
}
