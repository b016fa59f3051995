// Command seconds computes the per-second table of a run (count, exact p50, p99
// and maximum, shares over 50 and 150 ms) from its samples, without the cache,
// and prints how many seconds there are: what the comparison with a database's
// GROUP BY second runs.
//
//	go run ./bench/seconds RUN
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"headroom/runs"
	"headroom/runs/rollup"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: seconds RUN")
		os.Exit(2)
	}
	if err := count(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "seconds:", err)
		os.Exit(1)
	}
}

func count(path string) error {
	if err := os.RemoveAll(filepath.Join(path, "derived")); err != nil {
		return err
	}
	run, err := runs.Open(path)
	if err != nil {
		return err
	}
	rows, err := rollup.Seconds(context.Background(), run, rollup.Options{})
	if err != nil {
		return err
	}
	fmt.Println(len(rows), "seconds")
	return nil
}
