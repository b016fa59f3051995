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
