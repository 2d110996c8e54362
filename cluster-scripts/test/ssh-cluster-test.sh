#!/usr/bin/env bash
# Tries ssh-cluster.sh between network namespaces, with a real sshd and keys that are thrown away.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: cluster-scripts/test/ssh-cluster-test.sh [--help]

Makes three hosts with local-cluster.sh, a transactor, a worker and one from which they are controlled, starts sshd on
the first two with keys made for this run, and has ssh-cluster.sh copy the project there, run and end it. Exit 0 if all
went well, or if root, sshd or iproute2 is missing, which it says; 1 if not.
USAGE
}

# shellcheck source=cluster-scripts/test/head.bash
source "$(dirname "${BASH_SOURCE[0]}")/head.bash"

[[ $(id -u) == 0 ]] || skip "hosts on one machine need root"
for tool in ip tc ssh ssh-keygen; do
  command -v "$tool" >/dev/null || skip "the command $tool is missing"
done
sshd=$(command -v sshd || true)
if [[ -z $sshd && -x /usr/sbin/sshd ]]; then sshd=/usr/sbin/sshd; fi
[[ -n $sshd ]] || skip "there is no sshd"

name=ssh$$
work=$(mktemp -d)

clean_up() {
  "$scripts/local-cluster.sh" down --name "$name" >/dev/null
  rm -rf "$work"
}
trap clean_up EXIT

on_controller() { "$scripts/local-cluster.sh" exec --name "$name" worker-2 "$@"; }

"$scripts/local-cluster.sh" up --name "$name" --owner $$ --link 1gbit --workers 2
mkdir -p /run/sshd
ssh-keygen -q -t ed25519 -N '' -f "$work/user"
for host in transactor:10.77.0.1 worker-1:10.77.0.11; do
  role=${host%%:*}
  ssh-keygen -q -t ed25519 -N '' -f "$work/$role"
  cat >"$work/$role.conf" <<CONFIG
Port 2222
ListenAddress ${host#*:}
HostKey $work/$role
PidFile $work/$role.pid
AuthorizedKeysFile $work/user.pub
AuthenticationMethods publickey
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
CONFIG
  "$scripts/local-cluster.sh" exec --name "$name" "$role" "$sshd" -f "$work/$role.conf" -E "$work/$role.sshd.log"
  echo "[${host#*:}]:2222 $(cat "$work/$role.pub")" >>"$work/known_hosts"
done
cat >"$work/config" <<CONFIG
Host *
  Port 2222
  User root
  IdentityFile $work/user
  IdentitiesOnly yes
  UserKnownHostsFile $work/known_hosts
  GlobalKnownHostsFile /dev/null
CONFIG
cat >"$work/hosts" <<INVENTORY
# of this test
transactor 10.77.0.1 10.77.0.1
worker 10.77.0.11
store fs:$work/store
folder $work/copy
INVENTORY
with=(--inventory "$work/hosts" --ssh-config "$work/config")

on_controller "$scripts/ssh-cluster.sh" check "${with[@]}" || fail "check failed"
on_controller "$scripts/ssh-cluster.sh" copy "${with[@]}" || fail "copy failed"
on_controller "$scripts/ssh-cluster.sh" run "${with[@]}" --out "$work/out" --insecure --size 2MB --count 2 \
  --system netty:raw+none@2 --system grpc:java+none || {
  tail -n 5 "$work"/out/*.log >&2
  fail "run failed"
}
for result in "$work/out/1-worker-1.json" "$work/out/2-worker-1.json"; do
  grep -q '"schema"' "$result" || fail "$result is no result"
done
[[ ! -e $work/copy/transactor.pid ]] || fail "a transactor was left"

echo "[10.77.0.1]:2222 $(cat "$work/worker-1.pub")" >"$work/known_hosts"
if on_controller "$scripts/ssh-cluster.sh" check "${with[@]}" 2>"$work/refused"; then
  fail "a host with another key was accepted"
fi
grep -qi 'host key' "$work/refused" || fail "a wrong host key was refused for another reason: $(cat "$work/refused")"
echo "passed"
