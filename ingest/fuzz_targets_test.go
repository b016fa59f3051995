package ingest

import "testing"

// A fuzz target for each importer: TestFuzzTargets fails for one that has none.

// K6, pgbench, mappings.
func FuzzK6JSON(f *testing.F)           { fuzzImporter(f, K6JSON, bare) }
func FuzzK6CSV(f *testing.F)            { fuzzImporter(f, K6CSV, bare) }
func FuzzK6Summary(f *testing.F)        { fuzzImporter(f, K6Summary, bare) }
func FuzzPgbenchLog(f *testing.F)       { fuzzImporter(f, PgbenchLog, bare) }
func FuzzPgbenchAggregate(f *testing.F) { fuzzImporter(f, PgbenchAggregate, bare) }
func FuzzPgbenchOutput(f *testing.F)    { fuzzImporter(f, PgbenchOutput, bare) }
func FuzzGenericCSV(f *testing.F)       { fuzzImporter(f, GenericCSV, bare) }
func FuzzGenericJSONL(f *testing.F)     { fuzzImporter(f, GenericJSONL, bare) }
func FuzzGenericLogfmt(f *testing.F)    { fuzzImporter(f, GenericLogfmt, bare) }
func FuzzExitStatus(f *testing.F)       { fuzzImporter(f, ExitStatus, bare) }

// Further load generators.
func FuzzVegetaGob(f *testing.F)        { fuzzImporter(f, VegetaGob, bare) }
func FuzzVegetaJSON(f *testing.F)       { fuzzImporter(f, VegetaJSON, bare) }
func FuzzVegetaCSV(f *testing.F)        { fuzzImporter(f, VegetaCSV, bare) }
func FuzzVegetaReport(f *testing.F)     { fuzzImporter(f, VegetaReport, bare) }
func FuzzVegetaHDRPlot(f *testing.F)    { fuzzImporter(f, VegetaHDRPlot, bare) }
func FuzzJMeterCSV(f *testing.F)        { fuzzImporter(f, JMeterCSV, paced) }
func FuzzJMeterXML(f *testing.F)        { fuzzImporter(f, JMeterXML, bare) }
func FuzzLocustStats(f *testing.F)      { fuzzImporter(f, LocustStats, bare) }
func FuzzLocustHistory(f *testing.F)    { fuzzImporter(f, LocustHistory, bare) }
func FuzzLocustFailures(f *testing.F)   { fuzzImporter(f, LocustFailures, bare) }
func FuzzLocustExceptions(f *testing.F) { fuzzImporter(f, LocustExceptions, bare) }
func FuzzGatlingLog(f *testing.F)       { fuzzImporter(f, GatlingLog, bare) }
func FuzzGatlingBinary(f *testing.F)    { fuzzImporter(f, GatlingBinary, bare) }
func FuzzWrk(f *testing.F)              { fuzzImporter(f, Wrk, bare) }
func FuzzWrk2(f *testing.F)             { fuzzImporter(f, Wrk2, paced) }
func FuzzHey(f *testing.F)              { fuzzImporter(f, Hey, paced) }
func FuzzHeyCSV(f *testing.F)           { fuzzImporter(f, HeyCSV, paced) }
func FuzzAb(f *testing.F)               { fuzzImporter(f, Ab, bare) }
func FuzzAbGnuplot(f *testing.F)        { fuzzImporter(f, AbGnuplot, bare) }
func FuzzAbPercentiles(f *testing.F)    { fuzzImporter(f, AbPercentiles, bare) }

// Load generators whose reports bear no time.
func FuzzOhaJSON(f *testing.F)          { fuzzImporter(f, OhaJSON, placed) }
func FuzzOhaCSV(f *testing.F)           { fuzzImporter(f, OhaCSV, placed) }
func FuzzBombardierJSON(f *testing.F)   { fuzzImporter(f, BombardierJSON, placed) }
func FuzzBombardierText(f *testing.F)   { fuzzImporter(f, BombardierText, placed) }
func FuzzAutocannonJSON(f *testing.F)   { fuzzImporter(f, AutocannonJSON, placed) }
func FuzzAutocannonTable(f *testing.F)  { fuzzImporter(f, AutocannonTable, placed) }
func FuzzArtillery(f *testing.F)        { fuzzImporter(f, Artillery, placed) }
func FuzzFortio(f *testing.F)           { fuzzImporter(f, Fortio, placed) }
func FuzzSiegeOutput(f *testing.F)      { fuzzImporter(f, SiegeOutput, placed) }
func FuzzSiegeLog(f *testing.F)         { fuzzImporter(f, SiegeLog, placed) }
func FuzzH2loadLog(f *testing.F)        { fuzzImporter(f, H2loadLog, placed) }
func FuzzH2loadOutput(f *testing.F)     { fuzzImporter(f, H2loadOutput, placed) }
func FuzzSysbench(f *testing.F)         { fuzzImporter(f, Sysbench, placed) }
func FuzzYCSBOutput(f *testing.F)       { fuzzImporter(f, YCSBOutput, placed) }
func FuzzYCSBRaw(f *testing.F)          { fuzzImporter(f, YCSBRaw, placed) }
func FuzzBenchBaseRaw(f *testing.F)     { fuzzImporter(f, BenchBaseRaw, placed) }
func FuzzBenchBaseWindows(f *testing.F) { fuzzImporter(f, BenchBaseWindows, placed) }
func FuzzBenchBaseSummary(f *testing.F) { fuzzImporter(f, BenchBaseSummary, placed) }
func FuzzHammerDB(f *testing.F)         { fuzzImporter(f, HammerDB, placed) }
func FuzzOpenMessaging(f *testing.F)    { fuzzImporter(f, OpenMessaging, placed) }
func FuzzHdrHistogramLog(f *testing.F)  { fuzzImporter(f, HdrHistogramLog, placed) }
func FuzzGoBench(f *testing.F)          { fuzzImporter(f, GoBench, placed) }
func FuzzGoBenchJSON(f *testing.F)      { fuzzImporter(f, GoBenchJSON, placed) }

