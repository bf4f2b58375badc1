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
post() {
  "$ODD_OBJECTS" --kubeconfig "$dir/kubeconfig" --count "$count" >"$dir/odd.out" && return
  grep -B 2 WRONG "$dir/odd.out"
  return 1
}
scheduler_starts() { daemon_start main --enable-metrics --listen-address="127.0.0.1:$port" $patient && soon log_has main "scheduling begins"; }
metrics() { answer "$port" /metrics; }
all_read() {
  local page
  page=$(metrics) || return
  grep -q '^batholith_unreadable_objects{kind="Pod"}' <<<"$page" || { echo "no figures"; return 1; }
  # What the other side did not understand either, of custom kinds.
  local kind
  for kind in $(sed -n 's/^batholith_unreadable_objects{kind="\([^".]*\).*} [1-9].*/\1/p' <<<"$page"); do
    grep -qF "not in full: $kind " "$dir/odd.out" || { echo "$kind"; return 1; }
  done
}
# This API server takes any word for the phase of a pod.
told_of_pods() {
  ! grep -F 'Pod odd/' "$dir/main.log" | grep -F 'safe side' | grep -v 'status.phase: '
}
# 4 - 3 leaves no room for 2 cpus. There are slots for many pods, since odd pods that wait come to the node, too. The pod on
# it says two things that no reader of ours took once.
counted() {
  cluster_node small 4 8Gi 1000 | create && create <<EOP || return
apiVersion: v1
kind: Pod
metadata: {name: taken, namespace: plain}
spec:
  nodeName: small
  terminationGracePeriodSeconds: 9223372036854775807
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms: [{matchExpressions: [{key: size, operator: Gt, values: [much]}]}]
  containers: [{name: c, image: i, resources: {requests: {cpu: 3}}}]
EOP
  { group plain waits 1; pods plain waits 1 2 "nodeSelector: {kubernetes.io/hostname: small}"; } | create &&
    soon told plain waits "insufficient cpu" && no_node plain waits
}
plain_pod() {
  cluster_node plain 100000 100000Gi 100000 | create &&
    { group plain fits 1; pods plain fits 1 1; } | create && soon placed plain fits 1
}

step "a cluster starts in which nobody changes what is stored" begin
step "$count odd objects of each kind are posted, and what was stored is read and counted" post
cat "$dir/odd.out"
step "the scheduler reads them all, too" scheduler_starts
step "and misses nothing of any kind" all_read
step "of pods it tells of words that the API server takes for phases, and of nothing else" told_of_pods
step "a pod with an endless grace period and Gt of no number is counted on its node" counted
step "a plain pod gets its node all the same" plain_pod
