# Sourced by the tests of this folder, after each has defined usage: takes their arguments, and says how they end.
# shellcheck shell=bash

case ${1:-} in
  "") ;;
  -h | --help)
    usage
    exit 0
    ;;
  *)
    usage >&2
    exit 2
    ;;
esac

skip() {
  echo "skipped: $*"
  exit 0
}

fail() {
  echo "$(basename "$0" .sh): $*" >&2
  exit 1
}

# Where the scripts are that are tested.
scripts=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly scripts
