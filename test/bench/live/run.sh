#!/usr/bin/env bash
# How fast pods get nodes on a real API server of this machine, in one run: plain binding calls, batholith with gangs of
# 100, and Kubernetes' own scheduler without gangs. Prints a JSON line for each, and in the end the medians of each
# mode's rates and their ratios.
#   test/bench/live/run.sh [BUILD_DIR] [--nodes N] [--pods N] [--repeat N]      build/release, 1000, 5000, 3
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$root/build/release nodes=1000 pods=5000 repeat=3
while [ $# -gt 0 ]; do
  case $1 in
    --nodes) nodes=$2; shift ;;
    --pods) pods=$2; shift ;;
    --repeat) repeat=$2; shift ;;
    *) build=$1 ;;
  esac
  shift
done
. "$root/test/e2e/lib.sh"
e2e_require cluster kwok
dir=$(mktemp -d)
# The scheduler starts when all pods are there, so that its own speed is timed.
enough_pods() { [ "$(cluster_kubectl "$dir" get pods -n bench -o name 2>/dev/null | wc -l)" -ge "$pods" ]; }
trap 'cluster_down "$dir"; rm -rf "$dir"' EXIT
run_mode() {
  local mode=$1
  local flags=() bench scheduler
  [ $mode != singles ] || flags=(--kube-scheduler)
  cluster_up "$dir" --owner $$ "${flags[@]}"
  cluster_crds "$dir"
  cluster_nodes "$dir" "$nodes" 32 128Gi 110
  export KUBECONFIG=$dir/kubeconfig
  case $mode in
    plain) "$build/live_bench" --mode plain --pods "$pods" --scheduler-name nobody ;;
    gangs)
      "$build/live_bench" --mode gangs --pods "$pods" &
      bench=$!
      e2e_poll 120 enough_pods
      "$build/batholith" scheduler --leader-elect=false --kube-api-qps=0 2>"$dir/scheduler.log" &
      scheduler=$!
      wait "$bench"
      kill "$scheduler"
      ;;
    singles) "$build/live_bench" --mode singles --pods "$pods" --scheduler-name default-scheduler ;;
  esac
  cluster_down "$dir"
}

median() { # MODE: of the rates of its runs
  sed -n "s/.*\"mode\":\"$1\".*\"per_second\":\([0-9.Ee+-]*\).*/\1/p" "$dir/lines" | sort -g |
    awk '{ rate[NR] = $1 } END { print (rate[int((NR + 1) / 2)] + rate[int(NR / 2) + 1]) / 2 }'
}
# A round of all modes and then the next: what the machine does besides meets every mode.
for ((round = 0; round < repeat; ++round)); do
  for mode in plain gangs singles; do
    run_mode "$mode" >"$dir/line"
    tee -a "$dir/lines" <"$dir/line"
  done
done
awk -v runs="$repeat" -v plain="$(median plain)" -v gangs="$(median gangs)" -v singles="$(median singles)" 'BEGIN {
  printf "{\"mode\":\"medians\",\"runs\":%d,\"plain\":%.1f,\"gangs\":%.1f,\"singles\":%.1f,", runs, plain, gangs, singles
  printf "\"gangs_to_plain\":%.3f,\"gangs_to_singles\":%.2f}\n", gangs / plain, gangs / singles }'
