#!/usr/bin/env bash
# With the installer's rules nothing is refused; where one of them is missing, the log names the verb and the resource,
# and /readyz does.
#   test/e2e/rbac.sh [--full]     takes away every rule, one after the other, but those of Volcano's older groups and of
#                                 nos' quotas where writing is concerned; else a few.  Exit status: 0, 1, or 77 without Go.
set -uo pipefail
dir=$(mktemp -d)
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
trap 'e2e_end; rm -rf "$dir"' EXIT
# Those of all actions in one file, so that one of them can be left out.
rbac=$dir/rbac.yaml
for file in kubernetes/rbac kubernetes-slack/slack kubernetes-autoscale/autoscale; do
  echo "---" && cat "$installer/$file.yaml"
done >"$rbac"
writes='\[(pods/binding|pods/status|queues/status)\]|\[events.k8s.io\], resources: \[events\]|\[leases\], resourceNames'
quotas='\[(pods/eviction|elasticquotas/status|capacitybuffers/status)\]|\[leases\], verbs'
reads='\[(nodes)\]|\[scheduling.volcano.sh\], resources: \[podgroups\]'
full=
[ "${1:-}" != --full ] || full=1 reads="watch|$quotas"
health=$((20000 + $$ % 10000))
watched="--enable-healthz --healthz-address=127.0.0.1:$health"
# Quotas of nos' older group are not made here, so nothing is written to them; what the server has no kind of is not read,
# nor are shards without a flag.
absent='\[scheduling.(x-|sigs.)k8s.io\], resources: \[podgroups|nodeshards'
rules() {
  grep '^- {apiGroups' "$rbac" | grep -vE "n8s.nebuly.ai.*status|$absent" | grep -E "$writes|$reads"
}

