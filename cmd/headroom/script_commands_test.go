package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// scriptCommands are the words of the test scripts. A line may begin with "!",
// which turns what it expects round.
var scriptCommands = map[string]func(s *script, negated bool, args []string){
	// status N headroom ARG…: run headroom and expect this exit status.
	"status": func(s *script, _ bool, args []string) {
		want, err := strconv.Atoi(args[0])
		s.must(err)
		got := s.headroom(args[2:])
		if got != want {
			s.t.Errorf("line %d: exit status %d, want %d", s.line, got, want)
		}
		s.failed = got != want
	},
	// stdout REGEXP, stderr REGEXP: of the last headroom.
	"stdout": func(s *script, negated bool, args []string) { s.expect(matches(s.stdout, args), negated) },
	"stderr": func(s *script, negated bool, args []string) { s.expect(matches(s.stderr, args), negated) },
	// grep REGEXP FILE
	"grep": func(s *script, negated bool, args []string) {
		s.expect(matches(string(s.read(args[1])), args[:1]), negated)
	},
	// cmp A B: two files, or stdout or stderr, are the same.
	"cmp": func(s *script, negated bool, args []string) {
		s.expect(bytes.Equal(s.read(args[0]), s.read(args[1])), negated)
	},
	// exists PATH
	"exists": func(s *script, negated bool, args []string) {
		_, err := os.Lstat(s.path(args[0]))
		s.expect(err == nil, negated)
	},
	// only DIR NAME…: the folder holds these names and no other, hidden or not.
	"only": func(s *script, negated bool, args []string) {
		got := s.names(args[0])
		s.stdout += fmt.Sprintf("%s holds %q\n", args[0], got)
		s.expect(slices.Equal(got, slices.Sorted(slices.Values(args[1:]))), negated)
	},
	// cp FROM TO
	"cp": func(s *script, _ bool, args []string) { s.write(args[1], s.read(args[0])) },
	// rm PATH
	"rm": func(s *script, _ bool, args []string) { s.must(os.RemoveAll(s.path(args[0]))) },
	// mkdir DIR
	"mkdir": func(s *script, _ bool, args []string) { s.must(os.MkdirAll(s.path(args[0]), 0o777)) },
	// link TARGET NAME: a symbolic link.
	"link": func(s *script, _ bool, args []string) { s.must(os.Symlink(args[0], s.path(args[1]))) },
	// stdin FILE: of the next headroom.
	"stdin": func(s *script, _ bool, args []string) { s.stdin = s.read(args[0]) },
	// gzip FILE: makes FILE.gz.
	"gzip": func(s *script, _ bool, args []string) {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, err := w.Write(s.read(args[0]))
		s.must(err)
		s.must(w.Close())
		s.write(args[0]+".gz", b.Bytes())
	},
	// cut FILE N: keeps its first N bytes; a negative N cuts as many off its end.
	"cut": func(s *script, _ bool, args []string) {
		b := s.read(args[0])
		n, err := strconv.Atoi(args[1])
		s.must(err)
		if n < 0 {
			n += len(b)
		}
		s.write(args[0], b[:n])
	},
	// flip FILE N: changes its byte N; a negative N counts from its end.
	"flip": func(s *script, _ bool, args []string) {
		b := s.read(args[0])
		n, err := strconv.Atoi(args[1])
		s.must(err)
		if n < 0 {
			n += len(b)
		}
		b[n] ^= 0xff
		s.write(args[0], b)
	},
	// binary FILE N: N bytes that are no text.
	"binary": func(s *script, _ bool, args []string) {
		n, err := strconv.Atoi(args[1])
		s.must(err)
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(i * 7 % 256)
		}
		s.write(args[0], b)
	},
	// k6load FILE [KEY=NUMBER]…: a k6 JSON file; see k6Load for the keys.
	"k6load": func(s *script, _ bool, args []string) { s.write(args[0], k6Load(args[1:])) },
}

func matches(text string, args []string) bool {
	return regexp.MustCompile("(?m)" + args[0]).MatchString(text)
}

// k6Metrics are the lines that k6 writes for one request, besides its time.
var k6Metrics = []string{"http_req_blocked", "http_req_connecting", "http_req_tls_handshaking", "http_req_sending", "http_req_waiting", "http_req_receiving"}

// k6Load writes what `k6 run --out json` writes of an open loop: rate requests
// a second for so many seconds, ms long each but for those of the second slow,
// which take a second. failed of them fail. at shifts the start, in seconds.
func k6Load(args []string) []byte {
	var b bytes.Buffer
	metric := func(name, kind string) {
		fmt.Fprintf(&b, `{"type":"Metric","data":{"name":"%s","type":"%s","contains":"default","thresholds":[],"submetrics":null},"metric":"%s"}`+"\n", name, kind, name)
	}
	metric("http_reqs", "counter")
	metric("http_req_duration", "trend")
	for _, name := range k6Metrics {
		metric(name, "trend")
	}
	metric("http_req_failed", "rate")
	metric("dropped_iterations", "counter")
	var (
		rate, seconds = option(args, "rate", 50), option(args, "seconds", 4)
		ms, slow      = option(args, "ms", 10), option(args, "slow", -1)
		failed        = int(option(args, "failed", 0))
		begin         = time.Date(2026, 8, 17, 12, 0, 0, 0, time.UTC).Add(time.Duration(option(args, "at", 0) * 1e9))
	)
	for i := range int(rate * seconds) {
		due := float64(i) / rate
		took := ms + float64(i%7)/10
		if slow >= 0 && due >= slow && due < slow+1 {
			took = 1000
		}
		end := begin.Add(time.Duration(due*1e9 + took*1e6)).Format(time.RFC3339Nano)
		ok, status := true, "200"
		if i < failed {
			ok, status = false, "500"
		}
		point := func(name string, value float64) {
			fmt.Fprintf(&b, `{"metric":"%s","type":"Point","data":{"time":"%s","value":%g,"tags":{"expected_response":"%t","group":"","method":"POST","name":"ingest","proto":"HTTP/1.1","scenario":"ingest","status":"%s","url":"ingest"}}}`+"\n",
				name, end, value, ok, status)
		}
		point("http_reqs", 1)
		point("http_req_duration", took)
		for _, name := range k6Metrics {
			value := 0.0
			if name == "http_req_waiting" {
				value = took
			}
			point(name, value)
		}
		failure := 0.0
		if !ok {
			failure = 1
		}
		point("http_req_failed", failure)
	}
	return b.Bytes()
}
