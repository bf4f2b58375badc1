#!/usr/bin/env bash
# shared_scenarios.sh PROGRAM [--list]: runs the scenario sets beside the project (../shared), but those listed
# in test/known_differences.txt. Skips (exit status 77) where the
# folder is absent. --list: only prints the files that would run.
set -euo pipefail
program=$1
here=$(cd "$(dirname "$0")" && pwd)
shared=${BATHOLITH_SHARED:-$here/../../shared}
if [ ! -d "$shared/cases" ]; then
  echo "skipped: no folder with shared scenarios beside the project"
  exit 77
fi
known=$(sed 's/[ #].*//' "$here/known_differences.txt")

files=()
while IFS= read -r name; do
  if grep -qxF -- "$name" <<<"$known"; then continue; fi
  files+=("$shared/$name")
done < <(cd "$shared" && find cases conformance/core differential -name '*.yaml' |
         LC_ALL=C sort)
if [ "${2:-}" = "--list" ]; then
  printf '%s\n' "${files[@]}"
  exit 0
fi
"$program" verify "${files[@]}"
