#!/usr/bin/env bash
# Tries a cluster of two versions: this one, and the one before, which it builds.
set -euo pipefail

# The last commit of the version before; with each release, that of the release.
readonly before=3acf4df8f09af0324ec84aeb37e3c21b747cf918

usage() {
  cat <<USAGE
usage: cluster-scripts/test/mixed-version-test.sh [--help]

Builds ${before:0:8} in a temporary folder. Then, with each of the two as the first: a transactor of the first version and
a standby of the second; workers of both commit and follow; the first node ends, the second takes over, and they do it
again; both versions verify the store. Takes four minutes of processor time, mostly for the build. Exit 0 if all went
well, or if git or the commit is missing, which it says; 1 if not.
USAGE
}

# shellcheck source=cluster-scripts/test/head.bash
source "$(dirname "${BASH_SOURCE[0]}")/head.bash"

root=$(cd -P "$scripts/.." && pwd)
command -v git >/dev/null || skip "the command git is missing"
git -C "$root" rev-parse -q --verify "$before^{commit}" >/dev/null || skip "the history has no $before"

work=$(mktemp -d)
pids=()

clean_up() {
  local pid
  for pid in "${pids[@]}"; do
    kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap clean_up EXIT

declare -A drayage=([new]=$root/drayage [old]=$work/old/drayage)
mkdir "$work/old"
git -C "$root" archive "$before" | tar -x -C "$work/old"
for version in old new; do
  "${drayage[$version]}" --version >"$work/$version.build" 2>&1 || fail "$version: $(tail -5 "$work/$version.build")"
done

# Starts a transactor of a version, and waits until it listens.
start() {
  local version=$1 name=$2
  shift 2
  "${drayage[$version]}" transactor --listen 127.0.0.1:0 --name "$name" --data "$work/$name" --size 5MB "$@" \
    >"$work/$name.log" 2>&1 &
  pids+=($!)
  await "$name" "listens at"
}

await() {
  local name=$1 text=$2 turn
  for ((turn = 0; turn < 300; turn++)); do
    if grep -qs "$text" "$work/$name.log"; then return; fi
    sleep 0.2
  done
  fail "$name: no '$text' in $(cat "$work/$name.log")"
}

run() {
  local version=$1
  shift
  DRAYAGE_JAVA_OPTS=-Xmx512m "${drayage[$version]}" "$@" >"$work/run.log" 2>&1 ||
    fail "$version: drayage $* ended with $?: $(cat "$work/run.log")"
}

# The ZooKeeper of all; this node's own database is not used.
start new keeper --zookeeper-port 0
address=$(sed -n 's/.*zookeeper \(127[0-9.:]*\).*/\1/p' "$work/keeper.log")

try() {
  local first=$1 second=$2 store=fs:$work/$1-store version
  local at=(--zookeeper "$address/$1" --store "$store")
  start "$first" "$first-1" "${at[@]}"
  await "$first-1" "is primary from"
  local primary=${pids[-1]}
  start "$second" "$second-2" "${at[@]}"
  run "$second" worker commit "${at[@]}" --size 5MB --count 3
  run "$first" worker commit "${at[@]}" --size 5MB --count 2
  for version in old new; do run "$version" worker follow "${at[@]}" --until 6; done
  kill "$primary"
  await "$second-2" "is primary from"
  run "$first" worker commit "${at[@]}" --size 5MB --count 2
  for version in old new; do
    run "$version" worker follow "${at[@]}" --until 9
    run "$version" snapshot verify --store "$store"
  done
  echo "a transactor of the $first version, then one of the $second: 7 commits, followed and verified by both"
}

try old new
try new old
echo "passed"
