#!/usr/bin/env bash
# A transactor and workers on hosts that are reached by ssh. See usage below and docs/cluster.md.
set -euo pipefail

readonly ME=ssh-cluster.sh
readonly PORT=7070
readonly ZOOKEEPER_PORT=2181
readonly START_TIMEOUT_S=60
readonly STOP_TIMEOUT_S=20

usage() {
  cat <<'USAGE'
usage: ssh-cluster.sh check --inventory FILE [--ssh-config FILE]
       ssh-cluster.sh copy --inventory FILE [--ssh-config FILE]
       ssh-cluster.sh run --inventory FILE [--ssh-config FILE] --out DIR [--system SYSTEM]... [--size SIZE]
                          [--count N] [--insecure]
       ssh-cluster.sh stop --inventory FILE [--ssh-config FILE]

A transactor and workers on real hosts, reached by ssh.

  check   whether every host answers, and has a JDK 17 or later
  copy    builds the project if need be, and copies it to every host: the jar, its libraries and ./drayage
  run     for each system: starts a transactor with a new database, has all workers commit at the same time, fetches
          their results and all logs to DIR, and ends the transactor
  stop    ends what an interrupted run left

  --inventory FILE    one line each, # begins a comment:
                        transactor DESTINATION ADDRESS   as ssh knows it; as the workers reach it
                        worker DESTINATION               one line for each worker
                        store STORE                      s3:BUCKET/PREFIX?OPTIONS, or fs:DIR that all hosts see
                        zookeeper HOST:PORT[,...]        may be missing: then one inside the transactor, which the
                                                         workers reach through ssh
                        folder DIR                       where it all goes, relative to the home (default: drayage)
                        transactor-options OPTIONS...    further ones, such as --tls-cert and --tls-key
                        worker-options OPTIONS...        likewise, such as --tls-ca
  --ssh-config FILE   what ssh reads instead of ~/.ssh/config. Host keys are always verified: have them in a
                      known_hosts file first
  --system SYSTEM     how cargoes are shipped, as in 'drayage throughput' (default: netty:columnar+none@cores)
  --size SIZE         of each worker's cargo (default: 100MB)
  --count N           commits of each worker, the first ones with cold code (default: 5)
  --insecure          plain text between workers and transactor, if there are no certificates

Exit code 0: done, 1: failed, 2: wrong usage.

Example:
  cluster-scripts/ssh-cluster.sh copy --inventory hosts.txt
  cluster-scripts/ssh-cluster.sh run --inventory hosts.txt --out result --insecure --size 1GB \
      --system grpc:java+none --system netty:columnar+zstd@cores
USAGE
}

say() { echo "$ME: $*" >&2; }

fail() {
  say "$*"
  exit 1
}

wrong_usage() {
  echo "$ME: $* (see $ME --help)" >&2
  exit 2
}

# --- the inventory ---------------------------------------------------------------------------------------------------

