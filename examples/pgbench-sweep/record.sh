#!/usr/bin/env bash
# Records a concurrency sweep of pgbench against a private PostgreSQL server.
#
#   ./record.sh OUT [LIMIT_MS [SECONDS [SCALE]]]
#
# OUT        a folder that does not exist yet; everything recorded goes there
# LIMIT_MS   the limit on p99: the sweep doubles the clients until a step's p99
#            reaches it, then takes one step more (default 100)
# SECONDS    measured time of a step (default 15)
# SCALE      pgbench scale factor (default 20: two million accounts, 300 MB)
#
# Needs PostgreSQL with pgbench (Debian: postgresql), vmstat and pgrep (procps).
# The server is made in a temporary folder, listens on a Unix socket there and
# nowhere else, and is gone when the script ends. Durability is not relaxed:
# fsync, synchronous_commit and full_page_writes stay on. Checkpoints come every
# 30 s and autovacuum looks every 10 s, so that a sweep of some minutes holds
# several of each. Run as root, the server runs as user postgres.
#
# What is written: OUT/steps.tsv (one line a step, instants in UTC), host.txt,
# settings.csv, postgresql.csv (the server's log), and one folder a step with
# pgbench's log and summary, vmstat, load average, /proc/stat, /proc/PID/stat of
# the server and pgbench, sampled sessions, and counts before and after.
set -euo pipefail
export LC_ALL=C TZ=UTC

out=${1:?usage: record.sh OUT [LIMIT_MS [SECONDS [SCALE]]]}
limit_ms=${2:-100} seconds=${3:-15} scale=${4:-20}
threads=2 cooldown=3 most=512 lead=2

bin=${PG_BIN:-$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)}
[ -x "$bin/initdb" ] || { echo "record.sh: no PostgreSQL server in $bin: install one or set PG_BIN" >&2; exit 2; }
[ ! -e "$out" ] || { echo "record.sh: $out exists: give a folder that does not" >&2; exit 3; }

mkdir -p "$out"
out=$(cd "$out" && pwd)
tmp=$(mktemp -d /tmp/pgbench-sweep.XXXXXX)
sampling=$tmp/sampling # exists while the samplers shall run

