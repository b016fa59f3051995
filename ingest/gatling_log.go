package ingest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// GatlingLog reads simulation.log of Gatling 2.0 to 3.12, which is text.
var GatlingLog = &Importer{
	Name: "gatling-log",
	Doc: `Gatling simulation.log, text (Gatling 2.0 to 3.12)

Recognised by lines of fields parted by tabs that begin with RUN or ASSERTION, or
whose third field is RUN (2.0, 2.1). Five layouts are read; the version in the
file does not tell them apart, so each record is read from its status: the two
numbers before OK or KO are start and end in ms. In 2.0 and 2.1 the start is when
sending began and the end when the last byte came. A line that is no record
belongs to the message of the failed request before it. A request of 0 ms took
less than one. A request is of the scenario that its record, or that of its user
(3.0 to 3.3), names; later logs name none. Users become points, errors of the
simulation markers. Which times were pauses, and the load model, is not in it.`,
	Gives: []string{"samples: start, service, scenario (to 3.3), op, outcome, error, worker (to 3.3), tags (groups)", "points: gatling.*", "markers: gatling.error"},
	Lacks: []string{"HTTP status, target, phases", "the load model and the offered rate", "when a request was due", "scenario of a request from 3.4 on"},
	Load:  true,
	Sniff: sniffGatlingLog,
	Read:  readGatlingLog,
}

func sniffGatlingLog(head []byte) bool {
	line, _ := firstLine(head)
	fields := strings.Split(string(line), "\t")
	switch {
	case fields[0] == "ASSERTION":
		return len(fields) == 2
	case fields[0] == "RUN":
		return len(fields) >= 5
	}
	return len(fields) >= 5 && fields[2] == "RUN" && isMillis(fields[3])
}

// isMillis reports whether a field is an instant in ms since the Unix epoch.
func isMillis(s string) bool { return len(s) == 13 && isDigits([]byte(s)) }

func readGatlingLog(in *Input, sink Sink) error {
	l := &gatlingLog{gatlingReader: newGatlingReader(in, sink)}
	lines := in.Lines()
	for lines.Next() {
		reason, err := l.line(string(lines.Bytes()), lines.Cut())
		if err != nil {
			return err
		}
		if reason != "" {
			if err := in.BadAt(lines, "%s", reason); err != nil {
				return err
			}
		}
	}
	if err := l.release(); err != nil {
		return err
	}
	if err := lines.Finish(); err != nil {
		return err
	}
	if l.continued > 0 {
		in.Note("%d lines continue the message of the failed request before them", l.continued)
	}
	l.close()
	return nil
}

// gatlingLog reads lines of a text log.
type gatlingLog struct {
	*gatlingReader
	held      *gatlingRequest // the last request: lines after it may belong to its message
	continued int64
}

// release writes the request that is held.
func (l *gatlingLog) release() error {
	if l.held == nil {
		return nil
	}
	r := l.held
	l.held = nil
	return l.request(r)
}

// line takes one line. It returns the reason if it cannot be used.
func (l *gatlingLog) line(line string, cut bool) (reason string, err error) {
	fields := strings.Split(line, "\t")
	kind := fields[0]
	if len(fields) > 2 && isGatlingRecord(fields[2]) && !isGatlingRecord(kind) {
		kind = fields[2] // 2.0 and 2.1: what it is of stands first
	}
	if !isGatlingRecord(kind) {
		return l.continuation(line), nil
	}
	if err := l.release(); err != nil {
		return "", err
	}
	switch kind {
	case "REQUEST":
		r, reason := parseGatlingRequest(fields)
		if reason == "" {
			l.held = r
		}
		return reason, nil
	case "USER":
		return l.userLine(fields)
	case "GROUP":
		return l.groupLine(fields)
	case "ERROR":
		if len(fields) < 3 || !isMillis(strings.TrimSpace(fields[len(fields)-1])) {
			return "an ERROR without its time", nil
		}
		ms, _ := strconv.ParseInt(strings.TrimSpace(fields[len(fields)-1]), 10, 64)
		return "", l.failure(strings.Join(fields[1:len(fields)-1], "\t"), ms)
	case "RUN":
		return l.runLine(fields, cut)
	}
	return "", nil // ASSERTION: what was to be asserted, not what was measured
}

func isGatlingRecord(word string) bool {
	switch word {
	case "RUN", "USER", "REQUEST", "GROUP", "ERROR", "ASSERTION":
		return true
	}
	return false
}

// continuation takes a line that is no record.
func (l *gatlingLog) continuation(line string) (reason string) {
	if l.held == nil || l.held.ok {
		if strings.TrimSpace(line) == "" {
			return ""
		}
		return "no record of a simulation: " + strconv.Quote(clip(line))
	}
	l.continued++
	if len(l.held.message) < maxTag {
		l.held.message += "\n" + line
	}
	return ""
}

