#!/usr/bin/env bash
# Makes one run of every recording of the set: what one would type by hand.
#
#   ./ingest.sh RAW [RUNS]
#
# RAW is the folder of the set (with runs/NAME/…), RUNS where the runs go (default:
# runs beside this script). HEADROOM names the program. A run that exists is an
# error: runs are never rewritten. Made from the set's manifest by
# go test ./internal/conformance -run ExampleCommands -update; not to be edited.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
raw=${1:?usage: ingest.sh RAW [RUNS]}
runs=${2:-$here/runs}
headroom=${HEADROOM:-$here/../../bin/headroom}
mkdir -p "$runs"
raw=$(cd "$raw" && pwd) runs=$(cd "$runs" && pwd)
make() { "$headroom" ingest --quiet "$@" >/dev/null; }

cd "$raw/runs/S1.r1"
make --out "$runs/S1.r1" --id S1.r1 --window 2026-08-16T18:00:00.000Z/2026-08-16T18:02:00.000Z \
  --load-model open --rate 100 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/S1.r2"
make --out "$runs/S1.r2" --id S1.r2 --window 2026-08-16T18:04:00.000Z/2026-08-16T18:06:00.000Z \
  --load-model open --rate 100 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/S1.r3"
make --out "$runs/S1.r3" --id S1.r3 --window 2026-08-16T18:07:00.000Z/2026-08-16T18:09:00.000Z \
  --load-model open --rate 100 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/S1.r4"
make --out "$runs/S1.r4" --id S1.r4 --window 2026-08-16T18:10:00.000Z/2026-08-16T18:12:00.000Z \
  --load-model open --rate 100 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/S1.r5"
make --out "$runs/S1.r5" --id S1.r5 --window 2026-08-16T18:14:00.000Z/2026-08-16T18:16:00.000Z \
  --load-model open --rate 100 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/S2.r1"
make --out "$runs/S2.r1" --id S2.r1 --window 2026-08-16T18:17:00.000Z/2026-08-16T18:19:00.000Z \
  --load-model open --rate 100 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/S2.r2"
make --out "$runs/S2.r2" --id S2.r2 --window 2026-08-16T18:21:00.000Z/2026-08-16T18:23:00.000Z \
  --load-model open --rate 100 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/S2.r3"
make --out "$runs/S2.r3" --id S2.r3 --window 2026-08-16T18:25:00.000Z/2026-08-16T18:27:00.000Z \
  --load-model open --rate 100 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/S2.r4"
make --out "$runs/S2.r4" --id S2.r4 --window 2026-08-16T18:29:00.000Z/2026-08-16T18:31:00.000Z \
  --load-model open --rate 100 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/S2.r5"
make --out "$runs/S2.r5" --id S2.r5 --window 2026-08-16T18:33:00.000Z/2026-08-16T18:35:00.000Z \
  --load-model open --rate 100 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/single.r1"
make --out "$runs/single.r1" --id single.r1 \
  --window 2026-08-16T18:37:00.000Z/2026-08-16T18:38:00.000Z --load-model open --rate 20 --events 1 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/single.r2"
make --out "$runs/single.r2" --id single.r2 \
  --window 2026-08-16T18:39:00.000Z/2026-08-16T18:40:00.000Z --load-model open --rate 20 --events 1 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/single.r3"
make --out "$runs/single.r3" --id single.r3 \
  --window 2026-08-16T18:41:00.000Z/2026-08-16T18:42:00.000Z --load-model open --rate 20 --events 1 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/single.r4"
make --out "$runs/single.r4" --id single.r4 \
  --window 2026-08-16T18:43:00.000Z/2026-08-16T18:44:00.000Z --load-model open --rate 20 --events 1 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/single.r5"
make --out "$runs/single.r5" --id single.r5 \
  --window 2026-08-16T18:45:00.000Z/2026-08-16T18:46:00.000Z --load-model open --rate 20 --events 1 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/rung.025.r1"
make --out "$runs/rung.025.r1" --id rung.025.r1 \
  --window 2026-08-16T18:47:00.000Z/2026-08-16T18:48:00.000Z --load-model open --rate 25 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/rung.025.r2"
