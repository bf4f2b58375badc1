#!/usr/bin/env bash
# Servers without newer features serve the scheduler as well: what they lack is found by asking. One step after the other on
# an API server without streaming lists and on the oldest one that this one can stand for. Four nodes of 4 cpu.
#   test/e2e/older.sh [--full]     also on one of 1.36.  Exit status: 0, 1, or 77 without Go.
set -uo pipefail
all=$(mktemp -d)
dir=$all
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
trap 'e2e_end; rm -rf "$all"' EXIT

volcano=scheduling.volcano.sh
# The API server says itself how far back it goes: "emulation version 1.33 is not between [1.34, 1.37.0]".
oldest=1.34

# As a release of Volcano that is newer than ours: its kinds have fields that nobody here knows.
newer_kinds() {
  local kind
  for kind in podgroups queues; do
    kubectl patch crd "$kind.$volcano" --type=json -p '[{"op": "add", "value": true,
      "path": "/spec/versions/0/schema/openAPIV3Schema/properties/spec/x-kubernetes-preserve-unknown-fields"}]' || return
  done
}
begin() {  # FLAG...
  e2e_begin --audit "$@" && newer_kinds && cluster_nodes "$dir" 4 4 16Gi && namespaces a b && daemon_start main $patient
}
serves() { [[ $(kubectl get --raw /version) == *"\"emulationMinor\": \"${1#*.}\""* ]]; }  # VERSION
# Asked for once and refused; then listed.
finds_no_streaming_lists() {
  soon log_has main "all objects are known" && grep '"stage":"ResponseComplete".*"resource":"pods"' "$dir/audit.log" >"$dir/asked" &&
    grep sendInitialEvents "$dir/asked" | grep -q '"code":422' && grep -q '"verb":"list".*"code":200' "$dir/asked" &&
    [ "$(grep -c sendInitialEvents "$dir/asked")" = 1 ]
}
whole_gang() {
  { group a gang 4; pods a gang 4 2; } | create && soon placed a gang 4 &&
    soon field podgroup.$volcano/gang .status.phase Running -n a && soon field queue/default .status.allocated.cpu 8
}
# 8 of 16 cpu are held: of five pods of 2 cpu four would fit.
no_part_of_a_gang() {
  { group b big 5; pods b big 5 2; } | create && soon told b big "gang short by 1 of 5" && no_node b big && placed a gang 4
}
preserved() { soon created_newer && [ "$(kubectl -n a get podgroup.$volcano newer -o 'jsonpath={.spec.fromTheFuture.depth}')" = 7 ]; }
# The server takes a changed kind in a moment after it was told, and drops what it does not know until then.
created_newer() {
  kubectl delete queue.$volcano newer --ignore-not-found && kubectl -n a delete podgroup.$volcano newer --ignore-not-found &&
    { group a newer 2 "queue: newer, fromTheFuture: {depth: 7}"; queue newer "weight: 2, alsoNew: [1, {a: b}]"; } |
    kubectl create --validate=strict -f -
}
queue() {  # NAME SPEC
  cat <<EOQ
---
apiVersion: $volcano/v1beta1
kind: Queue
metadata: {name: $1}
spec: {$2}
EOQ
}
unknown_fields() {
  preserved && pods a newer 2 1 "os: {name: linux}" "setHostnameAsFQDN: true" "hostUsers: false" | create && soon placed a newer 2 &&
    soon field queue/newer .status.allocated.cpu 2
}
no_complaint() { ! grep -E ' (error|warning) ' "$dir/main.log" | grep -vE 'is not served|initializing'; }

all_steps() {  # NAME VERSION FLAG...
  local server=$1 version=$2
  shift 2
  dir=$all/${server// /-}
  mkdir "$dir"
  step "$server starts" begin "$@"
  step "$server: it is Kubernetes $version" serves "$version"
  [[ " $* " != *" --no-watch-list "* ]] ||
    step "$server: the scheduler finds that lists do not stream, and lists" finds_no_streaming_lists
  step "$server: a gang that fits starts whole; its group and its queue say so" whole_gang
  step "$server: a gang too big has no pod on a node, and says why" no_part_of_a_gang
  step "$server: fields that nobody knows change nothing" unknown_fields
  step "$server: the log has no complaint" no_complaint
  e2e_end
}
all_steps "a server without streaming lists" 1.37 --no-watch-list
[ "${1:-}" != --full ] || all_steps "a server without gangs of its own" 1.36 --emulated-version 1.36
all_steps "the oldest server" "$oldest" --emulated-version "$oldest" --no-watch-list
