package ingest

import (
	"testing"
	"time"
)

func FuzzOhaJSON(f *testing.F)          { fuzzFromStart(f, OhaJSON) }
func FuzzOhaCSV(f *testing.F)           { fuzzFromStart(f, OhaCSV) }
func FuzzBombardierJSON(f *testing.F)   { fuzzFromStart(f, BombardierJSON) }
func FuzzBombardierText(f *testing.F)   { fuzzFromStart(f, BombardierText) }
func FuzzAutocannonJSON(f *testing.F)   { fuzzFromStart(f, AutocannonJSON) }
func FuzzAutocannonTable(f *testing.F)  { fuzzFromStart(f, AutocannonTable) }
func FuzzArtillery(f *testing.F)        { fuzzFromStart(f, Artillery) }
func FuzzFortio(f *testing.F)           { fuzzFromStart(f, Fortio) }
func FuzzSiegeOutput(f *testing.F)      { fuzzFromStart(f, SiegeOutput) }
func FuzzSiegeLog(f *testing.F)         { fuzzFromStart(f, SiegeLog) }
func FuzzH2loadLog(f *testing.F)        { fuzzFromStart(f, H2loadLog) }
func FuzzH2loadOutput(f *testing.F)     { fuzzFromStart(f, H2loadOutput) }
func FuzzSysbench(f *testing.F)         { fuzzFromStart(f, Sysbench) }
func FuzzYCSBOutput(f *testing.F)       { fuzzFromStart(f, YCSBOutput) }
func FuzzYCSBRaw(f *testing.F)          { fuzzFromStart(f, YCSBRaw) }
func FuzzBenchBaseRaw(f *testing.F)     { fuzzFromStart(f, BenchBaseRaw) }
func FuzzBenchBaseWindows(f *testing.F) { fuzzFromStart(f, BenchBaseWindows) }
func FuzzBenchBaseSummary(f *testing.F) { fuzzFromStart(f, BenchBaseSummary) }
func FuzzHammerDB(f *testing.F)         { fuzzFromStart(f, HammerDB) }
func FuzzOpenMessaging(f *testing.F)    { fuzzFromStart(f, OpenMessaging) }
func FuzzHdrHistogramLog(f *testing.F)  { fuzzFromStart(f, HdrHistogramLog) }
func FuzzGoBench(f *testing.F)          { fuzzFromStart(f, GoBench) }
func FuzzGoBenchJSON(f *testing.F)      { fuzzFromStart(f, GoBenchJSON) }

// fuzzFromStart is fuzzLoad with a start, so that what bears no time is placed too.
func fuzzFromStart(f *testing.F, im *Importer) {
	fuzzLoadWith(f, im, Options{Zone: time.UTC, Rejected: []string{"429"}, Start: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)})
}
