#!/usr/bin/env bash
# A PostgreSQL cluster of its own for a test run, in a temporary folder, reached by a Unix socket alone.
#   postgres_cluster.sh start FILE [PID]  starts one and writes its URL into FILE; it ends with PID, or with its caller
#   postgres_cluster.sh stop FILE         stops the one that FILE names, and removes it
#   postgres_cluster.sh down FILE         stops its server at once (as a crash would) and keeps its data
#   postgres_cluster.sh up FILE           starts its server again
#   postgres_cluster.sh run CMD…          starts one, runs CMD with its URL in TESSERA_TEST_POSTGRES_URL, and stops it
# A cluster that goes with its folder needs no fsync; TESSERA_TEST_POSTGRES_FSYNC=on makes it as slow as a real one.
set -euo pipefail

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
[ -n "$bin" ] || { echo "PostgreSQL is not installed (apt-get install postgresql)" >&2; exit 1; }

# The server refuses to run as root.
as_owner() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

start_in() {
  local folder=$1 owner
  owner=$([ "$(id -u)" = 0 ] && echo postgres || id -un)
  [ "$(id -u)" != 0 ] || chown postgres "$folder"
  chmod 755 "$folder"
  cd "$folder"
  as_owner "$bin/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >"$folder/../$(basename "$folder").log"
  mv "$folder/../$(basename "$folder").log" "$folder/initdb.log"
  cat >>"$folder/data/postgresql.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$folder'
max_connections = 300
shared_buffers = 64MB
fsync = ${TESSERA_TEST_POSTGRES_FSYNC:-off}
CONF
  as_owner "$bin/pg_ctl" -D "$folder/data" -l "$folder/data/server.log" -w -t 60 start >/dev/null
}

stop_in() {
  local folder=$1
  [ -d "$folder/data" ] || return 0
  cd /
  as_owner "$bin/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}

folder_of() { sed -n 's/.*host=\([^&]*\).*/\1/p' "$1"; }
url_of() { echo "postgresql:///postgres?host=$1&user=postgres"; }

case "${1:-}" in
start)
  file=$2
  [ ! -s "$file" ] || stop_in "$(folder_of "$file")"
  folder=$(mktemp -d /tmp/tessera-pg-XXXXXX)
  start_in "$folder"
  url_of "$folder" >"$file"
  # Whoever is killed in the middle of a run leaves no server behind.
  caller=${3:-$PPID}
  ( while kill -0 "$caller" 2>/dev/null && [ -d "$folder" ]; do sleep 1; done; stop_in "$folder" ) \
    </dev/null >/dev/null 2>&1 &
  ;;
stop)
  [ ! -s "$2" ] || stop_in "$(folder_of "$2")"
  rm -f "$2"
  ;;
down)
  folder=$(folder_of "$2")
  cd "$folder"
  as_owner "$bin/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null
  ;;
up)
  folder=$(folder_of "$2")
  cd "$folder"
  as_owner "$bin/pg_ctl" -D "$folder/data" -l "$folder/data/server.log" -w -t 60 start >/dev/null
  ;;
run)
  shift
  folder=$(mktemp -d /tmp/tessera-pg-XXXXXX)
  trap 'stop_in "$folder"' EXIT
  (start_in "$folder")
  TESSERA_TEST_POSTGRES_URL=$(url_of "$folder") "$@"
  ;;
*)
  sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
  ;;
esac
