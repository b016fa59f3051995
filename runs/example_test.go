package runs_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"headroom/runs"
)

// A run is written once, sealed by Commit, and read by column.
func Example() {
	dir, err := os.MkdirTemp("", "archive")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	w, err := runs.Create(filepath.Join(dir, "monday"), runs.CreateOptions{Tool: "headroom 1.0.0"})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort() // does nothing after Commit
	w.Manifest().Labels = map[string]string{"system": "matching"}
	w.Manifest().Sources = []runs.Source{{File: "samples.json", Format: "k6-json", SHA256: "9f86d081", Rows: 3}}
	for i, service := range []int64{8_000_000, 12_000_000, runs.Missing} {
		s := runs.NewSample()
		s.Start = 1_700_000_000_000_000 + int64(i)*250_000
		s.Service, s.Scenario, s.Outcome = service, "ingest", runs.OK
		if service == runs.Missing {
			s.Outcome = runs.Dropped
		}
		if err := w.Sample(&s); err != nil {
			log.Fatal(err)
		}
	}
	r, err := w.Commit()
	if err != nil {
		log.Fatal(err)
	}

	m := r.Manifest()
	fmt.Println(m.ID, m.State, m.First, m.Last)
	cols := []runs.Column{runs.ColService, runs.ColOutcome}
	err = r.ScanSamples(context.Background(), cols, runs.Range{}, func(b *runs.Batch) error {
		for i, ns := range b.Service {
			if ns == runs.Missing {
				fmt.Println(b.Outcome[i], "no service time")
				continue
			}
			fmt.Println(b.Outcome[i], ns, "ns")
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Verify(context.Background()))
	// Output:
	// 20231114T221320Z383013a2 sealed 2023-11-14T22:13:20.000000Z 2023-11-14T22:13:20.500000Z
	// ok 8000000 ns
	// ok 12000000 ns
	// dropped no service time
	// <nil>
}
