package render_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"headroom/analyze"
	"headroom/render"
)

// A capacity that analyze made becomes a folder of files.
func ExampleBuild() {
	capacity := analyze.Capacity{
		Schema:   analyze.CapacitySchema,
		Title:    "ingest at 1,200 requests/s",
		Protocol: "run",
		Outcome:  analyze.Pass,
		Answer:   []analyze.Sentence{{Role: "load", Lead: "11,998 events/s", Text: "delivered for ten minutes"}},
		Figures:  []analyze.Figure{{ID: "timeline-1", Kind: "timeline", Title: "Latency", Alt: "Latency over time."}},
		Caveats:  []string{"More than ten minutes."},
	}
	parent, err := os.MkdirTemp("", "headroom")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(parent) }() // a temporary folder
	out := filepath.Join(parent, "page")
	if err := render.Build(&capacity, out, render.Options{Version: "1.0"}); err != nil {
		fmt.Println(err)
		return
	}
	err = fs.WalkDir(os.DirFS(out), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			fmt.Println(path)
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// capacity.json
	// figures/timeline-1.svg
	// index.html
	// index.md
	// junit.xml
	// summary.md
}
