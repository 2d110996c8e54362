#!/usr/bin/env bash
# Hosts on one machine: network namespaces with links of a rate between them. See usage below and docs/measuring.md.
set -euo pipefail

readonly ME=local-cluster.sh
readonly STATE=/run/drayage
readonly MAX_WORKERS=64
readonly MIN_RATE_BITS=1000000
readonly MAX_RATE_BITS=100000000000
readonly LATENCY=20ms
readonly MTU_BYTES=1500
readonly KILL_AFTER_TENTHS_S=20

usage() {
  cat <<'USAGE'
usage: local-cluster.sh up --link RATE [--workers N] [--transactor-link RATE] [--congestion ALGORITHM]
                           [--name NAME] [--owner PID]
       local-cluster.sh exec [--name NAME] HOST COMMAND [ARGUMENT...]
       local-cluster.sh status [--name NAME] [--details]
       local-cluster.sh down [--name NAME | --all | --stale]

Hosts on one machine: a transactor and workers, each in a network namespace of its own, with a link of a rate
between them. Needs Linux, root, and the commands ip and tc (package iproute2).

  up       makes the cluster. One that is up already as asked stays; what an interrupted run left is made anew
  exec     runs a command on a host: transactor, worker-1, worker-2, ...
  status   shows the link and the hosts with their addresses; --details: also queues, interfaces and connections
  down     ends what runs on the hosts and removes them, and only them; also what an interrupted run left

  --link RATE              1gbit, 10gbit, 20gbit, or another rate from 1mbit to 100gbit: 500mbit, 2.5gbit
  --workers N              worker hosts, 1 to 64 (default: 1). One has a link to the transactor; more meet at a
                           switch, where each host has a link of this rate
  --transactor-link RATE   of several workers: the rate of the transactor's link to the switch (default: the same)
  --congestion ALGORITHM   TCP's congestion control on all hosts (default: cubic, or reno where there is none)
  --name NAME              keeps clusters apart: small letters and digits, at most 20 (default: lab)
  --owner PID              the cluster may be removed by down --stale, and by any up, when this process is gone
  --all                    every cluster that this script has made
  --stale                  those whose owner is gone

Exit code 0: done, 1: failed, 2: wrong usage; exec: that of the command.

Example:
  sudo cluster-scripts/local-cluster.sh up --link 1gbit --workers 2
  sudo cluster-scripts/local-cluster.sh exec worker-1 ip route
  sudo cluster-scripts/local-cluster.sh down
USAGE
}

fail() {
  echo "$ME: $*" >&2
  exit 1
}

wrong_usage() {
  echo "$ME: $* (see $ME --help)" >&2
  exit 2
}

# Whether a text is a number of at most 12 digits from MIN to MAX.
is_within() {
  [[ $1 =~ ^[0-9]{1,12}$ ]] && ((10#$1 >= $2 && 10#$1 <= $3))
}

require_tools() {
  [[ $(uname -s) == Linux ]] || fail "links need Linux: network namespaces and token buckets are its own"
  command -v ip >/dev/null || fail "links need the command ip: install iproute2"
  command -v tc >/dev/null || fail "links need the command tc: install iproute2"
  [[ $(id -u) == 0 ]] || fail "links between network namespaces need root: run it with sudo"
}

# --- names -----------------------------------------------------------------------------------------------------------

namespace_of() { echo "drayage-$name-$1"; }

# The namespaces of this cluster that exist, whether a run has finished or not.
namespaces() {
  ip netns list | awk '{ print $1 }' | grep -E "^drayage-$name-(transactor|switch|worker-[0-9]+)$" || true
}

address_of() {
  case $1 in
    transactor) echo 10.77.0.1 ;;
    worker-*) echo "10.77.0.$((10 + ${1#worker-}))" ;;
  esac
}

hosts() {
  local i
  echo transactor
  for ((i = 1; i <= workers; i++)); do echo "worker-$i"; done
}

# The clusters of which anything is left.
names() {
  {
    ip netns list | sed -nE 's/^drayage-([a-z0-9]+)-(transactor|switch|worker-[0-9]+)( .*)?$/\1/p'
    find "$STATE" -mindepth 1 -maxdepth 1 -type f -printf '%f\n' 2>/dev/null || true
  } | sort -u
}

