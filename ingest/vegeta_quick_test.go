package ingest

import (
	"bytes"
	"strings"
	"testing"
)

const vegetaJSONLine = `{"attack":"ingest","seq":7,"code":201,"timestamp":"2026-03-02T09:59:59.996462796Z","latency":3606234,"bytes_out":443,"bytes_in":137,"error":"","body":null,"method":"POST","url":"http://ingest.example.test/v1/events","headers":null}`

// FuzzVegetaJSONQuick: what the quick reader reads, the general one reads alike.
func FuzzVegetaJSONQuick(f *testing.F) {
	for _, change := range [][2]string{
		{"", ""}, {`:7`, `:07`}, {`:7`, `:-7`}, {`:7`, `:7e1`}, {`"body":null`, `"body":"e30="`}, {`"error":""`, `"error":"a \"b\""`}, {`201`, `70000`},
		{`"headers":null`, `"headers":{"Date":["Mon","Tue"],"Via":["x"]}`}, {`"headers":null`, `"headers":{}`}, {`"headers":null`, `"headers":{"A":[]}`},
		{`"attack"`, `"Attack"`}, {`ingest`, `ïngest`}, {`}`, `} `}, {`}`, `}}`}, {`Z"`, `+02:00"`}, {`2026-03-02T09:59:59.996462796Z`, `yesterday`},
		{`"method"`, `"attack":"b","method"`}, {`3606234`, `1234567890123456789`}, {`"ingest"`, "\"in\x01gest\""}, {`"headers":null`, `"headers":{"A":["b"]`},
	} {
		f.Add([]byte(strings.Replace(vegetaJSONLine, change[0], change[1], 1)))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		input := func() *Stamps { return NewInput("x", bytes.NewReader(nil), Options{}).Stamps() }
		var q vegetaQuick
		var quick vegetaResult
		for range 2 { // the second time every text is that of the line before
			stamps := input()
			if !q.read(line, stamps, &quick) {
				return
			}
			general := input()
			r, reason := parseVegetaLine(line, general)
			if reason != "" || *r != quick || stamps.Resolution() != general.Resolution() || stamps.Zone() != general.Zone() {
				t.Errorf("%q: quick %+v, general %+v (%s)", line, quick, r, reason)
			}
		}
	})
}

// TestVegetaJSONQuickReads: lines as vegeta writes them are not left to the
// general reader.
func TestVegetaJSONQuickReads(t *testing.T) {
	var q vegetaQuick
	var r vegetaResult
	stamps := NewInput("x", bytes.NewReader(nil), Options{}).Stamps()
	for _, line := range []string{vegetaJSONLine, strings.Replace(vegetaJSONLine, `"headers":null`, `"headers":{"Date":["Mon"]}`, 1), strings.Replace(vegetaJSONLine, `"body":null`, `"body":"e30="`, 1)} {
		if !q.read([]byte(line), stamps, &r) || r.seq != "7" || r.code != 201 || r.latency != 3606234 {
			t.Errorf("%s: %+v", line, r)
		}
	}
}
