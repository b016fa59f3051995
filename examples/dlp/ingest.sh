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

cd "$raw/runs/ingest-c008"
make --out "$runs/ingest-c008" --id ingest-c008 --label arm=ingest --label concurrency=8 \
  --window 2026-09-14T10:00:00.000Z/2026-09-14T10:00:20.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 8 --timezone UTC \
  --reconcile events=events --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log \
  ps.log --before counts_before.csv --after counts_after.csv

cd "$raw/runs/ingest-c016"
make --out "$runs/ingest-c016" --id ingest-c016 --label arm=ingest --label concurrency=16 \
  --window 2026-09-14T10:00:40.000Z/2026-09-14T10:01:00.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 16 --timezone UTC \
  --reconcile events=events --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log \
  ps.log --before counts_before.csv --after counts_after.csv

cd "$raw/runs/ingest-c032"
make --out "$runs/ingest-c032" --id ingest-c032 --label arm=ingest --label concurrency=32 \
  --window 2026-09-14T10:01:20.000Z/2026-09-14T10:01:40.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 32 --timezone UTC \
  --reconcile events=events --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log \
  ps.log --before counts_before.csv --after counts_after.csv

cd "$raw/runs/ingest-c064"
make --out "$runs/ingest-c064" --id ingest-c064 --label arm=ingest --label concurrency=64 \
  --window 2026-09-14T10:02:00.000Z/2026-09-14T10:02:20.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 64 --timezone UTC \
  --reconcile events=events --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log \
  ps.log --before counts_before.csv --after counts_after.csv

cd "$raw/runs/ingest-c128"
make --out "$runs/ingest-c128" --id ingest-c128 --label arm=ingest --label concurrency=128 \
  --window 2026-09-14T10:02:40.000Z/2026-09-14T10:03:00.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 128 --timezone UTC \
  --reconcile events=events --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log \
  ps.log --before counts_before.csv --after counts_after.csv

cd "$raw/runs/ingest-c256"
make --out "$runs/ingest-c256" --id ingest-c256 --label arm=ingest --label concurrency=256 \
  --window 2026-09-14T10:03:30.000Z/2026-09-14T10:03:50.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 256 --timezone UTC \
  --reconcile events=events --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log \
  ps.log --before counts_before.csv --after counts_after.csv

cd "$raw/runs/matching-c016"
make --out "$runs/matching-c016" --id matching-c016 --label arm=matching --label concurrency=16 \
  --window 2026-09-14T10:04:49.000Z/2026-09-14T10:05:09.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 16 --timezone UTC \
  --reconcile events=events --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log \
  ps.log --before counts_before.csv --after counts_after.csv

cd "$raw/runs/matching-c032"
make --out "$runs/matching-c032" --id matching-c032 --label arm=matching --label concurrency=32 \
  --window 2026-09-14T10:05:29.000Z/2026-09-14T10:05:49.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 32 --timezone UTC \
  --reconcile events=events --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log \
  ps.log --before counts_before.csv --after counts_after.csv

cd "$raw/runs/matching-c064"
make --out "$runs/matching-c064" --id matching-c064 --label arm=matching --label concurrency=64 \
  --window 2026-09-14T10:06:10.000Z/2026-09-14T10:06:30.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 64 --timezone UTC \
  --reconcile events=events --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log \
  ps.log --before counts_before.csv --after counts_after.csv

cd "$raw/runs/prefix-c008"
make --out "$runs/prefix-c008" --id prefix-c008 --label arm=prefix --label concurrency=8 \
  --window 2026-09-14T10:06:57.000Z/2026-09-14T10:07:17.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 8 --timezone UTC \
  --reconcile events=events --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log \
  ps.log pg_stat_activity.csv --before counts_before.csv --after counts_after.csv

cd "$raw/runs/prefix-c016"
make --out "$runs/prefix-c016" --id prefix-c016 --label arm=prefix --label concurrency=16 \
  --window 2026-09-14T10:07:37.000Z/2026-09-14T10:07:57.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 16 --timezone UTC \
  --reconcile events=events --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log \
  ps.log pg_stat_activity.csv --before counts_before.csv --after counts_after.csv

cd "$raw/runs/prefix-c032"
make --out "$runs/prefix-c032" --id prefix-c032 --label arm=prefix --label concurrency=32 \
  --window 2026-09-14T10:08:17.000Z/2026-09-14T10:08:37.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 32 --timezone UTC \
  --reconcile events=events --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log \
  ps.log pg_stat_activity.csv --before counts_before.csv --after counts_after.csv

