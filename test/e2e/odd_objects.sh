#!/usr/bin/env bash
# Whatever the API server stores is read: odd objects of every kind, made from its own schema, are posted to it, and the
# scheduler reads all of what it took, counts pods where they stand and goes on.
#   test/e2e/odd_objects.sh [--full]     60 objects of each kind instead of 20.  Exit status: 0, 1, or 77 without Go.
set -uo pipefail
dir=$(mktemp -d)
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
trap 'e2e_end; rm -rf "$dir"' EXIT
ODD_OBJECTS=${ODD_OBJECTS:-$(dirname "$BATHOLITH")/odd_objects}
count=20
[ "${1:-}" != --full ] || count=60
port=$(_e2e_free_port)

# Nothing changes the objects: what was stored stays.
begin() {
  e2e_begin --no-kwok --no-controllers && cluster_crds "$dir" "$e2e_here/crds" &&
    kubectl create namespace odd && kubectl create namespace plain &&
    kubectl -n odd create serviceaccount default && kubectl -n plain create serviceaccount default &&
    for node in node-0 node-1; do cluster_node "$node"; done | create
}
post() { "$ODD_OBJECTS" --kubeconfig "$dir/kubeconfig" --count "$count" >"$dir/odd.out"; }
scheduler_starts() { daemon_start main --listen-address="127.0.0.1:$port" $patient && soon log_has main "scheduling begins"; }
# Words that this API server takes whatever they are: the phase of a pod.
metrics() { answer "$port" /metrics; }
all_read() {
  local page
  page=$(metrics) || return
  grep -q '^batholith_unreadable_objects{kind="Pod"}' <<<"$page" || { echo "no figures"; return 1; }
  ! grep '^batholith_unreadable_objects' <<<"$page" | grep -v ' 0$' | grep -v 'kind="Pod"'
}
told_of_pods() {
  ! grep -F '"Pod odd/' "$dir/main.log" | grep -F 'safe side' | grep -v 'status.phase: '
}
plain_pod() {
  cluster_node plain 100000 100000Gi 100000 | create && kubectl taint node plain node.kubernetes.io/not-ready- &&
    { group plain fits 1; pods plain fits 1 1; } | create && soon placed plain fits 1
}

step "a cluster starts in which nobody changes what is stored" begin
step "$count odd objects of each kind are posted, and what was stored is read and counted" post
cat "$dir/odd.out"
step "the scheduler reads them all, too" scheduler_starts
step "and misses nothing of any kind" all_read
step "of pods it tells of words that the API server takes for phases, and of nothing else" told_of_pods
step "a plain pod gets its node all the same" plain_pod
