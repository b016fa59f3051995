package ingest

// All is every importer, in the order in which `headroom formats` lists them:
// load generators, then generic files, then what was collected beside them. No
// file is claimed by two, so the order decides nothing else.
var All = []*Importer{
	K6JSON,
	K6CSV,
	K6Summary,
	PgbenchLog,
	PgbenchAggregate,
	PgbenchOutput,
	GenericCSV,
	GenericJSONL,
	ExitStatus,
	Vmstat,
	Loadavg,
	ProcStat,
	ProcPidStat,
	PS,
	PostgresCSVLog,
	PostgresLog,
	PsqlCounts,
	PsqlSeries,
	PostgresStats,
	PostgresSettings,
	PostgresActivity,
	CloudWatchData,
	CloudWatchStatistics,
	RDSEnhanced,
	PerformanceInsights,
	PrometheusJSON,
	OpenMetrics,
	OTLPMetrics,
	PostgresStatsJSON,
	PsqlTables,
}
