package ingest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// libraryName finds what only somebody who knows Go would understand.
var libraryName = regexp.MustCompile(`jsontext|json:|unmarshal|Go (?:value|struct)|strconv|EOF|ingest\.|int64|float64|illegal base64|parsing (?:time|")`)

// TestPlainWords turns the errors of the libraries that decode into words.
func TestPlainWords(t *testing.T) {
	into := func(text string, v any) error { return json.Unmarshal([]byte(text), v) }
	var number struct{ N float64 }
	_, numberErr := strconv.ParseFloat("12x", 64)
	_, intErr := strconv.Atoi("99999999999999999999")
	_, timeErr := time.Parse(time.RFC3339, "2026-13-01T00:00:00Z")
	_, durationErr := time.ParseDuration("5 parsecs")
	_, baseErr := base64.StdEncoding.DecodeString("!")
	_, tokenErr := jsontext.NewDecoder(strings.NewReader(`{"a":[1,`)).ReadValue()
	for _, c := range []struct {
		err  error
		want string
	}{
		{into(`{"N":"x"}`, &number), "a string stands where a number was expected"},
		{into(`[]`, &number), "a list stands where an object was expected"},
		{into(`{"N":`, &number), "it ends too soon"},
		{numberErr, `"12x" is no number that can be read`},
		{intErr, `"99999999999999999999" is no number that can be read`},
		{timeErr, `"2026-13-01T00:00:00Z" is no time that can be read`},
		{durationErr, `"5 parsecs" is no duration`},
		{baseErr, "it is damaged at byte 0"},
		{tokenErr, "it ends inside /a, after offset 8"},
		{io.ErrUnexpectedEOF, "it ends too soon"},
		{errors.New(`the value "json: x" is kept`), `the value "json: x" is kept`},
	} {
		got := plainly(c.err.Error())
		if got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.err, got, c.want)
		}
		if libraryName.MatchString(got) && c.err.Error() != c.want {
			t.Errorf("%q is not plain", got)
		}
	}
}
