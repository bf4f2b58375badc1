#!/usr/bin/env bash
# The scheduler on a real cluster, with the account and the rules of the installer: what it promises to users, one step
# after the other. Four nodes of 4 cpu, so 16 in all.  Exit status: 0, 1, or 77 without Go.
set -uo pipefail
dir=$(mktemp -d)
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
trap 'e2e_end; rm -rf "$dir"' EXIT

volcano=scheduling.volcano.sh
plain='- plugins: [{name: priority}, {name: gang}, {name: conformance}]
- plugins: [{name: drf}, {name: predicates}, {name: proportion}, {name: nodeorder}]'
guarded=${plain/\{name: conformance\}/&, \{name: pdb\}}
quotas='- plugins: [{name: priority}, {name: gang, enablePreemptable: false, enableReclaimable: false}, {name: conformance}]
- plugins: [{name: predicates}, {name: elasticquota, arguments: {monitorAllQuotas: true, delayEvictTime: 1s}}, {name: nodeorder}]'

conf_text() { printf 'actions: "%s"\ntiers:\n%s\n' "$1" "$2"; }  # ACTIONS TIERS
reloads() { grep -cF "conf reloaded" "$dir/main.log"; }
reloaded_since() { [ "$(reloads)" -gt "$1" ]; }
# In place, as an editor does that writes the same file again.
conf() {  # ACTIONS TIERS
  local before
  before=$(reloads)
  conf_text "$1" "$2" >"$dir/conf.yaml" && soon reloaded_since "$before"
}
described() { kubectl -n "$1" describe pod "$2" | tee /dev/stderr | grep -qF -- "$3"; }    # NS POD TEXT
event() {  # NS REASON TEXT
  kubectl -n "$1" get events --field-selector "reason=$2" -o 'jsonpath={range .items[*]}{.message}{"\n"}{end}' |
    grep -qF -- "$3"
}
remain() {  # NS NAME COUNT
  local count
  count=$(kubectl -n "$1" get pods -l "app=$2" -o name | wc -l)
  echo "$1/$2: $count pods are there; $3 are expected"
  [ "$count" = "$3" ]
}
on_node() { [ -n "$(kubectl get pods -A --field-selector "spec.nodeName=$1" -o name)" ]; }

begin() {
  conf_text "enqueue, allocate, backfill" "$plain" >"$dir/conf.yaml"
  e2e_begin --kube-scheduler && cluster_nodes "$dir" 4 4 16Gi && namespaces a b c &&
    daemon_start main $patient --scheduler-conf "$dir/conf.yaml"
  kubectl create -f - <<EOP
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: middle}
value: 500
EOP
}

