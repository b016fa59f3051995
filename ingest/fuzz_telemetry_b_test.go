package ingest

import "testing"

func FuzzPsqlSeries(f *testing.F)        { fuzzTelemetry(f, PsqlSeries) }
func FuzzPostgresStats(f *testing.F)     { fuzzTelemetry(f, PostgresStats) }
func FuzzPostgresSettings(f *testing.F)  { fuzzTelemetry(f, PostgresSettings) }
func FuzzPostgresStatsJSON(f *testing.F) { fuzzTelemetry(f, PostgresStatsJSON) }
func FuzzPsqlTables(f *testing.F)        { fuzzTelemetry(f, PsqlTables) }
func FuzzPostgresJSONLog(f *testing.F)   { fuzzTelemetry(f, PostgresJSONLog) }
func FuzzPostgresExported(f *testing.F)  { fuzzTelemetry(f, PostgresExported) }
func FuzzPostgresSyslog(f *testing.F)    { fuzzTelemetry(f, PostgresSyslog) }
func FuzzSar(f *testing.F)               { fuzzTelemetry(f, Sar) }
func FuzzMpstat(f *testing.F)            { fuzzTelemetry(f, Mpstat) }
func FuzzIostat(f *testing.F)            { fuzzTelemetry(f, Iostat) }
func FuzzPidstat(f *testing.F)           { fuzzTelemetry(f, Pidstat) }
func FuzzSadfCSV(f *testing.F)           { fuzzTelemetry(f, SadfCSV) }
func FuzzSadfPPC(f *testing.F)           { fuzzTelemetry(f, SadfPPC) }
func FuzzSadfOther(f *testing.F)         { fuzzTelemetry(f, SadfOther) }
func FuzzSadfJSON(f *testing.F)          { fuzzTelemetry(f, SadfJSON) }
func FuzzIostatJSON(f *testing.F)        { fuzzTelemetry(f, IostatJSON) }
func FuzzMpstatJSON(f *testing.F)        { fuzzTelemetry(f, MpstatJSON) }
func FuzzDstat(f *testing.F)             { fuzzTelemetry(f, Dstat) }
func FuzzTop(f *testing.F)               { fuzzTelemetry(f, Top) }
func FuzzProcFiles(f *testing.F)         { fuzzTelemetry(f, ProcFiles) }
