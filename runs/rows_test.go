package runs

// everyTable returns a dozen rows of every table: what is missing, what is
// empty, what is negative, and text of several scripts.
func everyTable() contents {
	const t0 = 1_700_000_000_000_000
	var c contents
	outcomes := []Outcome{OK, OK, Failed, Rejected, Timeout, Dropped, Skipped, OK, OK, OK, OK, OK}
	for i, outcome := range outcomes {
		n := int64(i)
		s := sampleAt(t0+n*250_000, 1_000_000*(n+1))
		s.Outcome, s.Op, s.Target = outcome, []string{"GET /", "POST /événement", ""}[i%3], "host-1"
		s.Status = map[Outcome]string{OK: "200", Failed: "500", Rejected: "429"}[outcome]
		if !outcome.Sent() {
			s.Service = Missing
		}
		switch i {
		case 7:
			s.Service = -1_500
		case 8:
			s.StartNS, s.Wait, s.Events, s.Scenario = 999, 0, 10, "probe"
		case 9:
			s.Error, s.Worker, s.ID, s.Tags = "connexion refusée", "7", "b1946ac9", `{"proto":"HTTP/2.0"}`
		case 10:
			s.Connecting, s.TLS, s.Sending, s.Waiting, s.Receiving = 1, 2, 3, 0, 5
		}
		c.Samples = append(c.Samples, s)
		c.Points = append(c.Points, Point{
			Time: t0 + n*1_000_000, TimeNS: n * 90, Source: "vmstat.log", Entity: []string{"", "sda"}[i%2], Metric: []string{"cpu.idle", "load.1m"}[i%2],
			Kind: []Kind{Gauge, Counter, Delta}[i%3], Value: float64(i)/3 - 1, Unit: "1", Resolution: 1_000_000 * (n % 2),
			Tags: []string{"", `{"zone":"a"}`}[i/11],
		})
		c.Activity = append(c.Activity, Activity{
			Time: t0 + n*500_000, Source: "activity.csv", PID: []int64{Missing, 4242}[i%2], BackendType: "client backend",
			State: []string{"active", "", "idle"}[i%3], WaitType: []string{"", "LWLock"}[i%2], Wait: []string{"", "WALWrite"}[i%2],
			Database: "bench", User: "bench", Application: "pgbench", Query: "SELECT 1", BlockedBy: []string{"", "17,18"}[i/11],
		})
		c.Markers = append(c.Markers, Marker{
			Time: t0 + n*2_000_000, Source: "postgresql.csv", Kind: []string{"postgres.checkpoint.complete", "postgres.log"}[i%2], Severity: []string{"LOG", ""}[i%2],
			Message: "チェックポイント完了", Detail: []string{"", "line 2\nline 3"}[i%2], Attrs: []string{`{"buffers":12}`, ""}[i%2],
			Duration: []int64{Missing, 0, 250_000_000}[i%3], PID: []int64{Missing, 99}[i%2],
		})
		c.Histograms = append(c.Histograms, Histogram{
			Start: t0, Length: 1_000_000_000, Source: "latency.hlog", Scenario: "default", Op: "", Low: n * 1000, High: n*1000 + 999, Count: n,
		})
		c.Benchmarks = append(c.Benchmarks, Benchmark{
			Source: "bench.txt", Package: []string{"example.test/ingest", ""}[i%2], Name: "BenchmarkDécode/size=64", Procs: 1 + n%2*7, Repeat: n / 2,
			Iterations: 1000 * n, Unit: []string{"s/op", "allocs/op"}[i%2], Value: 1.589e-6 * float64(n), Config: []string{"", `{"goos":"linux"}`}[i%2],
		})
	}
	return c
}
