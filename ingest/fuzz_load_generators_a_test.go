package ingest

import (
	"testing"
	"time"
)

func FuzzVegetaGob(f *testing.F)        { fuzzLoad(f, VegetaGob) }
func FuzzVegetaJSON(f *testing.F)       { fuzzLoad(f, VegetaJSON) }
func FuzzVegetaCSV(f *testing.F)        { fuzzLoad(f, VegetaCSV) }
func FuzzVegetaReport(f *testing.F)     { fuzzLoad(f, VegetaReport) }
func FuzzVegetaHDRPlot(f *testing.F)    { fuzzLoad(f, VegetaHDRPlot) }
func FuzzJMeterCSV(f *testing.F)        { fuzzFromInterval(f, JMeterCSV) }
func FuzzJMeterXML(f *testing.F)        { fuzzLoad(f, JMeterXML) }
func FuzzLocustStats(f *testing.F)      { fuzzLoad(f, LocustStats) }
func FuzzLocustHistory(f *testing.F)    { fuzzLoad(f, LocustHistory) }
func FuzzLocustFailures(f *testing.F)   { fuzzLoad(f, LocustFailures) }
func FuzzLocustExceptions(f *testing.F) { fuzzLoad(f, LocustExceptions) }
func FuzzGatlingLog(f *testing.F)       { fuzzLoad(f, GatlingLog) }
func FuzzGatlingBinary(f *testing.F)    { fuzzLoad(f, GatlingBinary) }
func FuzzWrk(f *testing.F)              { fuzzLoad(f, Wrk) }
func FuzzWrk2(f *testing.F)             { fuzzFromInterval(f, Wrk2) }
func FuzzHey(f *testing.F)              { fuzzFromInterval(f, Hey) }
func FuzzHeyCSV(f *testing.F)           { fuzzFromInterval(f, HeyCSV) }
func FuzzAb(f *testing.F)               { fuzzLoad(f, Ab) }
func FuzzAbGnuplot(f *testing.F)        { fuzzLoad(f, AbGnuplot) }
func FuzzAbPercentiles(f *testing.F)    { fuzzLoad(f, AbPercentiles) }

// fuzzFromInterval is fuzzLoad with a start and an interval, so that rows that
// bear no time are placed too.
func fuzzFromInterval(f *testing.F, im *Importer) {
	fuzzLoadWith(f, im, Options{
		Zone: time.UTC, Rejected: []string{"429"}, Start: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC), Interval: time.Second,
	})
}
