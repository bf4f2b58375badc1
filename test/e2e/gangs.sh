#!/usr/bin/env bash
# Gangs that Kubernetes itself, the coscheduling plugin and Volcano describe, side by side on a real server. Three nodes of
# 4 cpu.
#   test/e2e/gangs.sh     Exit status: 0, 1, or 77 without Go.
set -uo pipefail
dir=$(mktemp -d)
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
trap 'e2e_end; rm -rf "$dir"' EXIT

of_kubernetes=podgroups.scheduling.k8s.io
of_coscheduling=podgroups.scheduling.x-k8s.io
rack=example.com/rack
# Long enough for a machine with other work, and no longer: whoever starts after a kill waits for the lease to end.
lease="--leader-elect-lease-duration=30s --leader-elect-renew-deadline=25s"

gang() {  # NS NAME POLICY [SPEC]
  cat <<EOG
---
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: {name: $2, namespace: $1}
spec: {schedulingPolicy: {$3}${4:+, $4}}
EOG
}
composite() {  # NS NAME MIN
  cat <<EOG
---
apiVersion: scheduling.k8s.io/v1alpha3
kind: CompositePodGroup
metadata: {name: $2, namespace: $1}
spec: {schedulingPolicy: {gang: {minGroupCount: $3}}, workloadRef: {workloadName: $2, templateName: $2}}
EOG
}
# Pods that name their group as Kubernetes does, and nothing of Volcano's.
members() {  # NS NAME FIRST COUNT CPU [LINE...]
  local ns=$1 name=$2 first=$3 count=$4 cpu=$5
  shift 5
  pods "$ns" "$name" "$((first + count))" "$cpu" "schedulingGroup: {podGroupName: $name}" "$@" | sed '/annotations:/d' |
    awk -v first="$first" 'BEGIN { RS = "---\n"; ORS = "" } NR > first + 1 { print "---\n" $0 }'
}
# STATUS, or STATUS:REASON, of a condition of that PodGroup.
condition() {  # NS NAME WANTED [TYPE]
  [[ $(kubectl -n "$1" get "$of_kubernetes" "$2" -o "jsonpath={.status.conditions[?(@.type=='${4:-PodGroupInitiallyScheduled}')]['status','reason']}" |
    tr ' ' :) == "$3"* ]]
}
kind_of_coscheduling() {
  kubectl create -f - <<'EOC'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: podgroups.scheduling.x-k8s.io
  annotations: {api-approved.kubernetes.io: "https://github.com/kubernetes-sigs/scheduler-plugins/pull/52"}
spec:
  group: scheduling.x-k8s.io
  names: {kind: PodGroup, listKind: PodGroupList, plural: podgroups, singular: podgroup}
  scope: Namespaced
  versions:
  - name: v1alpha1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
EOC
  soon kubectl get "$of_coscheduling" -A
}
begin() {
  cat >"$dir/conf.yaml" <<'EOC'
actions: "enqueue, allocate, backfill, preempt"
tiers:
- plugins: [{name: priority}, {name: gang}, {name: conformance}]
- plugins: [{name: drf}, {name: predicates}, {name: proportion}, {name: nodeorder}]
EOC
  e2e_begin && kind_of_coscheduling && cluster_nodes "$dir" 3 4 16Gi && kubectl label node node-1 "$rack=one" &&
    kubectl label node node-2 node-3 "$rack=two" && namespaces a b c d e f g &&
    kubectl create priorityclass high --value=1000 && daemon_start main $lease --scheduler-conf "$dir/conf.yaml" &&
    soon log_has main "scheduling begins"
}
waits_for_its_pods() {
  { gang a train "gang: {minCount: 3}"; members a train 0 2 1; } | create && soon condition a train False:Unschedulable &&
    soon told a train "Not enough valid tasks for gang-scheduling, valid: 2, min: 3" && no_node a train
}
starts_whole() { members a train 2 1 1 | create && soon placed a train 3 && soon condition a train True:Scheduled; }
# One name, two groups: each has its own pods, and its own minimum.
beside_volcano() {
  { gang b same "gang: {minCount: 2}"; group b same 2; members b same 0 2 1
    pods b same 2 1 | sed 's/name: same-/name: other-/; s/app: same/app: other/'; } | create && soon placed b same 2 &&
    soon placed b other 2 && soon condition b same True && soon field podgroup.scheduling.volcano.sh/same .status.phase Running -n b
}
# 5 of 12 cpu are free: of six pods of one cpu five would fit.
too_big() {
  { gang c big "gang: {minCount: 6}"; members c big 0 6 1; } | create && soon condition c big False:Unschedulable &&
    soon told c big "gang short by 1 of 6" && no_node c big && clean_gangs c
}
each_alone() {
  { gang c loose "basic: {}"; members c loose 0 6 1; } | create && soon placed c loose 5 && soon condition c loose True && clean_gangs c
}
clean_gangs() { kubectl -n "$1" delete pods,"$of_kubernetes" --all --wait=false && soon _e2e_empty "$1"; }
# True for good, also for a scheduler that starts anew and finds no pods.
stays_true() {
  kubectl -n a delete pods --all --wait=false && soon _e2e_empty a && daemon_stop main KILL && members a train 0 2 1 | create &&
    daemon_start again $lease --scheduler-conf "$dir/conf.yaml" && soon told a train "valid: 2, min: 3" && condition a train True &&
    clean_gangs a
}
# 8 cpu are free; rack one has 4 of them at most, rack two 8.
in_one_rack() {
  kubectl -n b delete pods,"$of_kubernetes",podgroups.scheduling.volcano.sh --all --wait=false && soon _e2e_empty b &&
    { gang d close "gang: {minCount: 6}" "schedulingConstraints: {topology: [{key: $rack}]}"; members d close 0 6 1; } | create &&
    soon placed d close 6 && ! kubectl -n d get pods -o 'jsonpath={.items[*].spec.nodeName}' | grep -q node-1
}
# Rack one has no room for five, rack two is full but for two.
no_rack() {
  { gang e close "gang: {minCount: 5}" "schedulingConstraints: {topology: [{key: $rack}]}"; members e close 0 5 1; } | create &&
    soon condition e close False:Unschedulable && no_node e close && clean_gangs e
}
# Six cpu for the important pods are only there where the whole group goes.
falls_whole() {
  clean_gangs d && { gang d all "gang: {minCount: 2}" "disruptionMode: {all: {}}"; members d all 0 4 2; } | create && soon placed d all 4 &&
    { gang e vip "gang: {minCount: 2}" "priorityClassName: high"; members e vip 0 2 4 "priorityClassName: high"; } | create &&
    soon placed e vip 2 && soon _e2e_empty d && condition d all True:PreemptionByScheduler DisruptionTarget && clean_gangs d && clean_gangs e
}
below_two="parentCompositePodGroupName: two, workloadRef: {workloadName: two, templateName: part}"
together() {
  { composite f two 2; gang f left "gang: {minCount: 2}" "$below_two"; members f left 0 2 2; } | create &&
    soon told f left "" && no_node f left &&
    { gang f right "gang: {minCount: 2}" "$below_two"; members f right 0 2 2; } | create &&
    soon placed f left 2 && soon placed f right 2 && clean_gangs f
}
coscheduling() {
  kubectl create -f - <<'EOG' && pods g co 2 1 | sed '/annotations:/d; s/labels: {/labels: {scheduling.x-k8s.io\/pod-group: co, /' | create &&
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: PodGroup
metadata: {name: co, namespace: g}
spec: {minMember: 3}
EOG
    soon told g co "valid: 2, min: 3" && no_node g co &&
    pods g co 3 1 | sed '/annotations:/d; s/labels: {/labels: {scheduling.x-k8s.io\/pod-group: co, /; s/name: co-2/name: co-last/' |
    awk 'BEGIN { RS = "---\n"; ORS = "" } /co-last/ { print "---\n" $0 }' | create && soon placed g co 3 &&
    soon field "$of_coscheduling/co" .status.phase Running -n g
}
no_complaint() { ! log_has main "CompositePodGroup.scheduling.k8s.io" && ! grep -E ' (error|warning) ' "$dir/main.log" "$dir/again.log" | grep -vE 'is not served|initializing'; }

step "a cluster that serves gangs of its own starts" begin
step "a gang waits for its pods, and its group says so" waits_for_its_pods
step "with its last pod it starts whole, and its group says so" starts_whole
step "a group of Volcano's with the same name is another one" beside_volcano
step "a gang too big has no pod on a node, and says why" too_big
step "of a basic group each pod starts alone" each_alone
step "a group that was scheduled once says so for good" stays_true
step "a gang with a topology key stays in one rack" in_one_rack
step "without room in one rack it waits" no_rack
step "a group that is disrupted as a whole falls whole, and is told" falls_whole
step "groups of a composite group start together" together
step "a group of the coscheduling plugin starts whole, and is counted" coscheduling
step "the log has no complaint" no_complaint
