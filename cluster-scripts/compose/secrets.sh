#!/usr/bin/env bash
# Makes the secrets of compose.yaml.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: cluster-scripts/compose/secrets.sh [FOLDER]

Makes what the services read from /run/secrets: the S3 server's settings, its credentials for the nodes, and the logins
of transactors and workers for ZooKeeper, all with random keys. FOLDER: where (default: secrets beside compose.yaml). It
leaves one alone that is there: a cluster keeps what it was made with.
USAGE
}

case ${1:-} in
  -h | --help)
    usage
    exit 0
    ;;
  -*)
    usage >&2
    exit 2
    ;;
esac
(($# <= 1)) || {
  usage >&2
  exit 2
}

random() { od -An -N 20 -t x1 /dev/urandom | tr -d ' \n'; }

folder=${1:-$(dirname "${BASH_SOURCE[0]}")/secrets}
if [[ -e $folder ]]; then
  echo "$folder is there already"
  exit 0
fi
made=$folder.$$
# Closed to others; the files in it are open, since a container's user reads what is mounted with its owner and mode.
mkdir -m 700 "$made"
trap 'rm -rf "$made"' EXIT
umask 022
key=$(random)
cat >"$made/s3" <<PROPERTIES
s3proxy.endpoint=http://0.0.0.0:9000
s3proxy.authorization=aws-v2-or-v4
s3proxy.identity=drayage
s3proxy.credential=$key
jclouds.provider=filesystem-nio2
jclouds.filesystem.basedir=/mnt
PROPERTIES
cat >"$made/store" <<CREDENTIALS
[default]
aws_access_key_id = drayage
aws_secret_access_key = $key
CREDENTIALS
echo "drayage:$(random)" >"$made/zookeeper-login"
echo "worker:$(random)" >"$made/zookeeper-workers"
mv "$made" "$folder"
trap - EXIT
echo "made $folder"
