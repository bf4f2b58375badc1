#!/usr/bin/env bash
# With the installer's rules nothing is refused; where one of them is missing, the log names the verb and the resource.
#   test/e2e/rbac.sh [--full]     takes away every rule for reading, one after the other, and those for writing whose
#                                 need is easily made; else a few.  Exit status: 0, 1, or 77 without Go.
set -uo pipefail
dir=$(mktemp -d)
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
trap 'e2e_end; rm -rf "$dir"' EXIT
rbac=$installer/kubernetes/rbac.yaml
writes='\[(pods/binding|pods/status|queues/status)\]|\[events.k8s.io\], resources: \[events\]|\[leases\], resourceNames'
reads='\[(nodes)\]|\[scheduling.volcano.sh\], resources: \[podgroups\]'
# Jobs of Volcano are for a controller that is not written yet: the scheduler does not read them.
[ "${1:-}" != --full ] || reads='watch'
rules() { grep '^- {apiGroups' "$rbac" | grep -v 'batch.volcano.sh' | grep -E "$writes|$reads"; }

inside() { sed -E "s/.*$2: \[([^]]*)\].*/\1/" <<<"$1"; }  # RULE FIELD
# Pods that fit, pods that do not, and what else asks for a write.
work() { { group a fits 2; pods a fits 2 1; group a never 2; pods a never 2 8; } | create; }
begin() { e2e_begin && cluster_nodes "$dir" 2 4 16Gi && namespaces a; }
all_allowed() {
  daemon_start all && work && soon placed a fits 2 && soon told a never "gang short" &&
    soon kubectl -n a describe pod fits-0 >/dev/null && daemon_stop all && clean a && ! grep -iE 'forbidden|may not|cannot' "$dir/all.log"
}
refused() {  # VERB GROUP RESOURCE [NAME]
  ! kubectl auth can-i "$1" "$3${2:+.$2}${4:+/$4}" ${5:+"--subresource=$5"} -n batholith-system \
    --as system:serviceaccount:batholith-system:batholith-scheduler >/dev/null 2>&1
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
    daemon_start "$name" && work && soon named "$name" "$verb" "$resource" "$api" && daemon_stop "$name" && clean a
}

step "a cluster with the installer's account and rules starts" begin
step "with all rules everything works and nothing is refused" all_allowed
while read -r rule; do step "the log names what is missing without ${rule#- }" without "$rule"; done < <(rules)
step "with all rules again everything works" kubectl apply -f "$rbac"
daemon_start again
work
step "and the pods get their nodes" soon placed a fits 2