as_server() { # initdb and the server refuse to run as root
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

pg() { # one query on a connection of its own, as CSV
  "$bin/psql" -X -q --csv -h "$tmp" -U postgres -d postgres -c "$1"
}

stop() {
  rm -f "$sampling"
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
  postmaster=$(head -n 1 "$tmp/data/postmaster.pid")
}

# every SECONDS COMMAND…: again and again while a step is sampled
every() {
  while [ -e "$sampling" ]; do
    "${@:2}"
    sleep "$1"
  done
}

sample_host() { # sample_host DIR: load average and CPU times
  local line lines
  read -r line </proc/loadavg
  echo "$EPOCHREALTIME $line" >>"$1/loadavg.log"
  mapfile -t lines </proc/stat
  { echo "$EPOCHREALTIME"; printf '%s\n' "${lines[@]}" | grep -v -e '^intr' -e '^softirq'; } >>"$1/procstat.log"
}

# sample_processes DIR: CPU times of the server's own children and pgbench, told
# by their parent and id: another server on the host is foreign.
sample_processes() {
  local pid line pids
  pids="$(cat "$tmp/pgbench.pid") $postmaster $(pgrep -P "$postmaster")"
  {
    echo "$EPOCHREALTIME"
    for pid in $pids; do
      { read -r line <"/proc/$pid/stat"; } 2>/dev/null && echo "$line"
    done
  } >>"$1/pidstat.log" || true
}

# sample_sessions DIR: pg_stat_activity twice a second over one connection,
# which leaves itself out.
sample_sessions() {
  local sql="select to_char(statement_timestamp() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'),
    pid, backend_type, state, wait_event_type, wait_event, datname, application_name, left(query, 200)
    from pg_stat_activity where pid <> pg_backend_pid();"
  echo sampled_at,pid,backend_type,state,wait_event_type,wait_event,datname,application_name,query >"$1/activity.csv"
  every 0.5 echo "$sql" | "$bin/psql" -X -q --csv -t -h "$tmp" -U postgres -d postgres >>"$1/activity.csv"
}

snapshot() { # snapshot DIR before|after
  pg "select count(*) as rows, coalesce(sum(delta), 0) as delta from pgbench_history" >"$1/$2.counts.csv"
  for view in pg_stat_wal pg_stat_bgwriter; do
    pg "select clock_timestamp() as at, v.* from $view v" >"$1/$2.$view.csv"
  done
  pg "select clock_timestamp() as at, v.* from pg_stat_database v where datname = 'postgres'" >"$1/$2.pg_stat_database.csv"
}

# window FILE…: the first start of a transaction in pgbench's log, and that plus
# the measured time: what pgbench itself calls the duration.
window() {
  cat "$@" | awk -v s="$seconds" '
    { t = $5 * 1000000 + $6 - $3; if (!first || t < first) first = t }
    function stamp(us) { return strftime("%Y-%m-%dT%H:%M:%S", int(us / 1000000), 1) sprintf(".%06dZ", us % 1000000) }
    END { print stamp(first) "\t" stamp(first + s * 1000000) }'
}

# p99_us FILE…: nearest rank over every transaction.
p99_us() {
  cat "$@" | awk '{ print $3 }' | sort -n | awk '{ v[NR] = $1 } END { k = int((NR * 99 + 99) / 100); print v[k] }'
}

run_step() { # run_step CLIENTS: records one step, sets p99
  local clients=$1 name dir status=0 vmstat
  name=$(printf 'c%03d' "$clients")
  dir=$out/$name
  mkdir "$dir"
  snapshot "$dir" before
  : >"$tmp/pgbench.pid"
  touch "$sampling"
  vmstat -t -n 1 >"$dir/vmstat.txt" &
  vmstat=$!
  every 0.5 sample_host "$dir" &
  every 1 sample_processes "$dir" &
  sample_sessions "$dir" &
  sleep "$lead"

  local args=(-M prepared -n -c "$clients" -j "$threads" -T "$seconds" --log)
  "$bin/pgbench" -h "$tmp" -U postgres "${args[@]}" --log-prefix="$dir/pgbench_log" postgres \
    >"$dir/pgbench.txt" 2>"$dir/pgbench.err" &
  echo $! >"$tmp/pgbench.pid"
  wait $! || status=$?
  echo "$status" >"$dir/pgbench.exit"

  sleep "$lead"
  kill "$vmstat"
  rm -f "$sampling"
  wait
  snapshot "$dir" after
  p99=$(p99_us "$dir"/pgbench_log.*)
  printf '%s\t%s\t%s\t%s\n' "$name" "$clients" "$(window "$dir"/pgbench_log.*)" "pgbench ${args[*]}" >>"$out/steps.tsv"
  echo "$name: $(cat "$dir"/pgbench_log.* | wc -l) transactions, p99 $p99 us" >&2
}

describe() {
  uname -srm
  "$bin/postgres" --version
  "$bin/pgbench" --version
  echo "cores $(nproc)"
  grep -m 1 'model name' /proc/cpuinfo || true
  grep MemTotal /proc/meminfo
}

start_server
describe >"$out/host.txt"
"$bin/pgbench" -h "$tmp" -U postgres -q -i -s "$scale" postgres >/dev/null 2>&1
pg "select name, setting, unit, source from pg_settings
  where source = 'configuration file' and name <> 'unix_socket_directories'
    or name in ('fsync', 'synchronous_commit', 'full_page_writes', 'max_wal_size', 'wal_compression', 'server_version')
  order by name" >"$out/settings.csv"
# Not recorded: fills the caches and the plan caches, so that the first step is
# not the warm-up of the rest.
"$bin/pgbench" -h "$tmp" -U postgres -M prepared -n -c 8 -j "$threads" -T 10 postgres >/dev/null 2>&1

printf 'step\tclients\tstart\tend\tcommand\n' >"$out/steps.tsv"
past=0
for ((clients = 1; clients <= most && past < 2; clients *= 2)); do
  sleep "$cooldown"
  run_step "$clients"
  if ((past > 0 || p99 >= limit_ms * 1000)); then past=$((past + 1)); fi
done

as_server "$bin/pg_ctl" -D "$tmp/data" -m fast -w stop >/dev/null
cp "$tmp/data/log/postgresql.csv" "$out/postgresql.csv"
echo "$out: $(du -sh "$out" | cut -f 1)" >&2
