#!/usr/bin/env bash
# Compares headroom with wc, gunzip, mawk, DuckDB, vegeta, pgbadger and benchstat
# on the same generated files: whole processes, in turn, medians of ROUNDS.
#
#   bench/compare.sh [GROUP…]      groups: k6 urls packed pgbench jtl vegeta postgres bench seconds
#
# ROUNDS    rounds of each group (default 5)
# SCALE     size of the files; 1 is 200 MB of k6 JSON, 2 million rows of the
#           other load formats and 200,000 lines of logs (default 1)
# K6        the recorded k6 file that is replayed
#           (default ../shared/recorded/faults-k6/k6.json.gz)
#
# DuckDB needs `npm ci` in bench/duckdb; vegeta, pgbadger and benchstat are used
# if they are in PATH. What is not there is said and left out. Files are made in
# a temporary folder, which is gone when the script ends. Believe the CPU ratios;
# docs/performance.md says what they were.
set -euo pipefail
export LC_ALL=C TZ=UTC

here=$(cd "$(dirname "$0")" && pwd)
rounds=${ROUNDS:-5} scale=${SCALE:-1}
k6=${K6:-$here/../../shared/recorded/faults-k6/k6.json.gz}
tmp=$(mktemp -d /tmp/headroom-compare.XXXXXX)
trap 'rm -rf "$tmp"' EXIT

(cd "$here/.." && CGO_ENABLED=0 go build -trimpath -o "$tmp/" ./cmd/headroom ./bench/generate ./bench/timing ./bench/seconds)
export PATH="$tmp:$PATH"
rows=$(awk "BEGIN { printf \"%d\", 2000000 * $scale }")
lines=$(awk "BEGIN { printf \"%d\", 200000 * $scale }")
bytes=$(awk "BEGIN { printf \"%d\", 200000000 * $scale }")

have() { command -v "$1" >/dev/null || { echo "  ($1 is not in PATH: left out)"; return 1; }; }
duck() { [ -d "$here/duckdb/node_modules" ] || { echo "  (no DuckDB: npm ci in bench/duckdb)"; return 1; }; }
query() { printf 'node %q 2 %q >/dev/null' "$here/duckdb/query.mjs" "$1"; }
analyze() { echo "{ headroom analyze --json '$tmp/$1' || [ \$? -le 2 ]; }"; } # 1 and 2 are verdicts
ingest() { echo "headroom ingest -q '$tmp/$1' -o '$tmp/run'"; }

# measure GROUP NAME=COMMAND… prints one table.
measure() {
  echo; echo "$1"; shift
  timing -rounds "$rounds" -before "rm -rf '$tmp/run' '$tmp'/out.*" "$@"
}

# typed is DuckDB's ingest of k6 JSON with its types given.
typed() {
  local tags='expected_response VARCHAR, "group" VARCHAR, method VARCHAR, name VARCHAR, proto VARCHAR, scenario VARCHAR, status VARCHAR, url VARCHAR'
  query "COPY (SELECT metric, data.\"time\"::TIMESTAMP_NS AS time, data.value AS value, unnest(data.tags) FROM read_json('$tmp/$1', format='newline_delimited', columns={metric: 'VARCHAR', type: 'VARCHAR', data: 'STRUCT(\"time\" VARCHAR, \"value\" DOUBLE, tags STRUCT($tags))'}) WHERE type = 'Point') TO '$tmp/out.parquet' (FORMAT parquet, COMPRESSION zstd)"
}

# percentile is the one-liner that people type.
percentile() {
  echo "mawk -F '\"value\":' '/^{\"metric\":\"http_req_duration\",\"type\":\"Point\"/ { split(\$2, v, \",\"); print v[1] }' '$tmp/$1' | sort -n | mawk '{ x[NR] = \$1 } END { print x[int((NR * 95 + 99) / 100)] }' >/dev/null"
}

group_k6() {
  generate -kind k6 -from "$k6" -bytes "$bytes" >"$tmp/k6.json"
  local peers=("wc -l=wc -l '$tmp/k6.json'" "sha256=openssl dgst -sha256 '$tmp/k6.json'" "headroom ingest=$(ingest k6.json)" "mawk, one p95=$(percentile k6.json)")
  duck && peers+=("DuckDB, types given=$(typed k6.json)")
  measure "k6 JSON, $(stat -c %s "$tmp/k6.json") bytes" "${peers[@]}"
}

