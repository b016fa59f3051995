package ingest

import "testing"

func FuzzCloudWatchData(f *testing.F)       { fuzzTelemetry(f, CloudWatchData) }
func FuzzCloudWatchStatistics(f *testing.F) { fuzzTelemetry(f, CloudWatchStatistics) }
func FuzzRDSEnhanced(f *testing.F)          { fuzzTelemetry(f, RDSEnhanced) }
func FuzzPerformanceInsights(f *testing.F)  { fuzzTelemetry(f, PerformanceInsights) }
func FuzzPrometheusJSON(f *testing.F)       { fuzzTelemetry(f, PrometheusJSON) }
func FuzzOpenMetrics(f *testing.F)          { fuzzTelemetry(f, OpenMetrics) }
func FuzzOTLPMetrics(f *testing.F)          { fuzzTelemetry(f, OTLPMetrics) }
func FuzzSeriesCSV(f *testing.F)            { fuzzTelemetry(f, SeriesCSV) }
func FuzzAppJSONL(f *testing.F)             { fuzzTelemetry(f, AppJSONL) }
func FuzzAppLogfmt(f *testing.F)            { fuzzTelemetry(f, AppLogfmt) }
func FuzzExpvar(f *testing.F)               { fuzzTelemetry(f, Expvar) }
func FuzzJSONCounts(f *testing.F)           { fuzzTelemetry(f, JSONCounts) }
func FuzzKafkaOffsets(f *testing.F)         { fuzzTelemetry(f, KafkaOffsets) }
func FuzzIDList(f *testing.F)               { fuzzTelemetry(f, IDList) }
