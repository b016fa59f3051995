package ingest

import (
	"bytes"
	"fmt"
	"testing"
	"time"
)

// k6Lines returns JSON lines of n requests as k6 writes them.
func k6Lines(n int) []byte {
	var b bytes.Buffer
	at := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	metrics := []string{"http_reqs", "http_req_duration", "http_req_blocked", "http_req_connecting", "http_req_tls_handshaking",
		"http_req_sending", "http_req_waiting", "http_req_receiving", "http_req_failed"}
	for _, m := range append(metrics, "events_sent") {
		kind, contains := "trend", "time"
		if m == "http_reqs" || m == "events_sent" {
			kind, contains = "counter", "default"
		}
		fmt.Fprintf(&b, `{"type":"Metric","data":{"name":%q,"type":%q,"contains":%q,"thresholds":[],"submetrics":null},"metric":%q}`+"\n", m, kind, contains, m)
	}
	const tags = `{"expected_response":"true","group":"","method":"POST","name":"ingest","proto":"HTTP/1.1","scenario":"ingest","status":"201","url":"http://ingest.example.test/v1/events"}`
	for i := range n {
		stamp := at.Add(time.Duration(i) * 833333 * time.Nanosecond).Format(time.RFC3339Nano)
		for j, m := range metrics {
			value := fmt.Sprintf("%d.%06d", 5+i%40, (i*7919+j)%1000000)
			if j == 0 {
				value = "1"
			} else if j == 8 {
				value = "0"
			}
			fmt.Fprintf(&b, `{"metric":%q,"type":"Point","data":{"time":%q,"value":%s,"tags":%s}}`+"\n", m, stamp, value, tags)
		}
		fmt.Fprintf(&b, `{"metric":"events_sent","type":"Point","data":{"time":%q,"value":10,"tags":{"group":"","scenario":"ingest"}}}`+"\n", stamp)
	}
	return b.Bytes()
}

func BenchmarkK6JSON(b *testing.B) {
	text := k6Lines(20000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		in := NewInput("k6.json", bytes.NewReader(text), Options{})
		if err := K6JSON.Read(in, &discard{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPgbenchLog(b *testing.B) {
	var text bytes.Buffer
	for i := range 100_000 {
		fmt.Fprintln(&text, i%32, i/32, 1000+i*7919%8000, i%3, 1_772_445_600+i/8700, i%8700*114)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		in := NewInput("pgbench_log.1", bytes.NewReader(text.Bytes()), Options{})
		if err := PgbenchLog.Read(in, &discard{}); err != nil {
			b.Fatal(err)
		}
	}
}