cd "$raw/runs/earlier-c008"
make --out "$runs/earlier-c008" --id earlier-c008 --label arm=earlier --label concurrency=8 \
  --window 2026-09-14T10:08:59.000Z/2026-09-14T10:09:19.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 8 --timezone UTC \
  --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log

cd "$raw/runs/noload-c008"
make --out "$runs/noload-c008" --id noload-c008 --label arm=noload --label concurrency=8 \
  --window 2026-09-14T10:09:39.000Z/2026-09-14T10:09:59.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 8 --timezone UTC \
  --map "$here/maps.yaml" samples.csv procstat.log pidstat.log

cd "$raw/runs/ab-1-after"
make --out "$runs/ab-1-after" --id ab-1-after --label arm=ab --label variant=after --label pair=1 \
  --label concurrency=16 --window 2026-09-14T10:10:19.000Z/2026-09-14T10:10:39.000Z --cores 16 \
  --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --timezone UTC --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log

cd "$raw/runs/ab-2-before"
make --out "$runs/ab-2-before" --id ab-2-before --label arm=ab --label variant=before --label pair=1 \
  --label concurrency=16 --window 2026-09-14T10:10:59.000Z/2026-09-14T10:11:19.000Z --cores 16 \
  --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --timezone UTC --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log

cd "$raw/runs/ab-3-after"
make --out "$runs/ab-3-after" --id ab-3-after --label arm=ab --label variant=after --label pair=2 \
  --label concurrency=16 --window 2026-09-14T10:11:39.000Z/2026-09-14T10:11:59.000Z --cores 16 \
  --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --timezone UTC --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log

cd "$raw/runs/ab-4-before"
make --out "$runs/ab-4-before" --id ab-4-before --label arm=ab --label variant=before --label pair=2 \
  --label concurrency=16 --window 2026-09-14T10:12:20.000Z/2026-09-14T10:12:40.000Z --cores 16 \
  --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --timezone UTC --map "$here/maps.yaml" samples.csv loadavg.log procstat.log pidstat.log

cd "$raw/runs/sync-on"
make --out "$runs/sync-on" --id sync-on --label arm=sync --label variant=on --label concurrency=64 \
  --window 2026-09-14T10:13:01.000Z/2026-09-14T10:13:21.000Z --label setting.synchronous_commit=on \
  --cores 16 --own dlp-management- --own dlp-loadgen --own postgres --load-model closed \
  --concurrency 64 --timezone UTC --map "$here/maps.yaml" samples.csv loadavg.log procstat.log \
  pidstat.log pg_settings.csv

cd "$raw/runs/sync-off"
make --out "$runs/sync-off" --id sync-off --label arm=sync --label variant=off --label concurrency=64 \
  --window 2026-09-14T10:13:41.000Z/2026-09-14T10:14:01.000Z --label setting.synchronous_commit=off \
  --cores 16 --own dlp-management- --own dlp-loadgen --own postgres --load-model closed \
  --concurrency 64 --timezone UTC --map "$here/maps.yaml" samples.csv loadavg.log procstat.log \
  pidstat.log pg_settings.csv

cd "$raw/runs/replicas-ok"
make --out "$runs/replicas-ok" --id replicas-ok --label arm=replicas --label concurrency=16 \
  --window 2026-09-14T10:14:21.000Z/2026-09-14T10:14:41.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 16 --replica api-1:18081 \
  --replica api-2:18082 --timezone UTC --map "$here/maps.yaml" samples.csv loadavg.log procstat.log \
  pidstat.log

cd "$raw/runs/replicas-bad"
make --out "$runs/replicas-bad" --id replicas-bad --label arm=replicas --label concurrency=16 \
  --window 2026-09-14T10:15:01.000Z/2026-09-14T10:15:21.000Z --cores 16 --own dlp-management- \
  --own dlp-loadgen --own postgres --load-model closed --concurrency 16 --replica api-1:18081 \
  --replica api-2:18082 --timezone UTC --map "$here/maps.yaml" samples.csv loadavg.log procstat.log \
  pidstat.log

