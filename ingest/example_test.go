package ingest_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"headroom/ingest"
)

// A file is recognised by what it holds, and a dry run says what it would give.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "any-name")
	lines := "0 1 14195 0 1796052125 366047\n0 2 10833 0 1796052125 376880\n"
	if err := os.WriteFile(path, []byte(lines), 0o644); err != nil {
		log.Fatal(err)
	}

	report, err := ingest.DryRun(context.Background(), ingest.Request{Files: []ingest.File{{Path: path}}})
	if err != nil {
		log.Fatal(err)
	}
	f := report.Files[0]
	fmt.Printf("%s: %d rows, %s to %s\n", f.Format, f.Rows, f.First, f.Last)
	// Output: pgbench-log: 2 rows, 2026-11-30T15:22:05.351852Z to 2026-11-30T15:22:05.376880Z
}