// parseGatlingRequest reads a record of a request in any of the layouts.
func parseGatlingRequest(fields []string) (*gatlingRequest, string) {
	at := 0
	for i := 3; i < len(fields); i++ {
		if (fields[i] == "OK" || fields[i] == "KO") && isMillis(fields[i-1]) && isMillis(fields[i-2]) {
			at = i
			break
		}
	}
	if at == 0 {
		return nil, "a REQUEST without start, end and OK or KO"
	}
	r := &gatlingRequest{ok: fields[at] == "OK"}
	first := at - 2
	if fields[0] != "REQUEST" { // 2.0, 2.1: request start and end, response start and end
		if first = at - 4; first < 5 || !isMillis(fields[first]) {
			return nil, "a REQUEST with two times where this layout has four"
		}
		r.scenario, r.user = fields[0], fields[1]
		r.groups, r.name = fields[3], strings.Join(fields[4:first], "\t")
	} else {
		switch names := fields[1:first]; {
		case len(names) >= 4:
			r.scenario, r.user, r.groups, r.name = names[0], names[1], names[2], strings.Join(names[3:], "\t")
		case len(names) == 3:
			r.user, r.groups, r.name = names[0], names[1], names[2]
		case len(names) == 2:
			r.groups, r.name = names[0], names[1]
		default:
			return nil, "a REQUEST without a name"
		}
	}
	r.start, _ = strconv.ParseInt(fields[first], 10, 64)
	r.end, _ = strconv.ParseInt(fields[at-1], 10, 64)
	if !r.ok {
		r.message = strings.TrimSpace(strings.Join(fields[at+1:], "\t"))
	}
	return r, gatlingTimes(r.start, r.end)
}

// gatlingTimes checks that instants lie between 2000 and 2100.
func gatlingTimes(ms ...int64) (reason string) {
	for _, t := range ms {
		if t < earliest*1000 || t >= latest*1000 {
			return fmt.Sprintf("%d is no time in ms between 2000 and 2100", t)
		}
	}
	return ""
}

// userLine takes a record of a user: "… START ms [ms]", and before 3.4 its number.
// A user's END has the start before the end.
func (l *gatlingLog) userLine(fields []string) (reason string, err error) {
	words := fields[1:]
	if fields[0] != "USER" {
		words = append([]string{fields[0], fields[1]}, fields[3:]...)
	}
	if len(words) == 0 {
		return "a USER without START or END and its time", nil
	}
	what := -1
	for i, w := range words {
		if w == "START" || w == "END" {
			what = i
			break
		}
	}
	scenario, word := words[0], ""
	if what > 0 {
		word = words[what]
	} else if name, ok := strings.CutSuffix(scenario, " START"); ok { // the tab was lost
		scenario, word, what = name, "START", 0
	} else if name, ok := strings.CutSuffix(scenario, " END"); ok {
		scenario, word, what = name, "END", 0
	}
	times := words[max(what, 0)+1:]
	if word == "" || len(times) == 0 || !isMillis(strings.TrimSpace(times[0])) {
		return "a USER without START or END and its time", nil
	}
	at := times[0]
	if word == "END" && len(times) > 1 {
		at = times[1]
	}
	ms, err := strconv.ParseInt(strings.TrimSpace(at), 10, 64)
	if err != nil {
		return "a USER without its time", nil
	}
	if reason := gatlingTimes(ms); reason != "" {
		return reason, nil
	}
	if what > 1 && word == "START" && len(l.scenarioOfUsers) < maxWords {
		l.scenarioOfUsers[strings.Clone(words[1])] = l.words.word(scenario)
	}
	return "", l.user(scenario, word == "START", ms)
}

// groupLine takes a record of a group: "[scenario user] groups start end
// cumulated OK|KO".
func (l *gatlingLog) groupLine(fields []string) (reason string, err error) {
	at := len(fields) - 1
	for at > 3 && fields[at] != "OK" && fields[at] != "KO" {
		at--
	}
	if at <= 3 || !isMillis(fields[at-3]) || !isMillis(fields[at-2]) || !isDigits([]byte(fields[at-1])) {
		return "a GROUP without its times and OK or KO", nil
	}
	start, _ := strconv.ParseInt(fields[at-3], 10, 64)
	end, _ := strconv.ParseInt(fields[at-2], 10, 64)
	cumulated, ok := scaled([]byte(fields[at-1]), 0)
	if reason := gatlingTimes(start, end); reason != "" || !ok {
		return "a GROUP whose times cannot be", nil
	}
	return "", l.group(fields[at-4], start, end, cumulated, fields[at] == "OK")
}

// runLine takes the record of the run: class, sometimes a blank, id, start,
// description, version.
func (l *gatlingLog) runLine(fields []string, cut bool) (reason string, err error) {
	words := fields[1:]
	if fields[0] != "RUN" {
		words = append([]string{fields[0], fields[1]}, fields[3:]...)
	}
	for i := 1; i < len(words); i++ {
		if !isMillis(words[i]) {
			continue
		}
		ms, _ := strconv.ParseInt(words[i], 10, 64)
		if reason := gatlingTimes(ms); reason != "" {
			return reason, nil
		}
		version, description := "", ""
		if rest := words[i+1:]; len(rest) > 0 && !cut {
			version = strings.TrimSpace(rest[len(rest)-1])
			description = strings.Join(rest[:len(rest)-1], " ")
		}
		if version == "2.0" {
			version = "2.x" // what every version before 3 writes
		}
		l.simulation(words[0], description, version, ms)
		return "", nil
	}
	return "a RUN without its start", nil
}

// isGatlingBinary reports whether head begins with the record of a run of the
// binary log: kind 0, the length of the version, and a version "digits.digits".
func isGatlingBinary(head []byte) bool {
	if len(head) < 9 || !bytes.Equal(head[:4], []byte{0, 0, 0, 0}) || head[4] < 3 || int(head[4]) > len(head)-5 || head[4] > 32 {
		return false
	}
	major, minor, ok := strings.Cut(string(head[5:5+head[4]]), ".")
	return ok && isDigits([]byte(major)) && minor != "" && isDigit(minor[0])
}