// Host and database.
func FuzzVmstat(f *testing.F)           { fuzzImporter(f, Vmstat, paced) }
func FuzzLoadavg(f *testing.F)          { fuzzImporter(f, Loadavg, paced) }
func FuzzProcStat(f *testing.F)         { fuzzImporter(f, ProcStat, paced) }
func FuzzProcPidStat(f *testing.F)      { fuzzImporter(f, ProcPidStat, paced) }
func FuzzPS(f *testing.F)               { fuzzImporter(f, PS, paced) }
func FuzzPostgresCSVLog(f *testing.F)   { fuzzImporter(f, PostgresCSVLog, paced) }
func FuzzPostgresLog(f *testing.F)      { fuzzImporter(f, PostgresLog, paced) }
func FuzzPsqlCounts(f *testing.F)       { fuzzImporter(f, PsqlCounts, paced) }
func FuzzPostgresActivity(f *testing.F) { fuzzImporter(f, PostgresActivity, paced) }

// Statistics, logs and sysstat.
func FuzzPsqlSeries(f *testing.F)        { fuzzImporter(f, PsqlSeries, paced) }
func FuzzPostgresStats(f *testing.F)     { fuzzImporter(f, PostgresStats, paced) }
func FuzzPostgresSettings(f *testing.F)  { fuzzImporter(f, PostgresSettings, paced) }
func FuzzPostgresStatsJSON(f *testing.F) { fuzzImporter(f, PostgresStatsJSON, paced) }
func FuzzPsqlTables(f *testing.F)        { fuzzImporter(f, PsqlTables, paced) }
func FuzzPostgresJSONLog(f *testing.F)   { fuzzImporter(f, PostgresJSONLog, paced) }
func FuzzPostgresExported(f *testing.F)  { fuzzImporter(f, PostgresExported, paced) }
func FuzzPostgresSyslog(f *testing.F)    { fuzzImporter(f, PostgresSyslog, paced) }
func FuzzSar(f *testing.F)               { fuzzImporter(f, Sar, paced) }
func FuzzMpstat(f *testing.F)            { fuzzImporter(f, Mpstat, paced) }
func FuzzIostat(f *testing.F)            { fuzzImporter(f, Iostat, paced) }
func FuzzPidstat(f *testing.F)           { fuzzImporter(f, Pidstat, paced) }
func FuzzSadfCSV(f *testing.F)           { fuzzImporter(f, SadfCSV, paced) }
func FuzzSadfPPC(f *testing.F)           { fuzzImporter(f, SadfPPC, paced) }
func FuzzSadfOther(f *testing.F)         { fuzzImporter(f, SadfOther, paced) }
func FuzzSadfJSON(f *testing.F)          { fuzzImporter(f, SadfJSON, paced) }
func FuzzIostatJSON(f *testing.F)        { fuzzImporter(f, IostatJSON, paced) }
func FuzzMpstatJSON(f *testing.F)        { fuzzImporter(f, MpstatJSON, paced) }
func FuzzDstat(f *testing.F)             { fuzzImporter(f, Dstat, paced) }
func FuzzTop(f *testing.F)               { fuzzImporter(f, Top, paced) }
func FuzzProcFiles(f *testing.F)         { fuzzImporter(f, ProcFiles, paced) }

// Clouds, monitoring, application logs and counts.
func FuzzCloudWatchData(f *testing.F)       { fuzzImporter(f, CloudWatchData, paced) }
func FuzzCloudWatchStatistics(f *testing.F) { fuzzImporter(f, CloudWatchStatistics, paced) }
func FuzzRDSEnhanced(f *testing.F)          { fuzzImporter(f, RDSEnhanced, paced) }
func FuzzPerformanceInsights(f *testing.F)  { fuzzImporter(f, PerformanceInsights, paced) }
func FuzzPrometheusJSON(f *testing.F)       { fuzzImporter(f, PrometheusJSON, paced) }
func FuzzOpenMetrics(f *testing.F)          { fuzzImporter(f, OpenMetrics, paced) }
func FuzzOTLPMetrics(f *testing.F)          { fuzzImporter(f, OTLPMetrics, paced) }
func FuzzSeriesCSV(f *testing.F)            { fuzzImporter(f, SeriesCSV, paced) }
func FuzzAppJSONL(f *testing.F)             { fuzzImporter(f, AppJSONL, paced) }
func FuzzAppLogfmt(f *testing.F)            { fuzzImporter(f, AppLogfmt, paced) }
func FuzzExpvar(f *testing.F)               { fuzzImporter(f, Expvar, paced) }
func FuzzJSONCounts(f *testing.F)           { fuzzImporter(f, JSONCounts, paced) }
func FuzzKafkaOffsets(f *testing.F)         { fuzzImporter(f, KafkaOffsets, paced) }
func FuzzIDList(f *testing.F)               { fuzzImporter(f, IDList, paced) }
