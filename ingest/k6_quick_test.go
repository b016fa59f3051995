package ingest

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzK6JSONQuick: what the quick reader reads, the general decoder reads alike.
func FuzzK6JSONQuick(f *testing.F) {
	for line := range bytes.Lines(k6Lines(1)) {
		line := string(bytes.TrimSpace(line))
		for _, change := range [][2]string{
			{"", ""}, {`"value":`, `"value": `}, {`}}`, `},"metadata":{"trace_id":"1"}}`}, {`"ingest"`, `"in\u0067est"`}, {`}}`, `}} `}, {`}}`, `}{"a":"b"}}}`},
			{`"value":5`, `"value":5e2`}, {`"value":5`, `"value":05`}, {`"value":`, `"value":-`}, {`"tags":{`, `"tags":{"tags":"}}",`}, {`http_reqs`, "http\x01reqs"},
			{`Z","value"`, `+02:00","value"`}, {`,"tags":`, `,"value":7,"tags":`}, {`"Point"`, `"Poin"`}, {`,"tags"`, `.,"tags"`},
		} {
			f.Add([]byte(strings.Replace(line, change[0], change[1], 1)))
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		k := newK6Reader(NewInput("k6.json", bytes.NewReader(nil), Options{}), &discard{})
		for declaration := range bytes.Lines(k6Lines(1)) { // metrics and tags that were seen before
			l := newK6Line()
			if err := l.parse(declaration); err != nil {
				t.Fatal(err)
			}
			if _, err := k.line(l); err != nil {
				t.Fatal(err)
			}
		}
		general, quick := newK6Line(), newK6Line()
		err := general.parse(line)
		var tags *k6Tags
		if err == nil && string(general.kind) == "Point" {
			k.metric(string(general.metric))
			if tags, err = k.readTags(general); err != nil {
				tags = nil
			}
		}
		if !k.quick(line, quick) {
			return
		}
		same := func(a, b []byte) bool { return bytes.Equal(a, b) }
		if err != nil || !same(general.kind, quick.kind) || !same(general.metric, quick.metric) || !same(general.time, quick.time) ||
			!same(general.value, quick.value) || tags != quick.known || quick.seen != k.metrics[string(general.metric)] {
			t.Errorf("%q\nquick   %s %s %s %s %+v\ngeneral %s %s %s %s %+v %v", line,
				quick.kind, quick.metric, quick.time, quick.value, quick.known, general.kind, general.metric, general.time, general.value, tags, err)
		}
	})
}

// TestK6JSONQuickReads: lines as k6 writes them are left to the general decoder
// the first time only.
func TestK6JSONQuickReads(t *testing.T) {
	k := newK6Reader(NewInput("k6.json", bytes.NewReader(nil), Options{}), &discard{})
	l, quick, general := newK6Line(), 0, 0
	for line := range bytes.Lines(k6Lines(100)) {
		line = bytes.TrimSpace(line)
		l.reset()
		if k.quick(line, l) {
			quick++
		} else {
			general++
			if err := l.parse(line); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := k.line(l); err != nil {
			t.Fatal(err)
		}
	}
	if general > 12 || quick < 980 { // ten declarations, two sets of tags
		t.Errorf("%d lines were read quickly, %d by the general decoder", quick, general)
	}
}
