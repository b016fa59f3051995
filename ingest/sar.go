package ingest

// Sar reads the text of sar.
var Sar = &Importer{
	Name: "sar",
	Doc: `sar: tables of a Linux host's activity

Recognised by a table's header, a time of day followed by names of columns; tables
and columns are told by those names (man 1 sar), in whatever order and number, with
-A one after the other or, live, in turn. The banner has the date: 2026-11-30,
30.11.2026 or 11/30/26; a time that goes back within a table is past midnight. No
zone is written: it must be given. Numbers can have a decimal comma, times 12 hours.

A row's time is the end of its interval. User time is with nice, system time with
interrupts, guest time beside both. Averages at the end are no rows. LINUX RESTART
is a marker. Tables that are not read are named. %util of a disk is the share of
time with any request in flight: 100 % of a device that serves many at once is not
saturation.`,
	Gives: []string{"points: cpu.*, load.*, procs.*, memory.*, swap.*, io.*, disk.*, net.*, pressure.*, filesystem.*, system.*", "markers: host.restart"},
	Lacks: []string{"the zone of its times", "CPU per process"},
	Sniff: func(head []byte) bool { return sysstatTool(head) == "sar" },
	Read:  readSysTables,
}

// Mpstat reads the text of mpstat.
var Mpstat = &Importer{
	Name: "mpstat",
	Doc: `mpstat: shares of CPU time, of all CPUs and of each

As sar, with a table for each interval (man 1 mpstat). The entity is empty for all
CPUs and cpu0, cpu1, … for each. A single report without an interval is an average
since boot, and is left out. Interrupts by number are not read.`,
	Gives: []string{"points: cpu.*"},
	Lacks: []string{"the zone of its times", "whose CPU time it is"},
	Sniff: func(head []byte) bool { return sysstatTool(head) == "mpstat" },
	Read:  readSysTables,
}
