#!/usr/bin/env bash
# Measures what the capture agent does to what it measures: the same load alone
# and under capture, in turn.
#
#   ./measure.sh OUT [PAIRS [SECONDS [RATE]]]
#
# OUT        a folder that does not exist yet
# PAIRS      how many times each (default 6)
# SECONDS    of each load (default 20)
# RATE       transactions a second that pgbench offers (default 200)
#
# Needs PostgreSQL with pgbench, and headroom in HEADROOM (default: headroom in
# PATH). The server is made in a temporary folder, listens on a Unix socket there
# and nowhere else, and is gone when the script ends. OUT/pairs.tsv has a line a
# load: p50, p99 and maximum in µs, exact, over every transaction.
set -euo pipefail
export LC_ALL=C TZ=UTC

out=${1:?usage: measure.sh OUT [PAIRS [SECONDS [RATE]]]}
pairs=${2:-6} seconds=${3:-20} rate=${4:-200}
headroom=${HEADROOM:-headroom}
bin=${PG_BIN:-$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)}
[ -x "$bin/initdb" ] || { echo "measure.sh: no PostgreSQL server in $bin: install one or set PG_BIN" >&2; exit 2; }
[ ! -e "$out" ] || { echo "measure.sh: $out exists: give a folder that does not" >&2; exit 3; }
mkdir -p "$out"
out=$(cd "$out" && pwd)
tmp=$(mktemp -d /tmp/capture-overhead.XXXXXX)

as_server() { # initdb and the server refuse to run as root
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

stop() {
  as_server "$bin/pg_ctl" -D "$tmp/data" -m fast -w stop >/dev/null 2>&1 || true
  rm -rf "$tmp"
}
trap stop EXIT

[ "$(id -u)" != 0 ] || chown postgres "$tmp"
as_server "$bin/initdb" -D "$tmp/data" -U postgres -A trust --no-locale -E UTF8 >/dev/null
as_server tee -a "$tmp/data/postgresql.conf" >/dev/null <<CONF
listen_addresses = ''
unix_socket_directories = '$tmp'
shared_buffers = 128MB
CONF
as_server "$bin/pg_ctl" -D "$tmp/data" -w -l "$tmp/data/start.log" start >/dev/null
"$bin/pgbench" -h "$tmp" -U postgres -q -i -s 5 postgres >/dev/null 2>&1

load() { # load NAME: the words of the load
  echo "$bin/pgbench" -h "$tmp" -U postgres -M prepared -n -c 4 -j 1 -R "$rate" -T "$seconds" --log --log-prefix="$out/$1" postgres
}

figures() { # figures NAME: transactions, p50, p99, maximum
  cat "$out/$1".* | awk '{ print $3 }' | sort -n | awk '{ v[NR] = $1 } END { print NR "\t" v[int((NR + 1) / 2)] "\t" v[int((NR * 99 + 99) / 100)] "\t" v[NR] }'
  rm -f "$out/$1".*
}

# shellcheck disable=SC2046
$(load warm) >/dev/null 2>&1
rm -f "$out"/warm.*
printf 'pair\tarm\ttransactions\tp50\tp99\tmax\tagent\n' >"$out/pairs.tsv"
for ((i = 1; i <= pairs; i++)); do
  for arm in $([ $((i % 2)) = 1 ] && echo alone capture || echo capture alone); do
    agent=-
    if [ "$arm" = alone ]; then
      $(load "p$i") >/dev/null 2>&1
    else
      "$headroom" capture --quiet --json --out "$tmp-run" --pg "host=$tmp user=postgres dbname=postgres" -- $(load "p$i") >"$out/run.json" 2>/dev/null
      agent=$(tr -d ' \n' <"$out/run.json" | sed 's/.*"cpu_cores":\([0-9.e-]*\).*/\1/')
      rm -rf "$tmp-run"
    fi
    printf '%d\t%s\t%s\t%s\n' "$i" "$arm" "$(figures "p$i")" "$agent" >>"$out/pairs.tsv"
  done
done
cat "$out/pairs.tsv"
