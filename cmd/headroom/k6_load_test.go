package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// k6Load is an open loop: so many requests a second for so many seconds, each
// ms long but for those of the second slow, which take a second. The first
// failed of them fail. at shifts the start, in seconds.
type k6Load struct {
	rate, seconds, ms, slow, failed, at float64
}

// parseK6Load reads KEY=NUMBER, the keys being the fields of k6Load.
func parseK6Load(args []string) (k6Load, error) {
	l := k6Load{rate: 50, seconds: 4, ms: 10, slow: -1}
	keys := map[string]*float64{
		"rate": &l.rate, "seconds": &l.seconds, "ms": &l.ms, "slow": &l.slow, "failed": &l.failed, "at": &l.at,
	}
	for _, arg := range args {
		key, text, _ := strings.Cut(arg, "=")
		value, err := strconv.ParseFloat(text, 64)
		if keys[key] == nil || err != nil {
			return l, fmt.Errorf("k6load: %q: want KEY=NUMBER", arg)
		}
		*keys[key] = value
	}
	return l, nil
}

// k6Metrics are the lines that k6 writes for one request, besides its time.
var k6Metrics = []string{"http_req_blocked", "http_req_connecting", "http_req_tls_handshaking", "http_req_sending", "http_req_waiting", "http_req_receiving"}

// json is what `k6 run --out json` writes of the load.
func (l k6Load) json() []byte {
	var b bytes.Buffer
	k6Declare(&b)
	for i := range int(l.rate * l.seconds) {
		l.request(&b, i)
	}
	return b.Bytes()
}

// k6Declare writes the lines that declare the metrics.
func k6Declare(b *bytes.Buffer) {
	metric := func(name, kind string) {
		fmt.Fprintf(b, `{"type":"Metric","data":{"name":"%s","type":"%s","contains":"default","thresholds":[],"submetrics":null},"metric":"%s"}`+"\n", name, kind, name)
	}
	metric("http_reqs", "counter")
	metric("http_req_duration", "trend")
	for _, name := range k6Metrics {
		metric(name, "trend")
	}
	metric("http_req_failed", "rate")
	metric("dropped_iterations", "counter")
}

// request writes the lines of request i.
func (l k6Load) request(b *bytes.Buffer, i int) {
	due := float64(i) / l.rate
	took := l.ms + float64(i%7)/10
	if l.slow >= 0 && due >= l.slow && due < l.slow+1 {
		took = 1000
	}
	status := 200
	if float64(i) < l.failed {
		status = 500
	}
	begin := time.Date(2026, 8, 17, 12, 0, 0, 0, time.UTC)
	k6Request(b, begin.Add(time.Duration((l.at+due)*1e9+took*1e6)), took, status)
}

// k6Request writes the lines of a request that took so many ms; k6 stamps them
// with its end.
func k6Request(b *bytes.Buffer, end time.Time, took float64, status int) {
	failure := 0.0
	if status >= 400 {
		failure = 1
	}
	point := func(name string, value float64) {
		fmt.Fprintf(b, `{"metric":"%s","type":"Point","data":{"time":"%s","value":%g,"tags":{"expected_response":"%t","group":"","method":"POST","name":"ingest","proto":"HTTP/1.1","scenario":"ingest","status":"%d","url":"ingest"}}}`+"\n",
			name, end.Format(time.RFC3339Nano), value, failure == 0, status)
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
	point("http_req_failed", failure)
}