make --out "$runs/rung.025.r2" --id rung.025.r2 \
  --window 2026-08-16T18:49:00.000Z/2026-08-16T18:50:00.000Z --load-model open --rate 25 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/rung.050.r1"
make --out "$runs/rung.050.r1" --id rung.050.r1 \
  --window 2026-08-16T18:51:00.000Z/2026-08-16T18:52:00.000Z --load-model open --rate 50 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/rung.050.r2"
make --out "$runs/rung.050.r2" --id rung.050.r2 \
  --window 2026-08-16T18:53:00.000Z/2026-08-16T18:54:00.000Z --load-model open --rate 50 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/rung.075.r1"
make --out "$runs/rung.075.r1" --id rung.075.r1 \
  --window 2026-08-16T18:55:00.000Z/2026-08-16T18:56:00.000Z --load-model open --rate 75 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/rung.075.r2"
make --out "$runs/rung.075.r2" --id rung.075.r2 \
  --window 2026-08-16T18:57:00.000Z/2026-08-16T18:58:00.000Z --load-model open --rate 75 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/rung.100.r1"
make --out "$runs/rung.100.r1" --id rung.100.r1 \
  --window 2026-08-16T18:59:00.000Z/2026-08-16T19:00:00.000Z --load-model open --rate 100 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/rung.100.r2"
make --out "$runs/rung.100.r2" --id rung.100.r2 \
  --window 2026-08-16T19:02:00.000Z/2026-08-16T19:03:00.000Z --load-model open --rate 100 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/rung.125.r1"
make --out "$runs/rung.125.r1" --id rung.125.r1 \
  --window 2026-08-16T19:05:00.000Z/2026-08-16T19:06:00.000Z --load-model open --rate 125 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/rung.125.r2"
make --out "$runs/rung.125.r2" --id rung.125.r2 \
  --window 2026-08-16T19:08:00.000Z/2026-08-16T19:09:00.000Z --load-model open --rate 125 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/rhythm.a"
make --out "$runs/rhythm.a" --id rhythm.a --window 2026-08-16T19:11:00.000Z/2026-08-16T19:13:00.000Z \
  --load-model open --rate 60 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv sampler_waits.csv \
  postgresql.log --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/rhythm.b"
make --out "$runs/rhythm.b" --id rhythm.b --window 2026-08-16T19:14:00.000Z/2026-08-16T19:16:00.000Z \
  --load-model open --rate 60 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv sampler_waits.csv \
  postgresql.csv --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/storm.a"
make --out "$runs/storm.a" --id storm.a --window 2026-08-16T19:17:00.000Z/2026-08-16T19:19:00.000Z \
  --load-model open --rate 50 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv sampler_waits.csv \
  postgresql.log --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/storm.b"
make --out "$runs/storm.b" --id storm.b --window 2026-08-16T19:20:00.000Z/2026-08-16T19:22:00.000Z \
  --load-model open --rate 50 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv sampler_waits.csv \
  postgresql.csv --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/blind"
make --out "$runs/blind" --id blind --window 2026-08-16T19:23:00.000Z/2026-08-16T19:25:00.000Z \
  --load-model open --rate 50 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv sampler_waits.csv \
  postgresql.log --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/misled"
make --out "$runs/misled" --id misled --window 2026-08-16T19:26:00.000Z/2026-08-16T19:30:00.000Z \
  --load-model open --rate 40 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv sampler_waits.csv \
  postgresql.log --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/phase.a"
make --out "$runs/phase.a" --id phase.a --window 2026-08-16T19:31:00.000Z/2026-08-16T19:32:30.000Z \
  --load-model open --rate 50 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/phase.b"
make --out "$runs/phase.b" --id phase.b --window 2026-08-16T19:34:00.000Z/2026-08-16T19:35:30.000Z \
  --load-model open --rate 50 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/genpause"
