#!/usr/bin/env bash
# Makes the secrets of compose.yaml.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: cluster-scripts/compose/secrets.sh [FOLDER]

Makes what the services read from /run/secrets: the S3 server's settings, its credentials for transactors and, only to
read, for workers, the logins of both for ZooKeeper, all with random keys, and for each node a certificate with its
name. FOLDER: where (default: secrets beside compose.yaml). It leaves one alone that is there: a cluster keeps what it
was made with.
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

command -v openssl >/dev/null || {
  echo "this needs openssl, which makes the certificates" >&2
  exit 1
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

# The settings of the S3 server for a key in file $1, and the file $2 by which nodes use it.
s3_key() {
  local key
  key=$(random)
  cat >"$made/$1" <<PROPERTIES
s3proxy.endpoint=http://0.0.0.0:9000
s3proxy.authorization=aws-v2-or-v4
s3proxy.identity=drayage-$2
s3proxy.credential=$key
jclouds.provider=filesystem-nio2
jclouds.filesystem.basedir=/mnt
PROPERTIES
  cat >"$made/$2" <<CREDENTIALS
[default]
aws_access_key_id = drayage-$2
aws_secret_access_key = $key
CREDENTIALS
}

s3_key s3 store
s3_key s3-read store-read
echo "s3proxy.read-only-blobstore=true" >>"$made/s3-read"
echo "drayage:$(random)" >"$made/zookeeper-login"
echo "worker:$(random)" >"$made/zookeeper-workers"

# An authority, which is forgotten, and a certificate of each node, whose key is PKCS#8.
new_key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
openssl req -x509 "${new_key[@]}" -days 3650 -subj /CN=drayage-compose -keyout "$made/ca" -out "$made/tls-ca" 2>/dev/null
for name in transactor-1 transactor-2 committer follower; do
  openssl req "${new_key[@]}" -subj "/CN=$name" -keyout "$made/$name-key" -out "$made/request" 2>/dev/null
  openssl x509 -req -in "$made/request" -CA "$made/tls-ca" -CAkey "$made/ca" -set_serial "0x$(random)" -days 3650 \
    -extfile <(echo "subjectAltName=DNS:$name") -out "$made/$name-cert" 2>/dev/null
done
rm "$made/ca" "$made/request"
chmod 644 "$made"/*
mv "$made" "$folder"
trap - EXIT
echo "made $folder"