read_inventory() {
  local keyword rest number=0
  [[ -r $inventory ]] || fail "$inventory: no such file"
  while read -r keyword rest || [[ -n $keyword ]]; do
    number=$((number + 1))
    case $keyword in
      "" | \#*) continue ;;
      transactor) read -r transactor address <<<"$rest" ;;
      worker) workers+=("$rest") ;;
      store) store=$rest ;;
      zookeeper) zookeeper=$rest ;;
      folder) folder=$rest ;;
      transactor-options) read -r -a transactor_options <<<"$rest" ;;
      worker-options) read -r -a worker_options <<<"$rest" ;;
      *) fail "$inventory, line $number: '$keyword' is none of transactor, worker, store, zookeeper, folder, transactor-options, worker-options" ;;
    esac
  done <"$inventory"
  [[ -n $transactor && -n $address ]] || fail "$inventory: a line 'transactor DESTINATION ADDRESS' is missing"
  ((${#workers[@]} > 0)) || fail "$inventory: a line 'worker DESTINATION' is missing"
  [[ -n $folder ]] || fail "$inventory: the line 'folder DIR' names none"
  local destination
  for destination in "$transactor" "${workers[@]}"; do
    [[ $destination != -* && $destination != *[[:space:]]* ]] || fail "$inventory: '$destination' is no destination of ssh"
  done
}

# --- ssh -------------------------------------------------------------------------------------------------------------

# One connection a host, which all calls share. Never asks, never takes a host key that is not known.
ssh_options() {
  ssh_with=(-o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=10 -o ServerAliveInterval=15
    -o ControlMaster=auto -o "ControlPath=$work/%C" -o ControlPersist=yes)
  if [[ -n $ssh_config ]]; then ssh_with=(-F "$ssh_config" "${ssh_with[@]}"); fi
}

# Runs a command on a host; its words arrive as they are.
on() {
  local host=$1
  shift
  ssh "${ssh_with[@]}" -- "$host" "$(printf '%q ' "$@")"
}

# Runs a script that is read from standard input on a host, with arguments.
script_on() {
  local host=$1
  shift
  on "$host" bash -s -- "$@"
}

hosts() { printf '%s\n' "$transactor" "${workers[@]}" | sort -u; }

check() {
  local host
  for host in $(hosts); do
    script_on "$host" <<'REMOTE' || fail "$host cannot be used"
set -eu
for java in "${DRAYAGE_JAVA_HOME:-}/bin/java" "${JAVA_HOME:-}/bin/java" "$(command -v java || true)" /usr/lib/jvm/*/bin/java; do
  [ -x "$java" ] || continue
  version=$("$java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
  if [ "${version:-0}" -ge 17 ]; then
    echo "$(uname -n): $(nproc) cores, Java $version"
    exit 0
  fi
done
echo "no Java 17 or later" >&2
exit 1
REMOTE
  done
}

copy() {
  local host root
  root=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
  "$root/drayage" --version >&2
  for host in $(hosts); do
    say "copying to $host"
    on "$host" mkdir -p "$folder"
    on "$host" rm -rf "$folder/cli"
    tar -C "$root" -cf - drayage cli/target/launcher/drayage.jar cli/target/launcher/lib | on "$host" tar -C "$folder" -xf -
  done
}

# --- running ---------------------------------------------------------------------------------------------------------

start_transactor() {
  local system=$1 number=$2 transport=${1%%:*} serializer
  serializer=${system#*:}
  serializer=${serializer%%+*}
  local options=(--listen "0.0.0.0:$PORT" --advertise "$address" --transport "$transport" --data "data-$number"
    --store "$(store_of "$number")" --size "$size" --allow "$serializer" --name transactor)
  if [[ -n $zookeeper ]]; then
    options+=(--zookeeper "$zookeeper/drayage-$run-$number")
  else
    options+=(--zookeeper-port "$ZOOKEEPER_PORT")
  fi
  if [[ $insecure == yes ]]; then options+=(--insecure); fi
  options+=(${transactor_options[@]+"${transactor_options[@]}"})
  script_on "$transactor" "$folder" "$run" "$START_TIMEOUT_S" "${options[@]}" <<'REMOTE'
set -eu
cd "$1"
mkdir -p "$2"
tries=$(($3 * 5))
cd "$2"
shift 3
[ ! -e ../transactor.pid ] || { echo "a transactor is running: stop it first" >&2; exit 1; }
rm -f transactor.out # That of the system before says that it listens.
nohup ../drayage transactor "$@" >transactor.out 2>transactor.log </dev/null &
echo $! >../transactor.pid
while ! grep -qs ' listens at ' transactor.out; do
  tries=$((tries - 1))
  if [ "$tries" -le 0 ] || ! kill -0 "$(cat ../transactor.pid)" 2>/dev/null; then
    tail -n 3 transactor.log >&2
    rm -f ../transactor.pid
    exit 1
  fi
  sleep 0.2
done
REMOTE
}

# A store of its own for every system: databases do not share one.
store_of() {
  case $store in
    *\?*) echo "${store%%\?*}/$run-$1?${store#*\?}" ;;
    *) echo "$store/$run-$1" ;;
  esac
}

# That of a run, or whichever there is.
stop_transactor() {
  script_on "$transactor" "$folder" "$STOP_TIMEOUT_S" "${1:-}" <<'REMOTE'
set -eu
cd "$1" 2>/dev/null || exit 0
[ -e transactor.pid ] || exit 0
pid=$(cat transactor.pid)
# Each runs in the folder of its run: another's is left alone.
at=$(readlink "/proc/$pid/cwd" 2>/dev/null || true)
[ -z "$3" ] || [ -z "$at" ] || [ "${at##*/}" = "$3" ] || exit 0
# A number that was used again meanwhile is left alone.
if tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -q ' transactor '; then
  kill "$pid" 2>/dev/null || true
  tries=$(($2 * 5))
  while kill -0 "$pid" 2>/dev/null && [ "$tries" -gt 0 ]; do
    tries=$((tries - 1))
    sleep 0.2
  done
  kill -9 "$pid" 2>/dev/null || true
fi
rm -f transactor.pid
REMOTE
}

# Through this machine, so that nobody else reaches a ZooKeeper that asks nobody who they are.
open_tunnels() {
  local host
  ssh "${ssh_with[@]}" -O forward -L "$work/zookeeper:127.0.0.1:$ZOOKEEPER_PORT" "$transactor"
  for host in $(printf '%s\n' "${workers[@]}" | sort -u); do
    [[ $host != "$transactor" ]] || continue
    on "$host" true
    ssh "${ssh_with[@]}" -O forward -R "127.0.0.1:$ZOOKEEPER_PORT:$work/zookeeper" "$host"
  done
}

close_tunnels() {
  local host
  for host in $(hosts); do ssh "${ssh_with[@]}" -O exit "$host" 2>/dev/null || true; done
  rm -f "$work/zookeeper"
}

run_worker() {
  local system=$1 number=$2 worker=$3 at=127.0.0.1:$ZOOKEEPER_PORT
  if [[ -n $zookeeper ]]; then at=$zookeeper/drayage-$run-$number; fi
  script_on "${workers[worker - 1]}" "$folder" "$run" "$number" "$worker" worker commit --name "worker-$worker" \
    --zookeeper "$at" --store "$(store_of "$number")" --system "$system" --size "$size" --count "$count" \
    --on-conflict overwrite ${worker_options[@]+"${worker_options[@]}"} <<'REMOTE'
set -eu
cd "$1"
mkdir -p "$2"
cd "$2"
result=result-$3-worker-$4.json
shift 4
exec ../drayage "$@" --json "$result" </dev/null
REMOTE
}

# A worker that failed may have left no result.
fetch() {
  local number=$1 worker result
  on "$transactor" cat "$folder/$run/transactor.log" >"$out/transactor-$number.log" || true
  for ((worker = 1; worker <= ${#workers[@]}; worker++)); do
    result=$out/$number-worker-$worker.json
    on "${workers[worker - 1]}" cat "$folder/$run/result-$number-worker-$worker.json" >"$result" 2>/dev/null || rm -f "$result"
  done
}

run_all() {
  local system number=0 worker pids failed=no
  [[ -n $out ]] || wrong_usage "run needs --out DIR"
  [[ -n $store ]] || fail "$inventory: a line 'store STORE' is missing"
  ((${#systems[@]} > 0)) || systems=(netty:columnar+none@cores)
  mkdir -p "$out"
  run=run-$(date +%Y%m%d-%H%M%S)-$$
  trap 'stop_transactor "$run" || true; clean_up' EXIT
  for system in "${systems[@]}"; do
    number=$((number + 1))
    say "$system: starting the transactor"
    start_transactor "$system" "$number" || fail "the transactor on $transactor did not start"
    if [[ -z $zookeeper ]]; then open_tunnels; fi
    pids=()
    for ((worker = 1; worker <= ${#workers[@]}; worker++)); do
      run_worker "$system" "$number" "$worker" >"$out/$number-worker-$worker.out" 2>"$out/$number-worker-$worker.log" &
      pids+=($!)
    done
    for ((worker = 1; worker <= ${#workers[@]}; worker++)); do
      if ! wait "${pids[worker - 1]}"; then
        failed=yes
        say "$system: worker $worker failed: $(tail -n 1 "$out/$number-worker-$worker.log")"
      fi
      sed "s|^|$system, worker $worker: |" "$out/$number-worker-$worker.out"
    done
    fetch "$number"
    stop_transactor "$run"
    if [[ -z $zookeeper ]]; then close_tunnels; fi
  done
  [[ $failed == no ]] || fail "a worker failed; what there is of logs is in $out"
}

clean_up() {
  close_tunnels
  rm -rf "$work"
}

# --- arguments -------------------------------------------------------------------------------------------------------

inventory=""
ssh_config=""
out=""
size=100MB
count=5
insecure=no
systems=()
transactor=""
address=""
workers=()
store=""
zookeeper=""
folder=drayage
transactor_options=()
worker_options=()

command=${1:-}
[[ $# -gt 0 ]] && shift
case $command in
  check | copy | run | stop) ;;
  -h | --help)
    usage
    exit 0
    ;;
  "") wrong_usage "a command is missing: check, copy, run or stop" ;;
  *) wrong_usage "'$command' is no command: choose check, copy, run or stop" ;;
esac

while (($# > 0)); do
  case $1 in
    -h | --help)
      usage
      exit 0
      ;;
    --inventory | --ssh-config) ;;
    --out | --system | --size | --count | --insecure) [[ $command == run ]] || wrong_usage "$command has no option $1" ;;
    *) wrong_usage "$command has no option $1" ;;
  esac
  if [[ $1 == --insecure ]]; then
    insecure=yes
    shift
    continue
  fi
  (($# >= 2)) || wrong_usage "$1 needs a value"
  case $1 in
    --inventory) inventory=$2 ;;
    --ssh-config) ssh_config=$2 ;;
    --out) out=$2 ;;
    --system) systems+=("$2") ;;
    --size) size=$2 ;;
    --count) count=$2 ;;
  esac
  shift 2
done
[[ -n $inventory ]] || wrong_usage "$command needs --inventory FILE"
[[ $count =~ ^[1-9][0-9]{0,3}$ ]] || wrong_usage "--count must be 1 to 9999, not '$count'"
for tool in ssh tar sed sort; do
  command -v "$tool" >/dev/null || fail "the command $tool is missing: install it"
done
read_inventory
work=$(mktemp -d)
trap clean_up EXIT
ssh_options

case $command in
  check) check ;;
  copy) copy ;;
  run) run_all ;;
  stop) stop_transactor ;;
esac
