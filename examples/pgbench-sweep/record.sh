#!/usr/bin/env bash
# Records a concurrency sweep of pgbench against a private PostgreSQL server,
# with headroom's own capture agent: one run a step.
#
#   ./record.sh RUNS [LIMIT_MS [SECONDS [SCALE]]]
#
# RUNS       a folder that does not exist yet; one run a step goes there
# LIMIT_MS   the limit on p99: the sweep doubles the clients until a step's p99
#            reaches it, then takes one step more (default 100)
# SECONDS    measured time of a step (default 15)
# SCALE      pgbench scale factor (default 20: two million accounts, 300 MB)
#
# HEADROOM names the program (default: bin/headroom of this checkout). Needs
# PostgreSQL with pgbench (Debian: postgresql). The server is made in a temporary
# folder, listens on a Unix socket there and nowhere else, and is gone when the
# script ends. Durability is not relaxed: fsync, synchronous_commit and
# full_page_writes stay on. Checkpoints come every 30 s and autovacuum looks every
# 10 s, so that a sweep of some minutes holds several of each. Run as root, the
# server runs as user postgres.
set -euo pipefail
export LC_ALL=C TZ=UTC

here=$(cd "$(dirname "$0")" && pwd)
runs=${1:?usage: record.sh RUNS [LIMIT_MS [SECONDS [SCALE]]]}
limit_ms=${2:-100} seconds=${3:-15} scale=${4:-20}
threads=2 cooldown=3 most=512
headroom=${HEADROOM:-$here/../../bin/headroom}

bin=${PG_BIN:-$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)}
[ -x "$bin/initdb" ] || { echo "record.sh: no PostgreSQL server in $bin: install one or set PG_BIN" >&2; exit 2; }
[ -x "$headroom" ] || { echo "record.sh: no program $headroom: make build, or set HEADROOM" >&2; exit 2; }
[ ! -e "$runs" ] || { echo "record.sh: $runs exists: give a folder that does not" >&2; exit 3; }

mkdir -p "$runs"
tmp=$(mktemp -d /tmp/pgbench-sweep.XXXXXX)

as_server() { # initdb and the server refuse to run as root
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

stop() {
  as_server "$bin/pg_ctl" -D "$tmp/data" -m fast -w stop >/dev/null 2>&1 || true
  rm -rf "$tmp"
}
trap stop EXIT

start_server() {
  [ "$(id -u)" != 0 ] || chown postgres "$tmp"
  as_server "$bin/initdb" -D "$tmp/data" -U postgres -A trust --no-locale -E UTF8 >/dev/null
  as_server tee -a "$tmp/data/postgresql.conf" >/dev/null <<CONF
listen_addresses = ''
unix_socket_directories = '$tmp'
max_connections = $((most + 20))
shared_buffers = 256MB
shared_preload_libraries = 'pg_stat_statements'
checkpoint_timeout = 30s
autovacuum_naptime = 10s
timezone = 'UTC'
lc_messages = 'C'
logging_collector = on
log_destination = 'csvlog'
log_directory = 'log'
log_filename = 'postgresql'
log_timezone = 'UTC'
log_checkpoints = on
log_autovacuum_min_duration = 0
log_lock_waits = on
log_temp_files = 0
CONF
  as_server "$bin/pg_ctl" -D "$tmp/data" -w -l "$tmp/data/start.log" start >/dev/null
}

# p99_us FILE…: nearest rank over every transaction.
p99_us() {
  cat "$@" | awk '{ print $3 }' | sort -n | awk '{ v[NR] = $1 } END { k = int((NR * 99 + 99) / 100); print v[k] }'
}

run_step() { # run_step CLIENTS: records one step, sets p99
  local clients=$1 name log
  name=$(printf 'c%03d' "$clients")
  log=$tmp/$name.log
  # Each transaction of pgbench's script adds one row to pgbench_history, and
  # pgbench says how many it made: the two must agree.
  "$headroom" capture --quiet --out "$runs/$name" \
    --label system=postgresql --step "concurrency=$clients" \
    --pg "host=$tmp user=postgres dbname=postgres" --log "$tmp/data/log/postgresql.csv" \
    --count 'rows=select count(*) from pgbench_history' \
    --claim transactions=transactions --reconcile rows=transactions \
    --samples "pgbench=$log" -- \
    "$bin/pgbench" -h "$tmp" -U postgres -M prepared -n -c "$clients" -j "$threads" -T "$seconds" \
    --log --log-prefix="$log" postgres >/dev/null 2>&1
  p99=$(p99_us "$log".*)
  echo "$name: $(cat "$log".* | wc -l) transactions, p99 $p99 us" >&2
  rm -f "$log".*
}

start_server
"$bin/pgbench" -h "$tmp" -U postgres -q -i -s "$scale" postgres >/dev/null 2>&1
"$bin/psql" -X -q -h "$tmp" -U postgres -d postgres -c 'create extension pg_stat_statements'
# Not recorded: fills the caches and the plan caches, so that the first step is
# not the warm-up of the rest.
"$bin/pgbench" -h "$tmp" -U postgres -M prepared -n -c 8 -j "$threads" -T 10 postgres >/dev/null 2>&1

past=0
for ((clients = 1; clients <= most && past < 2; clients *= 2)); do
  sleep "$cooldown"
  run_step "$clients"
  if ((past > 0 || p99 >= limit_ms * 1000)); then past=$((past + 1)); fi
done
