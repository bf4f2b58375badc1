#!/usr/bin/env bash
# Pods with invented resource names on a real cluster: each costs itself and nobody else. Two nodes of 4 cpu.
# Exit status: 0, 1, or 77 without Go.
set -uo pipefail
dir=$(mktemp -d)
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
trap 'e2e_end; rm -rf "$dir"' EXIT

metrics=$(_e2e_free_port) health=$(_e2e_free_port) debug=$(_e2e_free_port)
serving="--enable-metrics --listen-address=127.0.0.1:$metrics --enable-healthz --healthz-address=127.0.0.1:$health
  --debug-address=127.0.0.1:$debug"

begin() {
  cat >"$dir/conf.yaml" <<EOP
actions: "enqueue, allocate, backfill"
tiers:
- plugins: [{name: priority}, {name: gang}, {name: conformance}]
- plugins: [{name: overcommit}, {name: drf}, {name: predicates}, {name: proportion}, {name: nodeorder}]
EOP
  e2e_begin && cluster_nodes "$dir" 2 4 16Gi && namespaces a b &&
    daemon_start main $patient $serving --scheduler-conf "$dir/conf.yaml"
}

# A pod that asks for AMOUNT of 40 resources that nobody has ever heard of.
inventive() {  # NAME AMOUNT SCHEDULER
  local i limits=
  for ((i = 0; i < 40; ++i)); do limits+="\"evil.com/$1-$i\": \"$2\", "; done
  cat <<EOP
---
apiVersion: v1
kind: Pod
metadata: {name: $1-0, namespace: b, labels: {app: $1}}
spec:
  schedulerName: $3
  terminationGracePeriodSeconds: 1
  containers: [{name: main, image: none, resources: {limits: {${limits}cpu: "1"}}}]
EOP
}
explained() { answer "$debug" "/debug/explain?pod=b/$1-0" | tee /dev/stderr | grep -F -- "$2"; }
ready() { answer "$health" /readyz | tee /dev/stderr | grep -F "readyz check passed"; }
no_failure() { answer "$metrics" /metrics | tr -d '\r' | grep -F batholith_session_failures_total | grep -xF "batholith_session_failures_total 0"; }
goes_on() {  # NAME
  { group a "$1" 2; pods a "$1" 2 1; } | create && soon placed a "$1" 2
}

names_at_nothing() { inventive zero 0 volcano | create && soon placed b zero 1 && goes_on first; }
names_of_another_scheduler() { inventive stranger 0 nobody | create && goes_on second && no_node b stranger; }
names_above_nothing() {
  inventive evil 1 volcano | create && soon told b evil "2 insufficient evil.com/evil-0" && goes_on third && no_node b evil &&
    soon explained evil "2 Insufficient evil.com/evil-0"
}
quota_keys_in_a_minimum() {
  { group a keys 1 'minResources: {cpu: 1, count/pods: 1, requests.cpu: 1, limits.cpu: 1, pods: 1}'; pods a keys 1 1; } | create &&
    soon placed a keys 1 && log_has main "left out: count/pods, limits.cpu, requests.cpu"
}
unheard_of_minimum() {
  { group a never 1 'minResources: {cpu: 1, evil.com/r0: 1}'; pods a never 1 1; } | create &&
    soon told a never "2 insufficient evil.com/r0" && no_node a never
}

step "a cluster with the installer's account and rules starts" begin
step "a pod that asks for nothing of 40 invented names is placed, and others are" names_at_nothing
step "names of a pod of another scheduler cost nobody" names_of_another_scheduler
step "a pod that asks for one of each waits and says for what; others go on" names_above_nothing
kubectl -n a delete pods,podgroups.scheduling.volcano.sh --all --wait=true >/dev/null
step "what only quotas count is no part of a group's minimum" quota_keys_in_a_minimum
step "a group whose minimum nobody has waits and says for what" unheard_of_minimum
step "the scheduler is ready" ready
step "no session has failed" no_failure