cd "$raw/runs/soak"
awk -F, -v from="$(date -d 2026-09-14T10:15:41.000Z +%s%3N)" -v to="$(date -d 2026-09-14T10:15:51.000Z +%s%3N)" 'NR == 1 || $1 >= from && $1 < to' samples.csv >"$runs/samples.csv"
awk -F, -v from="$(date -u -d '2026-09-14T10:15:41.000Z 3 seconds ago' '+%F %T')" -v to="$(date -u -d '2026-09-14T10:15:51.000Z 1 second' '+%F %T')" 'NR == 1 || $1 >= from && $1 < to' db.csv >"$runs/db.csv"
make --out "$runs/soak-01" --id soak-01 --label arm=soak --label soak=01 --window 2026-09-14T10:15:41.000Z/2026-09-14T10:15:51.000Z \
  --cores 16 --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --map "$here/maps.yaml" "$runs/samples.csv" "$runs/db.csv" loadavg.log procstat.log pidstat.log
awk -F, -v from="$(date -d 2026-09-14T10:15:54.000Z +%s%3N)" -v to="$(date -d 2026-09-14T10:16:04.000Z +%s%3N)" 'NR == 1 || $1 >= from && $1 < to' samples.csv >"$runs/samples.csv"
awk -F, -v from="$(date -u -d '2026-09-14T10:15:54.000Z 3 seconds ago' '+%F %T')" -v to="$(date -u -d '2026-09-14T10:16:04.000Z 1 second' '+%F %T')" 'NR == 1 || $1 >= from && $1 < to' db.csv >"$runs/db.csv"
make --out "$runs/soak-02" --id soak-02 --label arm=soak --label soak=02 --window 2026-09-14T10:15:54.000Z/2026-09-14T10:16:04.000Z \
  --cores 16 --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --map "$here/maps.yaml" "$runs/samples.csv" "$runs/db.csv" loadavg.log procstat.log pidstat.log
awk -F, -v from="$(date -d 2026-09-14T10:16:07.000Z +%s%3N)" -v to="$(date -d 2026-09-14T10:16:17.000Z +%s%3N)" 'NR == 1 || $1 >= from && $1 < to' samples.csv >"$runs/samples.csv"
awk -F, -v from="$(date -u -d '2026-09-14T10:16:07.000Z 3 seconds ago' '+%F %T')" -v to="$(date -u -d '2026-09-14T10:16:17.000Z 1 second' '+%F %T')" 'NR == 1 || $1 >= from && $1 < to' db.csv >"$runs/db.csv"
make --out "$runs/soak-03" --id soak-03 --label arm=soak --label soak=03 --window 2026-09-14T10:16:07.000Z/2026-09-14T10:16:17.000Z \
  --cores 16 --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --map "$here/maps.yaml" "$runs/samples.csv" "$runs/db.csv" loadavg.log procstat.log pidstat.log
awk -F, -v from="$(date -d 2026-09-14T10:16:20.000Z +%s%3N)" -v to="$(date -d 2026-09-14T10:16:30.000Z +%s%3N)" 'NR == 1 || $1 >= from && $1 < to' samples.csv >"$runs/samples.csv"
awk -F, -v from="$(date -u -d '2026-09-14T10:16:20.000Z 3 seconds ago' '+%F %T')" -v to="$(date -u -d '2026-09-14T10:16:30.000Z 1 second' '+%F %T')" 'NR == 1 || $1 >= from && $1 < to' db.csv >"$runs/db.csv"
make --out "$runs/soak-04" --id soak-04 --label arm=soak --label soak=04 --window 2026-09-14T10:16:20.000Z/2026-09-14T10:16:30.000Z \
  --cores 16 --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --map "$here/maps.yaml" "$runs/samples.csv" "$runs/db.csv" loadavg.log procstat.log pidstat.log
awk -F, -v from="$(date -d 2026-09-14T10:16:33.000Z +%s%3N)" -v to="$(date -d 2026-09-14T10:16:43.000Z +%s%3N)" 'NR == 1 || $1 >= from && $1 < to' samples.csv >"$runs/samples.csv"
awk -F, -v from="$(date -u -d '2026-09-14T10:16:33.000Z 3 seconds ago' '+%F %T')" -v to="$(date -u -d '2026-09-14T10:16:43.000Z 1 second' '+%F %T')" 'NR == 1 || $1 >= from && $1 < to' db.csv >"$runs/db.csv"
make --out "$runs/soak-05" --id soak-05 --label arm=soak --label soak=05 --window 2026-09-14T10:16:33.000Z/2026-09-14T10:16:43.000Z \
  --cores 16 --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --map "$here/maps.yaml" "$runs/samples.csv" "$runs/db.csv" loadavg.log procstat.log pidstat.log
