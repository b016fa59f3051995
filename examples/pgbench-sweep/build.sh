#!/usr/bin/env bash
# Makes one run of every step that record.sh recorded.
#
#   ./build.sh RAW [RUNS]
#
# RAW    the folder that record.sh wrote
# RUNS   where the runs go, one folder a step (default: runs beside this script)
#
# HEADROOM names the program (default: bin/headroom of this checkout). A run that
# exists is an error: runs are never rewritten. Remove RUNS to make them again.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
raw=${1:?usage: build.sh RAW [RUNS]}
runs=${2:-$here/runs}
headroom=${HEADROOM:-$here/../../bin/headroom}
mkdir -p "$runs"

# Each transaction of pgbench's script adds one row to pgbench_history, and
# pgbench says how many it made: the two must agree.
{
  read -r _
  while IFS=$'\t' read -r name clients start end _; do
    dir=$raw/$name
    made=$(sed -n 's/^number of transactions actually processed: \([0-9]*\).*/\1/p' "$dir/pgbench.txt")
    "$headroom" ingest --quiet --out "$runs/$name" \
      --label system=postgresql --step "concurrency=$clients" --window "$start/$end" \
      --own postgres --own pgbench \
      --claim "transactions=$made" --reconcile rows=transactions --exit-status "$dir/pgbench.exit" \
      "$dir"/pgbench_log.* "$dir/pgbench.txt" \
      "$dir/vmstat.txt" "$dir/loadavg.log" "$dir/procstat.log" "$dir/pidstat.log" \
      "$dir/activity.csv" "$raw/postgresql.csv" \
      --before "$dir/before.counts.csv" --after "$dir/after.counts.csv"
  done
} <"$raw/steps.tsv"
