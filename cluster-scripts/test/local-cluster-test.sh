#!/usr/bin/env bash
# Tries local-cluster.sh: up, again up, another, half up, down; and that nothing is left.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: cluster-scripts/test/local-cluster-test.sh [--help]

Exit 0 if all went well, or if root or iproute2 is missing, which it says; 1 if not.
USAGE
}

# shellcheck source=cluster-scripts/test/head.bash
source "$(dirname "${BASH_SOURCE[0]}")/head.bash"

script=$scripts/local-cluster.sh
name=test$$
with=(--name "$name")

expect() {
  local code=$1 text=$2 said rc=0
  shift 2
  said=$("$@" 2>&1) || rc=$?
  [[ $rc == "$code" && $said == *"$text"* ]] || fail "'${*##*/}' ended with $rc: $said"
}

left() { ip netns list | grep -c "^drayage-$name-" || true; }

expect 0 usage "$script" --help
expect 2 "a command is missing" "$script"
expect 2 "has no option --link" "$script" down --link 1gbit
expect 2 "1mbit to 100gbit" "$script" up --link 1tbit
expect 2 "is no host" "$script" exec nobody true

if [[ $(id -u) != 0 ]] || ! command -v ip >/dev/null || ! command -v tc >/dev/null; then
  expect 1 "links" "$script" up "${with[@]}" --link 1gbit
  skip "making hosts needs root and iproute2"
fi
if command -v setpriv >/dev/null; then
  # The script itself may lie where others cannot read.
  expect 1 "need root" setpriv --reuid=65534 --clear-groups bash -c "$(cat "$script")" x up --link 1gbit
fi
trap '"$script" down "${with[@]}" >/dev/null' EXIT

expect 1 "is not up" "$script" status "${with[@]}"
expect 0 "2 workers" "$script" up "${with[@]}" --link 1gbit --workers 2
expect 0 "2 workers" "$script" up "${with[@]}" --link 1gbit --workers 2
expect 1 "take it down first" "$script" up "${with[@]}" --link 1gbit --workers 3
[[ $(left) == 4 ]] || fail "$(left) namespaces instead of 4"
expect 0 "rate 1Gbit" "$script" status "${with[@]}" --details
expect 0 "10.77.0.12" "$script" exec "${with[@]}" worker-2 ip address
expect 7 "" "$script" exec "${with[@]}" worker-1 bash -c 'exit 7'
"$script" exec "${with[@]}" worker-2 sleep 60 &
sleeper=$!
expect 0 "is down" "$script" down "${with[@]}"
wait "$sleeper" 2>/dev/null || true
[[ $(left) == 0 ]] || fail "$(left) namespaces are left"
expect 0 "is not up" "$script" down "${with[@]}"

# What a run leaves that is killed half way: some namespaces, and no word that it is up.
ip netns add "drayage-$name-worker-1"
expect 0 "1 workers" "$script" up "${with[@]}" --link 1gbit
expect 0 "is down" "$script" down "${with[@]}"
ip netns add "drayage-$name-switch"
expect 0 "is down" "$script" down "${with[@]}"
[[ $(left) == 0 ]] || fail "$(left) namespaces are left"

# What belongs to a process that is gone goes with the next cluster that is made, of whatever name.
sleep 60 &
owner=$!
expect 0 "is up" "$script" up "${with[@]}" --link 1gbit --owner "$owner"
expect 0 "" "$script" down --stale
[[ $(left) == 2 ]] || fail "a cluster whose owner lives was removed"
kill "$owner"
wait "$owner" 2>/dev/null || true
expect 0 "" "$script" down --stale
[[ $(left) == 0 ]] || fail "$(left) namespaces are left"
echo "passed"
