package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// replay returns a writer of the k6 kinds. urls gives every request a URL, and
// with it a name, of its own, as a script does that sets no name tag.
func replay(urls bool) func(*bufio.Writer, options) error {
	return func(w *bufio.Writer, o options) error {
		text, err := recorded(o.from)
		if err != nil {
			return err
		}
		r := replayer{w: w, urls: urls}
		return r.write(text, o.bytes)
	}
}

// recorded reads a file, gunzipped.
func recorded(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("the recorded file (-from): %w", err)
	}
	defer f.Close()
	if !strings.HasSuffix(name, ".gz") {
		return io.ReadAll(f)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// replayer writes the lines of a recorded file over and over.
type replayer struct {
	w       *bufio.Writer
	urls    bool
	written int64

	round   int
	shift   time.Duration // of this round
	stamp   []byte        // the recorded time of the last request line
	request int64         // number of the request
	line    []byte
}

func (r *replayer) write(text []byte, least int64) error {
	first, last, err := extent(text)
	if err != nil {
		return err
	}
	length := last.Sub(first).Truncate(time.Second) + 2*time.Second
	for ; r.written < least; r.round++ {
		// A few ns later each time, so that no fraction of a second is seen twice.
		r.shift = time.Duration(r.round) * (length + 7919)
		for line := range bytes.Lines(text) {
			if r.written >= least {
				break
			}
			if err := r.one(line); err != nil {
				return err
			}
		}
	}
	return nil
}

const timeKey = `"time":"`

// extent returns the first and the last time of the file.
func extent(text []byte) (first, last time.Time, err error) {
	for line := range bytes.Lines(text) {
		_, rest, ok := bytes.Cut(line, []byte(timeKey))
		if !ok {
			continue
		}
		stamp, _, _ := bytes.Cut(rest, []byte(`"`))
		t, err := time.Parse(time.RFC3339Nano, string(stamp))
		if err != nil {
			return first, last, err
		}
		if first.IsZero() {
			first = t
		}
		if t.After(last) {
			last = t
		}
	}
	if first.IsZero() {
		return first, last, errors.New("the recorded file holds no line with a time")
	}
	return first, last, nil
}

// one writes a line: declarations once, points with a later time.
func (r *replayer) one(line []byte) error {
	head, rest, ok := bytes.Cut(line, []byte(timeKey))
	stamp, rest, ok2 := bytes.Cut(rest, []byte(`"`))
	if !ok || !ok2 {
		if r.round > 0 {
			return nil
		}
		return r.put(line)
	}
	t, err := time.Parse(time.RFC3339Nano, string(stamp))
	if err != nil {
		return err
	}
	if !bytes.Equal(stamp, r.stamp) {
		r.request++
		r.stamp = append(r.stamp[:0], stamp...)
	}
	b := append(append(r.line[:0], head...), timeKey...)
	b = t.Add(r.shift).AppendFormat(b, time.RFC3339Nano)
	b = append(b, '"')
	rest = r.slower(&b, head, rest)
	if r.urls {
		rest = r.ownURL(rest)
	}
	r.line = append(b, rest...)
	return r.put(r.line)
}

// slower writes the value of a request's duration and of the wait for its first
// byte, both later by the same; duration = sending + waiting + receiving holds.
func (r *replayer) slower(b *[]byte, head, rest []byte) []byte {
	if !bytes.Contains(head, []byte(`"http_req_duration"`)) && !bytes.Contains(head, []byte(`"http_req_waiting"`)) {
		return rest
	}
	value, after, ok := bytes.Cut(bytes.TrimPrefix(rest, []byte(`,"value":`)), []byte(","))
	ms, err := strconv.ParseFloat(string(value), 64)
	if !ok || err != nil {
		return rest
	}
	ms += float64((r.request*48271+int64(r.round)*7919)%100_000) / 1e6
	*b = append(*b, `,"value":`...)
	*b = append(strconv.AppendFloat(*b, ms, 'f', 6, 64), ',')
	return after
}

// ownURL gives the request's name and URL a number.
func (r *replayer) ownURL(rest []byte) []byte {
	for _, key := range []string{`"name":"`, `"url":"`} {
		own := fmt.Appendf(nil, `%shttp://ingest.example.test/v1/tenants/%d/`, key, r.request+int64(r.round)<<32)
		rest = bytes.Replace(rest, []byte(key), own, 1)
	}
	return rest
}

func (r *replayer) put(line []byte) error {
	n, err := r.w.Write(line)
	r.written += int64(n)
	return err
}
