#!/usr/bin/env bash
# Runs the scenario sets beside the project (../shared), but those that need a plugin of a later issue and those
# listed in test/known_differences.txt. Skips (77) where the folder is absent.
set -euo pipefail
program=$1
here=$(cd "$(dirname "$0")" && pwd)
shared=${BATHOLITH_SHARED:-$here/../../shared}
if [ ! -d "$shared/cases" ]; then
  echo "skipped: no folder with shared scenarios beside the project"
  exit 77
fi
later='^ *- name: (capacity|elasticquota)$|name: (capacity|elasticquota)\b|- name: (capacity|elasticquota)'
areas='area: "?(capacity|elastic-quota|slack|controllers)'
files=()
while IFS= read -r file; do
  name=${file#"$shared"/}
  if grep -qxF "$name" <(sed 's/ .*//' "$here/known_differences.txt"); then continue; fi
  if grep -qE "$later|$areas" "$file"; then continue; fi
  files+=("$file")
done < <(find "$shared/cases" "$shared/conformance/core" "$shared/differential/volcano" \
              "$shared/differential/volcano-quirks" -name '*.yaml' | sort)
"$program" verify "${files[@]}"
