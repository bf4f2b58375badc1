#!/usr/bin/env bash
# run_small.sh PROGRAM: every row of the suite at a small size, and what its rows do not have, with all checks.
set -euo pipefail
here=$(dirname "$0")
program=$(realpath "$1")
"$here/run_suite.sh" --small "$program"
# Nodes enough for several threads to share a loop.
for scenario in place affinity spread; do
  "$program" --scenario "$scenario" --nodes 1200 --pods 60 --classes 5 --threads 4 --repeat 2 --warmup 0
done
"$program" --scenario delta --nodes 60 --pods 200 --gang 10 --changes 30 --node-changes 5 --namespaces 2 --repeat 3 --allocations
"$program" --scenario place --nodes 20 --pods 50 --repeat 2 --each 1 --against "$program"
# A wrong flag is told, never passed over.
for flags in "--scenario nothing" "--scenario place --changes 1" "--scenario trace" "--scenario trace --trace /nowhere" "--gang 0"; do
  # shellcheck disable=SC2086
  if "$program" $flags >/dev/null 2>&1; then
    echo "run_small.sh: $flags is taken" >&2
    exit 1
  fi
done
