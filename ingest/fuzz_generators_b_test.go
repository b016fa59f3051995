package ingest

import (
	"testing"
	"time"
)

func FuzzOhaJSON(f *testing.F)          { fuzzPlaced(f, OhaJSON) }
func FuzzOhaCSV(f *testing.F)           { fuzzPlaced(f, OhaCSV) }
func FuzzBombardierJSON(f *testing.F)   { fuzzPlaced(f, BombardierJSON) }
func FuzzBombardierText(f *testing.F)   { fuzzPlaced(f, BombardierText) }
func FuzzAutocannonJSON(f *testing.F)   { fuzzPlaced(f, AutocannonJSON) }
func FuzzAutocannonTable(f *testing.F)  { fuzzPlaced(f, AutocannonTable) }
func FuzzArtillery(f *testing.F)        { fuzzPlaced(f, Artillery) }
func FuzzFortio(f *testing.F)           { fuzzPlaced(f, Fortio) }
func FuzzSiegeOutput(f *testing.F)      { fuzzPlaced(f, SiegeOutput) }
func FuzzSiegeLog(f *testing.F)         { fuzzPlaced(f, SiegeLog) }
func FuzzH2loadLog(f *testing.F)        { fuzzPlaced(f, H2loadLog) }
func FuzzH2loadOutput(f *testing.F)     { fuzzPlaced(f, H2loadOutput) }
func FuzzSysbench(f *testing.F)         { fuzzPlaced(f, Sysbench) }
func FuzzYCSBOutput(f *testing.F)       { fuzzPlaced(f, YCSBOutput) }
func FuzzYCSBRaw(f *testing.F)          { fuzzPlaced(f, YCSBRaw) }
func FuzzBenchBaseRaw(f *testing.F)     { fuzzPlaced(f, BenchBaseRaw) }
func FuzzBenchBaseWindows(f *testing.F) { fuzzPlaced(f, BenchBaseWindows) }
func FuzzBenchBaseSummary(f *testing.F) { fuzzPlaced(f, BenchBaseSummary) }
func FuzzHammerDB(f *testing.F)         { fuzzPlaced(f, HammerDB) }
func FuzzOpenMessaging(f *testing.F)    { fuzzPlaced(f, OpenMessaging) }
func FuzzHdrHistogramLog(f *testing.F)  { fuzzPlaced(f, HdrHistogramLog) }
func FuzzGoBench(f *testing.F)          { fuzzPlaced(f, GoBench) }
func FuzzGoBenchJSON(f *testing.F)      { fuzzPlaced(f, GoBenchJSON) }

// fuzzPlaced is fuzzLoad with a start, so that what bears no time is placed too.
func fuzzPlaced(f *testing.F, im *Importer) {
	fuzzLoadWith(f, im, Options{Zone: time.UTC, Rejected: []string{"429"}, Start: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)})
}
