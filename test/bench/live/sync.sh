#!/usr/bin/env bash
# How long a scheduler that starts takes to know a full cluster of a real API server of this machine, beyond what the
# server takes to send it, and what memory it then has. Prints a JSON line for each figure.
#   test/bench/live/sync.sh [BUILD_DIR] [--nodes N] [--pods N] [--keep]      build/release, 5000, 100000
# --keep leaves the cluster up until Enter, for another look at it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$root/build/release nodes=5000 pods=100000 keep=no
while [ $# -gt 0 ]; do
  case $1 in
    --nodes) nodes=$2; shift ;;
    --pods) pods=$2; shift ;;
    --keep) keep=yes ;;
    *) build=$1 ;;
  esac
  shift
done
. "$root/test/e2e/lib.sh"
e2e_require cluster
dir=$(mktemp -d)
scheduler=
trap '[ -z "$scheduler" ] || kill "$scheduler"; cluster_down "$dir"; rm -rf "$dir"' EXIT
# Nobody but the scheduler has anything to do with what stands there.
cluster_up "$dir" --owner $$ --no-kwok --no-controllers
cluster_crds "$dir"
export KUBECONFIG=$dir/kubeconfig
"$build/sync_bench" --mode fill --nodes "$nodes" --pods "$pods"
# A server that has not read its store yet would say so, and have the scheduler wait.
"$build/sync_bench" --mode download >/dev/null
for kind in $(cluster_kubectl "$dir" get crd -o 'jsonpath={.items[*].metadata.name}'); do
  cluster_kubectl "$dir" get "$kind" -A -o name >/dev/null
done
"$build/sync_bench" --mode download

now() { date +%s.%N; }
memory() { awk -v name="$1" '$1 == name ":" { print $2 / 1024 }' "/proc/$scheduler/status"; }
logged() { grep -qs "scheduling begins" "$dir/scheduler.log"; }
port=$(_e2e_free_port)
began=$(now)
"$build/batholith" scheduler --leader-elect=false --enable-metrics --listen-address="127.0.0.1:$port" 2>"$dir/scheduler.log" &
scheduler=$!
e2e_poll 300 logged
synced=$(now)
metrics() { printf 'GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' >&3 && cat <&3; }
first_session() {
  metrics 3<>"/dev/tcp/127.0.0.1/$port" 2>/dev/null |
    grep -q '^volcano_e2e_scheduling_latency_milliseconds_count [1-9]'
}
e2e_poll 300 first_session
ended=$(now)
sleep 3
awk -v began="$began" -v synced="$synced" -v ended="$ended" -v rss="$(memory VmRSS)" -v high="$(memory VmHWM)" -v pods="$pods" \
  -v nodes="$nodes" 'BEGIN { printf "{\"mode\":\"scheduler\",\"nodes\":%d,\"pods\":%d,\"synced_seconds\":%.2f," \
  "\"first_session_seconds\":%.2f,\"rss_mib\":%.0f,\"high_mib\":%.0f}\n", nodes, pods, synced - began, ended - began, rss, high }'
[ "$keep" = no ] || { echo "KUBECONFIG=$KUBECONFIG; Enter ends it" >&2; read -r _; }