make --out "$runs/genpause" --id genpause --window 2026-08-16T19:37:00.000Z/2026-08-16T19:38:00.000Z \
  --load-model open --rate 50 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json vmstat-loadgen.log --exit-status k6.exit --before db_before.csv \
  --after db_after.csv

cd "$raw/runs/recon.rows"
make --out "$runs/recon.rows" --id recon.rows \
  --window 2026-08-16T19:39:00.000Z/2026-08-16T19:39:40.000Z --load-model open --rate 50 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/recon.qty"
make --out "$runs/recon.qty" --id recon.qty \
  --window 2026-08-16T19:41:00.000Z/2026-08-16T19:41:40.000Z --load-model open --rate 50 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/recon.missing"
make --out "$runs/recon.missing" --id recon.missing \
  --window 2026-08-16T19:43:00.000Z/2026-08-16T19:43:40.000Z --load-model open --rate 50 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv

cd "$raw/runs/failed"
make --out "$runs/failed" --id failed --window 2026-08-16T19:45:00.000Z/2026-08-16T19:45:40.000Z \
  --load-model open --rate 50 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/few"
make --out "$runs/few" --id few --window 2026-08-16T19:47:00.000Z/2026-08-16T19:47:20.000Z \
  --load-model open --rate 30 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/drift.yes"
make --out "$runs/drift.yes" --id drift.yes \
  --window 2026-08-16T19:49:00.000Z/2026-08-16T19:51:00.000Z --load-model open --rate 60 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/drift.no"
make --out "$runs/drift.no" --id drift.no --window 2026-08-16T19:52:00.000Z/2026-08-16T19:54:00.000Z \
  --load-model open --rate 60 --events 10 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/avac.stock.r1"
make --out "$runs/avac.stock.r1" --id avac.stock.r1 --label arm=control \
  --window 2026-08-16T19:55:00.000Z/2026-08-16T19:56:00.000Z --load-model open --rate 40 --events 100 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv \
  sampler_waits.csv postgresql.log --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/avac.stock.r2"
make --out "$runs/avac.stock.r2" --id avac.stock.r2 --label arm=control \
  --window 2026-08-16T19:58:00.000Z/2026-08-16T19:59:00.000Z --load-model open --rate 40 --events 100 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv \
  sampler_waits.csv postgresql.log --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/avac.stock.r3"
make --out "$runs/avac.stock.r3" --id avac.stock.r3 --label arm=control \
  --window 2026-08-16T20:01:00.000Z/2026-08-16T20:02:00.000Z --load-model open --rate 40 --events 100 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv \
  sampler_waits.csv postgresql.log --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/avac.stock.r4"
make --out "$runs/avac.stock.r4" --id avac.stock.r4 --label arm=control \
  --window 2026-08-16T20:04:00.000Z/2026-08-16T20:05:00.000Z --load-model open --rate 40 --events 100 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv \
  sampler_waits.csv postgresql.log --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/avac.stock.r5"
make --out "$runs/avac.stock.r5" --id avac.stock.r5 --label arm=control \
  --window 2026-08-16T20:07:00.000Z/2026-08-16T20:08:00.000Z --load-model open --rate 40 --events 100 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv \
  sampler_waits.csv postgresql.log --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/avac.low.r1"
make --out "$runs/avac.low.r1" --id avac.low.r1 --label arm=treatment \
  --window 2026-08-16T20:10:00.000Z/2026-08-16T20:11:00.000Z --load-model open --rate 40 --events 100 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv \
  sampler_waits.csv postgresql.log --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/avac.low.r2"
make --out "$runs/avac.low.r2" --id avac.low.r2 --label arm=treatment \
  --window 2026-08-16T20:13:00.000Z/2026-08-16T20:14:00.000Z --load-model open --rate 40 --events 100 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv \
  sampler_waits.csv postgresql.log --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/avac.low.r3"
make --out "$runs/avac.low.r3" --id avac.low.r3 --label arm=treatment \
  --window 2026-08-16T20:16:00.000Z/2026-08-16T20:17:00.000Z --load-model open --rate 40 --events 100 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv \
  sampler_waits.csv postgresql.log --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/avac.low.r4"
