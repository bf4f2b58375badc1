#!/bin/sh
# run_openb.sh BUILD_DIR TRACE_DIR: the openb trace through `batholith simulate` with 1, 2 and 8
# threads. Prints the seconds of each (parsing included) and fails when the answers differ by a byte.
set -eu
if [ $# -ne 2 ]; then
  echo "usage: run_openb.sh BUILD_DIR TRACE_DIR" >&2
  exit 2
fi
build=$1
trace=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$build/openb_manifests" "$trace" "$work/openb.json"
for threads in 1 2 8; do
  start=$(date +%s.%N)
  "$build/batholith" simulate -f "$work/openb.json" --threads "$threads" -o json \
    >"$work/$threads.json"
  end=$(date +%s.%N)
  echo "$threads threads: $(echo "$start $end" | awk '{printf "%.2f", $2 - $1}') s"
done
cmp "$work/1.json" "$work/2.json"
cmp "$work/1.json" "$work/8.json"
echo "same bytes for 1, 2 and 8 threads ($(wc -c <"$work/1.json") bytes)"