inside() { sed -E "s/.*$2: \[([^]]*)\].*/\1/" <<<"$1"; }  # RULE FIELD
# Pods that fit, pods that do not, and what else asks for a write; c and d have quotas of other dialects. Each time the
# pods ask for another amount: queues and quotas still tell one of the times before, and the same would not be written.
turn=0
work() {
  turn=$((turn + 1))
  local more=$((10 * turn))
  { group a fits 2; pods a fits 2 $((1000 + more))m; group a never 2; pods a never 2 8; } | create && quota_work
}
quota_work() {
  [ -z "$full" ] || { group c few 1; pods c few 1 $((100 + more))m; group d few 1; pods d few 1 $((100 + more))m; buffers
    group a claims 1; pods a claims 1 1 "volumes: [{name: data, persistentVolumeClaim: {claimName: none}}]"; kubernetes_group
    pods a gang 1 1 "schedulingGroup: {podGroupName: gang}"; } | create
}
kubernetes_group() {
  cat <<'EOG'
---
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: {name: gang, namespace: a}
spec: {schedulingPolicy: {gang: {minCount: 2}}}
EOG
}
# What they refer to is read though it is not there.
buffers() {
  local kind
  buffer podtemplate "podTemplateRef: {name: none}, replicas: 1"
  for kind in /ReplicationController apps/Deployment apps/ReplicaSet apps/StatefulSet batch/Job; do
    buffer "${kind,,}" "scalableRef: {apiGroup: '${kind%/*}', kind: ${kind#*/}, name: none}, replicas: 1"
  done
}
buffer() {  # NAME SPEC
  cat <<EOB
---
apiVersion: autoscaling.x-k8s.io/v1beta1
kind: CapacityBuffer
metadata: {name: of-${1##*/}, namespace: a}
spec: {$2}
EOB
}
begin() {
  cat >"$dir/conf.yaml" <<'EOC'
actions: "enqueue, allocate, revoke, backfill, slack, autoscale"
tiers:
- plugins: [{name: priority}, {name: gang}, {name: conformance}]
- plugins: [{name: predicates}, {name: elasticquota, arguments: {monitorAllQuotas: true, delayEvictTime: 1s}}, {name: nodeorder}, {name: network-topology-aware}]
configurations:
- {name: autoscale, arguments: {clusterAPI: {enabled: true}}}
EOC
  e2e_begin && cluster_crds "$dir" "$e2e_here/crds" && kubectl apply -f "$rbac" && cluster_nodes "$dir" 2 4 16Gi && namespaces a b c d || return
  [ -z "$full" ] || { quota scheduling.sigs.k8s.io/v1alpha1 a 2 && quota scheduling.sigs.k8s.io/v1alpha1 b 6 &&
    quota scheduling.x-k8s.io/v1alpha1 c 1 && quota nos.nebuly.com/v1alpha1 d 1; }
}
tidy() { clean a b c d && kubectl -n a delete capacitybuffers,podgroups.scheduling.k8s.io --all; }
all_allowed() {
  daemon_start all --scheduler-conf "$dir/conf.yaml" && work && soon placed a fits 2 && soon told a never "gang short" &&
    soon kubectl -n a describe pod fits-0 >/dev/null && daemon_stop all && tidy && ! grep -iE 'forbidden|may not|cannot' "$dir/all.log"
}
refused() {  # VERB GROUP RESOURCE [NAME]
  ! kubectl auth can-i "$1" "$3${2:+.$2}${4:+/$4}" ${5:+"--subresource=$5"} -n batholith-system \
    --as system:serviceaccount:batholith-system:batholith-scheduler >/dev/null 2>&1
}
# A lease that may not be made keeps the scheduler from leading; nobody asks it for more.
readyz_names() {  # VERB RESOURCE GROUP
  answer "$health" /readyz 2>/dev/null | grep -E "cannot $1 resource \"$2\" in API group \"$3\"|may not $1 $3/$2 "
}
quota() {  # APIVERSION NS MIN
  kubectl apply -f - <<EOQ
apiVersion: $1
kind: ElasticQuota
metadata: {name: quota-$2, namespace: $2}
spec: {min: {cpu: $3}, max: {cpu: 8}}
EOQ
}
# b asks for its 6 of 8 and a holds 7: revoke asks pods/eviction for what is above a's.
lend_and_take_back() {
  { group a lent 1; pods a lent 7 1; } | create && soon placed a lent 7 && { group b own 1; pods b own 6 1; } | create
}
named() {  # LOG VERB RESOURCE GROUP: as the API server says it, or as the scheduler does
  grep -F "cannot $2 resource \"$3\"" "$dir/$1.log" | grep -qF "in API group \"$4\"" || log_has "$1" "may not $2 $4/$3 "
}
without() {  # RULE
  local api resource verb name sub=
  api=$(inside "$1" apiGroups) resource=$(inside "$1" resources) verb=$(inside "$1" verbs)
  api=${api//\"/}
  [[ $verb == *watch* ]] && verb=watch || verb=${verb%%,*}
  name=without-${resource//\//-}-$api
  [[ $resource != */* ]] || sub=${resource#*/}
  grep -vxF -- "$1" "$rbac" | kubectl apply -f - >/dev/null &&
    soon refused "$verb" "$api" "${resource%%/*}" "$([ "$resource" != leases ] || echo volcano)" "$sub" &&
    { [ "$resource:$verb" != leases:create ] || kubectl -n batholith-system delete lease volcano; } &&
    daemon_start "$name" $watched --scheduler-conf "$dir/conf.yaml" &&
    { if [ "$resource" = pods/eviction ]; then lend_and_take_back; else work; fi; } && soon named "$name" "$verb" "$resource" "$api" &&
    soon readyz_names "$verb" "$resource" "$api" && daemon_stop "$name" && tidy
}

step "a cluster with the installer's account and rules starts" begin
step "with all rules everything works and nothing is refused" all_allowed
while read -r rule; do step "the log names what is missing without ${rule#- }" without "$rule"; done < <(rules)
step "with all rules again everything works" kubectl apply -f "$rbac"
daemon_start again
work
step "and the pods get their nodes" soon placed a fits 2