queues_made() {
  soon field queue/root .status.state Open && soon field queue/default .status.state Open &&
    field queue/root .spec.reclaimable false && field queue/default .spec.reclaimable true
}
bare_pod() {
  pods a bare 1 1 | sed /annotations/d | create && soon placed a bare 1 && soon described a bare-0 "Successfully assigned a/bare-0 to"
}
whole_gang() {
  { group a gang 4; pods a gang 4 2; } | create && soon placed a gang 4 &&
    soon field podgroup.$volcano/gang .status.phase Running -n a && soon field podgroup.$volcano/gang .status.running 4 -n a &&
    soon field queue/default .status.allocated.cpu 9
}
# 4 x 2 and 1 are held: of five pods of 2 cpu three would fit.
no_part_of_a_gang() {
  { group b big 5; pods b big 5 2; } | create && soon told b big "gang short by 2 of 5" &&
    soon described b big-0 "gang short by 2 of 5" &&
    soon field podgroup.$volcano/big '.status.conditions[?(@.type=="Unschedulable")].status' True -n b &&
    { group c small 1; pods c small 1 1; } | create && soon placed c small 1 && no_node b big
}
gang_is_deleted_while_it_waits() {
  kubectl -n b delete pod big-4 --wait=false && kubectl -n b delete podgroups.$volcano big --wait=false &&
    soon told b big "pod group big does not exist" && no_node b big && clean b &&
    { group c after 1; pods c after 1 1; } | create && soon placed c after 1 && clean a c
}
waits_for_its_group() {
  pods a late 2 1 | create && soon told a late "pod group late does not exist" && no_node a late &&
    group a late 2 | create && soon placed a late 2 && clean a
}
gated() {
  { group a gated 1; pods a gated 1 1 'schedulingGates: [{name: example.com/wait}]'; group a free 1; pods a free 1 1; } | create &&
    soon placed a free 1 && no_node a gated &&
    kubectl -n a patch pod gated-0 --type=json -p '[{"op":"remove","path":"/spec/schedulingGates"}]' &&
    soon placed a gated 1 && clean a
}
# A whole node is asked for five times, where there are four.
node_comes() {
  { group a wide 5; pods a wide 5 4; } | create && soon told a wide "gang short by 1 of 5" && no_node a wide &&
    kubectl get node node-4 -o json | sed 's/"node-4"/"node-5"/; /"resourceVersion"/d; /"uid"/d' | create &&
    soon placed a wide 5 && clean a
}
node_goes() {
  kubectl delete node node-5 && { group a four 4; pods a four 4 4; } | create && soon placed a four 4 &&
    { group a fifth 1; pods a fifth 1 4; } | create && soon told a fifth "insufficient cpu" && no_node a fifth &&
    ! on_node node-5 && clean a
}
cordon_and_drain() {
  kubectl cordon node-1 && { group a three 1; pods a three 4 4; } | create && soon placed a three 3 &&
    soon told a three "insufficient cpu" && ! on_node node-1 &&
    kubectl drain node-2 --force --ignore-daemonsets --grace-period=1 --timeout="${E2E_DEADLINE}s" && soon placed a three 2 &&
    ! on_node node-2 && kubectl uncordon node-1 && soon placed a three 3 && on_node node-1 && kubectl uncordon node-2 && clean a
}
foreign_pods_count() {
  pods b foreign 4 3 | sed '/annotations/d; /schedulerName/d' | create && soon placed b foreign 4 &&
    { group a fits 1; pods a fits 4 1; group a large 1; pods a large 1 2; } | create && soon placed a fits 4 &&
    soon told a large "insufficient cpu" && no_node a large && clean b && soon placed a large 1 && clean a
}
controllers_make_the_pods() {
  group a batch 3 | create && kubectl create -f - <<EOJ && soon placed a batch 3 && clean a
apiVersion: batch/v1
kind: Job
metadata: {name: batch, namespace: a}
spec:
  parallelism: 3
  completions: 3
  template:
    metadata:
      labels: {app: batch}
      annotations: {scheduling.k8s.io/group-name: batch}
    spec:
      schedulerName: volcano
      restartPolicy: Never
      containers: [{name: main, image: none, resources: {requests: {cpu: "1"}}}]
EOJ
}

weight() {  # NS WEIGHT
  kubectl apply -f - <<EOW
apiVersion: v1
kind: ResourceQuota
metadata: {name: weight, namespace: $1}
spec: {hard: {volcano.sh/namespace.weight: "$2"}}
EOW
}
queue() {  # NAME SPEC
  kubectl apply -f - <<EOQ
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: $1}
spec: {$2}
EOQ
}
jobs_of_one() {  # NS COUNT QUEUE: each pod a job of its own, all of them app: work
  local i
  for ((i = 0; i < $2; ++i)); do group "$1" "work$i" 1 "queue: $3"; pods "$1" "work$i" 1 1 | sed "s/app: work$i/app: work/"; done
}
# The queue has 4 places at first and 8 later. By 3:1 the namespaces get 3 and 1. Then the weights are 1:3, and the next
# four places all go to b: 3/1 is more than 4/3 is.
weights_share() {
  queue shared "weight: 1, capability: {cpu: 4}" && weight a 3 && weight b 1 &&
    { group c filler 1 "queue: shared"; pods c filler 1 4; } | create && soon placed c filler 1 &&
    { jobs_of_one a 8 shared; jobs_of_one b 8 shared; } | create && soon told b work "queue shared" && soon told a work "queue shared" &&
    clean c && soon placed a work 3 && soon placed b work 1
}
weights_edited() {
  weight a 1 && weight b 3 && queue shared "weight: 1, capability: {cpu: 8}" && soon placed b work 5 && placed a work 3 && clean a b &&
    kubectl -n a delete resourcequota weight && kubectl -n b delete resourcequota weight
}