# --- state: a file of lines KEY=VALUE for each cluster ---------------------------------------------------------------

state_value() { sed -n "s/^$1=//p" "$STATE/$name" 2>/dev/null | head -n 1; }

# When a process was started, in ticks since the machine was: tells it from a later one with its number.
start_of() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | awk '{ print $20 }'; }

is_stale() {
  local of
  of=$(state_value owner)
  [[ -n $of && $(start_of "${of%:*}") != "${of#*:}" ]]
}

# One at a time, whatever its name: fd 9 is held until this script ends.
lock() {
  mkdir -p "$STATE"
  if command -v flock >/dev/null; then
    exec 9<"$STATE"
    flock 9
  fi
}

# --- the link --------------------------------------------------------------------------------------------------------

# Sets rate_bits from a rate as tc writes it; 0 if it is none.
read_rate() {
  rate_bits=0
  if [[ $1 =~ ^([0-9]{1,12}(\.[0-9]{1,9})?)([kmg]?)bit$ ]]; then
    local -A factors=([bit]=1 [kbit]=1e3 [mbit]=1e6 [gbit]=1e9)
    rate_bits=$(awk -v n="${BASH_REMATCH[1]}" -v f="${factors[${BASH_REMATCH[3]}bit]}" 'BEGIN { printf "%.0f", n * f }')
  fi
}

# What a token bucket may send at once: 1 ms of the rate, so that a timer that is late costs nothing; 256 KiB on slower
# links, but at most 20 ms of the rate; and always a packet of 64 KiB, which the kernel cuts only afterwards.
burst_bytes() {
  awk -v bits="$1" 'BEGIN {
    bytes = bits / 8; burst = bytes * 0.02; if (burst > 262144) burst = 262144
    if (burst < bytes * 0.001) burst = bytes * 0.001
    if (burst < 71680) burst = 71680
    printf "%.0f", burst }'
}

# shape NAMESPACE DEVICE HOST: one end of the host's link.
shape() {
  local bits=$rate_bits
  if [[ $3 == transactor ]]; then bits=$transactor_rate_bits; fi
  tc -n "$1" qdisc replace dev "$2" root tbf rate "${bits}bit" burst "$(burst_bytes "$bits")b" latency "$LATENCY"
}

# The host's end. The algorithm goes with the route: a namespace may not choose all that the kernel has.
configure_host() {
  local host=$1 namespace address
  namespace=$(namespace_of "$host")
  address=$(address_of "$host")
  ip -n "$namespace" link set lo up
  ip -n "$namespace" address add "$address/24" dev eth0
  ip -n "$namespace" link set eth0 mtu "$MTU_BYTES" up
  ip -n "$namespace" route replace 10.77.0.0/24 dev eth0 src "$address" congctl "$congestion"
  shape "$namespace" eth0 "$host"
}

connect_directly() {
  ip link add eth0 netns "$(namespace_of transactor)" type veth peer name eth0 netns "$(namespace_of worker-1)"
}

connect_by_switch() {
  local switch host
  switch=$(namespace_of switch)
  ip netns add "$switch"
  ip -n "$switch" link add switch type bridge stp_state 0 mcast_snooping 0
  ip -n "$switch" link set switch mtu "$MTU_BYTES" up
  for host in $(hosts); do
    ip link add eth0 netns "$(namespace_of "$host")" type veth peer name "$host" netns "$switch"
    ip -n "$switch" link set "$host" master switch mtu "$MTU_BYTES" up
    shape "$switch" "$host" "$host"
  done
}

choose_congestion() {
  local available algorithm
  read -r available </proc/sys/net/ipv4/tcp_available_congestion_control
  for algorithm in ${congestion:-cubic reno}; do
    if [[ " $available " == *" $algorithm "* ]]; then
      congestion=$algorithm
      return
    fi
  done
  fail "the kernel has no congestion control '$congestion': choose one of $available"
}

