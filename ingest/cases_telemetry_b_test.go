package ingest

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

func TestCasesIostatLocaleAndBrokenJSON(t *testing.T) {
	const name = "iostat-locale-and-broken-json"
	opt := Options{Zone: time.UTC}
	for file, im := range map[string]*Importer{"input.a.txt": Iostat, "input.b.json": IostatJSON} {
		in, r, err := readFile(t, im, caseFile(t, name, file), opt)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for metric, want := range map[string][]float64{
			"disk.writes": {2486, 1500}, "disk.write_await": {0.0356, 0.0011}, "disk.queue": {65.2, 1.7}, "disk.busy": {1, 0.615},
		} {
			got, at := r.series(metric, "nvme0n1")
			if !slices.Equal(got, want) || !slices.Equal(at, []string{"2026-03-02T10:00:01.000000Z", "2026-03-02T10:00:02.000000Z"}) {
				t.Errorf("%s: %s %v at %v", file, metric, got, at)
			}
		}
		if file == "input.b.json" {
			if !in.Meta.Cut || !said(in, "line 11: a stray comma") || !said(in, "not closed") {
				t.Errorf("%s: cut %v, notes %v", file, in.Meta.Cut, in.Meta.Notes)
			}
			continue
		}
		idle, _ := r.series("cpu.idle", "")
		if math.Abs(mean(idle)-0.405) > 1e-12 || len(idle) != 2 || !said(in, "first report left out") {
			t.Errorf("idle %v, notes %v", idle, in.Meta.Notes)
		}
		if other, at := r.series("disk.writes", "nvme1n1"); !slices.Equal(other, []float64{0}) || at[0] != "2026-03-02T10:00:02.000000Z" {
			t.Errorf("nvme1n1: %v at %v", other, at)
		}
		bytes, _ := r.series("disk.write_bytes", "nvme0n1")
		writes, _ := r.series("disk.writes", "nvme0n1")
		for i, want := range []float64{51.49, 42.67} {
			if kb := bytes[i] / writes[i] / 1024; math.Abs(kb-want) > 0.005 {
				t.Errorf("write size %v kB, want %v", kb, want)
			}
		}
	}
	_, r, err := readFile(t, SadfJSON, caseFile(t, name, "input.c.json"), opt)
	if !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), "decimal comma in JSON at byte ") || len(r.points) > 0 {
		t.Errorf("decimal commas in JSON: %v, %d points", err, len(r.points))
	}
}

func TestCasesPGStatColumns(t *testing.T) {
	const name = "pgstat-columns-by-version"
	var all []runs.Snapshot
	metrics := map[string]map[string]bool{}
	for _, file := range []string{"input.16.bgwriter.csv", "input.17.bgwriter.csv", "input.17.checkpointer.csv"} {
		_, r, err := readFile(t, PostgresStats, caseFile(t, name, file), Options{})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, r.snapshots...)
		metrics[file] = map[string]bool{}
		for _, p := range r.points {
			metrics[file][p.Metric] = true
		}
	}
	const new16, new17 = "input.16.bgwriter.csv", "input.17.checkpointer.csv"
	for _, m := range []string{"num_timed", "num_requested", "write_time", "sync_time", "buffers_written"} {
		if m = "postgres.checkpointer." + m; !metrics[new16][m] || !metrics[new17][m] {
			t.Errorf("%s is not a metric of both versions", m)
		}
	}
	for _, c := range []struct {
		columns []string
		in16    string
		in17    string
		atLeast bool
		rows17  int // index of the first of the two rows of 17
	}{
		{[]string{"num_timed", "checkpoints_timed"}, "2", "1", true, 4},
		{[]string{"num_requested", "checkpoints_req"}, "3", "2", true, 4},
		{[]string{"write_time", "checkpoint_write_time"}, "60000", "31000", true, 4},
		{[]string{"sync_time", "checkpoint_sync_time"}, "600", "300", true, 4},
		{[]string{"buffers_written", "buffers_checkpoint"}, "60000", "29000", true, 4},
		{[]string{"buffers_clean"}, "500", "500", false, 2},
		{[]string{"buffers_alloc"}, "60000", "60000", false, 2},
		{[]string{"buffers_backend"}, "7000", "", false, 2},
	} {
		if got, ok := all[0].Change(&all[1], c.columns...); !ok || got != (runs.Change{Amount: c.in16}) {
			t.Errorf("16: %s: %+v, %v", c.columns[0], got, ok)
		}
		got, ok := all[c.rows17].Change(&all[c.rows17+1], c.columns...)
		if ok != (c.in17 != "") || ok && got != (runs.Change{Amount: c.in17, AtLeast: c.atLeast}) {
			t.Errorf("17: %s: %+v, %v", c.columns[0], got, ok)
		}
	}
}
