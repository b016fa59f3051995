package ingest

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestVmstatAcrossTheEndOfSummerTime reads rows before and after the clock was put
// back, under one header and under one that is printed again: none goes back.
func TestVmstatAcrossTheEndOfSummerTime(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	const header = " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                %s\n"
	first := time.Date(2026, 10, 25, 0, 59, 57, 0, time.UTC)
	for _, again := range []bool{false, true} {
		var text strings.Builder
		fmt.Fprintf(&text, header, "CEST")
		for i := range 7 {
			if again && i == 4 {
				fmt.Fprintf(&text, header, "CET")
			}
			fmt.Fprintf(&text, " 1  0      0 800000  20000 400000    0    0     0    10  200  300 20  5 75  0  0 %s\n",
				first.Add(time.Duration(i)*time.Second).In(zone).Format("2006-01-02 15:04:05"))
		}
		dir := write(t, map[string]string{"vmstat.txt": text.String()})
		_, dst := must(t, Request{Files: paths(dir, "vmstat.txt"), Options: Options{Zone: zone}})
		var seen []int64
		for _, p := range dst.points {
			if p.Metric == "cpu.idle" {
				seen = append(seen, p.Time-first.UnixMicro())
			}
		}
		if got := fmt.Sprint(seen); got != "[1000000 2000000 3000000 4000000 5000000 6000000]" {
			t.Errorf("header again %v: rows at %s", again, got)
		}
		if s := dst.Manifest().Sources[0]; s.BadLines != 0 || !strings.Contains(strings.Join(s.Notes, " "), "was read as the second of the two") {
			t.Errorf("header again %v: %d bad, notes %q", again, s.BadLines, s.Notes)
		}
	}
}
