// Command plot draws what bench/cost.sh measured, with headroom's own figures:
// cost-samples.svg and cost-runs.svg in a folder.
//
//	bench/cost.sh > cost.tsv && go run ./bench/plot docs < cost.tsv
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"headroom/analyze"
	"headroom/render/figure"
)

// cost is what one kind of work took.
type cost struct{ n, cpu, peak []float64 }

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: plot FOLDER < cost.tsv")
		os.Exit(2)
	}
	if err := plot(os.Stdin, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "plot:", err)
		os.Exit(1)
	}
}

func plot(r io.Reader, dir string) error {
	costs, err := read(r)
	if err != nil {
		return err
	}
	samples := drawn("cost-samples", "Cost against samples", "samples of the run", costs, "ingest", "analyze")
	archive := drawn("cost-runs", "Cost against runs", "runs of 50,000 samples", costs, "rescan", "rescan again")
	for _, f := range []analyze.Figure{samples, archive} {
		d, err := figure.Draw(f)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, f.ID+".svg"), []byte(d.File()), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// read reads lines of what, how many, CPU seconds and peak MiB.
func read(r io.Reader) (map[string]*cost, error) {
	costs := map[string]*cost{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 4 {
			return nil, fmt.Errorf("%q: want four fields parted by tabs", lines.Text())
		}
		var v [3]float64
		for i := range v {
			var err error
			if v[i], err = strconv.ParseFloat(fields[i+1], 64); err != nil {
				return nil, err
			}
		}
		c := costs[fields[0]]
		if c == nil {
			c = &cost{}
			costs[fields[0]] = c
		}
		c.n, c.cpu, c.peak = append(c.n, v[0]), append(c.cpu, v[1]), append(c.peak, v[2]*(1<<20))
	}
	return costs, lines.Err()
}

// drawn is a figure of two kinds of work: CPU time above, memory below.
func drawn(id, title, x string, costs map[string]*cost, names ...string) analyze.Figure {
	f := analyze.Figure{
		ID: id, Kind: "sweep", Title: title, Alt: title + ": CPU time grows in proportion; the table beside it has the figures.",
		X: analyze.Axis{Label: x, Unit: "1", Scale: "log"},
		Y: []analyze.Axis{{Label: "CPU time", Unit: "s", Scale: "log"}, {Label: "Peak memory", Unit: "B", Scale: "log"}},
	}
	roles := []string{"p50", "p99"}
	var cpu, peak analyze.Panel
	for i, name := range names {
		c := costs[name]
		if c == nil {
			continue
		}
		cpu.Series = append(cpu.Series, analyze.Series{Name: name, Mark: "line", Role: roles[i], X: c.n, Y: c.cpu})
		peak.Series = append(peak.Series, analyze.Series{Name: name, Mark: "line", Role: roles[i], X: c.n, Y: c.peak})
	}
	f.Panels = []analyze.Panel{cpu, peak}
	return f
}
