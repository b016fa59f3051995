package ingest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"headroom/runs"
)

// What the importers of tools' own end-of-run reports share: documents, numbers,
// and what to do with values that carry no time.

// jsonMembers returns the names of members of the JSON object that head begins
// with, "summary" and "summary.total", two levels deep; nil if it begins with
// none. A head may end anywhere.
func jsonMembers(head []byte) map[string]bool {
	if head = bytes.TrimSpace(head); len(head) == 0 || head[0] != '{' {
		return nil
	}
	names := map[string]bool{}
	d := jsontext.NewDecoder(bytes.NewReader(head), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	_ = members(d, func(outer string) error {
		names[outer] = true
		if d.PeekKind() != jsontext.KindBeginObject {
			return d.SkipValue()
		}
		return members(d, func(inner string) error {
			names[outer+"."+inner] = true
			return d.SkipValue()
		})
	})
	return names
}

// hasMembers reports whether head begins with an object that has all of the names.
func hasMembers(head []byte, names ...string) bool {
	seen := jsonMembers(head)
	for _, n := range names {
		if !seen[n] {
			return false
		}
	}
	return true
}

// documents decodes the JSON documents of an input, one after the other; next is
// called for each. A file that ends inside a document is cut; one that ends
// inside its first cannot be used.
func documents[T any](in *Input, next func(*T) error) error {
	limited := &io.LimitedReader{R: in.R, N: MaxLine + 1}
	d := json.NewDecoder(limited)
	for n := 0; ; n++ {
		doc := new(T)
		err := d.Decode(doc)
		switch {
		case err == io.EOF && n > 0:
			return nil
		case limited.N <= 0:
			return fmt.Errorf("%w: the document is longer than %d bytes", ErrTooLarge, MaxLine)
		case (err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF)) && n > 0:
			in.Meta.Cut = true
			in.Note("document %d is cut and was left out", n+1)
			return nil
		case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("%w: the document is cut", ErrUnreadable)
		case err != nil && n > 0:
			in.Note("what follows document %d is no JSON and was left out", n)
			return nil
		case err != nil:
			return fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
		if err := next(doc); err != nil {
			return err
		}
	}
}

// jsonNumber is a number as it is written, also one in quotes, as protobuf writes
// int64; "" if it is absent, null or something else.
type jsonNumber string

func (n *jsonNumber) UnmarshalJSON(b []byte) error {
	b = bytes.Trim(b, `"`)
	if !startsNumber(b) {
		b = nil
	}
	*n = jsonNumber(b)
	return nil
}

// scaled returns the number times 10^power; NaN if there is none.
func (n jsonNumber) scaled(power int) float64 {
	if v, ok := shifted([]byte(n), power); ok && n != "" {
		return v
	}
	return math.NaN()
}

// whole returns the number times 10^places as a whole one.
func (n jsonNumber) whole(places int) (int64, bool) { return scaled([]byte(n), places) }

// figures are the values of a summary. What is not a number is not put.
type figures map[string]float64

func (f figures) put(name string, v float64) {
	if !math.IsNaN(v) && !math.IsInf(v, 0) {
		f[cutTag(name)] = v
	}
}

// inOrder returns the names of a map's entries, sorted, so that the same file
// gives the same sums and, of two names for one value, the same one counts.
func inOrder[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// counts puts how often each word occurred, and returns the sum.
func (f figures) counts(prefix string, of map[string]jsonNumber) (sum float64) {
	for _, word := range inOrder(of) {
		if v := of[word].scaled(0); !math.IsNaN(v) {
			f.put(prefix+cutTag(word), v)
			sum += v
		}
	}
	return sum
}

// summary adds what a tool says of itself, unless that is nothing.
func (in *Input) summary(of, method string, values figures) {
	if len(values) > 0 {
		in.Meta.Summaries = append(in.Meta.Summaries, runs.Summary{Source: in.Name, Of: of, Values: values, Method: method})
	}
}

// percentileKey returns headroom's name of a percentile: "99.9" is "p999". Below
// ten the point stays, for "2.5" is not 25: "p2.5".
func percentileKey(percent string) string {
	whole, frac, _ := strings.Cut(strings.TrimLeft(percent, " "), ".")
	switch {
	case strings.Trim(frac, "0") == "":
		return "p" + whole
	case len(whole) < 2:
		return "p" + whole + "." + frac
	}
	return "p" + whole + frac
}

// start returns the instant that the caller gave for a file without a time axis,
// µs since the Unix epoch.
func (in *Input) start() (us int64, ok bool) {
	t := in.Opt.Start
	return t.UnixMicro(), !t.IsZero()
}

// timeless notes that n things of the file were left out, because neither it nor
// the caller says when they were.
func (in *Input) timeless(n int, what string) {
	if n > 0 {
		in.Note("%d %s left out: the file does not say when they were; give its start (--start)", n, what)
	}
}

// placed notes that things of the file stand where the caller said it began.
func (in *Input) placed(what string) {
	in.Meta.Zone = "start as given"
	in.Note("the file has no time axis of its own: %s placed from the given start", what)
}

// spanSeconds turns seconds as written into nanoseconds, if they are a time that can be.
func spanSeconds(text []byte) (ns int64, ok bool) {
	ns, ok = scaled(text, 9)
	return ns, ok && ns <= maxDuration && ns >= -maxDuration
}

// clock adds an offset to the given start; the result is in µs and ns below it.
func (in *Input) clock(offset int64) (us, ns int64) {
	return runs.SplitNanos(in.Opt.Start.UnixNano() + offset)
}

// needStart is the error of a file whose rows can stand nowhere without a start.
func (in *Input) needStart() error {
	if in.Opt.Start.IsZero() {
		return fmt.Errorf("%w; this format needs the start alone", ErrNoTimeAxis)
	}
	return nil
}

// resolutionOf turns a length of time into the microseconds of a resolution.
func resolutionOf(d time.Duration) int64 { return int64(d / time.Microsecond) }
