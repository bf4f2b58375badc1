#!/usr/bin/env bash
# Claims of pods on a real server: volumes that are there, volumes that are made (the test plays their provisioner), one
# that gives up, a server that refuses, and a scheduler that is killed between the volume and the binding.
#   test/e2e/volumes.sh     Exit status: 0, 1, or 77 without Go.
set -uo pipefail
dir=$(mktemp -d)
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
trap 'e2e_end; rm -rf "$dir"' EXIT

# Long enough for a machine with other work, and no longer: whoever starts after a kill waits for the lease to end.
lease="--leader-elect-lease-duration=30s --leader-elect-renew-deadline=25s"

class() {  # NAME PROVISIONER
  cat <<EOC
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: $1}
provisioner: $2
volumeBindingMode: WaitForFirstConsumer
EOC
}
claim() {  # NS NAME CLASS
  cat <<EOC
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $2, namespace: $1}
spec: {storageClassName: $3, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
EOC
}
volume() {  # NAME CLASS NODE [MORE OF ITS SPEC]
  cat <<EOV
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: $1}
spec:
  storageClassName: $2
  capacity: {storage: 2Gi}
  accessModes: [ReadWriteOnce]
  local: {path: /none}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: place, operator: In, values: [$3]}]}]}}
${4:+  $4}
EOV
}
uses() { echo "volumes: [{name: data, persistentVolumeClaim: {claimName: $1}}]"; }  # CLAIM
on_node() { field "pod/$2" .spec.nodeName "$3" -n "$1"; }                            # NS POD NODE
selected() {                                                                         # NS CLAIM
  kubectl -n "$1" get pvc "$2" -o 'jsonpath={.metadata.annotations.volume\.kubernetes\.io/selected-node}' 2>/dev/null
}
is_selected() { [ -n "$(selected "$1" "$2")" ]; }
# As an external provisioner: a volume for the claim, where the scheduler wants it.
provision() {  # NS CLAIM
  soon is_selected "$1" "$2" || return
  volume "made-for-$1-$2" made "$(selected "$1" "$2")" "claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: $1,
    name: $2, uid: $(kubectl -n "$1" get pvc "$2" -o 'jsonpath={.metadata.uid}')}" | create
}

label_nodes() {
  local n
  for n in node-1 node-2 node-3; do kubectl label node "$n" "place=$n" || return; done
}
begin() {
  e2e_begin && cluster_nodes "$dir" 3 16 64Gi && label_nodes && namespaces a b c d e f && { class kept kubernetes.io/no-provisioner
    class made example.com/made; } | create && daemon_start main $lease && soon log_has main "scheduling begins"
}
missing_claim() {
  { group a g 1; pods a g 1 1 "$(uses data)"; } | create && soon told a g 'persistentvolumeclaim "data" not found' && no_node a g
}
there() {
  { volume on-2 kept node-2; claim a data kept; } | create && soon on_node a g-0 node-2 &&
    field pv/on-2 .spec.claimRef.name data && field pvc/data .spec.volumeName on-2 -n a
}
kept_for_a_claim() {
  { volume on-3 kept node-3 "claimRef: {namespace: b, name: data}"; claim b data kept; group b g 1; pods b g 1 1 "$(uses data)"; } |
    create && soon on_node b g-0 node-3 && field pvc/data .spec.volumeName on-3 -n b
}
# Nobody is bound before the volumes of each are there.
made() {
  { claim c one made; claim c two made; group c g 2; pods c g 1 1 "$(uses one)"
    pods c g 1 1 "$(uses two)" | sed 's/name: g-0/name: g-1/'; } | create &&
    soon is_selected c one && no_node c g && provision c one && provision c two && soon placed c g 2 &&
    on_node c g-0 "$(selected c one)" && on_node c g-1 "$(selected c two)"
}
gives_up() {
  { claim d data made; group d g 1; pods d g 1 1 "$(uses data)"; } | create && soon is_selected d data &&
    kubectl -n d annotate pvc data volume.kubernetes.io/selected-node- && soon event_says d "its provisioner has given up there" &&
    provision d data && soon placed d g 1
}
event_says() {  # NS TEXT
  kubectl -n "$1" get events -o 'jsonpath={range .items[*]}{.message}{"\n"}{end}' | grep -qF -- "$2"
}
deny() {
  kubectl create -f - <<EOP
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-volumes}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [persistentvolumes]}]
  validations: [{expression: "false", message: no volume is given away}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-volumes}
spec: {policyName: no-volumes, validationActions: [Deny]}
EOP
}
denied() { [[ $(kubectl annotate pv on-2 test=x --overwrite 2>&1) == *"no volume is given away"* ]]; }
refused() {
  deny >/dev/null && soon denied && { volume on-1 kept node-1; claim e data kept; group e g 1; pods e g 1 1 "$(uses data)"; } | create &&
    soon event_says e "no volume is given away" && no_node e g &&
    kubectl delete validatingadmissionpolicybindings,validatingadmissionpolicies no-volumes && soon on_node e g-0 node-1
}
killed() {
  { claim f data made; group f g 1; pods f g 1 1 "$(uses data)"; } | create && soon is_selected f data && daemon_stop main KILL &&
    no_node f g && provision f data && soon field pvc/data .status.phase Bound -n f && daemon_start again $lease &&
    soon on_node f g-0 "$(selected f data)"
}

step "a cluster with two classes of storage starts" begin
step "a pod waits for a claim that is not there, and says so" missing_claim
step "with its claim the pod goes where the volume is" there
step "so does one whose volume is kept for its claim" kept_for_a_claim
step "a gang is bound once its volumes are made, each where its pod goes" made
step "a provisioner that gives up has its pod placed anew" gives_up
step "a server that refuses the volume is told, and asked again" refused
step "a scheduler that is killed before the binding loses nothing" killed
