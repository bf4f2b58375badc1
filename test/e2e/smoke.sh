#!/usr/bin/env bash
# A real cluster starts, serves every custom kind of the installer as written, refuses what is wrong by the name of the
# field, takes the installer's manifests and examples, and ends.  Exit status: 0, 1, or 77 without Go.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$here/lib.sh"
. "$root/test/installer/checks.sh"

e2e_require cluster kwok
dir=$(mktemp -d)
trap 'cluster_down "$dir"; rm -rf "$dir"' EXIT
kubectl() { cluster_kubectl "$dir" "$@"; }
check "a cluster starts" cluster_up "$dir" --owner $$
[ "$checks_failed" -eq 0 ] || { tail -n 20 "$dir"/*.log; exit 1; }

# Strict: a field that the schema lacks is an error and not dropped.
created() { kubectl create --validate=strict -f "$1"; }
# Every leaf that was written comes back as it was written; the server may add defaults.
stored() {
  kubectl create --dry-run=client -f "$1" -o yaml >"$dir/written" && kubectl get -f "$1" -o yaml >"$dir/read" || return
  _stored_leaves <"$dir/written" >"$dir/written.leaves"
  _stored_leaves <"$dir/read" >"$dir/read.leaves"
  local lost
  lost=$(grep -vxFf "$dir/read.leaves" "$dir/written.leaves") || return 0
  echo "not stored: $lost"
  return 1
}
# The lines of a YAML object with the keys above each, so that they can be compared as a set.
_stored_leaves() {
  awk '{ match($0, /^( *)(- )*/); depth = RLENGTH; text = substr($0, RLENGTH + 1)
         while (n > 0 && level[n] >= depth) --n
         path = ""; for (i = 1; i <= n; ++i) path = path name[i] "/"
         if (text ~ /:$/) { level[++n] = depth; name[n] = text } else print path text }'
}
refused() {  # FILE PATCH MESSAGE
  local said
  kubectl create --dry-run=client -f "$here/objects/$1.yaml" -o json >"$dir/good" || return
  kubectl patch --local -f "$dir/good" --type=merge -p "$2" -o json >"$dir/spoilt" || return
  said=$(sed 's/"name": "whole"/"name": "spoilt"/' "$dir/spoilt" | kubectl create -f - 2>&1) &&
    { echo "taken: $2"; return 1; }
  grep -qF -- "$3" <<<"$said" || { echo "$said"; return 1; }
}
applied() { kubectl apply --server-side -f "$1"; }
column() {  # RESOURCE HEADING...
  local heading
  kubectl get "$1" >"$dir/table" || return
  for heading in "${@:2}"; do
    grep -qwF -- "$heading" <(head -n 1 "$dir/table") || { cat "$dir/table"; return 1; }
  done
}
may() {  # VERB RESOURCE [FLAG...]
  [ "$(kubectl --kubeconfig "$account" auth can-i "$@" 2>/dev/null)" = yes ]
}
may_not() { ! may "$@"; }
may_read() {  # RESOURCE...
  local resource verb
  for resource in "$@"; do
    for verb in get list watch; do may "$verb" "$resource" || { echo "may not $verb $resource"; return 1; }; done
  done
}
group_scales() {
  local version replicas=1
  for version in v1beta1 v1beta2; do
    kubectl apply -f - <<EOG && kubectl scale "machinedeployments.$version.cluster.x-k8s.io/scaled" --replicas $((++replicas)) &&
apiVersion: cluster.x-k8s.io/$version
kind: MachineDeployment
metadata: {name: scaled}
spec: {template: {spec: {clusterName: here}}}
EOG
      [ "$(kubectl get machinedeployment scaled -o 'jsonpath={.spec.replicas} {.spec.template.spec.clusterName}')" = "$replicas here" ] ||
      return
  done
}
status_kept_apart() {
  kubectl patch queue whole --subresource=status --type=merge -p '{"status":{"state":"Closed","allocated":{"cpu":"1"}}}' &&
    kubectl patch queue whole --type=merge -p '{"status":{"state":"Open"}}' &&
    [ "$(kubectl get queue whole -o 'jsonpath={.status.state}')" = Closed ]
}
group_status_in_place() {
  kubectl patch podgroup.scheduling.volcano.sh whole --type=merge -p '{"status":{"phase":"Running"}}' &&
    [ "$(kubectl get podgroup.scheduling.volcano.sh whole -o 'jsonpath={.status.phase}')" = Running ]
}
replicas_exist() {
  [ "$(kubectl -n batholith-system get pods -l app.kubernetes.io/name=batholith -o name | wc -l)" = 2 ]
}
all_kinds_have_an_object() {
  local crd kind
  for crd in "$root"/installer/crds/*.yaml; do
    kind=$(sed -n 's/^  name: //p' "$crd" | head -n 1)
    [ -n "$(kubectl get "$kind" -A -o name)" ] || { echo "no object of $kind"; return 1; }
  done
}

check "every custom kind is established" cluster_crds "$dir"
for object in "$here"/objects/*.yaml; do
  name=$(basename "$object" .yaml)
  check "a whole $name is taken" created "$object"
  check "a whole $name is stored as written" stored "$object"
done
check "every custom kind has been tried" all_kinds_have_an_object
while IFS='|' read -r file patch message; do
  [[ $file != \#* ]] || continue
  file=${file% } patch=${patch# } message=${message# }
  check "refused: $file $patch" refused "$file" "${patch% }" "$message"
done <"$here/refused.txt"

check "q is short for queue, with its column" column q NAME PARENT
check "pg is short for podgroup, with its columns" column pg.v1beta1.scheduling.volcano.sh STATUS MINMEMBER RUNNINGS AGE
check "vcjob is short for job, with its columns" column vcjob STATUS MINAVAILABLE RUNNINGS AGE
check "eq is short for elasticquota, with its columns" column eq USED MAX AGE
check "ceq is short for compositeelasticquota" column ceq USED MAX AGE
check "cb is short for capacitybuffer, with its columns" column cb STRATEGY PODTEMPLATE REPLICAS CONDITIONS STATUSES REASONS AGE
check "the older version of a capacity buffer is served" column capacitybuffers.v1alpha1.autoscaling.x-k8s.io STRATEGY REPLICAS
check "eqp is short for elasticquotaprofile" column eqp QUOTA AGE
check "hn is short for hypernode, with its columns" column hn TIER NODECOUNT AGE
check "nsh is short for nodeshard" column nsh AGE
check "a queue has a status subresource" status_kept_apart
check "a pod group has none" group_status_in_place

check "the namespace of the installer is taken" applied "$root/installer/kubernetes/00-namespace.yaml"
check "every manifest of the installer is taken" applied "$root/installer/kubernetes"
check "the namespace's security level admits the pods of the Deployment" e2e_poll "$E2E_DEADLINE" replicas_exist
account=$(cluster_account "$dir" batholith-system batholith-scheduler)
check "the scheduler may bind pods" may create pods --subresource=binding
check "the scheduler may write the status of queues" may patch queues.scheduling.volcano.sh --subresource=status
check "the scheduler may take its lease" may update leases.coordination.k8s.io/volcano -n batholith-system
check "the scheduler may not take another lease" may_not update leases.coordination.k8s.io/other -n batholith-system
check "the scheduler may not take a lease elsewhere" may_not create leases.coordination.k8s.io -n kube-system
check "the scheduler may not read secrets" may_not get secrets -n batholith-system
check "the scheduler may not create pods" may_not create pods
check "the scheduler may not change nodes" may_not patch nodes
check "the kinds of Cluster API for tests are established" cluster_crds "$dir" "$here/crds"
check "a node group has a size to be set, in either version" group_scales
for more in machinedeployments.cluster.x-k8s.io machines.cluster.x-k8s.io capacitybuffers.autoscaling.x-k8s.io podtemplates \
  deployments.apps jobs.batch; do
  check "the scheduler may not read $more unless asked for" may_not list "$more"
done
check "the manifests for slack are taken" applied "$root/installer/kubernetes-slack"
check "then it may read what capacity buffers refer to" may_read podtemplates replicationcontrollers deployments.apps \
  replicasets.apps statefulsets.apps jobs.batch capacitybuffers.autoscaling.x-k8s.io
check "then it may write the status of capacity buffers" may patch capacitybuffers.autoscaling.x-k8s.io --subresource=status
check "the manifests for reading node groups are taken" applied "$root/installer/kubernetes-autoscale/autoscale.yaml"
check "then it may read node groups" may_read machinedeployments.cluster.x-k8s.io machines.cluster.x-k8s.io
check "the scheduler may not change workloads" may_not patch deployments.apps
check "the scheduler may not set the size of node groups" may_not patch machinedeployments.cluster.x-k8s.io --subresource=scale
check "the scheduler may not mark machines" may_not patch machines.cluster.x-k8s.io
check "the manifests that allow scaling are taken" applied "$root/installer/kubernetes-autoscale"
check "then it may set the size of node groups" may patch machinedeployments.cluster.x-k8s.io --subresource=scale
check "then it may mark machines" may patch machines.cluster.x-k8s.io
check "even so it may not change node groups otherwise" may_not patch machinedeployments.cluster.x-k8s.io
check "even so it may not delete machines" may_not delete machines.cluster.x-k8s.io
check "even so it may not change nodes" may_not patch nodes
check "the scheduler may not review tokens unless asked for" may_not create tokenreviews.authentication.k8s.io
check "the manifests that let it review tokens are taken" applied "$root/installer/kubernetes-metrics"
check "then it may" may create tokenreviews.authentication.k8s.io
check "the scheduler may not delete queues" may_not delete queues.scheduling.volcano.sh

check "nodes become ready" cluster_nodes "$dir" 2
check "the namespaces of the example are taken" applied "$root/installer/examples/cluster/namespaces.yaml"
check "the example cluster is taken" applied "$root/installer/examples/cluster"
check "the example jobs are taken" applied "$root/installer/examples/jobs.yaml"

restarted() {
  cluster_stop "$dir" kube-apiserver && ! kubectl get queue whole && cluster_start "$dir" kube-apiserver &&
    cluster_ready "$dir" && kubectl get queue whole
}
ended() {
  local pids pid
  pids=$(awk '{ print $2 }' "$dir/pids")
  cluster_down "$dir" || return
  for pid in $pids; do
    ! _e2e_runs "$dir" "$pid" || { echo "pid $pid runs on"; return 1; }
  done
}
check "the API server is stopped and started again, and has what it had" restarted
check "the cluster ends" ended
checks_done
