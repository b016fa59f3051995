package ingest

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// nights are the times of day that a tool prints every ten minutes for so long from an
// instant on, in a zone.
func nights(first time.Time, n int, zone *time.Location) (clocks []string) {
	for i := range n {
		clocks = append(clocks, first.Add(time.Duration(i)*10*time.Minute).In(zone).Format(time.TimeOnly))
	}
	return clocks
}

// TestDayClocksAcrossTheEndOfSummerTime reads, from every tool that prints a time of day
// and no date, the night in which the clock is put back, and one that ends after
// midnight: every row is ten minutes after the one before.
func TestDayClocksAcrossTheEndOfSummerTime(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	const rows = 40
	sar := func(date string, clocks []string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "Linux 6.1.0 (db1) \t%s \t_x86_64_\t(4 CPU)\n\n", date)
		for _, table := range [][2]string{
			{"CPU     %user     %nice   %system   %iowait    %steal     %idle", "all      1.00      0.00      1.00      0.00      0.00     98.00"},
			{"runq-sz  plist-sz   ldavg-1   ldavg-5  ldavg-15   blocked", "1       200      0.10      0.10      0.10         0"},
		} {
			fmt.Fprintf(&b, "%s %s\n", clocks[0], table[0])
			for _, c := range clocks[1:] {
				fmt.Fprintf(&b, "%s %s\n", c, table[1])
			}
			fmt.Fprintf(&b, "Average: %s\n\n", table[1])
		}
		return b.String()
	}
	pidstat := func(date string, clocks []string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "Linux 6.1.0 (db1) \t%s \t_x86_64_\t(4 CPU)\n", date)
		for i, c := range clocks[1:] {
			fmt.Fprintf(&b, "\n%s   UID       PID    %%usr %%system  %%guest   %%wait    %%CPU   CPU  Command\n", clocks[i])
			fmt.Fprintf(&b, "%s     0         7    1.00    1.00    0.00    0.00    2.00     1  postgres\n", c)
		}
		return b.String()
	}
	mpstat := func(date string, clocks []string) string {
		var list []string
		for _, c := range clocks[1:] {
			list = append(list, fmt.Sprintf(`{"timestamp": "%s", "cpu-load": [{"cpu": "all", "usr": 1.00, "nice": 0.00, "sys": 1.00, "iowait": 0.00, "irq": 0.00, "soft": 0.00, "steal": 0.00, "guest": 0.00, "gnice": 0.00, "idle": 98.00}]}`, c))
		}
		return fmt.Sprintf(`{"sysstat": {"hosts": [{"nodename": "db1", "sysname": "Linux", "release": "6.1.0", "machine": "x86_64", "number-of-cpus": 4, "date": "%s", "statistics": [%s]}]}}`, date, strings.Join(list, ",\n"))
	}
	top := func(_ string, clocks []string) string {
		var b strings.Builder
		for _, c := range clocks[1:] {
			fmt.Fprintf(&b, "top - %s up 1 day,  1:00,  1 user,  load average: 0.10, 0.20, 0.30\nTasks: 100 total,   1 running,  99 sleeping,   0 stopped,   0 zombie\n%%Cpu(s):  1.0 us,  1.0 sy,  0.0 ni, 98.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st\n\n", c)
		}
		return b.String()
	}
	for night, first := range map[string]time.Time{
		"the clock is put back": time.Date(2026, 10, 24, 22, 20, 0, 0, time.UTC), // 00:20
		"midnight":              time.Date(2026, 10, 20, 18, 0, 0, 0, time.UTC),  // 20:00
		"both":                  time.Date(2026, 10, 24, 20, 0, 0, 0, time.UTC),  // 22:00
		"no night at all":       time.Date(2026, 10, 20, 6, 0, 0, 0, time.UTC),
	} {
		for tool, of := range map[string]struct {
			write  func(date string, clocks []string) string
			metric string
			series int
		}{
			"sar": {sar, "cpu.idle", 1}, "sar, its second table": {sar, "load.1m", 1}, "pidstat": {pidstat, "process.cpu", 1},
			"mpstat": {mpstat, "cpu.idle", 1}, "top": {top, "load.1m", 1},
		} {
			text := of.write(first.In(zone).Format(time.DateOnly), nights(first, rows, zone))
			dir := write(t, map[string]string{"x.txt": text})
			_, dst, err := ingest(t, Request{Files: paths(dir, "x.txt"), Options: Options{Zone: zone, Start: first.Add(10 * time.Minute)}})
			if err != nil {
				t.Errorf("%s, %s: %v", night, tool, err)
				continue
			}
			n := 0
			for _, p := range dst.points {
				if p.Metric != of.metric || p.Entity != "" && tool != "pidstat" {
					continue
				}
				n++
				if want := first.Add(time.Duration(n) * 10 * time.Minute); p.Time != want.UnixMicro() {
					t.Errorf("%s, %s: row %d is at %s, want %s", night, tool, n, stampText(p.Time), want.Format(time.RFC3339))
					break
				}
			}
			if n != rows-1 {
				t.Errorf("%s, %s: %d rows of %s, want %d", night, tool, n, of.metric, rows-1)
			}
		}
	}
}
