#!/usr/bin/env bash
# shared_scenarios.sh PROGRAM [--list] [--only FOLDER]: runs the scenario sets beside the project (../shared), but
# those listed in test/known_differences.txt. Skips (exit status 77) where the folder is absent. --list: only prints
# the files that would run; --only: those of one folder of them.
set -euo pipefail
program=$1
shift
list=
sets=(cases conformance differential placement/hypernodes)
while [ $# -gt 0 ]; do
  case $1 in
    --list) list=yes ;;
    --only)
      sets=("$2")
      shift
      ;;
  esac
  shift
done
here=$(cd "$(dirname "$0")" && pwd)
shared=${BATHOLITH_SHARED:-$here/../../shared}
for set in "${sets[@]}"; do
  if [ ! -d "$shared/$set" ]; then
    echo "skipped: no folder $set with shared scenarios beside the project"
    exit 77
  fi
done
known=$(sed 's/[ #].*//' "$here/known_differences.txt")

files=()
while IFS= read -r name; do
  if grep -qxF -- "$name" <<<"$known"; then continue; fi
  files+=("$shared/$name")
done < <(cd "$shared" && find "${sets[@]}" -name '*.yaml' | LC_ALL=C sort)
if [ -n "$list" ]; then
  printf '%s\n' "${files[@]}"
  exit 0
fi
"$program" verify "${files[@]}"
