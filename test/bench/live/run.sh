#!/usr/bin/env bash
# How fast pods get nodes on a real API server of this machine, every scheduler with the same freedom: the same client limits, and each
# starts when all pods are there. Prints a JSON line for each run, and in the end the medians of each mode's rates and their ratios.
#   test/bench/live/run.sh [BUILD_DIR] [--nodes N] [--pods N] [--repeat N] [--qps N] [--burst N]
#                                                        build/release, 1000, 5000, 3, 100000, 100000
#   test/bench/live/run.sh [BUILD_DIR] --arrivals [--nodes N] [--rate N] [--duration SECONDS] [--repeat N] [--qps N] [--burst N]
# Modes of a round: plain binding calls; gangs of 100 and single pods by batholith; single pods by kube-scheduler.
# --arrivals: single pods come at --rate (300) a second for --duration (60) seconds, nothing plays the kubelets, and what is timed is the
# way from the event that batholith reads to its decision.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$root/build/release nodes=1000 pods=5000 repeat=3 qps=100000 burst=100000 rate=300 duration=60 arrivals=''
while [ $# -gt 0 ]; do
  case $1 in
    --nodes) nodes=$2; shift ;;
    --pods) pods=$2; shift ;;
    --repeat) repeat=$2; shift ;;
    --qps) qps=$2; shift ;;
    --burst) burst=$2; shift ;;
    --rate) rate=$2; shift ;;
    --duration) duration=$2; shift ;;
    --arrivals) arrivals=1 ;;
    -*) echo "run.sh: unknown flag $1" >&2; exit 2 ;;
    *) build=$1 ;;
  esac
  shift
done
. "$root/test/e2e/lib.sh"
e2e_require cluster kwok
dir=$(mktemp -d)
trap 'cluster_down "$dir"; rm -rf "$dir"' EXIT
limits=(--kube-api-qps="$qps" --kube-api-burst="$burst")
enough_pods() { [ "$(cluster_kubectl "$dir" get pods -n bench -o name 2>/dev/null | wc -l)" -ge "$pods" ]; }

# Starts the scheduler of a mode; cluster_down ends it with the rest.
start_scheduler() {  # SCHEDULER
  case $1 in
    batholith) printf '%s\n' "$build/batholith" scheduler --kubeconfig="$KUBECONFIG" --leader-elect=false ;;
    kube-scheduler)
      printf '%s\n' "$E2E_BIN/kube-scheduler" --kubeconfig="$KUBECONFIG" --bind-address=127.0.0.1 --secure-port=0 --leader-elect=false ;;
  esac >"$dir/kube-scheduler.command"
  printf '%s\n' "${limits[@]}" >>"$dir/kube-scheduler.command"
  cluster_start "$dir" kube-scheduler
}

begin_cluster() {  # FLAG...
  cluster_up "$dir" --owner $$ "$@"
  cluster_crds "$dir"
  export KUBECONFIG=$dir/kubeconfig
}

run_mode() {  # MODE
  local bench flags=() scheduler=batholith name=volcano
  case $1 in
    plain) scheduler='' name=nobody flags=(--mode plain) ;;
    gangs) flags=(--mode gangs) ;;
    singles) flags=(--mode singles) ;;
    kube-singles) scheduler=kube-scheduler name=default-scheduler flags=(--mode singles) ;;
  esac
  begin_cluster
  cluster_nodes "$dir" "$nodes" 32 128Gi 110
  "$build/live_bench" "${flags[@]}" --pods "$pods" --scheduler-name "$name" >"$dir/line" &
  bench=$!
  if [ -n "$scheduler" ]; then
    e2e_poll 300 enough_pods
    start_scheduler "$scheduler"
  fi
  wait "$bench"
  sed "s/^{\"mode\":\"[a-z]*\"/{\"mode\":\"$1\",\"nodes\":$nodes,\"qps\":$qps,\"burst\":$burst/" "$dir/line"
  cluster_down "$dir"
}

run_arrivals() {
  begin_cluster --no-kwok --no-controllers
  for ((i = 1; i <= nodes; ++i)); do cluster_node "node-$i"; done | cluster_kubectl "$dir" create -f - >/dev/null
  "$build/arrival_bench" --rate "$rate" --duration "$duration" "${limits[@]}"
  cluster_down "$dir"
}

medians() {  # FIELD MODE...: of each mode's runs
  local field=$1 mode
  shift
  for mode in "$@"; do
    sed -n "s/.*\"mode\":\"$mode\".*\"$field\":\([0-9.Ee+-]*\).*/\1/p" "$dir/lines" | sort -g |
      awk -v mode="$mode" '{ v[NR] = $1 } END { printf "%s %s\n", mode, (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
  done
}

# A round of all modes and then the next: what the machine does besides meets every mode.
modes=(plain gangs singles kube-singles)
[ -z "$arrivals" ] || modes=(arrivals)
for ((round = 0; round < repeat; ++round)); do
  for mode in "${modes[@]}"; do
    if [ -n "$arrivals" ]; then run_arrivals; else run_mode "$mode"; fi >"$dir/out"
    tee -a "$dir/lines" <"$dir/out"
  done
done
if [ -n "$arrivals" ]; then
  medians p99 arrivals | awk -v runs="$repeat" -v qps="$qps" -v burst="$burst" -v nodes="$nodes" -v rate="$rate" '{
    printf "{\"mode\":\"medians\",\"runs\":%d,\"nodes\":%d,\"rate\":%d,\"qps\":%d,\"burst\":%d,\"p99_seconds\":%s}\n",
      runs, nodes, rate, qps, burst, $2 }'
else
  medians per_second "${modes[@]}" | awk -v runs="$repeat" -v qps="$qps" -v burst="$burst" -v nodes="$nodes" -v pods="$pods" '
    { rate[$1] = $2 }
    END {
      printf "{\"mode\":\"medians\",\"runs\":%d,\"nodes\":%d,\"pods\":%d,\"qps\":%d,\"burst\":%d,", runs, nodes, pods, qps, burst
      printf "\"plain\":%.1f,\"gangs\":%.1f,\"singles\":%.1f,\"kube_singles\":%.1f,", rate["plain"], rate["gangs"], rate["singles"], rate["kube-singles"]
      printf "\"gangs_to_plain\":%.3f,\"singles_to_kube_singles\":%.2f}\n", rate["gangs"] / rate["plain"], rate["singles"] / rate["kube-singles"] }'
fi