awk -F, -v from="$(date -d 2026-09-14T10:16:46.000Z +%s%3N)" -v to="$(date -d 2026-09-14T10:16:56.000Z +%s%3N)" 'NR == 1 || $1 >= from && $1 < to' samples.csv >"$runs/samples.csv"
awk -F, -v from="$(date -u -d '2026-09-14T10:16:46.000Z 3 seconds ago' '+%F %T')" -v to="$(date -u -d '2026-09-14T10:16:56.000Z 1 second' '+%F %T')" 'NR == 1 || $1 >= from && $1 < to' db.csv >"$runs/db.csv"
make --out "$runs/soak-06" --id soak-06 --label arm=soak --label soak=06 --window 2026-09-14T10:16:46.000Z/2026-09-14T10:16:56.000Z \
  --cores 16 --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --map "$here/maps.yaml" "$runs/samples.csv" "$runs/db.csv" loadavg.log procstat.log pidstat.log
awk -F, -v from="$(date -d 2026-09-14T10:16:59.000Z +%s%3N)" -v to="$(date -d 2026-09-14T10:17:09.000Z +%s%3N)" 'NR == 1 || $1 >= from && $1 < to' samples.csv >"$runs/samples.csv"
awk -F, -v from="$(date -u -d '2026-09-14T10:16:59.000Z 3 seconds ago' '+%F %T')" -v to="$(date -u -d '2026-09-14T10:17:09.000Z 1 second' '+%F %T')" 'NR == 1 || $1 >= from && $1 < to' db.csv >"$runs/db.csv"
make --out "$runs/soak-07" --id soak-07 --label arm=soak --label soak=07 --window 2026-09-14T10:16:59.000Z/2026-09-14T10:17:09.000Z \
  --cores 16 --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --map "$here/maps.yaml" "$runs/samples.csv" "$runs/db.csv" loadavg.log procstat.log pidstat.log
awk -F, -v from="$(date -d 2026-09-14T10:17:12.000Z +%s%3N)" -v to="$(date -d 2026-09-14T10:17:22.000Z +%s%3N)" 'NR == 1 || $1 >= from && $1 < to' samples.csv >"$runs/samples.csv"
awk -F, -v from="$(date -u -d '2026-09-14T10:17:12.000Z 3 seconds ago' '+%F %T')" -v to="$(date -u -d '2026-09-14T10:17:22.000Z 1 second' '+%F %T')" 'NR == 1 || $1 >= from && $1 < to' db.csv >"$runs/db.csv"
make --out "$runs/soak-08" --id soak-08 --label arm=soak --label soak=08 --window 2026-09-14T10:17:12.000Z/2026-09-14T10:17:22.000Z \
  --cores 16 --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --map "$here/maps.yaml" "$runs/samples.csv" "$runs/db.csv" loadavg.log procstat.log pidstat.log
awk -F, -v from="$(date -d 2026-09-14T10:17:25.000Z +%s%3N)" -v to="$(date -d 2026-09-14T10:17:35.000Z +%s%3N)" 'NR == 1 || $1 >= from && $1 < to' samples.csv >"$runs/samples.csv"
awk -F, -v from="$(date -u -d '2026-09-14T10:17:25.000Z 3 seconds ago' '+%F %T')" -v to="$(date -u -d '2026-09-14T10:17:35.000Z 1 second' '+%F %T')" 'NR == 1 || $1 >= from && $1 < to' db.csv >"$runs/db.csv"
make --out "$runs/soak-09" --id soak-09 --label arm=soak --label soak=09 --window 2026-09-14T10:17:25.000Z/2026-09-14T10:17:35.000Z \
  --cores 16 --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --map "$here/maps.yaml" "$runs/samples.csv" "$runs/db.csv" loadavg.log procstat.log pidstat.log
awk -F, -v from="$(date -d 2026-09-14T10:17:38.000Z +%s%3N)" -v to="$(date -d 2026-09-14T10:17:48.000Z +%s%3N)" 'NR == 1 || $1 >= from && $1 < to' samples.csv >"$runs/samples.csv"
awk -F, -v from="$(date -u -d '2026-09-14T10:17:38.000Z 3 seconds ago' '+%F %T')" -v to="$(date -u -d '2026-09-14T10:17:48.000Z 1 second' '+%F %T')" 'NR == 1 || $1 >= from && $1 < to' db.csv >"$runs/db.csv"
make --out "$runs/soak-10" --id soak-10 --label arm=soak --label soak=10 --window 2026-09-14T10:17:38.000Z/2026-09-14T10:17:48.000Z \
  --cores 16 --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --map "$here/maps.yaml" "$runs/samples.csv" "$runs/db.csv" loadavg.log procstat.log pidstat.log
