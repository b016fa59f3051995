package ingest

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// TestCanonicalObject: labels are written as encoding/json writes a map.
func TestCanonicalObject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z_]{0,9}`), rapid.SampledFrom([]string{"<&>", "\u2028", "\xff", "\x7f", `"\`, "é"}))
		labels := rapid.MapOf(text, text).Draw(t, "labels")
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(labels); err != nil {
			t.Fatal(err)
		}
		want := string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
		if len(labels) == 0 {
			want = ""
		}
		if got := canonicalObject(labels); got != want {
			t.Errorf("%q: got %s, want %s", labels, got, want)
		}
	})
}

// FuzzK6PlainTags: a text that is read as plain is its own canonical form, and
// says what the general reader reads in it.
func FuzzK6PlainTags(f *testing.F) {
	for _, text := range []string{`{"a":"b"}`, `{"a":"b","c":""}`, `{"b":"1","a":"2"}`, `{"a":"1","a":"2"}`, `{"a":"\n"}`, `{"a":1}`, `{}`, `{"":""}`, `{"a":"é"}`, `{"a":"b"},"c":{"d":"e"}`, `{"a":"b",}`,
		`{"error":"timeout","error_code":"1050","expected_response":"false","name":"n","scenario":"s","status":"0","url":"u"}`, `{"name":"u","url":"u"}`, `{"url":"u","vu":"3"}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		labels, ok := appendPlainLabels(nil, string(raw))
		if !ok {
			return
		}
		tags := map[string]string{}
		if err := parseK6Tags(raw, tags); err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		if got := canonicalObject(tags); got != string(raw) {
			t.Errorf("%q is canonically %s", raw, got)
		}
		if quick, general := newK6Tags(labels, intern{}), newK6Tags(sortedK6Labels(tags), intern{}); *quick != *general {
			t.Errorf("%q: %+v, want %+v", raw, quick, general)
		}
	})
}

// TestNewK6Tags: what has a column of its own is not among the rest.
func TestNewK6Tags(t *testing.T) {
	for text, want := range map[string]k6Tags{
		`{"group":"","method":"GET","name":"/a","scenario":"s","status":"200","url":"/a/1","vu":"7"}`: {scenario: "s", name: "/a", status: "200", worker: "7", rest: `{"method":"GET","url":"/a/1"}`, points: `{"method":"GET","name":"/a","status":"200","url":"/a/1","vu":"7"}`},
		`{"name":"/a","url":"/a"}`: {name: "/a", points: `{"name":"/a","url":"/a"}`},
		`{"url":"/a"}`:             {name: "/a", points: `{"url":"/a"}`},
		`{"error":"e","error_code":"1050","trace_id":"t"}`: {error: "e", errorCode: "1050", id: "t", rest: `{"error_code":"1050"}`, points: `{"error":"e","error_code":"1050","trace_id":"t"}`},
		`{"error_code":"1050","expected_response":"true"}`: {errorCode: "1050", expected: "true", points: `{"error_code":"1050","expected_response":"true"}`},
		`{"scenario":"s"}`: {scenario: "s"},
	} {
		labels, ok := appendPlainLabels(nil, text)
		if got := newK6Tags(labels, intern{}); !ok || *got != want {
			t.Errorf("%s: %v %+v, want %+v", text, ok, *got, want)
		}
	}
}
