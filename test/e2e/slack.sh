#!/usr/bin/env bash
# Actions slack and autoscale on a real cluster, with the account and the rules of the installer: one node group of Cluster
# API (1 to 3 nodes of 4 cpu) that follows the pods and their slack. This script stands in for Cluster API.
# The rate is 100 %, in pieces of a quarter node: one placeholder of 1 cpu for each pod of 1 cpu.
# Exit status: 0, 1, or 77 without Go.
set -uo pipefail
dir=$(mktemp -d)
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
trap 'e2e_end; rm -rf "$dir"' EXIT

metrics=$(_e2e_free_port) health=$(_e2e_free_port)
serving="--enable-metrics --listen-address=127.0.0.1:$metrics --enable-healthz --healthz-address=127.0.0.1:$health"
capi=cluster.x-k8s.io
scale=/machinedeployments/pool/scale

write_conf() {
  cat >"$dir/conf.yaml" <<'EOC'
actions: "enqueue, allocate, backfill, slack, autoscale"
tiers:
- plugins: [{name: priority}, {name: gang}, {name: conformance}]
- plugins: [{name: drf}, {name: predicates}, {name: proportion}, {name: nodeorder}]
configurations:
- name: slack
  arguments: {rate: 100%, granularity: 4, shape: average, stabilizationWindow: 1s}
- name: autoscale
  arguments:
    mode: apply
    interval: 1s
    scaleDown: {unneededTime: 1s, delayAfterAdd: 1s}
    clusterAPI: {enabled: true, namespace: capi}
EOC
}
node_group() {
  cat <<EOG
apiVersion: $capi/v1beta2
kind: MachineDeployment
metadata:
  name: pool
  namespace: capi
  annotations:
    $capi/cluster-api-autoscaler-node-group-min-size: "1"
    $capi/cluster-api-autoscaler-node-group-max-size: "3"
    capacity.cluster-autoscaler.kubernetes.io/cpu: "4"
    capacity.cluster-autoscaler.kubernetes.io/memory: 16Gi
spec: {clusterName: here, replicas: 1}
EOG
}
machine() {  # NUMBER
  cat <<EOM
apiVersion: $capi/v1beta2
kind: Machine
metadata:
  name: pool-$1
  namespace: capi
  labels: {$capi/cluster-name: here, $capi/deployment-name: pool}
EOM
}

