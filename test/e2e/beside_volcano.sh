#!/usr/bin/env bash
# Beside Volcano's controllers: objects as they write them, with Volcano's shipped conf.  Exit status: 0, 1, or 77 without
# Go.
set -uo pipefail
dir=$(mktemp -d)
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
trap 'e2e_end; rm -rf "$dir"' EXIT

volcano=scheduling.volcano.sh
shipped='- plugins: [{name: priority}, {name: gang, enablePreemptable: false}, {name: conformance}]
- plugins: [{name: overcommit}, {name: drf, enablePreemptable: false}, {name: predicates}, {name: proportion}, {name: nodeorder}, {name: binpack}]'

conf() {  # ACTIONS
  local before
  before=$(grep -cF "conf reloaded" "$dir/main.log")
  printf 'actions: "%s"\ntiers:\n%s\n' "$1" "$shipped" >"$dir/conf.yaml"
  soon _reloaded_since "$before"
}
_reloaded_since() { [ "$(grep -cF "conf reloaded" "$dir/main.log")" -gt "$1" ]; }

schedule() { daemon_start main $patient --scheduler-conf "$dir/conf.yaml"; }
begin() {
  printf 'actions: "enqueue, allocate, backfill"\ntiers:\n%s\n' "$shipped" >"$dir/conf.yaml"
  e2e_begin --kube-scheduler && cluster_nodes "$dir" 2 8 16Gi && namespaces a b && schedule
  kubectl create -f - <<EOP
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
EOP
}

# minResources as the job controller makes it has what a ResourceQuota counts, too.
quota_keys_in_the_minimum() {
  {
    group a j 1 'minResources: {count/pods: "1", cpu: "1", memory: 1Gi, pods: "1", requests.cpu: "1", requests.memory: 1Gi, limits.cpu: "1"}'
    pods a j 1 1
  } | create && soon placed a j 1 && clean a
}

# Two blockers that a controller makes again, one on each node, and a finalizer that keeps each until the test lets it go.
blockers() {
  cat <<EOB
---
apiVersion: $volcano/v1beta1
kind: PodGroup
metadata: {name: blocker, namespace: a}
spec: {minMember: 1}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: blocker, namespace: a}
spec:
  replicas: 2
  selector: {matchLabels: {app: blocker}}
  template:
    metadata:
      labels: {app: blocker, volcano.sh/preemptable: "true"}
      annotations: {scheduling.k8s.io/group-name: blocker}
      finalizers: [batholith.dev/wait]
    spec:
      schedulerName: volcano
      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {app: blocker}}, topologyKey: kubernetes.io/hostname}]}}
      containers: [{name: main, image: none, resources: {requests: {cpu: "1"}}}]
EOB
}
apart='affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {app: blocker}}, topologyKey: kubernetes.io/hostname}]}}'
leaving() {  # names of the blockers that are on their way out
  kubectl -n a get pods -l app=blocker -o 'jsonpath={range .items[*]}{.metadata.deletionTimestamp}{" "}{.metadata.name}{"\n"}{end}' |
    sed -n 's/^[^ ]\{1,\} //p'
}
so_many_leave() { [ "$(leaving | wc -l)" = "$1" ]; }
let_go() { kubectl -n a patch pod "$1" --type=merge -p '{"metadata":{"finalizers":null}}'; }
evictions() { sed -n 's/.* evictions="\([0-9]*\)".*/\1/p' "$dir/main.log" | awk '{ sum += $1 } END { print sum + 0 }'; }
victims_leave_one_after_another() {
  local before first second
  conf "enqueue, allocate, preempt, backfill" && before=$(evictions) && blockers | create && soon placed a blocker 2 &&
    { group a high 2 "priorityClassName: high"; pods a high 2 7 "priorityClassName: high" "$apart"; } |
    create && soon so_many_leave 2 || return
  first=$(leaving | head -n 1) second=$(leaving | tail -n 1)
  let_go "$first" && soon _is_gone "$first" && soon told a blocker "" && no_node a high &&
    let_go "$second" && soon placed a high 2 && [ $(($(evictions) - before)) = 2 ] || return
  kubectl -n a delete replicaset blocker --cascade=orphan && for first in $(kubectl -n a get pods -o name); do
    kubectl -n a patch "$first" --type=merge -p '{"metadata":{"finalizers":null}}'
  done
  clean a
}
_is_gone() { ! kubectl -n a get pod "$1" 2>/dev/null; }

# Pods of Kubernetes' own scheduler hold 7 of 8 cpu on each node: queues share the 2 that are left.
queues_share_what_foreign_pods_leave() {
  local q
  conf "enqueue, allocate, reclaim, backfill" && for q in q1 q2; do
    kubectl create -f - <<EOQ || return
apiVersion: $volcano/v1beta1
kind: Queue
metadata: {name: $q}
spec: {weight: 1, reclaimable: true}
EOQ
  done
  pods a foreign 2 7 | sed -e /annotations/d -e 's/schedulerName: volcano/schedulerName: default-scheduler/' | create &&
    soon placed a foreign 2 && { group a lent 1 "queue: q1"; pods a lent 2 1; } | create && soon placed a lent 2 &&
    { group b own 1 "queue: q2"; pods b own 1 1; } | create && soon placed b own 1 && clean a b
}

# Three groups of 16 pods whose controller makes them side by side, on 16 cpus: none takes what the minimum of another needs.
# All groups are admitted before the first pod is made: else the first of them has its pods before the last one is there.
replicaset() {  # NAME
  cat <<EOJ
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: $1, namespace: a}
spec:
  replicas: 0
  selector: {matchLabels: {app: $1}}
  template:
    metadata: {labels: {app: $1}, annotations: {scheduling.k8s.io/group-name: $1}}
    spec: {schedulerName: volcano, terminationGracePeriodSeconds: 1, containers: [{name: main, image: none, resources: {requests: {cpu: "1"}}}]}
EOJ
}
admitted() {  # GROUP...
  local name
  for name in "$@"; do [ "$(kubectl -n a get "podgroups.$volcano/$name" -o 'jsonpath={.status.phase}')" = Inqueue ] || return; done
}
on_nodes() { kubectl -n a get pods ${1:+-l "app=$1"} -o 'jsonpath={range .items[*]}{.spec.nodeName}{"\n"}{end}' | grep -c .; }
all_cpus_are_used() { [ "$(on_nodes)" = 16 ]; }
pods_are_there() { [ "$(kubectl -n a get pods -o name | grep -c .)" = "$1" ]; }
# A first session that sees all pods, however long their controller takes.
groups_created_together() {
  local name
  conf "enqueue, allocate, backfill" &&
    for name in one two three; do group a "$name" 2 'minResources: {cpu: "2"}'; replicaset "$name"; done | create &&
    soon admitted one two three && daemon_stop main &&
    kubectl -n a scale replicasets one two three --replicas=16 && soon pods_are_there 48 && schedule &&
    soon all_cpus_are_used || return
  for name in one two three; do
    echo "$name has $(on_nodes "$name") pods on nodes"
    [ "$(on_nodes "$name")" -ge 2 ] || return
  done
  kubectl -n a delete replicasets --all && clean a
}

step "a cluster with Volcano's shipped conf starts" begin
step "a minimum that names what a ResourceQuota counts is no obstacle" quota_keys_in_the_minimum
step "victims leave one after another and come back as new pods: the gang gets their places, two fell" victims_leave_one_after_another
step "queues share what pods of another scheduler leave" queues_share_what_foreign_pods_leave
step "groups that are created together each get their minimum" groups_created_together