higher_priority_first() {
  { group c filler 1; pods c filler 4 4; } | create && soon placed c filler 4 &&
    { group a early 4; pods a early 4 4; } | create && soon told a early "insufficient cpu" &&
    { group b urgent 4 "priorityClassName: high"; pods b urgent 4 4 "priorityClassName: high"; } | create &&
    soon told b urgent "insufficient cpu" && clean c && soon placed b urgent 4 && no_node a early && clean a b
}

low_fills_all() { { group a low 1; pods a low 16 1; } | create && soon placed a low 16; }
conf_in_place() {
  low_fills_all && { group a urgent 2 "priorityClassName: high"; pods a urgent 2 2 "priorityClassName: high"; } | create &&
    soon told a urgent "insufficient cpu" && remain a low 16 && conf "enqueue, allocate, preempt, backfill" "$plain" &&
    soon placed a urgent 2 && soon remain a low 12 && soon event a Evict "because of preempt" && clean a
}
budget() {  # NAME COUNT: of so many pods of the group in a none may go
  kubectl -n a create poddisruptionbudget keep --selector "app=$1" --min-available "$2" &&
    soon field pdb/keep .status.currentHealthy "$2" -n a
}
# Preempt would take the lower priority first, reclaim both; a budget forbids to take from one. The other one can lose four.
budget_on_lower_priority() {  # QUEUE
  { group a kept 1 "queue: $1"; pods a kept 8 1; group a spare 4 "queue: $1, priorityClassName: middle"
    pods a spare 8 1 "priorityClassName: middle"; } | create && soon placed a kept 8 && soon placed a spare 8 && budget kept 8
}
spare_goes_then_kept() {  # NS NAME [SPEC [LINE]]: two gangs of four that make room for themselves, the budget is taken away between
  { group "$1" "$2" 4 "${@:3:1}"; pods "$1" "$2" 4 1 "${@:4}"; } | create && soon placed "$1" "$2" 4 && soon remain a spare 4 &&
    placed a kept 8 && kubectl -n a delete pdb keep &&
    { group "$1" "$2-2" 4 "${@:3:1}"; pods "$1" "$2-2" 4 1 "${@:4}"; } | create && soon placed "$1" "$2-2" 4 && soon remain a kept 4 &&
    placed a spare 4
}
preempt_under_budget() {
  conf "enqueue, allocate, preempt, backfill" "$guarded" && budget_on_lower_priority default &&
    spare_goes_then_kept a urgent "priorityClassName: high" "priorityClassName: high" && clean a
}
reclaim_under_budget() {
  conf "enqueue, allocate, reclaim" "$guarded" && queue rich "weight: 1" && queue poor "weight: 1" && budget_on_lower_priority rich &&
    spare_goes_then_kept b poor "queue: poor" && clean a b
}
bad_conf() {
  echo 'actions: "enqueue, no-such-action"' >"$dir/conf.yaml" && soon log_has main "conf is bad; the one before goes on" &&
    soon log_has main no-such-action && { group a still 1; pods a still 1 1; } | create && soon placed a still 1 && clean a
}
# As the kubelet does with a ConfigMap: conf.yaml -> ..data/conf.yaml, ..data -> a folder, and ..data is replaced.
conf_by_links() {
  mkdir "$dir/mount" "$dir/mount/..1" "$dir/mount/..2" && conf_text "enqueue, allocate" "$plain" >"$dir/mount/..1/conf.yaml" &&
    conf_text "enqueue, allocate, reclaim" "$plain" >"$dir/mount/..2/conf.yaml" &&
    ln -s ..1 "$dir/mount/..data" && ln -s ..data/conf.yaml "$dir/mount/conf.yaml" || return
  daemon_stop main && daemon_start main $patient --scheduler-conf "$dir/mount/conf.yaml" || return
  { group a rich 1 "queue: rich"; pods a rich 16 1; } | create && soon placed a rich 16 &&
    { group b poor 4 "queue: poor"; pods b poor 4 1; } | create && soon told b poor "insufficient cpu" && remain a rich 16 &&
    ln -s ..2 "$dir/mount/..next" && mv -T "$dir/mount/..next" "$dir/mount/..data" && soon placed b poor 4 && soon remain a rich 12 &&
    clean a b
}
restarted_for_quotas() {
  daemon_stop main && conf_text "enqueue, allocate, reclaim, backfill" "$quotas" >"$dir/conf.yaml" &&
    daemon_start main $patient --scheduler-conf "$dir/conf.yaml"
}

