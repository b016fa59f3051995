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

cd "$raw/runs/r100-w2"
make --out "$runs/r100-w2" --id r100-w2 --label inbox-workers=2 \
  --window 2026-10-05T09:00:00.000Z/2026-10-05T09:01:00.000Z --cores 32 --load-model open --rate 100 \
  --timezone UTC --jobs interactions --map "$here/maps.yaml" crowd.jsonl.gz interactions.jsonl.gz \
  queue.csv home.jsonl --after counts.json

cd "$raw/runs/r300-w2"
make --out "$runs/r300-w2" --id r300-w2 --label inbox-workers=2 \
  --window 2026-10-05T09:05:04.000Z/2026-10-05T09:06:04.000Z --cores 32 --load-model open --rate 300 \
  --timezone UTC --jobs interactions --map "$here/maps.yaml" crowd.jsonl.gz interactions.jsonl.gz \
  queue.csv home.jsonl --after counts.json

cd "$raw/runs/r300-w8"
make --out "$runs/r300-w8" --id r300-w8 --label inbox-workers=8 \
  --window 2026-10-05T09:10:55.000Z/2026-10-05T09:11:55.000Z --cores 32 --load-model open --rate 300 \
  --timezone UTC --jobs interactions --map "$here/maps.yaml" crowd.jsonl.gz interactions.jsonl.gz \
  queue.csv home.jsonl --after counts.json

cd "$raw/runs/r300-w8-fixed"
make --out "$runs/r300-w8-fixed" --id r300-w8-fixed --label inbox-workers=8 \
  --window 2026-10-05T09:17:01.000Z/2026-10-05T09:18:01.000Z --cores 32 --load-model open --rate 300 \
  --timezone UTC --jobs interactions --map "$here/maps.yaml" crowd.jsonl.gz interactions.jsonl.gz \
  queue.csv home.jsonl --after counts.json

cd "$raw/runs/r600-lifted"
make --out "$runs/r600-lifted" --id r600-lifted --label inbox-workers=8 \
  --window 2026-10-05T09:22:05.000Z/2026-10-05T09:23:05.000Z --cores 32 --load-model open --rate 600 \
  --timezone UTC --jobs interactions --map "$here/maps.yaml" crowd.jsonl.gz interactions.jsonl.gz \
  queue.csv home.jsonl --after counts.json

cd "$raw/runs/r1000-lifted"
make --out "$runs/r1000-lifted" --id r1000-lifted --label inbox-workers=8 \
  --window 2026-10-05T09:27:09.000Z/2026-10-05T09:28:09.000Z --cores 32 --load-model open --rate 1000 \
  --timezone UTC --jobs interactions --map "$here/maps.yaml" crowd.jsonl.gz interactions.jsonl.gz \
  queue.csv home.jsonl --after counts.json