# What the devices leave to each other instead of cutting and joining packets, in bytes.
offloads() {
  ip -n "$(namespace_of transactor)" -d link show eth0 | grep -oE '(gso|gro|tso)_max_size [0-9]+' | paste -sd ' ' - || true
}

describe() {
  echo "link=$link"
  echo "rateBitsPerSecond=$rate_bits"
  echo "transactorRateBitsPerSecond=$transactor_rate_bits"
  echo "burstBytes=$(burst_bytes "$rate_bits")"
  echo "queue=$LATENCY"
  echo "mtuBytes=$MTU_BYTES"
  echo "congestionControl=$congestion"
  echo "workers=$workers"
  if ((workers == 1)); then echo "topology=direct"; else echo "topology=switch"; fi
  if [[ -n $owner ]]; then echo "owner=$owner:$(start_of "$owner")"; fi
}

is_up_as_asked() {
  [[ $(state_value up) == yes && $(state_value rateBitsPerSecond) == "$rate_bits" &&
    $(state_value transactorRateBitsPerSecond) == "$transactor_rate_bits" &&
    $(state_value workers) == "$workers" && $(state_value congestionControl) == "$congestion" ]] || return 1
  local expected=$((workers == 1 ? 2 : workers + 2)) found
  found=$(namespaces | wc -l)
  ((found == expected))
}

up() {
  local host
  [[ -n $link ]] || wrong_usage "up needs --link RATE, such as --link 1gbit"
  read_rate "$link"
  is_within "$rate_bits" "$MIN_RATE_BITS" "$MAX_RATE_BITS" ||
    wrong_usage "--link must be a rate from 1mbit to 100gbit, such as 1gbit or 500mbit, not '$link'"
  is_within "$workers" 1 "$MAX_WORKERS" || wrong_usage "--workers must be 1 to $MAX_WORKERS, not '$workers'"
  workers=$((10#$workers))
  transactor_rate_bits=$rate_bits
  if [[ -n $transactor_link ]]; then
    ((workers > 1)) || wrong_usage "--transactor-link is for several workers: one has the link of --link"
    read_rate "$transactor_link"
    is_within "$rate_bits" "$MIN_RATE_BITS" "$MAX_RATE_BITS" ||
      wrong_usage "--transactor-link must be a rate from 1mbit to 100gbit, such as 4gbit, not '$transactor_link'"
    transactor_rate_bits=$rate_bits
    read_rate "$link"
  fi
  [[ -z $owner || -d /proc/$owner ]] || wrong_usage "--owner $owner is no process"
  require_tools
  choose_congestion
  lock
  (remove_stale)
  if is_up_as_asked; then
    echo "cluster $name is up: $workers workers, link $link, $congestion"
    return
  fi
  if [[ $(state_value up) == yes ]]; then
    fail "cluster $name is up with $(state_value workers) workers and link $(state_value link): take it down first"
  fi
  remove # what an interrupted run left
  trap remove EXIT # whatever ends it half-made, in whichever function
  trap 'exit 1' INT TERM HUP
  describe >"$STATE/$name"
  for host in $(hosts); do ip netns add "$(namespace_of "$host")"; done
  if ((workers == 1)); then connect_directly; else connect_by_switch; fi
  for host in $(hosts); do configure_host "$host"; done
  echo "offloads=$(offloads)" >>"$STATE/$name"
  echo "up=yes" >>"$STATE/$name"
  trap - EXIT INT TERM HUP
  echo "cluster $name is up: $workers workers, link $link, $congestion"
}

# --- taking down -----------------------------------------------------------------------------------------------------

signal_all() {
  local signal=$1 namespace pid
  for namespace in $(namespaces); do
    for pid in $(ip netns pids "$namespace"); do kill "-$signal" "$pid" 2>/dev/null || true; done
  done
}

anything_runs() {
  local namespace
  for namespace in $(namespaces); do
    if [[ -n $(ip netns pids "$namespace") ]]; then return 0; fi
  done
  return 1
}

# Removes what there is of this cluster; a device goes with its namespace.
remove() {
  local namespace i
  signal_all TERM
  for ((i = 0; i < KILL_AFTER_TENTHS_S; i++)); do
    anything_runs || break
    sleep 0.1
  done
  signal_all KILL
  for namespace in $(namespaces); do ip netns delete "$namespace"; done
  rm -f "$STATE/$name"
}

remove_stale() {
  for name in $(names); do
    if is_stale; then remove; fi
  done
}

down() {
  require_tools
  lock
  case $which in
    all) for name in $(names); do remove; done ;;
    stale) remove_stale ;;
    *)
      if [[ -z $(namespaces) && ! -e $STATE/$name ]]; then
        echo "cluster $name is not up"
        return
      fi
      remove
      echo "cluster $name is down"
      ;;
  esac
}

