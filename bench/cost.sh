#!/usr/bin/env bash
# Measures what work costs: ingest and analysis of runs of more and more samples,
# and re-scans of more and more runs. Prints tab-separated lines: what, how many,
# CPU seconds, peak MiB.
#
#   bench/cost.sh > cost.tsv
#
# SAMPLES   sizes of one run (default "100000 1000000 10000000")
# RUNS      sizes of an archive of runs of 50,000 samples (default "1 10 100")
#
# Files are made in a temporary folder, which is gone when the script ends.
set -euo pipefail
export LC_ALL=C TZ=UTC

here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d /tmp/headroom-cost.XXXXXX)
trap 'rm -rf "$tmp"' EXIT
(cd "$here/.." && CGO_ENABLED=0 go build -trimpath -o "$tmp/" ./cmd/headroom ./bench/generate ./bench/timing)
export PATH="$tmp:$PATH"

# cost WHAT HOW-MANY COMMAND
cost() {
  timing -rounds 1 -allow 0,1,2 "it=$3" | awk -v what="$1" -v n="$2" '$1 == "it" { print what "\t" n "\t" $3 "\t" $4 }'
}

for n in ${SAMPLES:-100000 1000000 10000000}; do
  generate -kind pgbench -rows "$n" >"$tmp/pgbench_log.1"
  cost ingest "$n" "headroom ingest -q '$tmp/pgbench_log.1' -o '$tmp/run'"
  cost analyze "$n" "headroom analyze --json '$tmp/run'"
  rm -rf "$tmp/run" "$tmp/pgbench_log.1"
done
mkdir "$tmp/archive"
made=0
for n in ${RUNS:-1 10 100}; do
  while [ "$made" -lt "$n" ]; do
    made=$((made + 1))
    generate -kind pgbench -rows 50000 -seed "$made" >"$tmp/pgbench_log.1"
    headroom ingest -q "$tmp/pgbench_log.1" -o "$tmp/archive/r$made" >/dev/null
  done
  rm -rf "$tmp/cache"
  cost rescan "$n" "headroom rescan --cache '$tmp/cache' '$tmp/archive'"
  cost "rescan again" "$n" "headroom rescan --cache '$tmp/cache' '$tmp/archive'"
done