quota() {  # APIVERSION NS MIN MAX
  kubectl apply -f - <<EOQ
apiVersion: $1
kind: ElasticQuota
metadata: {name: quota-$2, namespace: $2}
spec: {min: {cpu: $3}, max: {cpu: $4}}
EOQ
}
# a runs 12 of 16 where its min is 4; b asks for its 8 and takes back 4.
borrow_and_give_back() {  # APIVERSION
  local kind=elasticquotas.${1%/*}
  quota "$1" a 4 16 && quota "$1" b 12 16 && { group a lent 1; pods a lent 12 1; } | create && soon placed a lent 12 &&
    soon field "$kind/quota-a" .status.used.cpu 12 -n a || return
  { group b own 8; pods b own 8 1; } | create && soon placed b own 8 && soon remain a lent 8 &&
    soon field "$kind/quota-b" .status.used.cpu 8 -n b && soon field "$kind/quota-a" .status.used.cpu 8 -n a && clean a b &&
    kubectl -n a delete "$kind" quota-a && kubectl -n b delete "$kind" quota-b
}
# a borrows 12 and b comes: its runtime is its 10. A budget forbids that any pod of a goes, then it is taken away.
budget_protects() {
  local api=scheduling.sigs.k8s.io/v1alpha1
  conf "enqueue, allocate, revoke, backfill" "$quotas" && quota $api a 2 16 && quota $api b 10 16 &&
    { group a lent 1; pods a lent 12 1; } | create && soon placed a lent 12 &&
    budget lent 12 && { group b own 1; pods b own 10 1; } | create && soon placed b own 4 &&
    soon event a QuotaProblem "their disruption budgets protect" && remain a lent 12 && placed a lent 12 && kubectl -n a delete pdb keep &&
    soon placed b own 10 && soon remain a lent 6 && clean a b
}
no_complaint() { ! grep -E ' (error|warning) ' "$dir/main.log" | grep -vE 'conf is bad|is not served|initializing|disruption budget|may evict for ever|the pod is (gone|being deleted)'; }

step "a cluster with the installer's account and rules starts" begin
step "the queues root and default are made and have a status" queues_made
step "a bare pod gets a node, and an event says so" bare_pod
step "a gang that fits starts whole; its group and its queue say so" whole_gang
step "a gang that does not fit has no pod on a node; pod, event and group say why" no_part_of_a_gang
step "a gang is deleted while it waits, and others go on" gang_is_deleted_while_it_waits
step "pods that name a group wait for it" waits_for_its_group
step "a pod waits for its scheduling gate" gated
step "a node comes, and a gang is whole" node_comes
step "a node that is gone is not used" node_goes
step "nodes are cordoned, drained and opened again" cordon_and_drain
step "pods of Kubernetes' own scheduler take up room" foreign_pods_count
step "a Job of the controller manager fills a group" controllers_make_the_pods
step "namespace weights share a queue 3 to 1" weights_share
step "edited weights say who gets the next places" weights_edited
step "of two gangs that wait the higher priority gets the places" higher_priority_first
step "the conf's actions edited in place: preempt makes room for the higher priority" conf_in_place
step "preempt leaves alone what a disruption budget protects" preempt_under_budget
step "reclaim does so too" reclaim_under_budget
step "a bad conf leaves the one before in force and is told" bad_conf
step "the conf replaced as a ConfigMap is: reclaim brings a queue its share back" conf_by_links
step "the scheduler ends and starts again, with a conf for quotas" restarted_for_quotas
step "quotas of scheduler-plugins borrow and give back" borrow_and_give_back scheduling.x-k8s.io/v1alpha1
step "quotas of nos borrow and give back" borrow_and_give_back nos.nebuly.com/v1alpha1
step "quotas of Koordinator borrow; revoke takes back what no disruption budget protects" budget_protects
step "the log has no complaint but the expected ones" no_complaint
