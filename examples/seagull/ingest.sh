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

cd "$raw/runs/bench-gateway"
make --out "$runs/bench-gateway" --id bench-gateway \
  --window 2026-07-20T08:00:00.000Z/2026-07-20T08:02:00.000Z --cores 8 --timezone UTC bench.txt

cd "$raw/runs/bench-writer"
make --out "$runs/bench-writer" --id bench-writer \
  --window 2026-07-20T08:03:00.000Z/2026-07-20T08:03:30.000Z --cores 8 --timezone UTC bench.txt

cd "$raw/runs/batch-00100"
make --out "$runs/batch-00100" --id batch-00100 \
  --window 2026-07-20T08:04:30.000Z/2026-07-20T08:04:40.000Z --cores 8 --load-model closed \
  --concurrency 32 --timezone UTC --map "$here/maps.yaml" samples.csv.gz \
  --before memstats_before.json --after memstats_after.json

cd "$raw/runs/batch-01000"
make --out "$runs/batch-01000" --id batch-01000 \
  --window 2026-07-20T08:05:40.000Z/2026-07-20T08:06:00.000Z --cores 8 --load-model closed \
  --concurrency 32 --timezone UTC --map "$here/maps.yaml" samples.csv.gz \
  --before memstats_before.json --after memstats_after.json

cd "$raw/runs/batch-10000"
make --out "$runs/batch-10000" --id batch-10000 \
  --window 2026-07-20T08:07:00.000Z/2026-07-20T08:07:40.000Z --cores 8 --load-model closed \
  --concurrency 32 --timezone UTC --map "$here/maps.yaml" samples.csv.gz \
  --before memstats_before.json --after memstats_after.json

cd "$raw/runs/e2e"
make --out "$runs/e2e" --id e2e --cores 8 --load-model closed --concurrency 16 --timezone UTC \
  --reconcile kafka.end_offsets=events --map "$here/maps.yaml" samples.csv.gz \
  --before offsets_before.txt --after offsets_after.txt --before memstats_before.json \
  --after memstats_after.json

cd "$raw/runs/e2e-lossy"
make --out "$runs/e2e-lossy" --id e2e-lossy --cores 8 --load-model closed --concurrency 16 \
  --timezone UTC --reconcile kafka.end_offsets=events --map "$here/maps.yaml" samples.csv.gz \
  --before offsets_before.txt --after offsets_after.txt --before memstats_before.json \
  --after memstats_after.json

cd "$raw/runs/slow-backbone"
make --out "$runs/slow-backbone" --id slow-backbone --cores 8 --load-model closed --concurrency 64 \
  --timezone UTC --map "$here/maps.yaml" samples.csv topic_batches.txt

cd "$raw/runs/abusive-agent"
make --out "$runs/abusive-agent" --id abusive-agent --cores 8 --timezone UTC --map "$here/maps.yaml" \
  samples.csv

cd "$raw/runs/shutdown"
make --out "$runs/shutdown" --id shutdown --cores 8 --timezone UTC --map "$here/maps.yaml" \
  samples.csv topic_batches.txt

cd "$raw/runs/shutdown-lossy"
make --out "$runs/shutdown-lossy" --id shutdown-lossy --cores 8 --timezone UTC \
  --map "$here/maps.yaml" samples.csv topic_batches.txt
