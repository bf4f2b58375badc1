#!/usr/bin/env bash
# How fast pods get nodes on a real API server of this machine, in one run: plain binding calls, batholith with gangs of
# 100, and Kubernetes' own scheduler without gangs. Prints a JSON line for each.
#   test/bench/live/run.sh [BUILD_DIR] [--nodes N] [--pods N]      build/release, 1000, 5000
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$root/build/release nodes=1000 pods=5000
while [ $# -gt 0 ]; do
  case $1 in
    --nodes) nodes=$2; shift ;;
    --pods) pods=$2; shift ;;
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
for mode in plain gangs singles; do
  flags=()
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
      wait "$bench"
      kill %2
      ;;
    singles) "$build/live_bench" --mode singles --pods "$pods" --scheduler-name default-scheduler ;;
  esac
  cluster_down "$dir"
done
