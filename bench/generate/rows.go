package main

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"time"
)

// epoch is when every generated load begins: 2026-03-02 10:00:00 UTC.
var epoch = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// load makes requests: about 8,700 a second, with log-normal latencies around
// 3.5 ms and one slow request in a thousand.
type load struct {
	random *rand.Rand
	end    int64 // of the last request, µs since the Unix epoch
}

func newLoad(o options) *load {
	return &load{random: rand.New(rand.NewPCG(o.seed, 2)), end: epoch.UnixMicro()}
}

// next returns a request: its end and its latency in µs.
func (l *load) next() (end, latency int64) {
	l.end += int64(l.random.ExpFloat64() * 115)
	latency = int64(3500 * math.Exp(0.4*l.random.NormFloat64()))
	if l.random.IntN(1000) == 0 {
		latency *= 20
	}
	return l.end, latency
}

func pgbench(w *bufio.Writer, o options) error {
	l := newLoad(o)
	var count [32]int64
	var b []byte
	for range o.rows {
		end, latency := l.next()
		client := l.random.IntN(len(count))
		count[client]++
		b = strconv.AppendInt(b[:0], int64(client), 10)
		for _, n := range []int64{count[client], latency, int64(l.random.IntN(3)), end / 1e6, end % 1e6} {
			b = strconv.AppendInt(append(b, ' '), n, 10)
		}
		if _, err := w.Write(append(b, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func jtl(w *bufio.Writer, o options) error {
	fmt.Fprintln(w, "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect")
	l := newLoad(o)
	for range o.rows {
		end, latency := l.next()
		ms := latency / 1000
		_, err := fmt.Fprintf(w, "%d,%d,ingest,201,Created,Load 1-%d,text,true,,137,443,32,32,http://ingest.example.test/v1/events,%d,0,%d\n",
			end/1000-ms, ms, 1+l.random.IntN(32), ms, l.random.IntN(2))
		if err != nil {
			return err
		}
	}
	return nil
}

func vegetaCSV(w *bufio.Writer, o options) error {
	l := newLoad(o)
	for i := range o.rows {
		end, latency := l.next()
		_, err := fmt.Fprintf(w, "%d,201,%d,443,137,,,ingest,%d,POST,http://ingest.example.test/v1/events,\n",
			(end-latency)*1000+int64(l.random.IntN(1000)), latency*1000+int64(l.random.IntN(1000)), i)
		if err != nil {
			return err
		}
	}
	return nil
}

func vegetaJSON(w *bufio.Writer, o options) error {
	l := newLoad(o)
	for i := range o.rows {
		end, latency := l.next()
		start := time.UnixMicro(end - latency).UTC().Add(time.Duration(l.random.IntN(1000)))
		_, err := fmt.Fprintf(w, `{"attack":"ingest","seq":%d,"code":201,"timestamp":%q,"latency":%d,"bytes_out":443,"bytes_in":137,"error":"","body":null,"method":"POST","url":"http://ingest.example.test/v1/events","headers":null}`+"\n",
			i, start.Format(time.RFC3339Nano), latency*1000+int64(l.random.IntN(1000)))
		if err != nil {
			return err
		}
	}
	return nil
}

// postgres writes a server log of slow statements (log_min_duration_statement),
// with a checkpoint now and then.
func postgres(w *bufio.Writer, o options) error {
	l := newLoad(o)
	statements := []string{
		"INSERT INTO event (tenant, day, quantity) VALUES (%d, '2026-03-02', 4)",
		"SELECT sum(quantity) FROM event WHERE tenant = %d",
		"UPDATE account SET balance = balance - 1 WHERE id = %d",
	}
	for i := range o.rows {
		end, latency := l.next()
		at := time.UnixMicro(end).UTC().Format("2006-01-02 15:04:05.000 UTC")
		var err error
		if i%100_000 == 99_999 {
			_, err = fmt.Fprintf(w, "%s [%d] LOG:  checkpoint starting: time\n", at, 400)
		} else {
			_, err = fmt.Fprintf(w, "%s [%d] LOG:  duration: %.3f ms  statement: "+statements[i%3]+"\n", at, 1000+l.random.IntN(32), float64(latency)/1000, l.random.IntN(100_000))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// goBench writes results of go test -bench, 1,000 benchmarks.
func goBench(w *bufio.Writer, o options) error {
	fmt.Fprint(w, "goos: linux\ngoarch: amd64\npkg: example.test/ingest\n")
	l := newLoad(o)
	for i := range o.rows {
		_, latency := l.next()
		if _, err := fmt.Fprintf(w, "BenchmarkDecode/size=%d-2 \t%8d\t%12d ns/op\t%8d B/op\t%5d allocs/op\n", i%1000, 100_000+l.random.IntN(9999), latency, 1000+i%1000, 20); err != nil {
			return err
		}
	}
	return nil
}