make --out "$runs/avac.low.r4" --id avac.low.r4 --label arm=treatment \
  --window 2026-08-16T20:19:00.000Z/2026-08-16T20:20:00.000Z --load-model open --rate 40 --events 100 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv \
  sampler_waits.csv postgresql.log --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/avac.low.r5"
make --out "$runs/avac.low.r5" --id avac.low.r5 --label arm=treatment \
  --window 2026-08-16T20:22:00.000Z/2026-08-16T20:23:00.000Z --load-model open --rate 40 --events 100 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json enhanced-monitoring.jsonl.gz pi.json.gz sampler_sizes.csv \
  sampler_waits.csv postgresql.log --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/hotrow.stock"
make --out "$runs/hotrow.stock" --id hotrow.stock \
  --window 2026-08-16T20:25:00.000Z/2026-08-16T20:27:00.000Z --load-model open --rate 60 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/hotrow.pool60"
make --out "$runs/hotrow.pool60" --id hotrow.pool60 \
  --window 2026-08-16T20:29:00.000Z/2026-08-16T20:31:00.000Z --load-model open --rate 60 --events 10 \
  --timezone UTC --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json \
  vmstat.log cloudwatch.json pg_stat_activity.csv --exit-status k6.exit --before db_before.csv \
  --after db_after.csv

cd "$raw/runs/ram.r1"
make --out "$runs/ram.r1" --id ram.r1 --window 2026-08-16T20:33:00.000Z/2026-08-16T20:34:00.000Z \
  --load-model open --rate 20 --events 100 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/ram.r2"
make --out "$runs/ram.r2" --id ram.r2 --window 2026-08-16T20:35:00.000Z/2026-08-16T20:36:00.000Z \
  --load-model open --rate 20 --events 100 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/ram.r3"
make --out "$runs/ram.r3" --id ram.r3 --window 2026-08-16T20:37:00.000Z/2026-08-16T20:38:00.000Z \
  --load-model open --rate 20 --events 100 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/closed"
make --out "$runs/closed" --id closed --window 2026-08-16T20:40:00.000Z/2026-08-16T20:40:30.000Z \
  --load-model closed --concurrency 16 --events 50 --timezone UTC \
  --reconcile quantity=quantity_sent,rows=events_sent k6.json.gz k6-summary.json vmstat.log \
  cloudwatch.json --exit-status k6.exit --before db_before.csv --after db_after.csv

cd "$raw/runs/pgbench.one"
make --out "$runs/pgbench.one" --id pgbench.one --load-model closed --concurrency 16 --events 1 \
  --timezone UTC --reconcile rows=events pgbench.txt pgbench_log.31359 pgbench_log.31359.1 \
  pgbench_log.31359.2 pgbench_log.31359.3 --before db_before.csv --after db_after.csv

cd "$raw/runs/pgbench.batch"
make --out "$runs/pgbench.batch" --id pgbench.batch --load-model closed --concurrency 16 --events 50 \
  --timezone UTC --reconcile rows=events pgbench.txt pgbench_log.31359 pgbench_log.31359.1 \
  pgbench_log.31359.2 pgbench_log.31359.3 --before db_before.csv --after db_after.csv

cd "$raw/runs/pgbench.rls"
make --out "$runs/pgbench.rls" --id pgbench.rls --load-model closed --concurrency 16 --events 50 \
  --timezone UTC --reconcile rows=events pgbench.txt pgbench_log.31359 pgbench_log.31359.1 \
  pgbench_log.31359.2 pgbench_log.31359.3 --before db_before.csv --after db_after.csv

cd "$raw/runs/costs"
make --out "$runs/costs" --id costs --timezone UTC --before pg_stat_wal_before.csv \
  --after pg_stat_wal_after.csv --before pg_stat_statements_before.csv \
  --after pg_stat_statements_after.csv --before relation_sizes_before.csv \
  --after relation_sizes_after.csv --before db_before.csv --after db_after.csv

cd "$raw/runs/usage"
make --out "$runs/usage" --id usage --timezone UTC --map "$here/maps.yaml" points.csv