# --- using it --------------------------------------------------------------------------------------------------------

run_on_host() {
  (($# >= 2)) || wrong_usage "exec needs a host and a command, such as exec worker-1 ip address"
  local host=$1 namespace
  shift
  [[ $host == transactor || $host =~ ^worker-[1-9][0-9]?$ ]] ||
    wrong_usage "'$host' is no host: name transactor or worker-1, worker-2, ..."
  require_tools
  namespace=$(namespace_of "$host")
  [[ -e /run/netns/$namespace ]] || fail "cluster $name has no host $host: it is not up, or has fewer workers"
  exec ip netns exec "$namespace" "$@"
}

status() {
  local host namespace
  require_tools
  [[ -e $STATE/$name ]] || fail "cluster $name is not up"
  grep -v '^owner=' "$STATE/$name"
  workers=$(state_value workers)
  for host in $(hosts); do echo "host=$host $(address_of "$host") $(namespace_of "$host")"; done
  [[ $details == yes ]] || return 0
  for namespace in $(namespaces); do
    echo "--- $namespace"
    tc -n "$namespace" -s qdisc show
    ip -n "$namespace" -d -s link show
    ip -n "$namespace" route show
    if command -v ss >/dev/null; then ip netns exec "$namespace" ss -tin; fi
  done
}

# --- arguments -------------------------------------------------------------------------------------------------------

name=lab
link=""
workers=1
congestion=""
owner=""
which=""
details=""
rate_bits=0
transactor_link=""
transactor_rate_bits=0

command=${1:-}
[[ $# -gt 0 ]] && shift
case $command in
  up | exec | status | down) ;;
  -h | --help)
    usage
    exit 0
    ;;
  "") wrong_usage "a command is missing: up, exec, status or down" ;;
  *) wrong_usage "'$command' is no command: choose up, exec, status or down" ;;
esac

# The options of each command, so that none is ignored.
takes() {
  case $command:$1 in
    *:--name | up:--link | up:--workers | up:--transactor-link | up:--congestion | up:--owner | status:--details | down:--all | down:--stale) ;;
    *) return 1 ;;
  esac
}

while (($# > 0)); do
  option=${1%%=*}
  case $option in
    -h | --help)
      usage
      exit 0
      ;;
    --*) takes "$option" || wrong_usage "$command has no option $option" ;;
    *)
      [[ $command == exec ]] || wrong_usage "$command takes no '$1'"
      break
      ;;
  esac
  case $option in
    --details) details=yes ;;
    --all | --stale) which=${option#--} ;;
    *)
      if [[ $1 == *=* ]]; then
        value=${1#*=}
      else
        (($# >= 2)) || wrong_usage "$option needs a value"
        value=$2
        shift
      fi
      case $option in
        --name) name=$value ;;
        --link) link=$value ;;
        --workers) workers=$value ;;
        --transactor-link) transactor_link=$value ;;
        --congestion) congestion=$value ;;
        --owner) owner=$value ;;
      esac
      ;;
  esac
  shift
done
[[ $name =~ ^[a-z0-9]{1,20}$ ]] || wrong_usage "--name must be 1 to 20 small letters and digits, not '$name'"
[[ -z $owner || $owner =~ ^[0-9]{1,10}$ ]] || wrong_usage "--owner must be the number of a process, not '$owner'"
[[ $congestion =~ ^[a-z0-9_]{0,15}$ ]] || wrong_usage "--congestion must be the name of an algorithm, not '$congestion'"

case $command in
  up) up ;;
  exec) run_on_host "$@" ;;
  status) status ;;
  down) down ;;
esac