group_urls() {
  generate -kind k6-urls -from "$k6" -bytes "$bytes" >"$tmp/urls.json"
  local peers=("headroom ingest=$(ingest urls.json)")
  duck && peers+=("DuckDB, types given=$(typed urls.json)")
  measure "k6 JSON, every URL another" "${peers[@]}"
}

group_packed() {
  generate -kind k6 -from "$k6" -bytes "$bytes" >"$tmp/k6.json"
  gzip -kc "$tmp/k6.json" >"$tmp/k6.json.gz"
  local peers=("gunzip=gunzip -c '$tmp/k6.json.gz' >/dev/null" "headroom ingest .gz=$(ingest k6.json.gz)")
  if have zstd; then
    zstd -q "$tmp/k6.json" -o "$tmp/k6.json.zst"
    peers+=("zstd -dc=zstd -dc '$tmp/k6.json.zst' >/dev/null" "headroom ingest .zst=$(ingest k6.json.zst)")
  fi
  measure "k6 JSON, compressed" "${peers[@]}"
}

group_pgbench() {
  generate -kind pgbench -rows "$rows" >"$tmp/pgbench_log.1"
  local peers=("wc -l=wc -l '$tmp/pgbench_log.1'" "headroom ingest=$(ingest pgbench_log.1)" "mawk, count and max=mawk '{ if (\$3 > m) m = \$3 } END { print NR, m }' '$tmp/pgbench_log.1'")
  duck && peers+=("DuckDB, types given=$(query "COPY (SELECT * FROM read_csv('$tmp/pgbench_log.1', delim=' ', header=false, columns={client: 'INTEGER', tx: 'BIGINT', time: 'BIGINT', script: 'INTEGER', s: 'BIGINT', us: 'BIGINT'})) TO '$tmp/out.parquet' (FORMAT parquet, COMPRESSION zstd)")")
  measure "pgbench log, $rows transactions" "${peers[@]}"
}

group_jtl() {
  generate -kind jtl -rows "$rows" >"$tmp/load.jtl"
  measure "JTL, $rows samples" "wc -l=wc -l '$tmp/load.jtl'" "headroom ingest=$(ingest load.jtl)"
}

group_vegeta() {
  local kind peers
  for kind in csv json; do
    generate -kind "vegeta-$kind" -rows "$rows" >"$tmp/vegeta.$kind"
    peers=("headroom ingest=$(ingest "vegeta.$kind")")
    have vegeta && peers+=("vegeta report=vegeta report '$tmp/vegeta.$kind'")
    measure "vegeta $kind, $rows results" "${peers[@]}"
  done
}

group_postgres() {
  generate -kind postgres -rows "$lines" >"$tmp/postgresql.log"
  local peers=("wc -l=wc -l '$tmp/postgresql.log'" "headroom ingest=$(ingest postgresql.log)")
  have pgbadger && peers+=("pgbadger=pgbadger -q -f stderr -p '%m [%p] ' -o '$tmp/out.html' '$tmp/postgresql.log'")
  measure "PostgreSQL log, $lines lines" "${peers[@]}"
}

group_bench() {
  generate -kind bench -rows "$lines" >"$tmp/bench.txt"
  local peers=("headroom ingest + analyze=$(ingest bench.txt) && $(analyze run)")
  have benchstat && peers+=("benchstat=benchstat '$tmp/bench.txt' >/dev/null")
  measure "results of go test -bench, $lines lines" "${peers[@]}"
}

group_seconds() {
  generate -kind pgbench -rows "$rows" >"$tmp/pgbench_log.1"
  headroom ingest -q "$tmp/pgbench_log.1" -o "$tmp/archive" >/dev/null
  local second="epoch_us(start)//1000000" from="read_parquet('$tmp/archive/samples/*.parquet')"
  local peers=("per-second table=seconds '$tmp/archive'" "headroom analyze=$(analyze archive)")
  duck && peers+=("DuckDB, per second=$(query "SELECT $second AS s, count(*), quantile_disc(service, 0.5), quantile_disc(service, 0.99), max(service), count_if(service > 50000000) FROM $from GROUP BY 1 ORDER BY 1")")
  measure "a run of $rows samples" "${peers[@]}"
}

grep -m 1 'model name' /proc/cpuinfo || true
echo "$(nproc) cores, load $(cut -d ' ' -f 1-3 /proc/loadavg), $rounds rounds, scale $scale"
for group in "${@:-k6 urls packed pgbench jtl vegeta postgres bench seconds}"; do
  for name in $group; do "group_$name"; done
done