awk -F, -v from="$(date -d 2026-09-14T10:17:51.000Z +%s%3N)" -v to="$(date -d 2026-09-14T10:18:01.000Z +%s%3N)" 'NR == 1 || $1 >= from && $1 < to' samples.csv >"$runs/samples.csv"
awk -F, -v from="$(date -u -d '2026-09-14T10:17:51.000Z 3 seconds ago' '+%F %T')" -v to="$(date -u -d '2026-09-14T10:18:01.000Z 1 second' '+%F %T')" 'NR == 1 || $1 >= from && $1 < to' db.csv >"$runs/db.csv"
make --out "$runs/soak-11" --id soak-11 --label arm=soak --label soak=11 --window 2026-09-14T10:17:51.000Z/2026-09-14T10:18:01.000Z \
  --cores 16 --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --map "$here/maps.yaml" "$runs/samples.csv" "$runs/db.csv" loadavg.log procstat.log pidstat.log
awk -F, -v from="$(date -d 2026-09-14T10:18:04.000Z +%s%3N)" -v to="$(date -d 2026-09-14T10:18:14.000Z +%s%3N)" 'NR == 1 || $1 >= from && $1 < to' samples.csv >"$runs/samples.csv"
awk -F, -v from="$(date -u -d '2026-09-14T10:18:04.000Z 3 seconds ago' '+%F %T')" -v to="$(date -u -d '2026-09-14T10:18:14.000Z 1 second' '+%F %T')" 'NR == 1 || $1 >= from && $1 < to' db.csv >"$runs/db.csv"
make --out "$runs/soak-12" --id soak-12 --label arm=soak --label soak=12 --window 2026-09-14T10:18:04.000Z/2026-09-14T10:18:14.000Z \
  --cores 16 --own dlp-management- --own dlp-loadgen --own postgres --load-model closed --concurrency 16 \
  --map "$here/maps.yaml" "$runs/samples.csv" "$runs/db.csv" loadavg.log procstat.log pidstat.log
rm "$runs/samples.csv" "$runs/db.csv"

cd "$raw/runs/commits-before"
make --out "$runs/commits-before" --id commits-before --label arm=commits --label variant=before \
  --label database=dlp_load --claim batches=25 --claim events=500 --timezone UTC \
  --before pg_stat_database_before.csv --after pg_stat_database_after.csv

cd "$raw/runs/commits-one-tx"
make --out "$runs/commits-one-tx" --id commits-one-tx --label arm=commits --label variant=one-tx \
  --label database=dlp_load --claim batches=25 --claim events=500 --timezone UTC \
  --before pg_stat_database_before.csv --after pg_stat_database_after.csv

cd "$raw/runs/commits-no-correlation-read"
make --out "$runs/commits-no-correlation-read" --id commits-no-correlation-read --label arm=commits \
  --label variant=no-correlation-read --label database=dlp_load --claim batches=25 --claim events=500 \
  --timezone UTC --before pg_stat_database_before.csv --after pg_stat_database_after.csv

cd "$raw/runs/sizes"
make --out "$runs/sizes" --id sizes --timezone UTC tables.csv events.csv

cd "$raw/runs/housekeeping-before"
make --out "$runs/housekeeping-before" --id housekeeping-before --label variant=before \
  --claim prune.interval=300 --claim prune.limit=10000 --claim prune.rows_per_request=1 \
  --timezone UTC --map "$here/maps.yaml" housekeeping.log request_nonces.csv

cd "$raw/runs/housekeeping-after"
make --out "$runs/housekeeping-after" --id housekeeping-after --label variant=after \
  --claim prune.interval=300 --claim prune.limit=640000 --claim prune.rows_per_request=1 \
  --timezone UTC --map "$here/maps.yaml" housekeeping.log request_nonces.csv

cd "$raw/runs/backlog-before"
make --out "$runs/backlog-before" --id backlog-before --label variant=before \
  --claim prune.limit=10000 --timezone UTC --map "$here/maps.yaml" housekeeping.log \
  request_nonces.csv

cd "$raw/runs/backlog-after"
make --out "$runs/backlog-after" --id backlog-after --label variant=after --claim prune.limit=640000 \
  --timezone UTC --map "$here/maps.yaml" housekeeping.log request_nonces.csv
