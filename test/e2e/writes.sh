#!/usr/bin/env bash
# How much is written to the API server, counted in its audit log, and that Volcano's controllers can write beside it:
# they apply the states of queues by server-side apply, which is refused where anybody else owns the field.
#   test/e2e/writes.sh     Exit status: 0, 1, or 77 without Go.
set -uo pipefail
dir=$(mktemp -d)
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
trap 'e2e_end; rm -rf "$dir"' EXIT
volcano=scheduling.volcano.sh

begin() { e2e_begin --audit && cluster_nodes "$dir" 4 16 64Gi && namespaces a b c && daemon_start main $patient; }
ready() { soon field queue/root .status.state Open && soon field queue/default .status.state Open && soon quiet_for 3; }
one_line_not_served() {
  kubectl delete crd elasticquotas.nos.nebuly.com compositeelasticquotas.nos.nebuly.com &&
    daemon_stop main && daemon_start again $patient && soon log_has again "scheduling begins" &&
    [ "$(grep -c "is not served" "$dir/again.log")" = 1 ] && grep "is not served" "$dir/again.log" | grep -qF ElasticQuota.nos.nebuly.com
}

# How many requests of that verb came since for a path that matches.
count() { audit_since "$at" | grep -cE -- "^$1 $2"; }  # VERB PATH
at_most() {  # COUNT VERB PATH
  local n
  n=$(count "$2" "$3")
  echo "$n requests $2 $3; $1 are allowed"
  [ "$n" -le "$1" ]
}
# No path got more of them than that.
each_at_most() {  # COUNT VERB PATH
  audit_since "$at" | grep -E -- "^$2 $3" | cut -d ' ' -f 1,2 | sort | uniq -c | awk -v most="$1" '
    $1 > most { print "more than " most ": " $0; bad = 1 }
    END { exit bad }'
}
groups_path="/apis/$volcano/v1beta1/namespaces/[^/]*/podgroups/"
runs() { field "podgroup.$volcano/$2" .status.running "$3" -n "$1" && field "podgroup.$volcano/$2" .status.phase Running -n "$1"; }

gang_of_32() {
  at=$(audit_end)
  { group a gang 32; pods a gang 32 1; } | create && soon placed a gang 32 && soon runs a gang 32 && soon quiet_for 3 &&
    at_most 3 patch "${groups_path}gang" && each_at_most 1 create '/api/v1/namespaces/a/pods/[^/]*/binding' && clean a
}
# Each pod is a request of its own; the group is there before them. Beyond the gang's 32 cpus there is room.
gang_of_64_pod_by_pod() {
  at=$(audit_end)
  group b gang 64 | create && pods b gang 64 500m | create && soon placed b gang 64 && soon runs b gang 64 && soon quiet_for 3 &&
    [ "$(count create '/api/v1/namespaces/b/pods/[^/]*/binding')" = 64 ] &&
    each_at_most 1 create '/api/v1/namespaces/b/pods/[^/]*/binding' &&
    each_at_most 1 patch '/api/v1/namespaces/b/pods/[^/]*/status' &&
    echo "$(count create '/apis/events.k8s.io/v1/namespaces/b/events') events" && at_most 131 create '/apis/events.k8s.io/v1/namespaces/b/events'
}

group_event() {  # NS NAME TYPE TEXT
  kubectl -n "$1" get events --field-selector "involvedObject.kind=PodGroup,involvedObject.name=$2,type=$3,reason=Unschedulable" \
    -o 'jsonpath={range .items[*]}{.message}{"\n"}{end}' | grep -qF -- "$4"
}
unschedulable() {  # NS NAME REASON
  field "podgroup.$volcano/$2" '.status.conditions[?(@.type=="Unschedulable")].reason' "$3" -n "$1"
}
# Of 64 cpus 32 are held by b; too-big has no pods yet, and waits has some that fit on no node.
waiting_groups() {
  { group c too-big 20 "minResources: {cpu: 2000}"; group c waits 2; pods c waits 2 20; } | create &&
    soon unschedulable c too-big NotEnqueued && soon group_event c too-big Normal "minResources" &&
    soon unschedulable c waits NotEnoughResources && soon group_event c waits Warning "2/2 tasks in gang unschedulable" &&
    clean b c
}

asks() { "$BATHOLITH" queue operate c -a "$1" --kubeconfig "$dir/kubeconfig"; }  # by a Command, as vcctl does
# As Volcano's queue controller does it: without force.
applies() {  # STATE [ALLOCATED]
  kubectl apply --server-side --field-manager=queue-controller --subresource=status -f - <<EOA &&
apiVersion: $volcano/v1beta1
kind: Queue
metadata: {name: c}
status: {state: $1${2:+, allocated: $2}}
EOA
    soon field queue/c .status.state "$1"
}
beside_queue_controller() {
  kubectl create -f - <<EOQ && soon field queue/c .status.state Open || return
apiVersion: $volcano/v1beta1
kind: Queue
metadata: {name: c}
spec: {weight: 1}
EOQ
  applies Closed && asks open && soon field queue/c .status.state Open &&
    asks close && soon field queue/c .status.state Closed && applies Open &&
    asks close && soon field queue/c .status.state Closed && field queue/c .status.allocated '{}'
}
# Older ones apply what is allocated as well.
beside_older_queue_controller() {
  applies Open '{}' && asks close && soon field queue/c .status.state Closed && field queue/c .status.allocated '{}' &&
    applies Open '{}' && { group a held 1 "queue: c"; pods a held 1 1; } | create && soon placed a held 1 &&
    soon field queue/c .status.allocated.cpu 1 && asks close && soon field queue/c .status.state Closing &&
    field queue/c .status.allocated.cpu 1 && clean a && soon field queue/c .status.state Closed
}

step "a cluster that keeps an audit log starts" begin
step "what every cluster must have is made, and then nothing is written" ready
step "a gang of 32 costs at most 3 writes of its group" gang_of_32
step "a gang of 64 that is created pod by pod costs each pod at most a status and a binding" gang_of_64_pod_by_pod
step "groups that wait get a condition and an event, admitted or not" waiting_groups
step "Volcano's queue controller writes states beside the scheduler, and commands are followed" beside_queue_controller
step "so does an older one, which applies what is allocated too" beside_older_queue_controller
step "kinds that are not served are told in one line" one_line_not_served
