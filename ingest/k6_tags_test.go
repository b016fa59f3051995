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
