package conformance

// answerRow is a thing that a reference document must answer: where on the page it
// is, by the headings of sections, and what must stand there: values of the truth,
// by their ids without the set's name (* is any one part), and words.
type answerRow struct {
	asks     string
	sections []string
	ids      []string
	words    []string
	figures  []string // kinds of plots that must be there
}

// answerRows are, by the set of the reference, the things that its document must
// answer.
var answerRows = map[string][]answerRow{
	"dlp": {
		{asks: "two columns with what is sustained, the knee, fleets at three rates, errors and foreign CPU", sections: []string{"At a glance"},
			ids: []string{"ingest.sustained_*", "ingest.knee_*", "ingest.fleet_*", "ingest.errors", "ingest.cpu_foreign_pct",
				"matching.sustained_*", "matching.knee_*", "matching.fleet_*", "matching.errors", "matching.cpu_foreign_pct"},
			words: []string{"ingestion only", "every event matches a policy"}},
		{asks: "what a policy match costs, as at least", sections: []string{"One against the other"}, ids: []string{"cost_of_matching"}, words: []string{"at least"}},
		{asks: "advice on concurrency", sections: []string{"What the two columns say"}, ids: []string{"matching.knee_concurrency", "ingest.knee_concurrency"}, words: []string{"callers"}},
		{asks: "floors with contention beside every row", sections: []string{"Step by step"},
			ids:   []string{"ingest-*.throughput", "ingest-*.load_mean", "ingest-*.cpu_foreign_pct", "matching-*.throughput", "matching-*.load_mean", "matching-*.cpu_foreign_pct", "prefix-*.throughput", "prefix-*.load_mean"},
			words: []string{"floor"}, figures: []string{"sweep"}},
		{asks: "a tally of waits", sections: []string{"What it waited for"}, ids: []string{"prefix.waits"}, figures: []string{"waits"}},
		{asks: "tests of hypotheses: an arm without the wait for the disk, and throughput that does not follow concurrency",
			sections: []string{"One against the other", "Step by step"}, ids: []string{"sync.ratio", "prefix.elasticity_*"}, words: []string{"it fell over"}},
		{asks: "commits for a batch, by counting", sections: []string{"What one event costs"}, ids: []string{"commits-*.per_batch", "commits.reduction"}},
		{asks: "interleaved pairs", sections: []string{"The first thing that gave: a commit an event", "One against the other"},
			ids: []string{"ab.pair_1.ratio", "ab.pair_2.ratio", "ab-*.throughput", "ab-*.p50"}, figures: []string{"pairs"}},
		{asks: "a clean-up that cannot keep up", sections: []string{"What one event costs", "Gates"},
			ids:   []string{"housekeeping-before.passes_at_maximum", "housekeeping-before.removal_bound_per_s", "housekeeping-before.arrivals_per_s", "housekeeping-before.keeps_up_below_events_per_s"},
			words: []string{"every pass removed its maximum"}},
		{asks: "growth for each event", sections: []string{"What one event costs", "Over hours, and as it grows"}, ids: []string{"sizes.bytes_per_event", "sizes.events"}, figures: []string{"growth"}},
		{asks: "whether so many endpoints are carried, by arithmetic", sections: []string{"The fleet, both ways"},
			ids: []string{"acceptance.required_*", "ingest.fleet_*", "matching.fleet_*"}, words: []string{"10,000 endpoints need", "✓ pass", "✗ fail"}},
		{asks: "which replica served", sections: []string{"Which replica served"}, ids: []string{"replicas-*.replica_*_served"}},
		{asks: "a soak, step by step", sections: []string{"Over hours, and as it grows"},
			ids: []string{"soak.step_*.throughput", "soak.step_*.db_size", "soak.step_*.dead_rows"}},
		{asks: "figures that others took the place of", sections: []string{"Figures that these replace"}, ids: []string{"prefix.sustained_throughput", "since_fix"}},
		{asks: "what is not covered", sections: []string{"What this does not show"}, words: []string{"Enrollment"}},
		{asks: "how to take it again", sections: []string{"Taking it again"}, words: []string{"concurrency 8, 16, 32, 64, 128, 256", "20 s", "./ingest.sh"}},
	},
	"privapub": {
		{asks: "a table of runs: rate, workers, posts held, wait and processing, peak, drain, the reader's p95", sections: []string{"Six runs", "The queue"},
			ids:     []string{"*.posts_held", "*.queue_wait_p50", "*.queue_wait_p95", "*.processing_p50", "*.processing_p95", "*.queue_peak", "*.drain", "*.home_p95", "*.offered"},
			figures: []string{"queue"}},
		{asks: "refusals by design, with the arithmetic of the limiter", sections: []string{"The limiter explains what was refused", "Limits by arithmetic"},
			ids: []string{"*.limit_predicts_accepted", "*.limit_predicts_refused", "*.limit_predicts_burst_ends_s", "r300-*.accepted", "r300-*.refused"}},
		{asks: "what each run changed", sections: []string{"What each run changed"},
			words: []string{"inbox-workers 2 → 8", "offered 100 requests/s → 300 requests/s", "lookups by a unique key use an index", "offered 600 requests/s → 1,000 requests/s"}},
		{asks: "where it stops keeping up", sections: []string{"What gives first"}, ids: []string{"r300-w2.queue_peak", "r300-w2.drain", "r1000-lifted.queue_peak", "r1000-lifted.drain"}},
		{asks: "how to take it again", sections: []string{"Taking it again"}, words: []string{"open loop", "60 s"}},
	},
	"hardcount": {
		{asks: "at a glance, with how many of how many passed", sections: []string{"At a glance"},
			ids: []string{"S1.n_of_m", "S1.p50_median", "S1.p99_median", "S1.p99_min", "S1.p99_max", "S1.worst_10s_p99", "S2.n_of_m", "S2.p50_median", "S2.p99_median", "S2.p99_min", "S2.p99_max", "S2.worst_10s_p99", "single.n_of_m", "single.p99_median"}},
		{asks: "gates with reasons", sections: []string{"Gates"}, ids: []string{"S1.r5.dropped", "few.samples"}, words: []string{"crossed: ", "the system holds less than was claimed", "slower without its freezes too"}},
		{asks: "a ladder", sections: []string{"The ladder of rates"}, ids: []string{"rung.*.*.p99", "rung.*.*.dropped", "rung.*.*.drift_ratio"}, words: []string{"✓ pass", "✗ fail"}},
		{asks: "five walls with their evidence", sections: []string{"What gives first"},
			ids: []string{"hotrow.stock.p99", "hotrow.pool60.p99", "hotrow.pool60.waiting_min", "hotrow.pool60.waiting_max", "hotrow.pool60.backends", "pgbench.one.tps",
				"ram.r1.p99", "ram.r3.p99", "ram.r1.rds_read_iops_max", "ram.r3.rds_read_iops_max", "rhythm.a.freeze_seconds",
				"avac.stock.vacuum_freeze_seconds", "avac.low.vacuum_freeze_seconds", "usage.slope_us_per_event", "usage.budget_crossed_at_events"}, words: []string{"5.03 s"}},
		{asks: "what was ruled out", sections: []string{"What was ruled out"}, words: []string{"ruled out", "sightings of working sessions", "could not look"}},
		{asks: "freeze-seconds with their cadence", sections: []string{"When it stood still"},
			ids: []string{"rhythm.*.freeze_seconds", "rhythm.*.episodes", "storm.*.freeze_seconds", "S1.r5.freeze_seconds", "blind.freeze_seconds"}, words: []string{"5.03 s", "5.05 s"}},
		{asks: "a vacuum storm and the pool of log segments, put down to their causes", sections: []string{"What the stops are put down to"}, words: []string{"vacuum", "wal_pool"}},
		{asks: "control against treatment", sections: []string{"Five walls", "One against the other"},
			ids: []string{"avac.*.n_of_m", "avac.*.vacuum_freeze_seconds", "avac.*.dropped", "avac.*.worst_request", "avac.*.worst_1s_p99", "avac.*.pages_dirtied_max", "avac.*.p50_median_all"}},
		{asks: "the probe judged apart, and the scan with its line", sections: []string{"What a reader waits for meanwhile"},
			ids:   []string{"usage.group_*.events_per_customer_mean", "usage.group_*.p50", "usage.group_*.rows_in_table", "usage.slope_us_per_event", "usage.r2", "usage.budget_crossed_at_events"},
			words: []string{"usage-summary", "within its budget"}},
		{asks: "denominators", sections: []string{"Beside what the figures stand"}, ids: []string{"closed.events_per_s", "pgbench.batch.rows_per_s", "pgbench.rls.rows_per_s", "closed.share_of_pgbench_batch", "closed.share_of_pgbench_rls"}},
		{asks: "costs of an event", sections: []string{"What one event costs"},
			ids: []string{"costs.wal_bytes_per_event", "costs.wal_records_per_event", "costs.wal_fpi_per_event", "costs.insert_calls_per_event", "costs.fk_lookups_per_event", "costs.growth.*"}},
		{asks: "stops that nobody can explain, named so", sections: []string{"What the stops are put down to"}, words: []string{"Unexplained", "S1.r5", "Evidence not collected"}},
		{asks: "what the detector misses, measured", sections: []string{"When it stood still", "What the detector misses"},
			ids: []string{"phase.*.freeze_seconds", "phase.*.ten_second_phases"}, words: []string{"phases of 10"}},
		{asks: "what it does not show", sections: []string{"What this does not show"}, words: []string{"Steady state only"}},
		{asks: "what a re-scan said", sections: []string{"The archive, read again"}, words: []string{"Re-scan: of the 62 runs of this document", "unchanged", "findings"}},
		{asks: "how to take it again", sections: []string{"Taking it again"}, words: []string{"k6", "120 s", "cloudwatch-metric-data"}},
	},
	"seagull": {
		{asks: "a table of stages: time, bytes, allocations, events a second, shares", sections: []string{"Stage by stage"},
			ids: []string{"bench-gateway.*.ns_per_event", "bench-gateway.*.bytes_per_event", "bench-gateway.*.allocs_per_event", "bench-gateway.*.events_per_s",
				"bench-writer.*.ns_per_event", "bench-writer.*.events_per_s", "share_cpu.*", "share_allocs.*"}, figures: []string{"stages"}},
		{asks: "batch sizes compared, with ratios", sections: []string{"A batch of ten thousand is the worst of three", "Stage by stage"},
			ids: []string{"batch-*.throughput", "batch-*.p50", "batch-*.p95", "batch-*.p99", "batch-*.bytes_allocated_per_event", "batch.throughput_ratio", "batch.p99_ratio"}},
		{asks: "end to end, with reconciliation and headroom", sections: []string{"Was it all stored", "Scenario by scenario", "Stage by stage"},
			ids: []string{"e2e.events", "e2e.stored_events", "e2e.throughput", "e2e.p50", "e2e.p95", "e2e.p99", "e2e.max", "e2e.bytes_allocated_per_event", "e2e.gateway_headroom"}},
		{asks: "what is bounded and what is not, and the arithmetic of memory", sections: []string{"Limits by arithmetic"}, ids: []string{"batch-*.memory_bound"}, words: []string{"nothing limits"}},
		{asks: "scenarios with their verdicts", sections: []string{"Scenario by scenario"},
			ids:   []string{"slow-backbone.p50", "slow-backbone.missing", "slow-backbone.peak_in_flight", "abusive-agent.refused", "abusive-agent.offered", "shutdown.acknowledged", "shutdown.missing"},
			words: []string{"✓ pass", "✗ fail"}},
		{asks: "bottlenecks in order, each with its number", sections: []string{"In order"},
			ids: []string{"batch.throughput_ratio", "batch.p99_ratio", "batch-10000.memory_bound", "decode_encode_ns", "bench-gateway.Validate.event_id_bench-000000001.ns_per_event"}},
		{asks: "a guard on allocations", sections: []string{"Gates", "Scenario by scenario"}, ids: []string{"e2e.bytes_allocated_per_event"}, words: []string{"allocations"}},
		{asks: "how to take it again", sections: []string{"Taking it again"}, words: []string{"go test -bench", "./ingest.sh"}},
	},
}
