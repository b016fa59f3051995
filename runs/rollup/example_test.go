package rollup_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"headroom/runs"
	"headroom/runs/rollup"
)

// The seconds of a run's samples, counted from its first start.
func ExampleSeconds() {
	dir, err := os.MkdirTemp("", "archive")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	w, err := runs.Create(filepath.Join(dir, "run"), runs.CreateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort()
	const first = 1_700_000_000_000_000
	for i := range int64(8) {
		s := runs.NewSample()
		s.Start, s.Service = first+i*300_000, (i+1)*20_000_000
		s.Scenario, s.Outcome = "ingest", runs.OK
		if err := w.Sample(&s); err != nil {
			log.Fatal(err)
		}
	}
	run, err := w.Commit()
	if err != nil {
		log.Fatal(err)
	}

	rows, err := rollup.Seconds(context.Background(), run, rollup.Options{Anchor: first})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range rows {
		fmt.Printf("%s, second %d: %d sent, p50 %d ms, max %d ms, over 50 and 150 ms: %v, %d completed\n",
			s.Scenario, s.Second, s.Sent, s.P50/1e6, s.Max/1e6, s.Over, s.Completed)
	}
	// Output:
	// ingest, second 0: 4 sent, p50 40 ms, max 80 ms, over 50 and 150 ms: [2 0], 4 completed
	// ingest, second 1: 3 sent, p50 120 ms, max 140 ms, over 50 and 150 ms: [3 0], 3 completed
	// ingest, second 2: 1 sent, p50 160 ms, max 160 ms, over 50 and 150 ms: [1 1], 1 completed
}