# Cluster API in one step: as many machines as are asked for, each a node; those that are marked go first.
cluster_api() {
  local wanted names marked number
  wanted=$(kubectl -n capi get machinedeployment pool -o 'jsonpath={.spec.replicas}') || return
  while names=($(kubectl -n capi get machines -o 'jsonpath={.items[*].metadata.name}')) && [ "${#names[@]}" -gt "$wanted" ]; do
    marked=$(marked_machines | head -n 1)
    [ -n "$marked" ] || { echo "$wanted of ${#names[@]} machines are to stay, and none is marked"; return 1; }
    kubectl delete node "node-${marked#pool-}" && kubectl -n capi delete machine "$marked" || return
  done
  for ((number = ${#names[@]} + 1; number <= wanted; ++number)); do
    machine "$number" | create && cluster_node "node-$number" 4 16Gi | create && soon cluster_nodes_ready "$dir" "$number" &&
      kubectl -n capi patch machine "pool-$number" --subresource=status --type=merge \
        -p "{\"status\": {\"nodeRef\": {\"name\": \"node-$number\"}}}" || return
  done
  kubectl -n capi patch machinedeployment pool --subresource=status --type=merge \
    -p "{\"status\": {\"replicas\": $wanted, \"upToDateReplicas\": $wanted, \"selector\": \"$capi/deployment-name=pool\"}}"
}
marked_machines() {
  kubectl -n capi get machines -o 'jsonpath={range .items[*]}{.metadata.name} {.metadata.annotations}{"\n"}{end}' |
    sed -n 's|^\([^ ]*\) .*cluster.x-k8s.io/delete-machine.*|\1|p'
}
asked_for() { field machinedeployment/pool .spec.replicas "$1" -n capi; }                # NODES
scale_writes() { audit_since "$1" | grep -E "^(patch|update) [^ ]*($scale|/machines/)"; }  # AT
scaled_to() { grep -E "^patch [^ ]*$scale[? ].*200 .*\"spec\":\{\"replicas\":$1\}"; }  # NODES; of lines of scale_writes
metric() {  # NAME-AND-LABELS VALUE
  local told
  told=$(answer "$metrics" /metrics | tr -d '\r' | grep -F -- "batholith_$1 ")
  echo "$told; $2 is expected"
  [ "${told##* }" = "$2" ]
}
# Placeholders, of 1 cpu each: those with a place and those without.
slack() {  # PLACED UNPLACED
  metric 'slack_reserved{resource="cpu"}' "$1" && metric 'slack_unmet{resource="cpu"}' "$2"
}

begin() {
  write_conf
  e2e_begin --audit && cluster_crds "$dir" "$e2e_here/crds" && namespaces a capi && node_group | create && cluster_api &&
    { group a early 1; pods a early 2 1; } | create
}
# The conf asks for kinds that the installer does not let everybody read; what else there is to do is done.
no_rules() {
  daemon_start unruled $patient $serving --scheduler-conf "$dir/conf.yaml" && soon placed a early 2 &&
    soon unread capacitybuffers autoscaling.x-k8s.io && soon unread machinedeployments "$capi" &&
    soon unread machines "$capi" && daemon_stop unruled
}
unread() {  # RESOURCE GROUP: the log and /readyz say that it may not be read
  local why="(cannot (list|watch) resource \"$1\" in API group \"$2\"|may not (list|watch) $2/$1 )"
  grep -E "$why" "$dir/unruled.log" && answer "$health" /readyz | grep -E "$why"
}
# Those for reading alone.
rules_for_reading() {
  kubectl apply -f "$installer/kubernetes-slack" && kubectl apply -f "$installer/kubernetes-autoscale/autoscale.yaml" &&
    daemon_start bare $patient $serving --scheduler-conf "$dir/conf.yaml"
}
# 2 pods and 2 placeholders: 4 of 4 cpu.
full_node() { soon placed a early 2 && soon slack 2 0 && soon quiet_for 3 && asked_for 1; }

# 3 pods and 3 placeholders are 6 cpu: of the placeholders one has room, and another node would hold the other two.
third_pod() { { group a third 1; pods a third 1 1; } | create && soon placed a third 1 && soon slack 1 2; }
refused() {  # DAEMON VERB: it has no rule for that verb
  local why="cannot $2 resource \"machinedeployments/scale\" in API group \"$capi\""
  soon log_has "$1" "$why" && soon group_event "$why" && answer "$health" /readyz | grep -F "$why" && soon quiet_for 3 &&
    asked_for 1 || return
  grep "\"verb\":\"$2\"" "$dir/audit.log" | grep -F "$scale" | grep -F '"code":403' | tee /dev/stderr | wc -l | grep -qx 1 &&
    [ "$(grep -c "machinedeployments/scale" "$dir/$1.log")" = 1 ]
}
refused_write() {
  daemon_stop bare && kubectl create clusterrole half --verb get --resource "machinedeployments.$capi/scale" &&
    kubectl create clusterrolebinding half --clusterrole half --serviceaccount batholith-system:batholith-scheduler &&
    daemon_start half $patient $serving --scheduler-conf "$dir/conf.yaml" && refused half patch
}
group_event() {  # TEXT
  kubectl -n capi get events -o 'jsonpath={range .items[*]}{.involvedObject.kind} {.involvedObject.name}: {.message}{"\n"}{end}' |
    grep '^MachineDeployment pool: ' | grep -qF -- "$1"
}
# The node is on its way for three intervals: nobody asks for it again.
one_more() {
  local at
  at=$(audit_end)
  daemon_stop half && kubectl apply -f "$installer/kubernetes-autoscale" && daemon_start main $patient $serving --scheduler-conf \
    "$dir/conf.yaml" && soon asked_for 2 && soon quiet_for 3 || return
  scale_writes "$at" | tee "$dir/writes"
  [ "$(wc -l <"$dir/writes")" = 1 ] && scaled_to 2 <"$dir/writes" && soon group_event "replicas 1 → 2"
}
# 8 cpu hold 3 pods and 3 placeholders.
node_joins() {
  local at
  at=$(audit_end)
  cluster_api && soon slack 3 0 && soon quiet_for 3 && ! scale_writes "$at" && asked_for 2
}

pod_template() {  # NAME
  cat <<EOT
---
apiVersion: v1
kind: PodTemplate
metadata: {name: $1, namespace: a}
template: {spec: {schedulerName: volcano, containers: [{name: main, image: none, resources: {requests: {cpu: "1"}}}]}}
EOT
}
buffer() {  # NAME SPEC
  cat <<EOB
---
apiVersion: autoscaling.x-k8s.io/v1beta1
kind: CapacityBuffer
metadata: {name: $1, namespace: a}
spec: {$2}
EOB
}
condition() {  # BUFFER TYPE STATUS [TEXT]
  local said
  said=$(kubectl -n a get capacitybuffer "$1" -o "jsonpath={.status.conditions[?(@.type==\"$2\")]['status','reason','message']}")
  echo "$1: $2: $said"
  [[ $said == "$3 "*"${4:-}"* ]]
}
# A seventh cpu: the 8 hold that, too.
buffer_of_a_template() {
  { pod_template chunk; buffer headroom "podTemplateRef: {name: chunk}, replicas: 1"; } | create &&
    soon condition headroom ReadyForProvisioning True && soon condition headroom Provisioning True "1 of 1 chunks have room" &&
    field capacitybuffer/headroom .status.replicas 1 -n a && soon slack 4 0
}
# And the eighth, when the template comes.
buffer_of_nothing() {
  buffer lost "podTemplateRef: {name: none}, replicas: 1" | create &&
    soon condition lost ReadyForProvisioning False "PodTemplate a/none does not exist" && slack 4 0 &&
    pod_template none | create && soon condition lost ReadyForProvisioning True && soon slack 5 0 &&
    kubectl -n a delete capacitybuffer lost && soon slack 4 0
}
buffer_of_a_workload() {
  { buffer more "scalableRef: {apiGroup: apps, kind: Deployment, name: web}, replicas: 1, percentage: 50"
    cat <<EOD
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: a}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {schedulerName: volcano, containers: [{name: main, image: none, resources: {requests: {cpu: "1"}}}]}
EOD
  } | create && soon condition more ReadyForProvisioning True && soon slack 5 0 &&
    field capacitybuffer/more .status.replicas 1 -n a && kubectl -n a delete capacitybuffers --all && soon slack 3 0 &&
    soon quiet_for 3 && asked_for 2
}

# Three more pods take the room that the slack has kept, in one session, the first that could: they are told nothing
# before, and nothing is asked of Cluster API before. Pods that name a group which is not there wait.
burst() {
  pods a burst 3 1 | create && soon told a burst "pod group burst does not exist" && soon quiet_for 2 || return
  local at
  at=$(audit_end)
  group a burst 3 | create && soon placed a burst 3 && soon asked_for 3 && soon quiet_for 2 || return
  audit_since "$at" | grep -E "/pods/burst-|$scale|/machines/" | tee "$dir/writes"
  [ "$(head -n 3 "$dir/writes" | grep -cE '^create [^ ]*/pods/burst-[0-2]/binding[? ].*201')" = 3 ] &&
    [ "$(grep -c 'session id=.* binds="3"' "$dir/main.log")" = 1 ] && scale_writes "$at" >"$dir/writes" &&
    [ "$(wc -l <"$dir/writes")" = 1 ] && scaled_to 3 <"$dir/writes"
}
# 12 cpu hold 6 pods and 6 placeholders.
third_node_joins() {
  local at
  at=$(audit_end)
  cluster_api && soon slack 6 0 && soon quiet_for 3 && ! scale_writes "$at" && asked_for 3
}
# 3 pods and 3 placeholders are 6 cpu: two nodes do, one would not. What is marked has no pods.
one_less() {
  local at gone
  at=$(audit_end)
  kubectl -n a delete pods -l app=burst --wait=false && kubectl -n a delete podgroups.scheduling.volcano.sh burst &&
    soon asked_for 2 && soon quiet_for 3 || return
  scale_writes "$at" | tee "$dir/writes"
  gone=$(marked_machines)
  [ "$(wc -l <"$dir/writes")" = 2 ] && [ "$(wc -w <<<"$gone")" = 1 ] &&
    sed -n 1p "$dir/writes" | grep "/machines/$gone[? ].*200 .*\"cluster.x-k8s.io/delete-machine\":\"batholith\"" &&
    sed -n 2p "$dir/writes" | scaled_to 2 &&
    [ -z "$(kubectl get pods -A --field-selector "spec.nodeName=node-${gone#pool-}" -o name)" ] && cluster_api &&
    soon slack 3 0 && soon quiet_for 3 && asked_for 2 && placed a early 2 && placed a third 1
}
no_complaint() { ! grep -E ' (error|warning) ' "$dir/main.log" | grep -vE 'is not served|initializing'; }

step "a cluster with one node group and the installer's account and rules starts" begin
step "the log and /readyz name the rules for reading that are missing, and pods get their nodes" no_rules
step "with these rules it starts again" rules_for_reading
step "two pods and two placeholders fill the node, and nothing is asked for" full_node
step "a third pod takes the room of a placeholder" third_pod
step "without the rules of mode apply the size is asked for once; log, event and /readyz name what is missing" refused bare get
step "and so where only the rule for writing is missing" refused_write
step "with the rules the group is set from 1 to 2 nodes, once" one_more
step "the node joins, the placeholders land, and nothing else is written" node_joins
step "a capacity buffer of a template is ready and has its room" buffer_of_a_template
step "one whose template is missing says which, until it comes" buffer_of_nothing
step "one of a workload is ready; without buffers their room is gone" buffer_of_a_workload
step "a burst of three pods is bound in one session into the slack, before a node is asked for" burst
step "the third node joins, and there is slack for six pods" third_node_joins
step "the burst is over: a machine is marked, then the group is set from 3 to 2 nodes, once" one_less
step "the log has no complaint" no_complaint
