package rollup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"headroom/runs"
	"headroom/runs/internal/table"
)

// derived is the folder of a run that its seal does not cover.
const derived = "derived"

// Stamps of a cache: key-value metadata of the Parquet file.
const (
	stampVersion = "headroom.rollup.version"
	stampRun     = "headroom.run.digest"
	stampOptions = "headroom.rollup.options"
)

// stamps returns what the file of these seconds must be stamped with.
func stamps(run *runs.Run, opt Options) map[string]string {
	return map[string]string{
		stampVersion: strconv.Itoa(Version),
		stampRun:     run.Digest(),
		stampOptions: opt.String(),
	}
}

// fileName returns the name of the cache inside the run.
func fileName(opt Options) string {
	return fmt.Sprintf("%s/seconds-v%d-%s.parquet", derived, Version, opt.digest())
}

// secondsTable declares the cached table; it has a column for each threshold.
func secondsTable(opt Options) *table.Table[Second] {
	n := func(name string, at func(*Second) *int64) table.Field[Second] {
		return table.Field[Second]{Name: name, Type: table.Integer, Int: at}
	}
	optional := func(f table.Field[Second]) table.Field[Second] { f.Optional = true; return f }
	t := &table.Table[Second]{Name: "seconds", Fields: []table.Field[Second]{
		{Name: "start", Type: table.Instant, Int: func(s *Second) *int64 { return &s.Start }},
		{Name: "scenario", Type: table.Text, Text: func(s *Second) *string { return &s.Scenario }},
		n("second", func(s *Second) *int64 { return &s.Second }),
		n("sent", func(s *Second) *int64 { return &s.Sent }),
		n("ok", func(s *Second) *int64 { return &s.OK }),
		n("failed", func(s *Second) *int64 { return &s.Failed }),
		n("rejected", func(s *Second) *int64 { return &s.Rejected }),
		n("timeout", func(s *Second) *int64 { return &s.Timeout }),
		n("dropped", func(s *Second) *int64 { return &s.Dropped }),
		n("skipped", func(s *Second) *int64 { return &s.Skipped }),
		n("latencies", func(s *Second) *int64 { return &s.Latencies }),
		optional(n("p50", func(s *Second) *int64 { return &s.P50 })),
		optional(n("p99", func(s *Second) *int64 { return &s.P99 })),
		optional(n("max", func(s *Second) *int64 { return &s.Max })),
		n("completed", func(s *Second) *int64 { return &s.Completed }),
		n("events", func(s *Second) *int64 { return &s.Events }),
	}}
	for i, threshold := range opt.Thresholds {
		name := fmt.Sprintf("over_%dns", int64(threshold))
		t.Fields = append(t.Fields, n(name, func(s *Second) *int64 { return &s.Over[i] }))
	}
	return t
}

// load reads the cached seconds. ok is false if there are none, if they belong
// to something else, or if the file is damaged.
func load(ctx context.Context, run *runs.Run, opt Options) (rows []Second, ok bool) {
	name := fileName(opt)
	file, err := table.Open(run.Path(), name)
	if err != nil {
		return nil, false
	}
	defer file.Close()
	for key, want := range stamps(run, opt) {
		if file.Metadata(key) != want {
			return nil, false
		}
	}
	rows = []Second{}
	t := secondsTable(opt)
	over := make([]int64, len(opt.Thresholds))
	parts := table.Parts{Dir: run.Path(), Names: []string{name}}
	err = table.Scan(ctx, parts, t, table.Range{}, nil, &Second{Over: over}, func(s *Second) error {
		row := *s
		row.Over = slices.Clone(over)
		rows = append(rows, row)
		return nil
	})
	return rows, err == nil
}

// store keeps the seconds in the run's derived folder. That is a convenience:
// where it cannot be done (a read-only folder, a full disk) it is left undone.
func store(run *runs.Run, opt Options, rows []Second) {
	folder := filepath.Join(run.Path(), derived)
	if err := os.Mkdir(folder, 0o777); err != nil && !os.IsExist(err) {
		return
	}
	if info, err := os.Lstat(folder); err != nil || !info.IsDir() {
		return // a link may lead anywhere
	}
	tmp, err := os.MkdirTemp(folder, ".seconds-")
	if err != nil {
		return
	}
	defer os.RemoveAll(tmp)
	w := table.NewWriter(secondsTable(opt), filepath.Join(tmp, "table"), "headroom")
	w.Metadata = stamps(run, opt)
	for i := range rows {
		if w.Append(&rows[i]) != nil {
			w.Abort()
			return
		}
	}
	if w.Close() != nil {
		w.Abort()
		return
	}
	if parts, err := w.Seal(run.Manifest().ID); err != nil || parts != 1 {
		return
	}
	os.Rename(filepath.Join(tmp, "table", table.PartName(0)), filepath.Join(run.Path(), filepath.FromSlash(fileName(opt))))
}
